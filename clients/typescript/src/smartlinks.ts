import {
  type Answer,
  eachItem,
  eachPage,
  type Page,
  type PageQuery,
  type PageSize,
  type VersionedAnswer,
} from './answers.js';
import type { Call } from './call.js';
import type {
  Body,
  Data,
  Query,
  Smartlink,
  SmartlinkChanges,
  SmartlinkCreate,
  SmartlinkOf,
  SmartlinkStatus,
  SmartlinkSummary,
  SmartlinkType,
} from './operation-types.js';
import { listOf } from './read-answer.js';
import type { CallOptions } from './settings.js';

/** Filters and sorts smartlinks; Active ones that are not archived by default. */
export type ListFilter = Omit<Query<'readSmartlinks'>, 'id' | 'externalId' | 'limit' | 'cursor' | 'view'>;

/** A smartlink to check: one to create, or a change. */
export type Draft = Body<'previewSmartlink'>;

/** One operation of a bulk call, with the body of the corresponding single call. */
export type BulkOperation =
  | { readonly create: SmartlinkCreate }
  | { readonly patch: SmartlinkChanges & { readonly id: string }; readonly ifMatch?: string }
  | { readonly status: { readonly id: string; readonly status: 'Active' | 'Paused' } }
  | { readonly delete: { readonly smartlinkId: string } };

/** The result of one bulk operation: a smartlink, `data: null` of a delete, or an error. */
export type BulkResult = Data<'bulkSmartlinks'>[number];

export type CreateOptions = CallOptions & {
  /** Calls with the same key and body within 24 hours take effect once; a new UUID for each call by default. */
  readonly idempotencyKey?: string | undefined;
};

export type UpdateOptions = CallOptions & {
  /** `etag` of the version to change; any other version fails with PRECONDITION_FAILED. */
  readonly ifMatch?: string | undefined;
};

export function smartlinkMethods(call: Call) {
  /** The list, newest first unless sorted: a page with `limit` or `cursor`, otherwise the whole list in one answer. */
  const list = (query?: ListFilter & PageQuery, options?: CallOptions): Promise<Page<Smartlink>> =>
    call('readSmartlinks', { query }, options, listOf<Smartlink>());

  /** Like list, without the content of the smartlinks. */
  const summaries = (
    query?: ListFilter & PageQuery,
    options?: CallOptions,
  ): Promise<Page<SmartlinkSummary>> =>
    call('readSmartlinks', { query: { ...query, view: 'summary' } }, options, listOf<SmartlinkSummary>());

  /** Iterates over the pages of the whole list, newest first; each is requested when it is needed. */
  const pages = (
    { pageSize, ...filter }: ListFilter & PageSize = {},
    options?: CallOptions,
  ): AsyncGenerator<Page<Smartlink>, void> =>
    eachPage('readSmartlinks', (page) => list({ ...filter, ...page }, options), { pageSize });

  const readOne = async (
    query: { readonly id: string } | { readonly externalId: string },
    options?: CallOptions,
  ): Promise<VersionedAnswer<Smartlink>> => {
    const answer = await call('readSmartlinks', { query }, options);
    // With an id the answer is one smartlink.
    return { ...answer, data: answer.data as Smartlink };
  };

  return {
    list,
    summaries,
    pages,

    /** Iterates over the whole list, newest first, a page at a time, without smartlinks created after the start. */
    listAll: (filter?: ListFilter & PageSize, options?: CallOptions): AsyncGenerator<Smartlink, void> =>
      eachItem(pages(filter, options)),

    /** Creates a smartlink; retries do not create it twice. */
    create: async <Type extends SmartlinkType>(
      body: SmartlinkCreate<Type>,
      options: CreateOptions = {},
    ): Promise<VersionedAnswer<SmartlinkOf<Type>>> => {
      const { idempotencyKey } = options;
      const answer = await call('createSmartlink', { body, idempotencyKey }, options);
      // The service answers with the requested type.
      return { ...answer, data: answer.data as SmartlinkOf<Type> };
    },

    /** One smartlink, in any status. */
    get: (id: string, options?: CallOptions): Promise<VersionedAnswer<Smartlink>> => readOne({ id }, options),

    /** The smartlink with your own id of it, unless it is deleted. */
    getByExternalId: (externalId: string, options?: CallOptions): Promise<VersionedAnswer<Smartlink>> =>
      readOne({ externalId }, options),

    /**
     * Changes parts of a smartlink: objects merge, arrays replace, null clears. With `ifMatch` the request is also retried
     * after failures with unknown outcome; if the first request had succeeded, the retry fails with PRECONDITION_FAILED.
     */
    update: (
      id: string,
      changes: SmartlinkChanges,
      options: UpdateOptions = {},
    ): Promise<VersionedAnswer<Smartlink>> =>
      call('updateSmartlink', { body: { ...changes, id }, ifMatch: options.ifMatch }, options),

    /** Pauses or activates a smartlink. */
    setStatus: (
      id: string,
      status: Exclude<SmartlinkStatus, 'Deleted'>,
      options?: CallOptions,
    ): Promise<VersionedAnswer<Smartlink>> => call('setSmartlinkStatus', { body: { id, status } }, options),

    /**
     * Creates, changes and deletes up to 100 smartlinks. Resolves to a result for each, in the order sent: narrow it by
     * `success`, and errors by `error.code`. A failed operation does not affect the others. With `dryRun` nothing is
     * stored. Hashing many passwords takes the service seconds: raise `timeoutMs`.
     */
    bulk: (
      operations: readonly BulkOperation[],
      options: CreateOptions & { readonly dryRun?: boolean | undefined } = {},
    ): Promise<Answer<readonly BulkResult[]>> => {
      const { dryRun = false, idempotencyKey } = options;
      const input = { body: { operations, dryRun }, idempotencyKey };
      return call('bulkSmartlinks', input, options, listOf<BulkResult>());
    },

    /** Deletes a smartlink permanently. */
    remove: (id: string, options?: CallOptions): Promise<Answer<null>> =>
      call('deleteSmartlink', { body: { smartlinkId: id } }, options),

    /** Checks a smartlink as a create or an update would, and changes nothing. For signed-in people. */
    preview: (draft: Draft, options?: CallOptions): Promise<Answer<Data<'previewSmartlink'>>> =>
      call('previewSmartlink', { body: draft }, options),
  };
}
