import type { ApiDocument, DocumentedOperation } from './read-document.js';

// Postman Collection Format 2.1.0; what else it may hold is in the schema of this address.
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** Stands for a smartlink in every example of the document. */
const EXAMPLE_ID = '019aa5c4-c000-7000-8000-000000000001';

/**
 * Returns a Postman collection of every operation with every example of its body, as JSON: a folder a tag, the key and
 * the address in variables. Optional parameters are there, switched off.
 */
export function renderCollection(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const collection = {
    info: {
      name: document.info.title,
      description:
        'Made of the OpenAPI document of the API. Set `baseUrl` to your instance and `apiKey` to a key of yours; a ' +
        'create puts the new id into `smartlinkId`, which the other requests are about.',
      version: document.info.version,
      schema: FORMAT,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      { key: 'smartlinkId', value: EXAMPLE_ID },
      ...operations.flatMap(({ path }) => pathParameters(path)).map((key) => ({ key, value: '' })),
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => renderItem(path, method, operation)),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/** A request; a folder of them where the body has several examples. */
function renderItem(path: string, method: string, operation: DocumentedOperation): object {
  const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const { summary: name, description } = operation;
  const [only, another] = examples;
  if (another === undefined) return renderRequest(path, method, operation, name, only?.value);
  return {
    name,
    description,
    item: examples.map(({ summary, value }) => renderRequest(path, method, operation, summary, value)),
  };
}

function renderRequest(
  path: string,
  method: string,
  operation: DocumentedOperation,
  name: string,
  body: unknown,
): object {
  const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
  return {
    name,
    ...(operation.operationId === 'createSmartlink' ? { event: [KEEP_ID] } : {}),
    request: {
      method: method.toUpperCase(),
      ...(operation.security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...headers.map((header) => ({ key: header.name, value: '', disabled: true, ...described(header) })),
      ],
      url: renderUrl(path, operation),
      ...(body === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: withVariables(JSON.stringify(body, null, 2)),
              options: { raw: { language: 'json' } },
            },
          }),
      description: operation.description,
    },
    response: [],
  };
}

const KEEP_ID = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      "if (pm.response.code === 201) pm.collectionVariables.set('smartlinkId', pm.response.json().data.id);",
    ],
  },
};

function renderUrl(path: string, { parameters = [] }: DocumentedOperation): object {
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replace(/^\{(.+)\}$/, '{{$1}}'));
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: parameter.name === 'id' ? '{{smartlinkId}}' : (parameter.schema.enum?.[0] ?? ''),
      ...(parameter.required === true ? {} : { disabled: true }),
      ...described(parameter),
    }));
  const sent = query.filter((each) => !('disabled' in each)).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}/${steps.join('/')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: ['{{baseUrl}}'],
    path: steps,
    ...(query.length === 0 ? {} : { query }),
  };
}

function described({ description, schema }: NonNullable<DocumentedOperation['parameters']>[number]): object {
  const text = description ?? schema.description;
  return text === undefined ? {} : { description: text };
}

function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
}

const withVariables = (text: string) => text.replaceAll(EXAMPLE_ID, '{{smartlinkId}}');
