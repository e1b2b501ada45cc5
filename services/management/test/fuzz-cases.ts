import fc from 'fast-check';
import { type ApiReference, type Json, type Operation, resolve } from './api-reference-document.js';
import { NUMBER_TEXTS } from './fuzz-corpus.js';
import { almostValuesOf, hostileTexts } from './fuzz-mutations.js';
import { type Schema, valuesOf, type ValueSource } from './fuzz-values.js';

export type Pairs = readonly (readonly [string, string])[];

/** A request of an operation, but for what is the same in all. */
export type FuzzCase = {
  /** `valid`: all of it fits. `almost`: one change. `garbage`: any body. */
  readonly flavour: 'valid' | 'almost' | 'garbage';
  readonly query: Pairs;
  readonly headers: Pairs;
  readonly body?: string | Buffer;
};

/** The schemas of an operation's request, as its document has them. */
export type RequestSchemas = {
  readonly query: Schema;
  readonly headers: Schema;
  readonly body: Schema | null;
};

/** The schemas of the parameters and the body of an operation. */
export function requestSchemasOf({ operation }: Operation): RequestSchemas {
  const parameters = operation.parameters ?? [];
  const within = (place: string): Schema => {
    const found = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema as Schema])),
      required: found.filter(({ required }) => required === true).map(({ name }) => name),
    };
  };
  const body = operation.requestBody?.content['application/json']?.schema;
  return {
    query: within('query'),
    headers: within('header'),
    body: body ?? null,
  };
}

/** The requests to try on an operation; `hints` as in ValueSource. */
export function casesOf(
  reference: ApiReference,
  operation: Operation,
  hints: ValueSource['hints'],
): fc.Arbitrary<FuzzCase> {
  const source: ValueSource = {
    hints,
    resolve: (schema) =>
      schema.$ref === undefined ? schema : (resolve(reference.document, schema.$ref) as Schema),
  };
  const schemas = requestSchemasOf(operation);
  const good = {
    query: valuesOf(source, schemas.query).map(toPairs),
    headers: valuesOf(source, schemas.headers).map(toPairs),
    ...(schemas.body === null
      ? {}
      : { body: valuesOf(source, schemas.body).map((value) => JSON.stringify(value)) }),
  };
  const ofFlavour = (flavour: FuzzCase['flavour'], other: object): fc.Arbitrary<FuzzCase> =>
    fc.record({ flavour: fc.constant(flavour), ...good, ...other });

  const queries = almostQueries(source, schemas.query);
  const headers = almostValuesOf(source, schemas.headers).map(toPairs).map(transportable);
  const cases: fc.WeightedArbitrary<FuzzCase>[] = [{ weight: 6, arbitrary: ofFlavour('valid', {}) }];
  if (isAnyIn(schemas.query)) {
    cases.push({ weight: 10, arbitrary: ofFlavour('almost', { query: queries }) });
  }
  if (isAnyIn(schemas.headers)) {
    cases.push({ weight: 1, arbitrary: ofFlavour('almost', { headers }) });
  }
  if (schemas.body !== null) {
    const body = almostValuesOf(source, schemas.body).map((value) => JSON.stringify(value));
    cases.push({ weight: 12, arbitrary: ofFlavour('almost', { body }) });
    cases.push({ weight: 2, arbitrary: ofFlavour('garbage', { body: garbageBodies(good.body ?? body) }) });
  }
  return fc.oneof(...cases);
}

const isAnyIn = ({ properties = {} }: Schema) => Object.keys(properties).length > 0;

/** Members of an object as names and texts; what is no text is its JSON, what is missing is left out. */
function toPairs(value: Json): Pairs {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' ? member : JSON.stringify(member),
  ]);
}

function almostQueries(source: ValueSource, schema: Schema): fc.Arbitrary<Pairs> {
  const good = valuesOf(source, schema).map(toPairs);
  const properties = Object.entries(schema.properties ?? {});
  const hostile = properties.map(([name, { type }]) =>
    fc
      .tuple(good, type === 'integer' ? fc.constantFrom(...NUMBER_TEXTS) : hostileTexts())
      .map(([pairs, text]): Pairs => [...pairs.filter(([other]) => other !== name), [name, text]]),
  );
  const names = fc.constantFrom(...properties.map(([name]) => name), 'unknown');
  const extra = fc
    .tuple(good, names, fc.constantFrom('', '[]', '[0]', '[a]', ' '), hostileTexts())
    .map(([pairs, name, suffix, text]): Pairs => [...pairs, [`${name}${suffix}`, text]]);
  return fc.oneof(
    { weight: 4, arbitrary: almostValuesOf(source, schema).map(toPairs) },
    {
      weight: 6,
      arbitrary: fc.oneof(
        ...hostile,
        names.map((name): Pairs => [[name, '']]),
      ),
    },
    { weight: 1, arbitrary: good.map((pairs) => [...pairs, ...pairs.slice(0, 1)]) },
    { weight: 2, arbitrary: extra },
  );
}

/** Leaves of header values what a parser of HTTP lets through: bytes without controls, no space at the ends. */
function transportable(pairs: Pairs): Pairs {
  return pairs
    .filter(([name]) => /^[A-Za-z0-9_-]+$/.test(name))
    .map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim()]);
}

function garbageBodies(good: fc.Arbitrary<string>): fc.Arbitrary<string | Buffer> {
  const flipped = fc.tuple(good, fc.nat(), fc.integer({ min: 1, max: 255 }));
  return fc.oneof(
    fc.json({ maxDepth: 4 }),
    flipped.map(([text, at, mask]) => {
      const bytes = Buffer.from(text);
      bytes[at % bytes.length]! ^= mask;
      return bytes;
    }),
  );
}
