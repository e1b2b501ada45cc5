import { z } from 'zod';
import { commonMembers, type DocumentOptions } from './common-members.js';
import type { DestinationRules } from './destinations.js';
import { type CheckContext, FAULTS_MAX, optional } from './fields.js';
import { isObject, isSmartlinkType } from './model.js';
import { anyTypeShape, documentSchemas, type SmartlinkDocument } from './type-schemas.js';

/** One fault of a document: where, as a dotted path with array indexes, and what. */
export type Fault = { readonly path: string; readonly message: string };

export type Validation<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

export type ValidationContext = {
  readonly hasStoredPassword: boolean;
  readonly storedUrls?: ReadonlySet<string>;
  readonly storedTargets?: ReadonlySet<string>;
  readonly faultsMax?: number;
};

export type SmartlinkValidator = {
  /**
   * Checks a whole document, as POST sends it or as a PATCH leaves it. `hasStoredPassword`: the hash of an earlier
   * password is kept, so a protected link need not bring one. `storedUrls`: they stay valid under stricter rules;
   * `storedTargets`: those of them to which visitors are redirected. `faultsMax`: 1,000 by default; checking stops soon
   * after them.
   */
  readonly validate: (document: unknown, context: ValidationContext) => Validation<SmartlinkDocument>;
};

const NO_URLS: ReadonlySet<string> = new Set();

/** The checks of the API, for links that must not lead back to `publicBaseUrl` or a custom domain. */
export function createSmartlinkValidator({
  publicBaseUrl,
  isDomain,
}: Pick<DestinationRules, 'publicBaseUrl' | 'isDomain'>): SmartlinkValidator {
  // Of the call under way: schemas are built once and validation is synchronous.
  let [stored, storedAsTarget] = [NO_URLS, NO_URLS];
  const rules: DestinationRules = {
    publicBaseUrl,
    ...(isDomain === undefined ? {} : { isDomain }),
    isStored: (href) => stored.has(href),
    isStoredTarget: (href) => storedAsTarget.has(href),
  };
  const common = commonMembers(rules);
  // Built by the first document that needs them, in 20 ms each.
  const built: Partial<Record<'required' | 'kept', ReturnType<typeof schemasByType>>> = {};
  const schemasFor = (password: 'required' | 'kept') =>
    (built[password] ??= schemasByType({ ...rules, passwordRequired: password === 'required' }, common));
  return {
    validate(document, { hasStoredPassword, storedUrls = NO_URLS, storedTargets = NO_URLS, faultsMax }) {
      [stored, storedAsTarget] = [storedUrls, storedTargets];
      const { byType, untyped } = schemasFor(hasStoredPassword ? 'kept' : 'required');
      const type = typeOf(document);
      if (isSmartlinkType(type)) return check(byType[type], document, faultsMax);
      const result = check(untyped, document, faultsMax);
      // It allows the seven types and no other.
      if (result.ok) throw new Error(`There is no schema for type ${String(type)}`);
      return result;
    },
  };
}

/**
 * `validator` for the documents of one request: together they get FAULTS_MAX faults, and each at least its first. All
 * 80,000 of a hundred menus of empty items took 1.7 s of the event loop.
 */
export function sharingFaults({ validate }: SmartlinkValidator): SmartlinkValidator {
  let left = FAULTS_MAX;
  return {
    validate(document, context) {
      const checked = validate(document, { ...context, faultsMax: Math.max(1, left) });
      if (!checked.ok) left -= checked.faults.length;
      return checked;
    },
  };
}

/** `untyped`: without a type it is not known which objects a document needs, so those that it has are checked. */
function schemasByType(options: DocumentOptions, common: ReturnType<typeof commonMembers>) {
  const byType = documentSchemas(options, common);
  const { configuration, ...members } = anyTypeShape(byType);
  const optionalMembers = Object.entries(members).map(([name, schema]) => [name, optional(schema)]);
  return { byType, untyped: z.object({ configuration, ...Object.fromEntries(optionalMembers) }) };
}

/** `value` parsed by `schema`, or its faults, all at once up to `faultsMax`. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  faultsMax = FAULTS_MAX,
): Validation<z.output<Schema>> {
  const context: CheckContext = { faultsLeft: faultsMax };
  const parsed = schema.safeParse(value, context);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues
    .slice(0, faultsMax)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  return { ok: false, faults };
}

function typeOf(document: unknown): unknown {
  const configuration = isObject(document) ? document['configuration'] : null;
  return isObject(configuration) ? configuration['smartlinkType'] : null;
}

/** Deepest nesting of objects and arrays in a body. */
const NESTING_MAX = 16;

const SURROGATE_FAULTS_MAX = 100;
/** A key may be a mebibyte long; a hundred faults with it would make an answer of 100 MiB. */
const TOLD_KEY_LENGTH_MAX = 64;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor']);

/**
 * The value of JSON text in UTF-8, or its faults. Refuses text that two parsers could read differently: bytes that are not UTF-8, a byte-order mark, duplicate keys, `__proto__` and `constructor`, lone
 * surrogates; and nesting deeper than 16. Parses bodies of the API and rows of imports.
 */
export function parseStrictJson(bytes: Uint8Array): Validation<unknown> {
  const text = decodeUtf8(bytes);
  if (text === null) return bad('Must be valid UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad('Must be valid JSON');
  }
  const problem = findStructureFault(text);
  if (problem !== null) return bad(problem);
  // Raw UTF-8 cannot carry half a surrogate pair; only an escape can.
  if (/\\u[dD][89a-fA-F]/.test(text)) {
    const faults: Fault[] = [];
    findLoneSurrogates(value, [], faults);
    if (faults.length > 0) return { ok: false, faults };
  }
  return { ok: true, value };
}

const bad = (message: string): Validation<never> => ({ ok: false, faults: [{ path: '', message }] });

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Scans text that JSON.parse has accepted, so only strings and brackets need a look. */
function findStructureFault(text: string): string | null {
  // The keys of each open object; null for an array.
  const open: (Set<string> | null)[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '{' || char === '[') {
      if (open.length === NESTING_MAX) return `Must not be nested deeper than ${NESTING_MAX} levels`;
      open.push(char === '{' ? new Set() : null);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, i);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        const key = JSON.parse(text.slice(i, end)) as string;
        if (FORBIDDEN_KEYS.has(key)) return `Must not have the key ${key}`;
        if (keys.has(key)) return 'Must not have the same key twice in one object';
        keys.add(key);
      }
      i = end - 1;
    }
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

function isKey(text: string, end: number): boolean {
  let i = end;
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i += 1;
  return text[i] === ':';
}

/** Adds a fault for each string that is no Unicode, a hundred at most; the path is written out for those alone. */
function findLoneSurrogates(value: unknown, path: (string | number)[], found: Fault[]): void {
  if (found.length >= SURROGATE_FAULTS_MAX) return;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) found.push({ path: path.join('.'), message: 'Must be well-formed Unicode' });
  } else if (Array.isArray(value)) {
    value.forEach((member: unknown, index) => {
      if (typeof member === 'string' || typeof member === 'object') descend(index, member);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key.isWellFormed()) descend(key.slice(0, TOLD_KEY_LENGTH_MAX).toWellFormed(), member);
      else found.push({ path: path.join('.'), message: 'Keys must be well-formed Unicode' });
    }
  }

  function descend(step: string | number, member: unknown): void {
    path.push(step);
    findLoneSurrogates(member, path, found);
    path.pop();
  }
}
