import type { Answer, Page, VersionedAnswer } from './answers.js';
import type { Call } from './call.js';
import type {
  Query,
  Smartlink,
  SmartlinkChanges,
  SmartlinkCreate,
  SmartlinkOf,
  SmartlinkStatus,
  SmartlinkType,
} from './operation-types.js';
import type { CallOptions } from './settings.js';

/** Which smartlinks: Active ones, unless `status` says otherwise, of any type and name. */
export type ListFilter = Omit<Query<'readSmartlinks'>, 'id' | 'limit' | 'cursor'>;

/** `pageSize`, 1 to 100, is how many come with one request; 100 by default. */
export type ListAllFilter = ListFilter & { readonly pageSize?: number | undefined };

export type CreateOptions = CallOptions & {
  /** Makes this call and later ones with the same key and body one create, for 24 hours; a new UUID a call by default. */
  readonly idempotencyKey?: string | undefined;
};

export type UpdateOptions = CallOptions & {
  /** `etag` of the version to change; another version is refused with PRECONDITION_FAILED. */
  readonly ifMatch?: string | undefined;
};

const PAGE_SIZE = 100;

/** Returns the methods about smartlinks. */
export function smartlinkMethods(call: Call) {
  /** Resolves to one page of the list, newest first; 100 smartlinks unless `limit` (1 to 100) says otherwise. */
  const list = async (
    query: ListFilter & { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<Page> => {
    const { limit = PAGE_SIZE, ...rest } = query;
    const answer = await call('readSmartlinks', { query: { ...rest, limit } }, options);
    // Without an id the answer is a list.
    return { ...answer, data: answer.data as readonly Smartlink[] };
  };

  /** Iterates over the pages of the whole list, newest first; each is asked for when it is wanted. */
  async function* pages(filter: ListAllFilter = {}, options?: CallOptions): AsyncGenerator<Page, void> {
    const { pageSize: limit, ...rest } = filter;
    let cursor: string | undefined;
    do {
      const page: Page = await list({ ...rest, limit, cursor }, options);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Iterates over the whole list, newest first, a page at a time. What is created meanwhile is not in it. */
  async function* listAll(filter?: ListAllFilter, options?: CallOptions): AsyncGenerator<Smartlink, void> {
    for await (const { data } of pages(filter, options)) yield* data;
  }

  return {
    list,
    pages,
    listAll,

    /** Creates a smartlink and resolves to it. It is created once, however often the request is sent again. */
    create: async <Type extends SmartlinkType>(
      body: SmartlinkCreate<Type>,
      options: CreateOptions = {},
    ): Promise<VersionedAnswer<SmartlinkOf<Type>>> => {
      const { idempotencyKey } = options;
      const answer = await call('createSmartlink', { body, idempotencyKey }, options);
      // The type that was asked for.
      return { ...answer, data: answer.data as SmartlinkOf<Type> };
    },

    /** Resolves to one smartlink, in any status. */
    get: async (id: string, options?: CallOptions): Promise<VersionedAnswer<Smartlink>> => {
      const answer = await call('readSmartlinks', { query: { id } }, options);
      // With an id the answer is that smartlink.
      return { ...answer, data: answer.data as Smartlink };
    },

    /**
     * Changes parts of a smartlink and resolves to it: objects merge, arrays replace, null clears. With `ifMatch` it is
     * sent again after failures that leave open whether it was carried out; when it was, that ends in
     * PRECONDITION_FAILED.
     */
    update: (
      id: string,
      changes: SmartlinkChanges,
      options: UpdateOptions = {},
    ): Promise<VersionedAnswer<Smartlink>> =>
      call('updateSmartlink', { body: { ...changes, id }, ifMatch: options.ifMatch }, options),

    /** Pauses or activates a smartlink and resolves to it. */
    setStatus: (
      id: string,
      status: Exclude<SmartlinkStatus, 'Deleted'>,
      options?: CallOptions,
    ): Promise<VersionedAnswer<Smartlink>> => call('setSmartlinkStatus', { body: { id, status } }, options),

    /** Deletes a smartlink, for good. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteSmartlink', { body: { smartlinkId: id } }, options),
  };
}
