import type { BenchStack } from '@smartlink/bench/bench-stack';
import { APP_LINKS, EVEN_URL_LINKS, HOT_LINKS, fillLinks, linkSlugs } from '../many-links.js';
import type { VisitMix } from '../visit-requests.js';
import type { Sizes } from './options.js';

export type NamedMix = VisitMix & {
  readonly name: string;
  readonly title: string;
  /** Which of our services gets it: one that trusts its peers to say where the visitor comes from, or one that does not. */
  readonly service: 'plain' | 'proxied';
};

/** The one that everything is compared on: ten links and one browser, as in any benchmark of a constant redirect. */
export const CEILING_MIX = 'few';

/** Stores the links and returns the mixes of visits to them, the simple one first. Rejects on `signal`. */
export async function makeMixes(
  { pg }: BenchStack,
  sizes: Sizes,
  signal: AbortSignal,
): Promise<readonly NamedMix[]> {
  const urlLinks = HOT_LINKS + sizes.manyLinks;
  await fillLinks(pg, { kind: EVEN_URL_LINKS, from: 0, to: urlLinks, signal });
  await fillLinks(pg, { kind: APP_LINKS, from: urlLinks, to: urlLinks + HOT_LINKS, signal });
  const few = linkSlugs(0, HOT_LINKS);
  const many = linkSlugs(HOT_LINKS, sizes.manyLinks);
  const apps = linkSlugs(urlLinks, HOT_LINKS);
  const base: VisitMix = {
    slugs: few,
    agents: 1,
    addresses: 0,
    queryEvery: 0,
    isScan: false,
    isPhone: false,
  };
  const count = sizes.manyLinks.toLocaleString('en');
  return [
    { ...base, name: CEILING_MIX, title: 'ten links, one browser', service: 'plain' },
    { ...base, name: 'links', title: `${count} links`, slugs: many, service: 'plain' },
    { ...base, name: 'agents-100', title: '100 User-Agents', agents: 100, service: 'plain' },
    { ...base, name: 'agents-10000', title: '10,000 User-Agents', agents: 10_000, service: 'plain' },
    {
      ...base,
      name: 'addresses',
      title: 'X-Forwarded-For of 20,000 visitors',
      addresses: 20_000,
      service: 'proxied',
    },
    { ...base, name: 'query', title: 'with parameters', queryEvery: 1, service: 'plain' },
    { ...base, name: 'scan', title: 'QR scans', isScan: true, service: 'plain' },
    { ...base, name: 'app', title: 'App links, phones', slugs: apps, isPhone: true, service: 'plain' },
    {
      name: 'everything',
      title: `all of it: ${count} links, 1,000 User-Agents, 20,000 visitors, a third with parameters`,
      slugs: many,
      agents: 1_000,
      addresses: 20_000,
      queryEvery: 3,
      isScan: false,
      isPhone: false,
      service: 'proxied',
    },
  ];
}
