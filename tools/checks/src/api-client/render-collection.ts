import type { ApiDocument, DocumentedOperation } from './read-document.js';

// Postman Collection Format 2.1.0; what else it may hold is in the schema of this address.
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** What stands for something of the user's in the examples of the document, by the variable that takes its place. */
const EXAMPLE_IDS = {
  smartlinkId: '019aa5c4-c000-7000-8000-000000000001',
  webhookId: '019aa5c4-c000-7000-8000-0000000000a1',
  deliveryId: '7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f',
} as const;

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
        'create puts the new id into `smartlinkId` or `webhookId`, which the other requests are about.',
      version: document.info.version,
      schema: FORMAT,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      ...Object.entries(EXAMPLE_IDS).map(([key, value]) => ({ key, value })),
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
    ...keepId(operation.operationId),
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

/** A script that puts the id of what was created into its variable. */
function keepId(operationId: string): object {
  const variable = { createSmartlink: 'smartlinkId', createWebhook: 'webhookId' }[operationId];
  if (variable === undefined) return {};
  const line = `if (pm.response.code === 201) pm.collectionVariables.set('${variable}', pm.response.json().data.id);`;
  return { event: [{ listen: 'test', script: { type: 'text/javascript', exec: [line] } }] };
}

function renderUrl(path: string, { parameters = [] }: DocumentedOperation): object {
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replace(/^\{(.+)\}$/, '{{$1}}'));
  const idVariable = path.includes('/webhooks') ? '{{webhookId}}' : '{{smartlinkId}}';
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: parameter.name === 'id' ? idVariable : (parameter.schema.enum?.[0] ?? ''),
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

function withVariables(text: string): string {
  return Object.entries(EXAMPLE_IDS).reduce((rest, [name, id]) => rest.replaceAll(id, `{{${name}}}`), text);
}
