import { globalRegistry, z } from 'zod';
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { Access } from '../accounts/access.js';
import { type ErrorCode, statusOf } from '../errors.js';
import {
  type ApiRoute,
  type DataExample,
  type ErrorExample,
  EXAMPLE_TIME,
  type Examples,
  type Operation,
  successSchema,
} from '../operation.js';
import {
  componentName,
  ERROR_CODES,
  failureExamples,
  failureSchemas,
  headerReferences,
  introduction,
  ON_ANSWERS_TO_USERS,
  ON_EVERY_ANSWER,
  responseHeaders,
  TAGS,
  WHEN,
} from './document-texts.js';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the routes that have an operation. */
export function createOpenApiDocument(routes: readonly ApiRoute[], version: string): OpenApiDocument {
  const failures = failureSchemas();
  const paths: Paths = {};
  for (const { method, path, operation, access } of routes) {
    if (operation === undefined) continue;
    const described = describeOperation(withForbidden(operation(), access), access, failures);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
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
            'An API key, as it was shown when it was created. Paste only the key into the form of this page; requests send ' +
            'it as `Authorization: Bearer slk_live_…`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-smartlink_session',
          description:
            'The cookie of a signed-in person; `smartlink_session` over plain http. Writes also need the `Origin` of the service.',
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

/** Adds the refusal of keys that lack what the operation needs. */
function withForbidden(operation: Operation, access: Access | undefined): Operation {
  if (access === undefined || ('scope' in access && access.scope === 'any')) return operation;
  const [summary, message] =
    'scope' in access
      ? ['A key without the scope', `Needs the scope ${access.scope}`]
      : ['An API key', 'Needs a signed-in person'];
  const forbidden = { summary, details: [{ path: '', message }] };
  const { FORBIDDEN: others, ...errors } = operation.errors;
  return { ...operation, errors: { FORBIDDEN: { forbidden, ...others }, ...errors } };
}

function describeOperation(
  operation: Operation,
  access: Access | undefined,
  failures: Failures,
): ZodOpenApiOperationObject {
  const {
    operationId,
    summary,
    description,
    tag,
    isPublic = false,
    body,
    upload,
    query,
    headers,
  } = operation;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(isPublic ? { security: [] } : {}),
    ...(access !== undefined && 'person' in access ? { security: [{ session: [] }] } : {}),
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
    ...(upload === undefined
      ? {}
      : { requestBody: { required: true, content: Object.fromEntries(upload.map((type) => [type, FILE])) } }),
    responses: { ...successResponses(operation), ...failureResponses(operation, failures) },
  };
}

const FILE = { schema: { type: 'string', format: 'binary' } } as const;

function successResponses({
  success,
  isPublic = false,
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
  const names = [...ON_EVERY_ANSWER, ...(isPublic ? [] : ON_ANSWERS_TO_USERS), ...headers];
  return {
    [`${status}`]: { description, headers: headerReferences(names), content },
    ...(isRevalidated
      ? {
          '304': {
            description: 'Unchanged since the version in `If-None-Match`.',
            headers: headerReferences(names),
          },
        }
      : {}),
  };
}

// Responses of every operation that needs a key.
const USUAL_CODES = ['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const;
// Responses of every operation with a body.
const BODY_CODES = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

function failureResponses(operation: Operation, failures: Failures): ZodOpenApiOperationObject['responses'] {
  const errors: ErrorsByCode = { ...operation.errors };
  for (const code of operation.isPublic === true ? [] : USUAL_CODES) errors[code] ??= {};
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

/** A reference to the component for one code with its usual examples. */
function referenceOrResponse(failures: Failures, errors: ErrorsByCode) {
  const [only, another] = codesOf(errors);
  if (only !== undefined && another === undefined && Object.keys(errors[only] ?? {}).length === 0) {
    return { $ref: referenceTo(only) };
  }
  return failureResponse(failures, errors);
}

/** Only those that `paths` refer to: linters and generators stumble over unused components. */
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
  // Checked before the key, on a path that needs none.
  if (code === 'METHOD_NOT_ALLOWED') return [...ON_EVERY_ANSWER, 'Allow'];
  // Without a valid key, the user and the limit are unknown.
  if (code === 'UNAUTHORIZED') return [...ON_EVERY_ANSWER, 'WWW-Authenticate'];
  // The failure may be in the check of the key.
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

const HAS_SCHEME = '^[A-Za-z][A-Za-z0-9+.-]*:';

/**
 * Adds defaults that zod omits before a transform, and removes limits that no number reaches. A URL only needs a scheme:
 * `format: uri` means RFC 3986, but browsers accept a `|` or a lone `%`, on which the URI types of generated clients
 * throw.
 */
const touchUp: NonNullable<CreateDocumentOptions['override']> = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.maximum === Number.MAX_VALUE) delete jsonSchema.maximum;
  if (jsonSchema.format === 'uri') {
    delete jsonSchema.format;
    jsonSchema.pattern = HAS_SCHEME;
  }
  const fallback = globalRegistry.get(zodSchema)?.['default'];
  if (fallback !== undefined) Object.assign(jsonSchema, { default: fallback });
};

/** Replaces `anyOf: [{type: 'string', …}, {type: 'null'}]` by the shorter `type: ['string', 'null']`, in place. */
function inlineNulls(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (!NOT_SCHEMAS.has(key)) inlineNulls(value);
  }
  const { anyOf, ...rest } = node as { anyOf?: readonly Branch[] };
  const [value, none, ...others] = anyOf ?? [];
  if (typeof value?.type !== 'string' || none?.type !== 'null' || others.length > 0) return;
  delete (node as { anyOf?: unknown }).anyOf;
  Object.assign(node, value, rest, {
    type: [value.type, 'null'],
    ...(value.enum === undefined ? {} : { enum: [...value.enum, null] }),
  });
}

type Branch = { readonly type?: unknown; readonly enum?: readonly unknown[] };

// Values, which may look like schemas.
const NOT_SCHEMAS = new Set(['example', 'examples', 'default']);
