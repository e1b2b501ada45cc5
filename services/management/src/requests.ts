import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { check, type Fault, parseStrictJson } from '@smartlink/smartlink/document';
import { countCodePoints } from '@smartlink/smartlink/model';
import { isUuid } from '@smartlink/smartlink/store';
import { isDate } from '@smartlink/visits/analytics';
import { fault, faults } from './errors.js';
import { findIgnored, knownMembers, noteMembers, noteParameters, parameterName } from './ignored-input.js';
import { unwrap } from './schema-shapes.js';

/** Every value of a header, where `request.headers` joins them or keeps the first. `name` is in lower case. */
export function headerValues(request: FastifyRequest, name: string): readonly string[] {
  const { rawHeaders } = request.raw;
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

/** Throws VALIDATION_FAILED. */
export function parseJsonBody(body: Buffer): unknown {
  const result = parseStrictJson(body);
  if (result.ok) return result.value;
  throw faults(result.faults);
}

/**
 * Checks the body of a route without query parameters; members that are not among `known` are ignored. Throws
 * VALIDATION_FAILED with every fault.
 */
export function parseBody<Shape extends z.ZodRawShape, Config extends z.core.$ZodObjectConfig>(
  schema: z.ZodObject<Shape, Config>,
  request: FastifyRequest,
  known = knownMembers(schema) ?? new Map<string, null>(),
): z.output<z.ZodObject<Shape, Config>> {
  const { body } = request;
  noteMembers(request, findIgnored(known, body));
  if (body !== undefined) return checkBody(schema, body);
  const required = Object.keys(schema.shape).filter(
    (name) => !unwrap(schema.shape[name] as z.ZodType).isOptional,
  );
  throw fault('', `Send {${required.join(', ')}} as the JSON body`);
}

/** Throws VALIDATION_FAILED with every fault. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const checked = check(schema, body);
  if (!checked.ok) throw faults(checked.faults);
  return checked.value;
}

/**
 * Checks the parameters of a query string; unknown ones are ignored. Throws VALIDATION_FAILED with every fault. Repeated
 * parameters and array notation (`id[]=`) are faults.
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  request: FastifyRequest,
): z.output<z.ZodObject<Shape>> {
  const { query } = request;
  noteParameters(request, schema.shape);
  const found: Fault[] = [];
  for (const name of Object.keys(query as object)) {
    const known = parameterName(name);
    const isTold = found.some(({ path }) => path === known);
    if (name !== known && Object.hasOwn(schema.shape, known) && !isTold) {
      found.push({ path: known, message: GIVEN_TWICE });
    }
  }
  const checked = check(schema, query);
  if (!checked.ok) {
    found.push(...checked.faults.filter((fault) => !found.some((other) => other.path === fault.path)));
  }
  if (!checked.ok || found.length > 0) throw faults(found);
  return checked.value;
}

// A repeated parameter is an array.
const GIVEN_TWICE = 'Must be given once';

export function textField() {
  return z.string(GIVEN_TWICE);
}

/** Non-empty text that Postgres can hold. */
export function filledTextField(lengthMax: number) {
  return textField()
    .refine((text) => text !== '', 'Must not be empty')
    .refine((text) => !text.includes('\0'), 'Must not contain NUL')
    .refine((text) => countCodePoints(text) <= lengthMax, `Must be at most ${lengthMax} characters`)
    .optional()
    .meta({ minLength: 1, maxLength: lengthMax });
}

const LIST_VALUES_MAX = 50;

/** Values with commas between them; `allowed` names the values there are. */
export function commaListField<Value extends string = string>({
  allowed,
  max = LIST_VALUES_MAX,
}: { readonly allowed?: readonly Value[]; readonly max?: number } = {}) {
  const isAllowed = (value: string) =>
    allowed === undefined || (allowed as readonly string[]).includes(value);
  return textField()
    .refine((text) => !text.split(',').includes(''), 'Must not be empty')
    .refine((text) => !text.includes('\0'), 'Must not contain NUL')
    .refine((text) => text.split(',').length <= max, `Must have at most ${max} values`)
    .refine((text) => text.split(',').every(isAllowed), `Must be one of ${allowed?.join(', ') ?? ''}`)
    .meta({ minLength: 1 })
    .transform((text) => text.split(',') as Value[]);
}

/** A day as YYYY-MM-DD. */
export function dateField() {
  return textField()
    .refine(isDate, 'Must be a date as YYYY-MM-DD, from 1970 to 2199')
    .optional()
    .meta({ format: 'date' });
}

/** In decimal digits without a sign or leading zeros. */
export function wholeNumberField(min: number, max: number) {
  return textField()
    .refine(
      (text) => /^(?:0|[1-9][0-9]{0,8})$/.test(text) && Number(text) >= min && Number(text) <= max,
      `Must be a whole number from ${min} to ${max}`,
    )
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number);
}

/** Any string but the empty one may be an id. */
export function idField(description: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'Required' : 'Must be given once, as a string') })
    .refine((id) => id !== '', 'Must not be empty')
    .meta({ description, minLength: 1 });
}

export const smartlinkIdSchema = idField('Identifier of the smartlink.');

/** Whether `id` has the form of an id. All others are unknown ids, whatever their form or length. */
export const isSmartlinkId = isUuid;

export function cursorField() {
  return textField().optional().meta({ description: '`X-Next-Cursor` of the previous page.' });
}

/** The last row of a page; rows are newest first, those of one time by id. */
export type PageCursor = { readonly time: Date; readonly id: string };

export function encodeCursor({ time, id }: PageCursor): string {
  return Buffer.from(`${time.getTime()}.${id}`).toString('base64url');
}

/** `idForm`: that of the list's ids, by default UUIDs. Throws VALIDATION_FAILED at `cursor`. */
export function decodeCursor(cursor: string, idForm?: RegExp): PageCursor {
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined || !(idForm?.test(id) ?? isSmartlinkId(id))) {
    throw unknownCursor();
  }
  return { time: new Date(Number(time)), id };
}

type ParameterValue = string | number | boolean | readonly string[] | undefined;

export const unknownCursor = () => fault('cursor', 'Must be a cursor from an earlier answer');

/** The headers that lead to the next page of a list, with the parameters of this one. */
export function nextPageHeaders(
  path: string,
  query: Readonly<Record<string, ParameterValue>>,
  cursor: string,
): Record<string, string> {
  const parameters = new URLSearchParams();
  const values: Readonly<Record<string, ParameterValue>> = { ...query, cursor };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return { 'x-next-cursor': cursor, link: `</api/v1${path}?${parameters.toString()}>; rel="next"` };
}
