import { createDocument } from 'zod-openapi';
import type { ZodOpenApiObject, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { z } from 'zod';
import { EXAMPLE_TIME, successSchema } from '../envelope-schemas.js';
import { statusOf } from '../errors.js';
import type { ErrorCode } from '../errors.js';
import type { DataExample, ErrorExample, Examples, Operation } from '../operation.js';
import type { ApiRoute } from './documented-routes.js';
import { ERROR_CODES, WHEN, componentName, failureExamples, failureSchemas } from './failures.js';
import { TAGS, introduction } from './introduction.js';
import { inlineNulls, touchUp } from './rendering.js';
import {
  ON_ANSWERS_TO_USERS,
  ON_EVERY_ANSWER,
  headerReferences,
  responseHeaders,
} from './response-headers.js';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Returns the OpenAPI 3.1 document of what `routes` say of themselves; those that say nothing are left out. */
export function createOpenApiDocument(routes: readonly ApiRoute[], version: string): OpenApiDocument {
  const failures = failureSchemas();
  const paths: Paths = {};
  for (const { method, path, operation } of routes) {
    if (operation === undefined) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation(), failures) };
  }
  const description: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Smartlink Management API',
      version,
      description: introduction(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This instance' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    components: {
      headers: responseHeaders(),
      responses: sharedResponses(paths, failures),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: '`slk_live_` and 38 letters and digits',
          description:
            'An API key, as it was shown when it was made. In the form of this page paste the key alone; requests carry it ' +
            'as `Authorization: Bearer slk_live_…`.',
        },
      },
    },
  };
  const document = createDocument(description, { override: touchUp });
  inlineNulls(document);
  return document;
}

type Paths = Record<string, Record<string, ZodOpenApiOperationObject>>;
type Failures = ReturnType<typeof failureSchemas>;
type ErrorsByCode = Operation['errors'];

function describeOperation(operation: Operation, failures: Failures): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, needsKey, body, query, headers } = operation;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(needsKey ? {} : { security: [] }),
    ...(query === undefined && headers === undefined
      ? {}
      : {
          requestParams: {
            ...(query === undefined ? {} : { query }),
            ...(headers === undefined ? {} : { header: headers }),
          },
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body.schema, examples: named(body.examples) } },
          },
        }),
    responses: { ...successResponses(operation), ...failureResponses(operation, failures) },
  };
}

function successResponses({
  success,
  needsKey,
}: Operation): Record<`${2 | 3}${string}`, ZodOpenApiResponseObject> {
  const { status, description, headers = [], data, otherContent = {}, isRevalidated = false } = success;
  const content: NonNullable<ZodOpenApiResponseObject['content']> = {};
  if (data !== undefined) {
    content['application/json'] = { schema: successSchema(data.schema), examples: enveloped(data.examples) };
  }
  for (const [mediaType, { schema, examples }] of Object.entries(otherContent)) {
    content[mediaType] = {
      schema,
      ...(Object.keys(examples).length === 0 ? {} : { examples: named(examples) }),
    };
  }
  const names = [...ON_EVERY_ANSWER, ...(needsKey ? ON_ANSWERS_TO_USERS : []), ...headers];
  return {
    [`${status}`]: { description, headers: headerReferences(names), content },
    ...(isRevalidated
      ? { '304': { description: 'As `If-None-Match` has it.', headers: headerReferences(names) } }
      : {}),
  };
}

/** What every operation that needs a key may answer. */
const USUAL_CODES = ['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const;
/** And every one that has a body. */
const BODY_CODES = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

function failureResponses(operation: Operation, failures: Failures): ZodOpenApiOperationObject['responses'] {
  const errors: ErrorsByCode = { ...operation.errors };
  for (const code of operation.needsKey ? USUAL_CODES : []) errors[code] ??= {};
  for (const code of operation.body === undefined ? [] : BODY_CODES) errors[code] ??= {};
  const byStatus: Record<string, ErrorsByCode> = {};
  for (const code of ERROR_CODES) {
    const examples = errors[code];
    if (examples !== undefined) byStatus[statusOf(code)] = { ...byStatus[statusOf(code)], [code]: examples };
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [status, referenceOrResponse(failures, codes)]),
  );
}

/** One code with its usual examples is a reference to the component. */
function referenceOrResponse(failures: Failures, errors: ErrorsByCode) {
  const [only, another] = codesOf(errors);
  if (only !== undefined && another === undefined && Object.keys(errors[only] ?? {}).length === 0) {
    return { $ref: referenceTo(only) };
  }
  return failureResponse(failures, errors);
}

/** Returns the components that `paths` refer to: linters and generators stumble over others. */
function sharedResponses(paths: Paths, failures: Failures) {
  const referredTo = new Set(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses as Record<string, { readonly $ref?: string }>))
      .map(({ $ref }) => $ref ?? ''),
  );
  return Object.fromEntries(
    ERROR_CODES.filter((code) => referredTo.has(referenceTo(code))).map((code) => [
      componentName(code),
      failureResponse(failures, { [code]: {} }),
    ]),
  );
}

const referenceTo = (code: ErrorCode) => `#/components/responses/${componentName(code)}`;

function failureResponse(failures: Failures, errors: ErrorsByCode): ZodOpenApiResponseObject {
  const codes = codesOf(errors);
  const schemas = codes.map((code) => failures[code]);
  const [first, ...rest] = schemas;
  if (first === undefined) throw new Error('A failure has at least one code');
  return {
    description: codes.map((code) => `\`${code}\`: ${WHEN[code]}`).join('\n\n'),
    headers: headerReferences(codes.flatMap(headersOf)),
    content: {
      'application/json': {
        schema: rest.length === 0 ? first : z.union([first, ...rest]),
        examples: Object.assign({}, ...codes.map((code) => failureExamples(code, errors[code]))) as Examples,
      },
    },
  };
}

function headersOf(code: ErrorCode): readonly string[] {
  // Asked before the key is, where no key is needed.
  if (code === 'METHOD_NOT_ALLOWED') return [...ON_EVERY_ANSWER, 'Allow'];
  // Who the user is, and so their limit, is not known before the key is.
  if (code === 'UNAUTHORIZED') return [...ON_EVERY_ANSWER, 'WWW-Authenticate'];
  // Nor when what failed is what knows the key.
  if (code === 'INTERNAL_ERROR' || code === 'SERVICE_UNAVAILABLE') return ON_EVERY_ANSWER;
  const usual = [...ON_EVERY_ANSWER, ...ON_ANSWERS_TO_USERS];
  return code === 'RATE_LIMITED' ? [...usual, 'Retry-After'] : usual;
}

function codesOf(errors: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, ErrorExample>>>>>) {
  return Object.keys(errors) as ErrorCode[];
}

function enveloped(examples: Readonly<Record<string, DataExample>>) {
  return Object.fromEntries(
    Object.entries(examples).map(([name, { summary, message, data }]) => [
      name,
      { summary, value: { success: true, message, data, timestamp: EXAMPLE_TIME } },
    ]),
  );
}

const named = (examples: Examples) => ({ ...examples });
