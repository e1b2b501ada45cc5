/** The parts of the OpenAPI document that generated files use. */
export type ApiDocument = {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

export type DocumentedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: { readonly description?: string; readonly enum?: readonly string[] };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples: Examples }>> };
};

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

type Call = { readonly path: string; readonly method: string; readonly operation: DocumentedOperation };

// Postman Collection Format 2.1.0.
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** Ids in the examples of the document, by the variable that replaces them. */
const EXAMPLE_IDS = {
  smartlinkId: '019aa5c4-c000-7000-8000-000000000001',
  webhookId: '019aa5c4-c000-7000-8000-0000000000a1',
  deliveryId: '7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f',
} as const;
/** The slug that a PATCH sets; random in each run, because that of an earlier run is taken. */
const NEW_SLUG = { key: 'smartlinkUrl', value: 'Spring2026' };

/**
 * A Postman collection with every operation and every example of its body, as JSON. Each tag is a folder; key and
 * addresses are variables; optional parameters are disabled. It can be run as a whole and repeated: requests use the ids
 * that earlier ones created, and none claims a slug of an earlier run.
 */
export function renderCollection(document: ApiDocument): string {
  const operations: Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
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

        .toSorted((one, other) => positionOf(one) - positionOf(other))
        .map(renderItem),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/** Position in the folder: creates first, then reads, changes (one disables the webhook), bulk calls and deletes. */
function positionOf({ path, method, operation }: Call) {
  if (CREATES.has(operation.operationId)) return 0;
  if (method === 'patch') return 2;
  if (path.endsWith('/bulk')) return 3;
  return method === 'delete' ? 4 : 1;
}

const CREATES: ReadonlySet<string> = new Set(['createSmartlink', 'createWebhook']);

/** A request, or a folder of requests if the body has several examples. */
function renderItem(call: Call): object {
  const examples = Object.values(call.operation.requestBody?.content['application/json']?.examples ?? {});
  const { summary: name, description } = call.operation;
  const [only, another] = examples;
  if (another === undefined) return renderRequest(call, name, only?.value);
  return {
    name,
    description,
    item: examples.map(({ summary, value }) => renderRequest(call, summary, value)),
  };
}

function renderRequest({ path, method, operation }: Call, name: string, example: unknown): object {
  const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
  const raw = example === undefined ? '' : renderBody(operation.operationId, example);
  const event = renderScripts(operation.operationId, raw);
  return {
    name,
    ...(event.length === 0 ? {} : { event }),
    request: {
      method: method.toUpperCase(),
      ...(operation.security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
      header: [
        ...(raw === '' ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...headers.map((header) => ({ key: header.name, value: '', disabled: true, ...described(header) })),
      ],
      url: renderUrl(path, operation),
      ...(raw === '' ? {} : { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }),
      description: operation.description,
    },
    response: [],
  };
}

/** Ids become variables; slugs that only a first run could claim are removed. */
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

/** A script that chooses a random slug before the request, and one that stores the new id after it. */
function renderScripts(operationId: string, body: string): object[] {
  const event = (listen: string, line: string) => ({
    listen,
    script: { type: 'text/javascript', exec: [line] },
  });
  // A bulk call deletes its smartlink and stores the id of a new one. A dry run creates nothing.
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
