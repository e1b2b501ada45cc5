import type { ApiDocument, DocumentedOperation } from './read-document.js';

// Postman Collection Format 2.1.0; what else it may hold is in the schema of this address.
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** What stands for something of the user's in the examples of the document, by the variable that takes its place. */
const EXAMPLE_IDS = {
  smartlinkId: '019aa5c4-c000-7000-8000-000000000001',
  webhookId: '019aa5c4-c000-7000-8000-0000000000a1',
  deliveryId: '7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f',
} as const;
/** The address that a smartlink is given by a change; another at each run, for the one of before is taken. */
const NEW_SLUG = { key: 'smartlinkUrl', value: 'Spring2026' };

/**
 * Returns a Postman collection of every operation with every example of its body, as JSON: a folder a tag, the key and
 * the address in variables. Optional parameters are there, switched off. It may be run as a whole, again and again: each
 * request finds what it is about, and none asks for an address that an earlier run took.
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
        'create puts the new id into `smartlinkId` or `webhookId`, and the log of a webhook its newest delivery into ' +
        '`deliveryId`, which the other requests are about. It may be run as a whole; what it deletes is its own, but it ' +
        'leaves smartlinks and a webhook behind.',
      version: document.info.version,
      schema: FORMAT,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      ...Object.entries(EXAMPLE_IDS).map(([key, value]) => ({ key, value })),
      NEW_SLUG,
      ...operations.flatMap(({ path }) => pathParameters(path)).map((key) => ({ key, value: '' })),
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .toSorted((one, other) => placeOf(one) - placeOf(other))
        .map(({ path, method, operation }) => renderItem(path, method, operation)),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/**
 * Where in its folder an operation stands, that a run finds what it is about: first what creates. Changes come after all
 * else, as one of them disables the webhook, and then what deletes.
 */
function placeOf({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: DocumentedOperation;
}) {
  if (CREATES.has(operation.operationId)) return 0;
  if (method === 'patch') return 2;
  if (path.endsWith('/bulk')) return 3;
  return method === 'delete' ? 4 : 1;
}

const CREATES: ReadonlySet<string> = new Set(['createSmartlink', 'createWebhook']);

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
  const text = body === undefined ? '' : renderBody(operation.operationId, body);
  const event = renderScripts(operation.operationId, text);
  return {
    name,
    ...(event.length === 0 ? {} : { event }),
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
              raw: text,
              options: { raw: { language: 'json' } },
            },
          }),
      description: operation.description,
    },
    response: [],
  };
}

/** A body with variables for what is the user's, and without an address that only the first run would get. */
function renderBody(operationId: string, body: unknown): string {
  const text = JSON.stringify(
    body,
    (name, value: unknown) => {
      if (name !== 'smartlinkUrl') return value;
      if (operationId === 'createSmartlink') return undefined;
      return operationId === 'updateSmartlink' ? `{{${NEW_SLUG.key}}}` : value;
    },
    2,
  );
  return Object.entries(EXAMPLE_IDS).reduce((rest, [name, id]) => rest.replaceAll(id, `{{${name}}}`), text);
}

/** Scripts around a request: one that thinks of an address, and one that keeps the id that others are about. */
function renderScripts(operationId: string, body: string): object[] {
  const event = (listen: string, line: string) => ({
    listen,
    script: { type: 'text/javascript', exec: [line] },
  });
  // Beside its creates, a bulk call deletes the smartlink that it is about. What a dry run creates is not there.
  const kept = body.includes('"dryRun": true') ? undefined : KEPT_IDS[operationId];
  return [
    ...(body.includes(`{{${NEW_SLUG.key}}}`)
      ? [event('prerequest', setVariable(NEW_SLUG.key, `'Spring' + Math.random().toString(36).slice(2, 10)`))]
      : []),
    ...(kept === undefined
      ? []
      : [event('test', `const made = ${kept.made}; if (made) ${setVariable(kept.variable, 'made.id')}`)]),
  ];
}

const setVariable = (name: string, value: string) => `pm.collectionVariables.set('${name}', ${value});`;

const KEPT_IDS: Readonly<Record<string, { readonly variable: string; readonly made: string } | undefined>> = {
  createSmartlink: { variable: 'smartlinkId', made: 'pm.response.json().data' },
  bulkSmartlinks: {
    variable: 'smartlinkId',
    made: 'pm.response.json().data?.find((result) => result.status === 201)?.data',
  },
  createWebhook: { variable: 'webhookId', made: 'pm.response.json().data' },
  listWebhookDeliveries: { variable: 'deliveryId', made: 'pm.response.json().data?.[0]' },
};

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
