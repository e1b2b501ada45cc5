import type { Answer, Page, VersionedAnswer } from './answers.js';
import type { Call } from './call.js';
import type {
  Data,
  Query,
  Smartlink,
  SmartlinkChanges,
  SmartlinkCreate,
  SmartlinkOf,
  SmartlinkStatus,
  SmartlinkType,
} from './operation-types.js';
import { eachItem, eachPage } from './pagination.js';
import type { PageQuery, PageSize } from './pagination.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

/** Which smartlinks: Active ones, unless `status` says otherwise, of any type and name. */
export type ListFilter = Omit<Query<'readSmartlinks'>, 'id' | 'limit' | 'cursor'>;

/** One operation of a bulk call, as its single call would have it. */
export type BulkOperation =
  | { readonly create: SmartlinkCreate }
  | { readonly patch: SmartlinkChanges & { readonly id: string }; readonly ifMatch?: string }
  | { readonly delete: { readonly smartlinkId: string } };

/** What came of one operation of a bulk call: a smartlink, `data: null` of a delete, or an error. */
export type BulkResult = Data<'bulkSmartlinks'>[number];

export type CreateOptions = CallOptions & {
  /** Makes this call and later ones with the same key and body one, for 24 hours; a new UUID a call by default. */
  readonly idempotencyKey?: string | undefined;
};

export type UpdateOptions = CallOptions & {
  /** `etag` of the version to change; another version is refused with PRECONDITION_FAILED. */
  readonly ifMatch?: string | undefined;
};

/** Returns the methods about smartlinks. */
export function smartlinkMethods(call: Call) {
  /** Resolves to the list, newest first: a page of it with `limit` or `cursor`, else all of it in one answer. */
  const list = (query?: ListFilter & PageQuery, options?: CallOptions): Promise<Page<Smartlink>> =>
    call('readSmartlinks', { query }, options, listOf<Smartlink>());

  /** Iterates over the pages of the whole list, newest first; each is asked for when it is wanted. */
  const pages = (
    { pageSize, ...filter }: ListFilter & PageSize = {},
    options?: CallOptions,
  ): AsyncGenerator<Page<Smartlink>, void> =>
    eachPage('readSmartlinks', (page) => list({ ...filter, ...page }, options), { pageSize });

  return {
    list,
    pages,

    /** Iterates over the whole list, newest first, a page at a time. What is created meanwhile is not in it. */
    listAll: (filter?: ListFilter & PageSize, options?: CallOptions): AsyncGenerator<Smartlink, void> =>
      eachItem(pages(filter, options)),

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

    /**
     * Creates, changes and deletes up to a hundred smartlinks, and resolves to a result for each, in the order sent:
     * narrow it by `success`, and what was refused by `error.code`. One that is refused holds up none of the others. With
     * `dryRun` nothing is stored. Many passwords take the service seconds: allow for it by `timeoutMs`.
     */
    bulk: (
      operations: readonly BulkOperation[],
      options: CreateOptions & { readonly dryRun?: boolean | undefined } = {},
    ): Promise<Answer<readonly BulkResult[]>> => {
      const { dryRun = false, idempotencyKey } = options;
      const input = { body: { operations, dryRun }, idempotencyKey };
      return call('bulkSmartlinks', input, options, listOf<BulkResult>());
    },

    /** Deletes a smartlink, for good. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteSmartlink', { body: { smartlinkId: id } }, options),
  };
}
