import { type Answer, eachItem, eachPage, type Page, type PageQuery, type PageSize } from './answers.js';
import type { Call } from './call.js';
import type { Body, Data } from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

export type Domain = Data<'createDomain'>;
export type DomainCreate = Body<'createDomain'>;
export type DomainChanges = Omit<Body<'updateDomain'>, 'id'>;

/** Custom domains. */
export function domainMethods(call: Call) {
  /** One page of the domains, newest first. */
  const list = (query?: PageQuery, options?: CallOptions): Promise<Page<Domain>> =>
    call('listDomains', { query }, options, listOf<Domain>());

  return {
    list,

    /** Iterates over all domains, newest first. */
    listAll: ({ pageSize }: PageSize = {}, options?: CallOptions): AsyncGenerator<Domain, void> =>
      eachItem(eachPage('listDomains', (page) => list(page, options), { pageSize })),

    /** Adds a domain. `verification` of the answer has the records to set. */
    create: (body: DomainCreate, options?: CallOptions): Promise<Answer<Domain>> =>
      call('createDomain', { body }, options),

    /** Changes destinations, app files or the default; `null` clears one. */
    update: (id: string, changes: DomainChanges, options?: CallOptions): Promise<Answer<Domain>> =>
      call('updateDomain', { body: { ...changes, id } }, options),

    /** Looks at the records now. `status` of the answer is `Active` if the host is proven. */
    verify: (id: string, options?: CallOptions): Promise<Answer<Domain>> =>
      call('verifyDomain', { body: { id } }, options),

    /** Removes a domain. Rejects with DOMAIN_IN_USE while a smartlink has its primary address there. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteDomain', { body: { domainId: id } }, options),
  };
}
