import { z } from 'zod';
import { documentSchemas } from '@smartlink/smartlink/document';
import { REDIRECT_TYPES, SMARTLINK_TYPES, type SmartlinkType } from '@smartlink/smartlink/model';
import { PUBLIC_BASE_URL } from './start-service.js';

// Documents and their fields as the schemas describe them, so that a field added there is in these tests by itself. Those
// of `routing` depend on each other, and have tests of their own (routing-schema.test.ts, routing.int.test.ts).

export type FieldSchema = {
  readonly type: string;
  readonly isNullable: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
};

export type Path = readonly (string | number)[];

/** One place of a type's document; an array's elements stand under index 0. */
export type Field = { readonly path: Path; readonly schema: FieldSchema };

/** Every field of a type, objects and arrays included, outermost first. */
export function fieldsOf(type: SmartlinkType): readonly Field[] {
  return collect(SCHEMAS[type], []);
}

/** A valid document of a type in which every member is set, but for folder and domain, and every array has one element. */
export function fullDocument(type: SmartlinkType): Record<string, unknown> {
  const {
    folderId: _,
    externalId: __,
    ...document
  } = sampleOf(SCHEMAS[type]) as {
    configuration: Record<string, unknown>;
    folderId: unknown;
    externalId: unknown;
  };
  // Unique on the platform, as the external id in the account, so it cannot be the same in every document.
  delete document.configuration['smartlinkUrl'];
  delete document.configuration['domain'];
  const availability = {
    ...{ startsAt: '2020-01-01T00:00:00.000Z', expiresAt: '2100-01-01T00:00:00.000Z', maxVisits: 5 },
    expiredUrl: 'https://example.org/over',
  };
  // Others are refused beside a password, and on an App.
  const redirect = { status: 307, cacheSeconds: 0, forwardQuery: false };
  return REDIRECT_TYPES.has(type) ? { ...document, availability, redirect } : { ...document, availability };
}

/** A copy of `document` with `value` at `path`; undefined takes the member out. */
export function withValue(document: unknown, path: Path, value: unknown): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>;
  let parent = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as typeof parent;
  const last = path.at(-1)!;
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}

const SCHEMAS = Object.fromEntries(
  Object.entries(documentSchemas({ publicBaseUrl: PUBLIC_BASE_URL, passwordRequired: true })).map(
    ([type, schema]) => [type, withoutRouting(normalise(z.toJSONSchema(schema, { io: 'input' })))],
  ),
) as Readonly<Record<SmartlinkType, FieldSchema>>;

function withoutRouting(schema: FieldSchema): FieldSchema {
  const { routing: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

export const TYPES = SMARTLINK_TYPES;

/** A JSON Schema without the `null` that stands beside what is optional. */
function normalise(schema: unknown): FieldSchema {
  const { anyOf, type, ...rest } = schema as { anyOf?: { type: string }[]; type: string | string[] };
  if (anyOf) {
    const other = anyOf.find((member) => member.type !== 'null');
    return { ...normalise(other), isNullable: anyOf.some((member) => member.type === 'null') };
  }
  const types = [type].flat();
  return { ...rest, type: types.find((name) => name !== 'null')!, isNullable: types.includes('null') };
}

function collect(schema: FieldSchema, path: Path): Field[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    collect(normalise(member), [...path, name]),
  );
  const elements = schema.items === undefined ? [] : collect(normalise(schema.items), [...path, 0]);
  return [...(path.length === 0 ? [] : [{ path, schema }]), ...below, ...elements];
}

function sampleOf(schema: FieldSchema): unknown {
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, sampleOf(normalise(member))]),
    );
  }
  if (schema.items !== undefined) return [sampleOf(normalise(schema.items))];
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.format === 'uri') return 'https://a.example.org/';
  if (schema.pattern?.startsWith('^#')) return '#112233';
  return 'Text 12'.slice(0, schema.maxLength);
}
