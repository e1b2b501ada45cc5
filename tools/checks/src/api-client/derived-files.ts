import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import { renderOperations } from './render-operations.js';
import { renderCollection } from './render-collection.js';
import type { ApiDocument } from './read-document.js';

/** Where the document is kept, from the root of the project. */
export const DOCUMENT_FILE = 'docs/openapi.json';

const HEADER = `// Made of ${DOCUMENT_FILE} by \`npm run docs:client\`. Edits are lost.\n\n`;

/** Returns the text of every file that is made of the document, by its path from the root of the project. */
export async function deriveFiles(documentText: string): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(documentText) as ApiDocument;
  // A field with a default may be left out of a request, and callers may keep what they send in constants.
  const types = await openapiTS(JSON.parse(documentText) as OpenAPI3, {
    defaultNonNullable: false,
    immutable: true,
  });
  return new Map([
    ['clients/typescript/src/generated/api.ts', HEADER + astToString(types)],
    ['clients/typescript/src/generated/operations.ts', HEADER + renderOperations(document)],
    ['clients/postman/smartlink.postman_collection.json', renderCollection(document)],
  ]);
}
