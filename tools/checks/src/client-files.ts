import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { type ApiDocument, listCalls, renderCollection } from './postman-collection.js';

export const DOCUMENT_FILE = 'docs/openapi.json';

export const madeOf = (file: string) => `// Made of ${file} by \`npm run docs:client\`. Edits are lost.\n\n`;

/** Text of each file generated from the document, by its path in the project. */
export async function deriveFiles(documentText: string): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(documentText) as ApiDocument;
  // Fields with a default are optional in requests, and callers may pass constants.
  const options = { defaultNonNullable: false, immutable: true };
  const types = astToString(await openapiTS(JSON.parse(documentText) as OpenAPI3, options));
  const header = madeOf(DOCUMENT_FILE);
  return new Map([
    ['clients/typescript/src/generated/api.ts', header + types],
    ['clients/typescript/src/generated/operations.ts', header + renderOperations(document)],
    ['clients/postman/smartlink.postman_collection.json', renderCollection(document)],
  ]);
}

type Failure = { properties: { error: { properties: { code: { const: string }; details?: object } } } };

/** Operations and error codes at run time, when types are erased. */
function renderOperations(document: ApiDocument): string {
  const operations = listCalls(document).map(
    ({ path, method, operation: { operationId, parameters = [] } }) => {
      const isKeyed = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');
      const properties = `method: '${method.toUpperCase()}', path: '${path}', takesIdempotencyKey: ${String(isKeyed)}`;
      return `  ${operationId}: { ${properties} },\n`;
    },
  );
  const failures = Object.entries(document.components.schemas).filter(([name]) => name.endsWith('Failure'));
  const errors = failures.map(([, schema]) => {
    const { code, details } = (schema as Failure).properties.error.properties;
    return `  ${code.const}: { hasDetails: ${String(details !== undefined)} },\n`;
  });
  return (
    `/** Method and path of every operation, and whether it takes an Idempotency-Key. */\n` +
    `export const OPERATIONS = {\n${operations.join('')}} as const;\n\n` +
    `/** Every code that a failure may have, and whether it lists faults. */\n` +
    `export const ERRORS = {\n${errors.join('')}} as const;\n`
  );
}
