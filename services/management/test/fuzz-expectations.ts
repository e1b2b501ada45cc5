import type { ApiReference, Operation } from './api-reference-document.js';
import { type FuzzCase, type Pairs, requestSchemasOf } from './fuzz-cases.js';
import { readJson, valueAt } from './fuzz-json.js';
import type { Schema } from './fuzz-values.js';

export type FuzzAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  /** The value of a JSON answer. */
  readonly body: unknown;
};

/** Judges whether requests of an operation fit; `prune` removes from a body what the operation ignores. */
export function createFitter(
  reference: ApiReference,
  operation: Operation,
  prune: (body: unknown) => unknown,
) {
  const schemas = requestSchemasOf(operation);
  const query = reference.compile(schemas.query);
  const headers = reference.compile(schemas.headers);
  const body = schemas.body === null ? null : reference.compile(schemas.body);

  return (sent: FuzzCase): boolean => {
    const value = sent.body === undefined ? null : readJson(sent.body);
    return (
      query(asObject(sent.query, schemas.query)) &&
      headers(asObject(sent.headers, schemas.headers)) &&
      (body === null || (value !== undefined && body(prune(value))))
    );
  };
}

/** Parameters as a schema sees them: an integer parameter that is written as a number is one. */
function asObject(pairs: Pairs, { properties = {} }: Schema): object {
  const values: Record<string, unknown> = {};
  for (const [name, text] of pairs) {
    const isNumber = Object.hasOwn(properties, name) && properties[name]?.type === 'integer';
    const value = isNumber && String(Number(text)) === text ? Number(text) : text;
    values[name] = Object.hasOwn(values, name) ? [values[name], value] : value;
  }
  return values;
}

// What only the inside of a service knows. Requests of the corpus hold none of these.
const LEAKS =
  /\n\s+at |node_modules|\.[jt]s:\d+|syntax error at|invalid input syntax|invalid byte sequence|violates|duplicate key value|DB::Exception|ECONNREFUSED|ReplyError|Cannot read prop|is not a function/;

/** Faults of an answer to any request: status, headers, body. */
export function faultsOfForm(reference: ApiReference, operation: Operation, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer;
  if (status >= 500) return [`It is a ${status}`];
  const found = reference.responseOf(operation, status);
  if (found === null) return [`No ${status} is documented`];
  const faults: string[] = [];
  if (!/^[0-9a-f-]{36}$/.test(String(headers['x-request-id']))) faults.push('It has no X-Request-Id');
  if (status >= 400 && LEAKS.test(text)) faults.push('It tells of the inside of the service');
  for (const name of Object.keys(found.response.headers)) {
    const isAlways = /^(X-Request-Id|RateLimit-.*|Allow|WWW-Authenticate|Location)$/.test(name);
    if (isAlways && headers[name.toLowerCase()] === undefined) faults.push(`It has no ${name}`);
  }
  return [...faults, ...faultsOfBody(reference, operation, answer, found.response.content ?? {})];
}

function faultsOfBody(
  reference: ApiReference,
  operation: Operation,
  { status, headers, text, body }: FuzzAnswer,
  content: object,
): string[] {
  const type = String(headers['content-type'] ?? '');
  const mediaType = type.split(';', 1)[0] ?? '';
  if (Object.keys(content).length === 0) return text === '' ? [] : ['It has a body'];
  if (!Object.hasOwn(content, mediaType)) return [`Its Content-Type is ${type}`];
  if (mediaType !== 'application/json') return [];
  if (type !== 'application/json; charset=utf-8') return [`Its Content-Type is ${type}`];
  const faults = reference.faultsOfAnswer(operation, status, body).map((fault) => `Off its schema: ${fault}`);
  // The document about the API has no envelope.
  const { success } = body as { success?: unknown };
  const isConsistent = success === undefined || success === status < 400;
  return isConsistent ? faults : [...faults, `Its success is not that of a ${status}`];
}

/** Refusals of requests that fit, by message: for rules that no JSON Schema says. */
export type KnownRefusals = {
  /** That values made to fit may meet too. */
  readonly ofValid: readonly (string | RegExp)[];
  /** That values with one hostile change may meet. */
  readonly ofHostile: readonly (string | RegExp)[];
  /** That a request meets for what it does not hold: the type it asks for needs it, and the smartlink has none. */
  readonly ofAbsent?: readonly string[];
  /** The codes beside VALIDATION_FAILED. */
  readonly codes: readonly string[];
};

type Failure = {
  readonly error: { readonly code: string; readonly details?: readonly { path: string; message: string }[] };
};

/** Why a request that fits was refused wrongly: [] when each reason is among the known ones. */
export function faultsOfRefusal(
  { flavour, value }: { readonly flavour: FuzzCase['flavour']; readonly value: unknown },
  known: KnownRefusals,
  body: unknown,
): string[] {
  const { code, details = [] } = (body as Failure).error;
  if (code !== 'VALIDATION_FAILED')
    return known.codes.includes(code) ? [] : [`It fits and is refused as ${code}`];
  const messages = flavour === 'valid' ? known.ofValid : [...known.ofValid, ...known.ofHostile];
  const unknown = details.filter(({ path, message }) => {
    const isAbsent = valueAt(value, path.split('.')) === undefined;
    const isKnown = messages.some((one) => (typeof one === 'string' ? one === message : one.test(message)));
    return !isKnown && !(isAbsent && known.ofAbsent?.includes(message));
  });
  return unknown.map(({ path, message }) => `It fits and is refused: ${path}: ${message}`);
}
