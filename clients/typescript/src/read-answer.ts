import type { SmartlinkAnswerError } from './errors.js';
import { ERRORS } from './generated/operations.js';
import type { ErrorCode, Fault } from './operation-types.js';
import { parseRetryAfterMs } from './retry.js';
import { SESSION_ERRORS } from './session-operations.js';

const CODES = { ...ERRORS, ...SESSION_ERRORS };

/** How the body of a success is read: `envelope` extracts `data`, `list` also requires an array, others keep the body. */
export type Form<Data> = {
  readonly read: 'envelope' | 'list' | 'json' | 'text' | 'bytes';
  readonly mediaType: string;
  /** Never present: carries the type of the answer. */
  readonly data?: Data;
};

export const IN_ENVELOPE: Form<unknown> = { read: 'envelope', mediaType: 'application/json' };

export const listOf = <Item>(): Form<readonly Item[]> => ({ read: 'list', mediaType: 'application/json' });

export type RateLimit = {
  /** Requests per minute of the user's plan. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the current window ends. */
  readonly resetSeconds: number;
};

export type Received<Data> = {
  readonly data: Data;
  readonly requestId: string | null;
  readonly rateLimit: RateLimit | null;
  /** '' without one. */
  readonly etag: string;
  readonly nextCursor: string | null;
  readonly totalCount: string | null;
  /** Paths of unknown members and parameters that the service ignored, at most 20. */
  readonly ignored: readonly string[];
};

/** A failure, without the members that only the caller knows. */
export type Refusal = {
  readonly message: string;
  readonly members: {
    readonly status: number;
    readonly requestId: string | null;
    readonly retryAfterMs: number | null;
  } & (
    | {
        readonly kind: 'api';
        readonly code: ErrorCode;
        readonly details: readonly Fault[] | undefined;
        readonly ignored: readonly string[];
      }
    | { readonly kind: 'answer'; readonly fault: SmartlinkAnswerError['fault'] }
  );
};

/** Reads a response of the API; `bytesMax` bounds its body. Rejects with the connection's error. */
export async function readAnswer(
  response: Response,
  form: Form<unknown>,
  bytesMax: number,
  wallClockMs: number,
): Promise<Received<unknown> | Refusal> {
  const { headers, status } = response;
  const about = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfterMs(headers.get('retry-after'), wallClockMs),
  };
  const refuse = (fault: SmartlinkAnswerError['fault'], message: string): Refusal => ({
    message,
    members: { kind: 'answer', fault, ...about },
  });

  // Browsers hide the status of a redirect that is not followed.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return refuse('redirect', 'the address redirects, and redirects are not followed: check baseUrl');
  }
  const bytes = await readBytes(response, bytesMax);
  if (bytes === null) return refuse('tooLarge', `the answer is larger than ${bytesMax} bytes`);
  if (!response.ok) {
    const failure = readFailure(status, bytes);
    if ('fault' in failure) return refuse(failure.fault, failure.message);
    const { code, message, details, ignored } = failure;
    return {
      message: describeFailure(code, message, details),
      members: { kind: 'api', code, details, ignored, ...about },
    };
  }
  const success = readSuccess(response, bytes, form);
  if ('fault' in success) return refuse(success.fault, success.message);
  return {
    data: success.data,
    requestId: about.requestId,
    rateLimit: readRateLimit(headers),
    etag: headers.get('etag') ?? '',
    nextCursor: headers.get('x-next-cursor'),
    totalCount: headers.get('x-total-count'),
    ignored: success.ignored,
  };
}

/** Applies `hide` to all text from the server, which may echo the key. */
export function redactMembers(
  members: Refusal['members'],
  hide: (text: string) => string,
): Refusal['members'] {
  const requestId = members.requestId === null ? null : hide(members.requestId);
  if (members.kind === 'answer') return { ...members, requestId };
  const details = members.details?.map(({ path, message }) => ({ path: hide(path), message: hide(message) }));
  return { ...members, requestId, details, ignored: members.ignored.map(hide) };
}

type Unusable = { readonly fault: SmartlinkAnswerError['fault']; readonly message: string };

function readSuccess(
  { headers, status }: Response,
  bytes: Uint8Array,
  form: Form<unknown>,
): Pick<Received<unknown>, 'data' | 'ignored'> | Unusable {
  if (form.read !== 'envelope' && form.read !== 'list') {
    const mediaType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (mediaType !== form.mediaType) {
      return { fault: 'mediaType', message: `the answer is not ${form.mediaType}` };
    }
    if (form.read === 'bytes') return { data: bytes, ignored: [] };
    if (form.read === 'text') return { data: new TextDecoder().decode(bytes), ignored: [] };
  }
  const json = parseJson(bytes);
  if (json === undefined) return notJson(status);
  if (form.read === 'json') return { data: json, ignored: [] };
  if (!isObject(json) || json['success'] !== true || !('data' in json)) return notEnvelope(status);
  const { data } = json;
  if (form.read === 'list' && !Array.isArray(data)) {
    return { fault: 'notList', message: `${status} with data that is not a list` };
  }
  return { data, ignored: readIgnored(json) };
}

function readFailure(
  status: number,
  bytes: Uint8Array,
):
  | {
      code: ErrorCode;
      message: string;
      details: readonly Fault[] | undefined;
      ignored: readonly string[];
    }
  | Unusable {
  const json = parseJson(bytes);
  if (json === undefined) return notJson(status);
  const error = isObject(json) && json['success'] === false ? json['error'] : null;
  if (
    !isObject(json) ||
    !isObject(error) ||
    typeof error['code'] !== 'string' ||
    typeof error['message'] !== 'string'
  ) {
    return notEnvelope(status);
  }
  const { code, message } = error;
  if (!isErrorCode(code)) return { fault: 'unknownCode', message: `${code}: ${message}` };
  const details = CODES[code].hasDetails ? readFaults(error['details']) : undefined;
  return { code, message, details, ignored: readIgnored(json) };
}

const notJson = (status: number): Unusable => ({
  fault: 'notJson',
  message: `${status} with a body that is not JSON`,
});
const notEnvelope = (status: number): Unusable => ({
  fault: 'notEnvelope',
  message: `${status} without the envelope of the API`,
});

/** The decompressed body; null, without fetching the rest, when it is larger than `bytesMax`. */
async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > bytesMax) {
      await reader.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`ratelimit-${name}`) ?? Number.NaN),
  );
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return null;
  return Number.isNaN(limit + remaining + resetSeconds) ? null : { limit, remaining, resetSeconds };
}

/** undefined for invalid JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(CODES, code);

function readFaults(details: unknown): readonly Fault[] {
  return (Array.isArray(details) ? (details as unknown[]) : []).filter(
    (each): each is Fault =>
      isObject(each) && typeof each['path'] === 'string' && typeof each['message'] === 'string',
  );
}

function readIgnored({ ignored }: Readonly<Record<string, unknown>>): readonly string[] {
  return (Array.isArray(ignored) ? (ignored as unknown[]) : []).filter((each) => typeof each === 'string');
}

const FAULTS_SHOWN = 3;

function describeFailure(code: string, message: string, details: readonly Fault[] = []): string {
  const shown = details.slice(0, FAULTS_SHOWN).map((fault) => `${fault.path}: ${fault.message}`);
  if (details.length > shown.length) shown.push(`and ${details.length - shown.length} more`);
  return `${code}: ${message}${shown.length === 0 ? '' : ` (${shown.join('; ')})`}`;
}
