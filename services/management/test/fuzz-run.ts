import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { trialSize } from '@smartlink/test-support/trial-size';
import type { ApiReference, Operation } from './api-reference-document.js';
import { casesOf, type FuzzCase, type Pairs } from './fuzz-cases.js';
import {
  createFitter,
  faultsOfForm,
  faultsOfRefusal,
  type FuzzAnswer,
  type KnownRefusals,
} from './fuzz-expectations.js';
import { readJson } from './fuzz-json.js';
import type { ValueSource } from './fuzz-values.js';
import { sessionHeaders } from './start-service.js';

/** Cases of each operation: a sample in `npm test`, 5,000 in full; FUZZ_CASES says another number. */
export const CASES = Number(process.env['FUZZ_CASES'] ?? trialSize(14, 5_000));
/** The same cases in every run; FUZZ_SEED makes others. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_310);
/** For a test of one operation, in ms. */
export const TIMEOUT_MS = 60_000 + CASES * 100;
const BATCH_CASES = 50;
/** For making a failed case smaller, which may take as many requests as there are members in a menu. */
const SHRINKING_MS = 15_000;
const TOLD_CHARACTERS_MAX = 2_000;

export type FuzzOptions = {
  readonly app: FastifyInstance;
  readonly reference: ApiReference;
  readonly operationId: string;
  /** The key of the requests, or the session. */
  readonly apiKey?: string;
  readonly session?: string;
  /** Cases at most, where requests are limited. */
  readonly casesMax?: number;
  readonly hints: ValueSource['hints'];
  readonly known: KnownRefusals;
  /** Writes ids of real smartlinks for those that stand in for them in cases. */
  readonly withIds: (text: string) => string;
  /** Whether the smartlink that a request names is there; undefined where requests name none. */
  readonly isThere?: (sent: SentCase) => boolean;
  /** Takes out of a body what the operation ignores. */
  readonly prune?: (body: unknown) => unknown;
  /** Faults of this success. */
  readonly onSuccess?: (sent: SentCase, answer: FuzzAnswer) => Promise<string[]>;
  /** Faults of the stored rows; called after every batch. */
  readonly checkRows: () => Promise<string[]>;
};

export type SentCase = FuzzCase & { readonly value: unknown; readonly url: string };

/** Sends the cases of an operation one after another. Throws the smallest one that is answered wrongly. */
export async function fuzz(options: FuzzOptions): Promise<void> {
  const { reference, operationId, withIds } = options;
  const operation = reference.find(operationId);
  const fitOf = createFitter(reference, operation, options.prune ?? ((body) => body));
  const numRuns = Math.min(CASES, options.casesMax ?? CASES);
  let runs = 0;
  let shrinksUntilMs = Infinity;

  const examine = async (made: FuzzCase): Promise<{ faults: string[]; answer: FuzzAnswer }> => {
    const sent = toSent(operation, made, withIds);
    const isFound = options.isThere?.(sent) ?? true;
    const answer = await send(options, operation, sent);
    const faults = faultsOfForm(reference, operation, answer);
    if (faults.length > 0) return { faults, answer };
    const asked = { sent, isFound, isFit: fitOf(sent) };
    return { faults: await faultsOfVerdict(options, asked, answer), answer };
  };
  const property = fc.asyncProperty(casesOf(reference, operation, options.hints), async (made) => {
    if (performance.now() > shrinksUntilMs) return;
    const { faults, answer } = await examine(made);
    runs += 1;
    if (faults.length > 0) {
      shrinksUntilMs = Math.min(shrinksUntilMs, performance.now() + SHRINKING_MS);
      throw new Error([...faults.slice(0, 5), `Answer: ${answer.status} ${shorten(answer.text)}`].join('\n'));
    }
    // An answer that was wrong is not counted on, so neither are the rows from then on.
    if (shrinksUntilMs !== Infinity || (runs % BATCH_CASES !== 0 && runs !== numRuns)) return;
    const rowFaults = await options.checkRows();
    if (rowFaults.length === 0) return;
    // The case of the batch is unknown, so there is nothing to shrink.
    shrinksUntilMs = 0;
    throw new Error(rowFaults.join('\n'));
  });
  // The rows of earlier tests do not count.
  await options.checkRows();
  const details = await fc.check(property, { seed: SEED, numRuns, endOnFailure: false });
  if (!details.failed) return;
  const name = `${operation.method} ${operation.path.replace('/api/v1', '')}`;
  const [smallest] = details.counterexample ?? [];
  throw new Error(
    `${name}: case ${details.numRuns} of seed ${SEED} (path ${String(details.counterexamplePath)}): ` +
      `${String(details.errorInstance)}\nRequest: ${shorten(describe(smallest))}`,
  );
}

/** Faults of an answer, by whether the request fits its schemas. */
async function faultsOfVerdict(
  { known, onSuccess }: FuzzOptions,
  { sent, isFit, isFound }: { sent: SentCase; isFit: boolean; isFound: boolean },
  answer: FuzzAnswer,
): Promise<string[]> {
  const isSuccess = answer.status < 400;
  const faults = isSuccess && onSuccess ? await onSuccess(sent, answer) : [];
  if (!isFit) return isSuccess ? [...faults, 'It does not fit and is not refused'] : faults;
  if (isSuccess) return isFound ? faults : [...faults, 'It names no smartlink and is not refused'];
  if (answer.status === 404) return isFound ? ['Its smartlink is there and not found'] : [];
  if (Buffer.byteLength(sent.body ?? '') > 1024 * 1024 && answer.status === 413) return [];
  return faultsOfRefusal(sent, known, answer.body);
}

function toSent(operation: Operation, made: FuzzCase, withIds: (text: string) => string): SentCase {
  const query = made.query.map(([name, text]) => [name, withIds(text)] as const);
  const search = encode(query);
  const body = typeof made.body === 'string' ? withIds(made.body) : made.body;
  return {
    ...made,
    query,
    ...(body === undefined ? {} : { body }),
    value: body === undefined ? undefined : readJson(body),
    url: search === '' ? operation.path : `${operation.path}?${search}`,
  };
}

const encode = (pairs: Pairs): string =>
  pairs.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&');

async function send(
  { app, apiKey, session }: FuzzOptions,
  operation: Operation,
  sent: SentCase,
): Promise<FuzzAnswer> {
  const res = await app.inject({
    method: operation.method,
    url: sent.url,
    headers: {
      ...(session === undefined ? { authorization: `Bearer ${apiKey}` } : sessionHeaders(session)),
      ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(sent.headers),
    },
    ...(sent.body === undefined ? {} : { payload: sent.body }),
  });
  const isJson = String(res.headers['content-type']).startsWith('application/json');
  const body: unknown = isJson && res.body !== '' ? res.json() : undefined;
  return { status: res.statusCode, headers: res.headers, text: res.body, body };
}

function describe(made: FuzzCase | undefined): string {
  if (made === undefined) return 'none';
  const { flavour, query, headers, body } = made;
  const bytes = typeof body === 'string' ? body : `bytes ${body?.toString('latin1') ?? ''}`;
  return `${flavour}, query ${JSON.stringify(query)}, headers ${JSON.stringify(headers)}, body ${bytes}`;
}

const shorten = (text: string): string =>
  text.length <= TOLD_CHARACTERS_MAX
    ? text
    : `${text.slice(0, TOLD_CHARACTERS_MAX)}… (${text.length} characters)`;
