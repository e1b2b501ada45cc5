import { type Members, smartlinkError, type SmartlinkError } from './errors.js';
import { OPERATIONS } from './generated/operations.js';
import type { Body, Data, OperationId, Query } from './operation-types.js';
import { type Form, IN_ENVELOPE, readAnswer, type Received, redactMembers } from './read-answer.js';
import { waitBeforeRetryMs } from './retry.js';
import { PASSWORD_OPERATIONS, SESSION_OPERATIONS } from './session-operations.js';
import { type CallOptions, readLimits, type Settings } from './settings.js';

export type Input<Id extends OperationId> = {
  readonly query?: Query<Id> | undefined;
  readonly body?: Body<Id> | undefined;
  /** A body that is sent as it is. */
  readonly file?: Blob | Uint8Array<ArrayBuffer> | string;
  /** Media type of `file`; application/octet-stream by default. */
  readonly fileType?: string;
  /** Values of the `{names}` in the operation's path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

/** Calls an operation. Rejects with SmartlinkError, or with TypeError when the request cannot be built. */
export type Call = {
  <Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Received<Data<Id>>>;
  <Id extends OperationId, Result>(
    id: Id,
    input: Input<Id>,
    options: CallOptions | undefined,
    form: Form<Result>,
  ): Promise<Received<Result>>;
};

type AnyInput = Omit<Input<OperationId>, 'query' | 'body'> & {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
};

/** One request, which may be sent several times. */
type Prepared = {
  readonly id: OperationId;
  readonly url: string;
  readonly init: RequestInit;
  readonly form: Form<unknown>;
  /** Whether it may be sent again after a failure with unknown outcome. */
  readonly isRepeatable: boolean;
};

const CALLS = { ...OPERATIONS, ...SESSION_OPERATIONS };

export function createCall(settings: Settings): Call {
  const { environment } = settings;

  async function call(
    id: OperationId,
    input: AnyInput,
    options: CallOptions = {},
    form: Form<unknown> = IN_ENVELOPE,
  ): Promise<Received<unknown>> {
    const limits = readLimits(options, settings.limits);
    const request = prepare(settings, id, input, form);
    const endsAt = environment.now() + limits.deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      const leftMs = endsAt - environment.now();
      const limitMs = Math.max(1, Math.min(limits.timeoutMs, leftMs));
      const outcome = await send(settings, request, attempt, limitMs, options.signal);
      if ('data' in outcome) return outcome;
      if (outcome.kind === 'api' && outcome.code === 'UNAUTHORIZED' && !PASSWORD_OPERATIONS.has(id)) {
        settings.onSignedOut();
      }
      // The deadline has passed.
      if (outcome.kind === 'timeout' && leftMs <= limits.timeoutMs) throw outcome;
      const waitMs =
        attempt > limits.retries
          ? null
          : waitBeforeRetryMs(outcome, attempt, request.isRepeatable, environment.random);
      // Fail now rather than wait beyond the deadline.
      if (waitMs === null || environment.now() + waitMs >= endsAt) throw outcome;
      // After an abort the next attempt sends nothing and reports it.
      await environment.wait(waitMs, options.signal).catch(() => undefined);
    }
  }

  return call as Call;
}

function prepare(settings: Settings, id: OperationId, input: AnyInput, form: Form<unknown>): Prepared {
  const { method, path, takesIdempotencyKey } = CALLS[id];
  const { query, body, file, fileType, ifMatch } = input;
  const idempotencyKey = takesIdempotencyKey
    ? (input.idempotencyKey ?? settings.environment.newId())
    : undefined;
  const headers: Record<string, string> = {
    ...(settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }),
    accept: form.mediaType === 'application/json' ? form.mediaType : `${form.mediaType}, application/json`,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (file !== undefined) headers['content-type'] = fileType ?? 'application/octet-stream';
  if (ifMatch !== undefined) headers['if-match'] = headerValue('ifMatch', ifMatch);
  if (idempotencyKey !== undefined)
    headers['idempotency-key'] = headerValue('idempotencyKey', idempotencyKey);
  return {
    id,
    url: `${settings.baseUrl}${fillPath(path, input.path ?? {})}${searchOf(query ?? {})}`,
    init: {
      method,
      headers,
      // Following a redirect would send the key to its target.
      redirect: 'manual',
      credentials: settings.apiKey === null ? 'same-origin' : 'omit',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
    },
    form,
    // `*` matches any version, so it does not protect against a second execution.
    isRepeatable: method === 'GET' || takesIdempotencyKey || (ifMatch !== undefined && ifMatch !== '*'),
  };
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));
}

function searchOf(query: NonNullable<AnyInput['query']>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** Throws TypeError on an invalid header value. An empty If-Match would be no condition at all. */
function headerValue(name: string, value: string): string {
  if (typeof value !== 'string' || !/^[\x20-\x7e]*[\x21-\x7e]$/.test(value)) {
    throw new TypeError(`${name} must be visible ASCII characters, and not empty`);
  }
  return value;
}

/** Sends a request once. Failures are values. */
async function send(
  settings: Settings,
  { id, url, init, form }: Prepared,
  attempt: number,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Received<unknown> | SmartlinkError> {
  if (isAborted(signal)) return aborted(id, attempt - 1, signal);
  const common = { operation: id, attempts: attempt };
  const clock = new AbortController();
  const timer = setTimeout(() => {
    clock.abort(TIMED_OUT);
  }, limitMs);
  const onAbort = (): void => {
    clock.abort();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const { apiKey } = settings;
  const hideKey = (text: string): string => (apiKey === null ? text : text.replaceAll(apiKey, '[API key]'));
  const fail = (message: string, members: Members): SmartlinkError =>
    smartlinkError(`${id}: ${hideKey(message)}`, members);
  try {
    const answer = async () =>
      readAnswer(
        await settings.fetch(url, { ...init, signal: clock.signal }),
        form,
        settings.answerBytesMax,
        settings.environment.wallClock(),
      );
    // The race also ends a fetch that ignores its signal.
    const received = await Promise.race([answer(), whenAborted(clock.signal)]);
    if ('data' in received) return received;
    return fail(received.message, { ...common, ...redactMembers(received.members, hideKey) } as Members);
  } catch (err) {
    if (isAborted(signal)) return aborted(id, attempt, signal);
    if (clock.signal.reason === TIMED_OUT) {
      return fail(`no answer within ${Math.round(limitMs)} ms`, { kind: 'timeout', ...common });
    }
    return fail(describeFailure(err), { kind: 'network', ...common });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

const TIMED_OUT = new Error('timed out');

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(new Error('aborted'));
      },
      { once: true },
    );
  });
}

function aborted(id: OperationId, attempts: number, signal: AbortSignal | undefined): SmartlinkError {
  const reason: unknown = signal?.reason;
  return smartlinkError(`${id}: aborted`, { kind: 'aborted', operation: id, attempts, reason });
}

/** Node has the reason in `cause`, with a code such as ECONNREFUSED. */
function describeFailure(err: unknown): string {
  const { message, cause } = err instanceof Error ? err : { message: String(err), cause: undefined };
  const because = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined;
  return `the connection failed: ${message}${because === undefined ? '' : ` (${because})`}`;
}
