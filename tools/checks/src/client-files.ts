import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { type ApiDocument, type Call, listCalls, renderCollection } from './postman-collection.js';

export const DOCUMENT_FILE = 'docs/openapi.json';
/** The client's README; a test runs its examples. */
export const README_FILE = 'clients/typescript/README.md';

const madeOf = (file: string) => `// Made of ${file} by \`npm run docs:client\`. Edits are lost.\n\n`;
const HEADER = madeOf(DOCUMENT_FILE);

/** Text of each file generated from the document or the README, by its path in the project. */
export async function deriveFiles(
  documentText: string,
  readmeText: string,
): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(documentText) as ApiDocument;
  // Fields with a default are optional in requests, and callers may pass constants.
  const types = await openapiTS(JSON.parse(documentText) as OpenAPI3, {
    defaultNonNullable: false,
    immutable: true,
  });
  return new Map([
    ['clients/typescript/src/generated/api.ts', HEADER + astToString(types)],
    ['clients/typescript/src/generated/operations.ts', HEADER + renderOperations(document)],
    [
      'clients/typescript/test/generated/readme-examples.ts',
      madeOf(README_FILE) + renderExamples(readmeText),
    ],
    ['clients/postman/smartlink.postman_collection.json', renderCollection(document)],
  ]);
}

/** Operations and error codes at run time, when types are erased. */
function renderOperations(document: ApiDocument): string {
  const errors = Object.entries(document.components.schemas)
    .filter(([name]) => name.endsWith('Failure'))
    .map(([, schema]) => renderError(schema as FailureSchema));
  return (
    `/** Method and path of every operation, and whether it takes an Idempotency-Key. */\n` +
    `export const OPERATIONS = {\n${listCalls(document).map(renderOperation).join('')}} as const;\n\n` +
    `/** Every code that a failure may have, and whether it lists faults. */\n` +
    `export const ERRORS = {\n${errors.join('')}} as const;\n`
  );
}

function renderOperation({ path, method, operation: { operationId, parameters = [] } }: Call): string {
  const isKeyed = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');
  return (
    `  ${operationId}: { method: '${method.toUpperCase()}', path: '${path}', ` +
    `takesIdempotencyKey: ${String(isKeyed)} },\n`
  );
}

type FailureSchema = {
  readonly properties: {
    readonly error: {
      readonly properties: { readonly code: { readonly const: string }; readonly details?: object };
    };
  };
};

function renderError(schema: FailureSchema): string {
  const { code, details } = schema.properties.error.properties;
  return `  ${code.const}: { hasDetails: ${String(details !== undefined)} },\n`;
}

/** TypeScript that runs the README's examples in order. The first block creates the client that the others use. */
function renderExamples(readme: string): string {
  const [first, ...rest] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
  if (first === undefined) throw new Error('The README has no example');
  const endOfImports = first.indexOf('\n\n');
  const imports = first.slice(0, endOfImports + 1);
  const body = [
    first
      .slice(endOfImports + 2)
      .replace(/baseUrl: '.*?'/, 'baseUrl')
      .replace(/apiKey: process.env.*/, 'apiKey,'),
    ...rest.map((code) => `{\n${code}}\n`),
  ];
  return (
    `${imports}\n` +
    `/** Runs every example of the README against a service; \`console\` takes what they print. */\n` +
    `export async function runExamples(\n` +
    `  baseUrl: string,\n  apiKey: string,\n  console: { log: (...values: unknown[]) => void },\n` +
    `): Promise<void> {\n${body.join('\n')}}\n`
  );
}
