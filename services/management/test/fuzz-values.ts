import fc from 'fast-check';
import type { Json } from './api-reference-document.js';

// Values that fit a JSON Schema, as zod writes them for requests. What a schema has that this does not know is an error.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
};

export type ValueSource = {
  /** The schema that a `$ref` names. */
  readonly resolve: (schema: Schema) => Schema;
  /** What members of these names hold, where a schema cannot say what is of use. */
  readonly hints: Readonly<Record<string, fc.Arbitrary<Json>>>;
};

/** The values that fit `schema`, the value of the member `name`. */
export function valuesOf(source: ValueSource, schema: Schema, name = ''): fc.Arbitrary<Json> {
  const known = source.resolve(schema);
  const hinted = Object.hasOwn(source.hints, name) ? source.hints[name] : undefined;
  if (hinted !== undefined) return hinted;
  if (known.anyOf) return fc.oneof(...known.anyOf.map((branch) => valuesOf(source, branch)));
  if (known.const !== undefined) return fc.constant(known.const);
  if (known.enum) return fc.constantFrom(...known.enum);
  const values = valuesOfType(source, known, typeOf(known));
  return isNullable(known) ? fc.oneof({ weight: 9, arbitrary: values }, fc.constant(null)) : values;
}

/** The type of a schema, `null` aside. */
export function typeOf(schema: Schema): string {
  const [type, other] = [schema.type ?? []].flat().filter((name) => name !== 'null');
  if (type === undefined || other !== undefined) throw new Error(`Which type? ${JSON.stringify(schema)}`);
  return type;
}

const isNullable = ({ type }: Schema) => Array.isArray(type) && type.includes('null');

function valuesOfType(source: ValueSource, schema: Schema, type: string): fc.Arbitrary<Json> {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return numbers(schema);
    case 'array':
      return arrays(source, schema);
    case 'object':
      return objects(source, schema);
    default:
      throw new Error(`There are no values of type ${type}`);
  }
}

function objects(source: ValueSource, { properties = {}, required = [] }: Schema): fc.Arbitrary<Json> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valuesOf(source, member, name)]),
  );
  return fc.record(members, { requiredKeys: [...required] }).map((value) => ({ ...value }));
}

function arrays(source: ValueSource, { items = {}, maxItems = 3 }: Schema): fc.Arbitrary<Json> {
  const elements = valuesOf(source, items);
  return fc.oneof(
    { weight: 20, arbitrary: fc.array(elements, { maxLength: Math.min(3, maxItems) }) },
    { weight: 1, arbitrary: manyOf(source, items, maxItems) },
  );
}

/** Arrays of `length` equal elements without optional members: menus are three arrays deep. */
export function manyOf(source: ValueSource, items: Schema, length: number): fc.Arbitrary<Json> {
  const { properties = {}, required = [], ...rest } = source.resolve(items);
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => required.includes(name)));
  return valuesOf(source, { ...rest, required, properties: kept }).map((element) =>
    Array.from({ length }, () => element),
  );
}

function numbers({ minimum = -1e308, maximum = 1e308 }: Schema): fc.Arbitrary<Json> {
  return fc.oneof(
    fc.integer({ min: Math.max(minimum, -1_000), max: Math.min(maximum, 1_000) }),
    fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(minimum, maximum),
  );
}

/** The code points of a text, the unit of `maxLength`. */
export const codePoints = (text: string): string[] => Array.from(text);

// Line separators count as graphemes.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

function texts(schema: Schema): fc.Arbitrary<Json> {
  const { format, pattern, minLength = 0, maxLength = 1_000 } = schema;
  if (format === 'date') return dates();
  if (pattern !== undefined) {
    return fc
      .stringMatching(new RegExp(pattern), { size: 'small' })
      .filter((text) => text.length <= maxLength);
  }
  const letters = fc.constantFrom('a', 'Ж', '漢', '7', '😀');
  // What is required must be seen, so it begins with what can be.
  const seen = fc
    .tuple(
      fc.array(letters, { minLength: Math.max(1, minLength), maxLength: Math.max(1, minLength) }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    )
    .map(([first, rest]) =>
      [...first, ...codePoints(rest.replaceAll(UNPRINTABLE, ''))].slice(0, maxLength).join(''),
    );
  const longest = letters.map((letter) => letter.repeat(maxLength));
  const weight = maxLength > 10_000 ? 1 : 4;
  return fc.oneof(
    { weight: 40, arbitrary: seen },
    { weight, arbitrary: longest },
    { weight: 2, arbitrary: minLength === 0 ? fc.constantFrom('', ' ') : seen },
  );
}

function dates(): fc.Arbitrary<Json> {
  const [min, max] = [new Date('1970-01-01'), new Date('2199-12-31')];
  const recent = { min: new Date('2025-01-01'), max: new Date('2027-01-01') };
  return fc
    .oneof(fc.date({ ...recent, noInvalidDate: true }), fc.date({ min, max, noInvalidDate: true }))
    .map((date) => date.toISOString().slice(0, 10));
}
