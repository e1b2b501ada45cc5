import { z } from 'zod';
import type { DestinationRules } from './destinations.js';
import { FAULTS_MAX } from './fields.js';
import { SMARTLINK_TYPES, type SmartlinkType } from './model.js';
import { commonShape, documentSchemas, type SmartlinkDocument } from './type-schemas.js';

/** One fault of a document: where, as a dotted path with array indexes, and what. */
export type Fault = { readonly path: string; readonly message: string };

export type Validation<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

export type ValidationContext = {
  readonly hasStoredPassword: boolean;
  readonly storedUrls?: ReadonlySet<string>;
  readonly storedTargets?: ReadonlySet<string>;
};

export type SmartlinkValidator = {
  /**
   * Checks a whole document, as POST sends it or as a PATCH leaves it. `hasStoredPassword`: the hash of an earlier
   * password is kept, so a protected link need not bring one. `storedUrls`: they stay valid under stricter rules;
   * `storedTargets`: those of them to which visitors are redirected.
   */
  readonly validate: (document: unknown, context: ValidationContext) => Validation<SmartlinkDocument>;
};

const NO_URLS: ReadonlySet<string> = new Set();

/** The checks of the API, for links that must not lead back to `publicBaseUrl`. */
export function createSmartlinkValidator({ publicBaseUrl }: DestinationRules): SmartlinkValidator {
  // Of the call under way: schemas are built once and validation is synchronous.
  let [stored, storedAsTarget] = [NO_URLS, NO_URLS];
  const rules: DestinationRules = {
    publicBaseUrl,
    isStored: (href) => stored.has(href),
    isStoredTarget: (href) => storedAsTarget.has(href),
  };
  const withoutStoredPassword = documentSchemas({ ...rules, passwordRequired: true });
  const withStoredPassword = documentSchemas({ ...rules, passwordRequired: false });
  // Without a type it is not known which objects the document needs, so only what every type has can be checked.
  const common = z.object(commonShape(rules, SMARTLINK_TYPES));
  return {
    validate(document, { hasStoredPassword, storedUrls = NO_URLS, storedTargets = NO_URLS }) {
      [stored, storedAsTarget] = [storedUrls, storedTargets];
      const schemas = hasStoredPassword ? withStoredPassword : withoutStoredPassword;
      const type = readType(document);
      if (type !== null && Object.hasOwn(schemas, type))
        return check(schemas[type as SmartlinkType], document);
      const result = check(common, document);
      // It allows the seven types and no other.
      if (result.ok) throw new Error(`There is no schema for type ${String(type)}`);
      return result;
    },
  };
}

/** `value` parsed by `schema`, or every fault at once (the first 1,000 of them). */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Validation<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: faultsOf(parsed.error) };
}

/** An error's issues as the API lists them. */
function faultsOf(error: z.core.$ZodError): Fault[] {
  return error.issues
    .slice(0, FAULTS_MAX)
    .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
}

function readType(document: unknown): string | null {
  if (typeof document !== 'object' || document === null || !('configuration' in document)) return null;
  const { configuration } = document;
  if (typeof configuration !== 'object' || configuration === null || !('smartlinkType' in configuration))
    return null;
  return typeof configuration.smartlinkType === 'string' ? configuration.smartlinkType : null;
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
