import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildApp } from '@smartlink/management/app';
import { configSchema } from '@smartlink/management/config';
import { readConfig } from '@smartlink/process/config';
import { createLogger } from '@smartlink/process/lifecycle';
import { deriveFiles, DOCUMENT_FILE, madeOf } from './client-files.js';
import type { ApiDocument } from './postman-collection.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const README = 'clients/typescript/README.md';
const EXAMPLES = 'clients/typescript/test/generated/readme-examples.ts';
// Nothing listens there: building the document uses no database.
const CONFIG = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  CLICKHOUSE_URL: 'http://nobody@127.0.0.1:1/none',
  PUBLIC_BASE_URL: 'https://sl.example.com',
};

let document: ApiDocument;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  const logger = createLogger({ service: 'docs', level: 'silent' });
  const app = await buildApp(readConfig(configSchema, CONFIG), logger);
  document = (await app.inject('/api/v1/openapi.json')).json<ApiDocument>();
  await app.close();
  const documentText = `${JSON.stringify(document, null, 2)}\n`;
  const readme = readFileSync(path.join(ROOT, README), 'utf8');
  files = new Map([
    [DOCUMENT_FILE, documentText],
    ...(await deriveFiles(documentText)),
    // clients/typescript/test/client.int.test.ts runs them.
    [EXAMPLES, madeOf(README) + renderExamples(readme)],
  ]);
}, 60_000);

// `npm run docs:client` updates the files.
test('the document, the generated files of the client and the collection are up to date', async () => {
  for (const [file, text] of files) await expect(text).toMatchFileSnapshot(path.join(ROOT, file));
});

type Item = { item: Item[] } | { item?: never; request: { method: string; url: { raw: string } } };

// clients/typescript/test/client.int.test.ts checks its format and runs it.
test('the Postman collection has every operation of API keys, with every example of its body, and no key', () => {
  const operations = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, security = [] }]) => {
      if (security.some((scheme) => Object.hasOwn(scheme, 'session'))) return [];
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
