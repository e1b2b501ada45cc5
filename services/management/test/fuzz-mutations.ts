import fc from 'fast-check';
import type { Json } from './api-reference-document.js';
import { HOSTILE_KEYS, HOSTILE_NUMBERS, HOSTILE_TEXTS, WORST_TEXTS, WRONG_TYPES } from './fuzz-corpus.js';
import { isObject, type Path, replaceAt, valueAt } from './fuzz-json.js';
import { codePoints, manyOf, type Schema, typeOf, valuesOf, type ValueSource } from './fuzz-values.js';

/** Values that fit `schema` but for one change at one place, which may be harmless. */
export function almostValuesOf(source: ValueSource, schema: Schema): fc.Arbitrary<Json> {
  const known = source.resolve(schema);
  if (known.anyOf) return fc.oneof(...known.anyOf.map((branch) => almostValuesOf(source, branch)));
  return valuesOf(source, known).chain((value) => {
    const places = placesOf(source, known, value, []);
    return fc
      .constantFrom(...places)
      .chain((place) =>
        changesOf(source, place, value).map((change) => replaceAt(value, place.path, change)),
      );
  });
}

type Place = { readonly path: Path; readonly schema: Schema };

/** Every place of `value`, and those of members that it could have. */
function placesOf(source: ValueSource, schema: Schema, value: unknown, path: Path): Place[] {
  const known = source.resolve(schema);
  const here = [{ path, schema: known }];
  if (Array.isArray(value) && known.items) {
    const items = known.items;
    return [
      ...here,
      ...value.slice(0, 3).flatMap((element, index) => placesOf(source, items, element, [...path, index])),
    ];
  }
  if (!isObject(value)) return here;
  const members = Object.entries(known.properties ?? {});
  return [
    ...here,
    ...members.flatMap(([name, member]) => placesOf(source, member, value[name], [...path, name])),
  ];
}

function changesOf(
  source: ValueSource,
  { path, schema }: Place,
  whole: Json,
): fc.Arbitrary<Json | undefined> {
  const value = valueAt(whole, path) as Json | undefined;
  const changes: fc.WeightedArbitrary<Json | undefined>[] = [
    { weight: 3, arbitrary: fc.constantFrom<Json[]>(...WRONG_TYPES) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  ];
  const bounds = boundsOf(schema, value);
  if (bounds.length > 0) changes.push({ weight: 4, arbitrary: fc.constantFrom(...bounds) });
  const type = schema.const === undefined ? typeOf(schema) : 'string';
  if (type === 'string') changes.push({ weight: 5, arbitrary: hostileTexts() });
  if (type === 'number') changes.push({ weight: 3, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS) });
  if (isObject(value)) changes.push({ weight: 4, arbitrary: withExtraMembers(value) });
  if (schema.items && schema.maxItems !== undefined) {
    changes.push({ weight: 1, arbitrary: manyOf(source, schema.items, schema.maxItems + 1) });
  }
  return fc.oneof(...changes);
}

/** Values just inside and just outside the limits of a schema. */
function boundsOf(schema: Schema, value: Json | undefined): Json[] {
  const { minLength, maxLength, minimum, maximum } = schema;
  const bounds: Json[] = [];
  const letter = typeof value === 'string' ? (codePoints(value)[0] ?? 'x') : '😀';
  if (maxLength !== undefined)
    bounds.push(letter.repeat(maxLength), letter.repeat(maxLength + 1), 'x'.repeat(maxLength + 1));
  if (minLength !== undefined)
    bounds.push(letter.repeat(minLength), letter.repeat(Math.max(0, minLength - 1)));
  if (minimum !== undefined) bounds.push(minimum, minimum - 1, minimum - 1e-9);
  if (maximum !== undefined) bounds.push(maximum, maximum + 1, maximum * 2);
  return bounds;
}

/** Texts that are seldom asked for: those of the corpus, and any code points. */
export function hostileTexts(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...WORST_TEXTS),
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
    fc.string({ unit: 'binary', maxLength: 70 }),
  );
}

function withExtraMembers(value: Readonly<Record<string, Json>>): fc.Arbitrary<Json> {
  const values = fc.oneof(
    fc.constantFrom<Json[]>(...WRONG_TYPES),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  );
  return fc
    .array(fc.tuple(fc.constantFrom(...HOSTILE_KEYS), values), { minLength: 1, maxLength: 3 })
    .map((extra) => Object.fromEntries([...Object.entries(value), ...extra]));
}
