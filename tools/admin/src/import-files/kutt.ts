import { isYes, slugOf, toMoment, toText, withoutNull } from './foreign-link.js';
import type { Service } from './foreign-link.js';

/**
 * Kutt. JSON: GET /api/v2/links, {data: […]}, whose members are those of `sanitize.link` in server/utils/utils.js of
 * thedevs-network/kutt; `password` is whether there is one. Kutt has no CSV of its own: a table is taken whose columns are
 * called like those members or like its table `links` (server/models/link.model.js), where `password` is a hash.
 */
export const kutt: Service = {
  columns: {
    address: 'address',
    link: 'link',
    target: 'target',
    description: 'description',
    createdat: 'created_at',
    expirein: 'expire_in',
    visitcount: 'visit_count',
    password: 'password',
    banned: 'banned',
  },
  isLink: (members) => members.has('target') && members.has('address'),
  read: (record, now) => {
    const expiry = toMoment(withoutNull(record['expire_in']));
    return {
      url: record['target'],
      slug: toText(record['address']) ?? slugOf(record['link']),
      title: withoutNull(record['description']),
      createdAt: withoutNull(record['created_at']),
      clicks: record['visit_count'],
      hasPassword: isYes(withoutNull(record['password'])),
      isOff: isYes(withoutNull(record['banned'])) || (expiry instanceof Date && expiry <= now),
    };
  },
};
