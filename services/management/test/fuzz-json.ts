import type { Json } from './api-reference-document.js';

export type JsonObject = Record<string, Json>;
export type Path = readonly (string | number)[];

/** The value of a body as a reader of strict JSON in UTF-8 has it; undefined when it is none. */
export function readJson(body: string | Buffer): unknown {
  try {
    return JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(body)),
    ) as unknown;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined when there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, step) => {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined;
    return (node as Record<string | number, unknown>)[step];
  }, value);
}

/** A copy with another value at a path; undefined takes the member or element out. */
export function replaceAt(value: Json, path: Path, replacement: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  const inner = (member: Json): Json | undefined =>
    rest.length === 0 ? replacement : replaceAt(member, rest, replacement);
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => (index === step ? present(inner(element)) : [element]));
  }
  if (!isObject(value)) return value;
  // As entries, because setting `__proto__` sets no member.
  const entries = Object.entries(value).filter(([name]) => name !== step);
  const known = Object.hasOwn(value, step) ? (value[step] ?? null) : null;
  const changed = present(inner(known)).map((member): [string, Json] => [String(step), member]);
  return Object.fromEntries([...entries, ...changed]);
}

const present = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);
