import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { DOCUMENT_FILE, README_FILE, deriveFiles } from './client-files.js';
import type { ApiDocument } from './postman-collection.js';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8');
const documentText = read(DOCUMENT_FILE);
const document = JSON.parse(documentText) as ApiDocument;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  files = await deriveFiles(documentText, read(README_FILE));
});

// services/management/test/api-reference.int.test.ts compares the document itself with the service.
test('the client and the collection are generated from the current docs/openapi.json and README', () => {
  for (const [file, text] of files) {
    expect([file, read(file) === text ? 'as generated' : 'run npm run docs:client']).toEqual([
      file,
      'as generated',
    ]);
  }
});

type Item = { item: Item[] } | { item?: never; request: { method: string; url: { raw: string } } };

// clients/typescript/test/client.int.test.ts checks its format and runs it.
test('the Postman collection has every operation, with every example of its body, and no key', () => {
  const operations = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const examples = Object.values(requestBody?.content['application/json']?.examples ?? { none: null });
      const address = at.replaceAll('{', '{{').replaceAll('}', '}}');
      return examples.map(() => `${method.toUpperCase()} {{baseUrl}}${address}`);
    }),
  );
  const text = files.get('clients/postman/smartlink.postman_collection.json') ?? '';
  const requestsOf = (folder: Item): string[] =>
    folder.item === undefined
      ? [`${folder.request.method} ${folder.request.url.raw.split('?')[0] ?? ''}`]
      : folder.item.flatMap(requestsOf);
  const requests = requestsOf(JSON.parse(text) as Item);
  expect(requests.toSorted()).toEqual(operations.toSorted());
  expect(requests.length).toBeGreaterThan(18);
  expect(text).not.toContain('slk_live_');
});
