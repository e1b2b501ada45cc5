import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { holdsApiKey } from '@smartlink/smartlink/credentials';
import { isObject } from '@smartlink/smartlink/model';
import { withIgnored } from './envelope.js';
import { unwrap } from './schema-shapes.js';

// `ignored` of an answer: the members and parameters of its request that nothing reads.

declare module 'fastify' {
  interface FastifyRequest {
    /** At most 20 paths; parameters begin with `?`. null until the request is checked against a schema. */
    ignored: readonly string[] | null;
  }
}

/** Adds `ignored` to the answers in the envelope. Stored answers have it already, and streamed ones add it themselves. */
export const ignoredInput = fp(
  (app, _options, done) => {
    app.decorateRequest('ignored', null);
    app.addHook('preSerialization', (request, _reply, payload, next) => {
      next(null, isObject(payload) && 'success' in payload ? withIgnoredOf(request, payload) : payload);
    });
    done();
  },
  { name: 'ignored-input' },
);

function withIgnoredOf(request: FastifyRequest, envelope: Readonly<Record<string, unknown>>): object {
  // A success without a schema is of a route without parameters.
  const ignored = request.ignored ?? (envelope['success'] === true ? ignoredParameters(request) : []);
  return withIgnored(envelope, ignored);
}

export const IGNORED_MAX = 20;
// A key may be a mebibyte long.
const NAME_LENGTH_MAX = 64;

/** Notes the parameters of the query that are not among `known`. */
export function noteParameters(request: FastifyRequest, known: object): void {
  request.ignored = ignoredParameters(request, known);
}

/** Notes members of the body, of a route without parameters; returns `ignored`. */
export function noteMembers(request: FastifyRequest, members: readonly string[]): readonly string[] {
  return (request.ignored = [...members, ...ignoredParameters(request)].slice(0, IGNORED_MAX));
}

function ignoredParameters({ query }: FastifyRequest, known: object = {}): string[] {
  return Object.keys(query as object)
    .filter((name) => !Object.hasOwn(known, parameterName(name)))
    .slice(0, IGNORED_MAX)
    .map((name) => `?${shown(name)}`);
}

/** Without the brackets of array notation, as in `id[]`. */
export function parameterName(name: string): string {
  return name.split('[', 1)[0] ?? '';
}

/** The members that a schema names, by name; null for a value without members. */
export type KnownMembers = ReadonlyMap<string, KnownMembers | null>;

/** Those of an object, or of the elements of an array; null for another schema. */
export function knownMembers(schema: z.ZodType): KnownMembers | null {
  const { inner } = unwrap(schema);
  if (inner instanceof z.ZodArray) return knownMembers(inner.element as z.ZodType);
  if (!(inner instanceof z.ZodObject)) return null;
  // Its other members are faults.
  if (z.globalRegistry.get(inner)?.['additionalProperties'] === false) return null;
  const members = Object.entries(inner.shape).map(([name, member]) => [name, member as z.ZodType] as const);
  return new Map(members.map(([name, member]) => [name, knownMembers(member)]));
}

/** The paths of members of a parsed JSON object that are not among `known`, at most 20; they begin with `path`. */
export function findIgnored(
  known: KnownMembers,
  value: unknown,
  path: readonly (string | number)[] = [],
): string[] {
  const found: string[] = [];
  if (isObject(value)) collectIgnored(known, value, [...path], found);
  return found;
}

/** Shares one path and one list: a menu may have two hundred thousand members. */
function collectIgnored(
  known: KnownMembers,
  value: object,
  path: (string | number)[],
  found: string[],
): void {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && found.length < IGNORED_MAX; i += 1) {
      const element: unknown = value[i];
      if (isContainer(element)) descend(known, element, i);
    }
    return;
  }
  for (const name in value) {
    if (found.length >= IGNORED_MAX) return;
    const members = known.get(name);
    if (members === undefined) found.push([...path, shown(name)].join('.'));
    else if (members !== null) {
      const member = (value as Readonly<Record<string, unknown>>)[name];
      if (isContainer(member)) descend(members, member, name);
    }
  }

  function descend(members: KnownMembers, member: object, step: string | number): void {
    path.push(step);
    collectIgnored(members, member, path, found);
    path.pop();
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An API key in the place of a name is hidden: answers are logged by clients, and some are stored. */
function shown(name: string): string {
  return holdsApiKey(name) ? '[API key]' : name.slice(0, NAME_LENGTH_MAX).toWellFormed();
}
