import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import { renderExamples } from './render-examples.js';
import { renderOperations } from './render-operations.js';
import { renderCollection } from './render-collection.js';
import type { ApiDocument } from './read-document.js';

/** Where the document is kept, from the root of the project. */
export const DOCUMENT_FILE = 'docs/openapi.json';
/** The client's README, whose examples are run. */
export const README_FILE = 'clients/typescript/README.md';

const madeOf = (file: string) => `// Made of ${file} by \`npm run docs:client\`. Edits are lost.\n\n`;
const HEADER = madeOf(DOCUMENT_FILE);

/** Returns the text of every file that is made of the document or the README, by its path from the root of the project. */
export async function deriveFiles(
  documentText: string,
  readmeText: string,
): Promise<ReadonlyMap<string, string>> {
  const document = JSON.parse(documentText) as ApiDocument;
  // A field with a default may be left out of a request, and callers may keep what they send in constants.
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
