/** The parts of the OpenAPI document that generated files use. */
export type ApiDocument = {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

type DocumentedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
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

export function listCalls(document: ApiDocument): readonly Call[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** An API key cannot call it. */
const isForPersons = ({ security = [] }: DocumentedOperation): boolean =>
  security.some((scheme) => Object.hasOwn(scheme, 'session'));

/** A collection holds no file to upload, so its runs have no picture to delete. */
export const NOT_IN_COLLECTION: ReadonlySet<string> = new Set(['uploadMedia', 'deleteMedia']);

/** Ids in the examples of the document, by the variable that replaces them. */
const EXAMPLE_IDS = {
  smartlinkId: '019aa5c4-c000-7000-8000-000000000001',
  webhookId: '019aa5c4-c000-7000-8000-0000000000a1',
  deliveryId: '7c1d2f6e-5b0a-4c3d-9e8f-1a2b3c4d5e6f',
  tagId: '019aa5c4-c000-7000-8000-0000000000b1',
  otherTagId: '019aa5c4-c000-7000-8000-0000000000b2',
  folderId: '019aa5c4-c000-7000-8000-0000000000f1',
  templateId: '019aa5c4-c000-7000-8000-0000000000c1',
  domainId: '019aa5c4-c000-7000-8000-0000000000d5',
};
/** The variables that operations set, the object of their answer whose id is the value, and where the last value goes. */
const KEPT_IDS: Readonly<Record<string, readonly [variable: string, made: string, last?: string]>> = {
  createSmartlink: ['smartlinkId', 'pm.response.json().data'],
  bulkSmartlinks: ['smartlinkId', 'pm.response.json().data?.find((result) => result.status === 201)?.data'],
  createTag: ['tagId', 'pm.response.json().data', 'otherTagId'],
  createFolder: ['folderId', 'pm.response.json().data'],
  createUtmTemplate: ['templateId', 'pm.response.json().data'],
  createDomain: ['domainId', 'pm.response.json().data'],
  createWebhook: ['webhookId', 'pm.response.json().data'],
  listWebhookDeliveries: ['deliveryId', 'pm.response.json().data?.[0]'],
};

/**
 * A Postman collection (format 2.1.0) with every operation of API keys but uploads, and every example of its body, as JSON. Each tag is a folder; key
 * and addresses are variables; optional parameters are disabled. It can be run as a whole and repeated: requests use the
 * ids that earlier ones created, and no request claims a slug of an earlier run.
 */
export function renderCollection(document: ApiDocument): string {
  const calls = listCalls(document).filter(
    ({ operation }) => !isForPersons(operation) && !NOT_IN_COLLECTION.has(operation.operationId),
  );
  const collection = {
    info: {
      name: document.info.title,
      description:
        'Generated from the OpenAPI document of the API. Set `baseUrl` to your instance and `apiKey` to one of your keys. ' +
        'The other requests use the ids of `smartlinkId`, `tagId`, `folderId`, `templateId`, `domainId` and `webhookId`, which a create sets, and of `deliveryId`, which ' +
        'the log of a webhook sets to its newest delivery. The collection can be run as a whole: it deletes only what it ' +
        'has created, and leaves smartlinks and a webhook behind.',
      version: document.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: '' },
      ...Object.entries(EXAMPLE_IDS).map(([key, value]) => ({ key, value })),
      { key: 'smartlinkUrl', value: 'Spring2026' },
    ],
    item: document.tags
      .map(({ name, description }) => ({
        name,
        description,
        item: calls
          .filter(({ operation }) => operation.tags.includes(name))
          .toSorted((one, other) => positionOf(one) - positionOf(other))
          .map(renderItem),
      }))
      .filter(({ item }) => item.length > 0),
  };
  // Leaves out properties that are undefined.
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/** Position in the folder: creates, reads, changes (one disables the webhook), bulk calls, deletes. */
function positionOf({ path, method, operation }: Call): number {
  if (operation.operationId.startsWith('create')) return 0;
  if (method === 'patch') return 2;
  if (path.endsWith('/bulk')) return 3;
  return method === 'delete' ? 4 : 1;
}

/** A request, or a folder of requests if the body has several examples. */
function renderItem(call: Call): object {
  const examples = Object.values(call.operation.requestBody?.content['application/json']?.examples ?? {});
  const { summary: name, description } = call.operation;
  if (examples.length < 2) return renderRequest(call, name, examples[0]?.value);
  return { name, description, item: examples.map((each) => renderRequest(call, each.summary, each.value)) };
}

function renderRequest({ path, method, operation }: Call, name: string, example: unknown): object {
  const { operationId, description, security, parameters = [] } = operation;
  const body = example === undefined ? undefined : renderBody(operationId, example);
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const idVariable = path.includes('/webhooks') ? '{{webhookId}}' : '{{smartlinkId}}';
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: parameter.name === 'id' ? idVariable : (parameter.schema.enum?.[0] ?? ''),
      disabled: parameter.required === true ? undefined : true,
      description: parameter.description ?? parameter.schema.description,
    }));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const scripts = renderScripts(operationId, body ?? '');
  return {
    name,
    event: scripts.length === 0 ? undefined : scripts,
    request: {
      method: method.toUpperCase(),
      auth: security?.length === 0 ? { type: 'noauth' } : undefined,
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...headers.map((header) => ({
          ...{ key: header.name, value: '', disabled: true },
          description: header.description ?? header.schema.description,
        })),
      ],
      url: {
        raw: `{{baseUrl}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        query: query.length === 0 ? undefined : query,
      },
      body: body && { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      description,
    },
    response: [],
  };
}

/** Ids become variables; slugs that only a first run could claim are removed. */
function renderBody(operationId: string, example: unknown): string {
  const replaceSlug = (name: string, value: unknown) => {
    if (name !== 'smartlinkUrl') return value;
    if (operationId === 'createSmartlink') return undefined;
    return operationId === 'updateSmartlink' ? '{{smartlinkUrl}}' : value;
  };
  const text = JSON.stringify(example, replaceSlug, 2);
  return Object.entries(EXAMPLE_IDS).reduce((rest, [name, id]) => rest.replaceAll(id, `{{${name}}}`), text);
}

/** A script that chooses a random slug before the request, and one that stores the new id after it. */
function renderScripts(operationId: string, body: string): object[] {
  const event = (listen: string, line: string) => ({
    listen,
    script: { type: 'text/javascript', exec: [line] },
  });
  const scripts: object[] = [];
  if (body.includes('{{smartlinkUrl}}')) {
    const slug = `'Spring' + Math.random().toString(36).slice(2, 10)`;
    scripts.push(event('prerequest', `pm.collectionVariables.set('smartlinkUrl', ${slug});`));
  }
  // A dry run creates nothing.
  const kept = body.includes('"dryRun": true') ? undefined : KEPT_IDS[operationId];
  if (kept !== undefined) {
    const [variable, made, last] = kept;
    const moved =
      last === undefined
        ? ''
        : `pm.collectionVariables.set('${last}', pm.collectionVariables.get('${variable}')); `;
    const line = `const made = ${made}; if (made) pm.collectionVariables.set('${variable}', made.id);`;
    scripts.push(event('test', `${moved}${line}`));
  }
  return scripts;
}
