import { type Caller, urlSmartlink } from './start-service.js';

/** An operation of a bulk call, as it is sent. */
export type BulkOperation = Readonly<Record<string, unknown>>;

/** A result of a bulk call. */
export type BulkResult = {
  readonly status: number;
  readonly success: boolean;
  readonly message?: string;
  readonly data?: { readonly id: string; readonly relink: string; readonly updatedAt: string } | null;
  readonly etag?: string;
  readonly error?: { readonly code: string; readonly details?: { path: string; message: string }[] };
};

/** Makes bulk calls as the user of `api`. */
export function bulkCaller(api: Caller) {
  return async (operations: readonly unknown[], more: object = {}, headers = {}) => {
    const res = await api.post('/smartlink/bulk', { operations, ...more }, headers);
    const results = res.status === 200 ? (res.body.data as BulkResult[]) : [];
    return { ...res, results, statuses: results.map(({ status }) => status) };
  };
}

/** Makes a bulk call of one operation, and returns its answer with the status of that one. */
export async function bulkOfOne(api: Caller, operation: object) {
  const res = await api.post('/smartlink/bulk', { operations: [operation] });
  const [result] = res.body.data as [BulkResult];
  return { ...res, status: result.status };
}

/** Makes the single call of an operation. Returns its result as a bulk call has it; `ignored` belongs to the call. */
export async function callSingly(
  api: Caller,
  { create, patch, status, ifMatch, ...rest }: BulkOperation,
): Promise<BulkResult> {
  const call = () => {
    if (create !== undefined) return api.post('/smartlink', JSON.stringify(create));
    if (status !== undefined) return api.post('/smartlink/status', JSON.stringify(status));
    if (patch === undefined) return api.delete('/smartlink', JSON.stringify(rest['delete']));
    return api.patch(
      '/smartlink',
      JSON.stringify(patch),
      ifMatch === undefined ? {} : { 'if-match': ifMatch },
    );
  };
  const res = await call();
  const { timestamp: _timestamp, ignored: _ignored, ...body } = res.body as Record<string, unknown>;
  const { etag } = res.headers;
  return { status: res.status, ...body, ...(etag === undefined ? {} : { etag }) } as BulkResult;
}

/**
 * `value` without what is new each time: ids, owners, times, versions, assigned addresses, and what tells the
 * addresses of one tenant from those of the other.
 */
export function withoutNew(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/"etag":"\\"\d+\\""/g, '"etag":"…"')
    .replaceAll(/"(id|userId|createdAt|updatedAt)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/(https:\/\/sl\.example\.com\/|"smartlinkUrl":")[2-9b-df-hj-km-np-tv-z]{6}"/g, '$1…"')
    .replaceAll(/of(single|bulk)\d+/g, 'of');
  return JSON.parse(text) as unknown;
}

/** A user whose smartlinks operations name by their number. */
export type Tenant = { readonly api: Caller; readonly ids: readonly string[]; readonly ending: string };

/**
 * Operations for one tenant: `<0>` is the id of their first smartlink, and `<of>` ends an address, so that
 * another tenant can have the same ones.
 */
export function operationsFor(
  { ids, ending }: Tenant,
  operations: readonly BulkOperation[],
): BulkOperation[] {
  const text = JSON.stringify(operations)
    .replaceAll(/<(\d+)>/g, (_all, index: string) => ids[Number(index)] ?? index)
    .replaceAll('<of>', ending);
  return JSON.parse(text) as BulkOperation[];
}

export const createOperation = (configuration: object = {}, shortener: object = {}) => ({
  create: urlSmartlink(configuration, shortener),
});
export const renameOperation = (id: string, smartlinkName: string) => ({
  patch: { id, configuration: { smartlinkName } },
});

/** Creates smartlinks in one call and returns their ids. */
export async function createMany(own: Caller, count: number): Promise<string[]> {
  const operations = Array.from({ length: count }, () => createOperation());
  return (await bulkCaller(own)(operations)).results.map(({ data }) => data!.id);
}
