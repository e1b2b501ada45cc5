import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DOCUMENT_FILE, README_FILE, deriveFiles } from './client-files.js';
import type { ApiDocument } from './postman-collection.js';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8');
const documentText = read(DOCUMENT_FILE);
const document = JSON.parse(documentText) as ApiDocument;
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  files = await deriveFiles(documentText, read(README_FILE));
});

// That the document itself is the service's is a test of the service: services/management/test/api-reference.int.test.ts
test('the generated files of the client and the collection are what docs/openapi.json and the README make them', () => {
  for (const [file, text] of files) {
    expect([file, read(file) === text ? 'as generated' : 'run npm run docs:client']).toEqual([
      file,
      'as generated',
    ]);
  }
});

describe('the Postman collection', () => {
  const described = { description: z.string().optional(), disabled: z.boolean().optional() };
  const pair = z.strictObject({ key: z.string().min(1), value: z.string(), ...described });
  const request = z.strictObject({
    name: z.string().min(1),
    event: z
      .array(
        z.strictObject({
          listen: z.enum(['test', 'prerequest']),
          script: z.strictObject({ type: z.literal('text/javascript'), exec: z.array(z.string()) }),
        }),
      )
      .optional(),
    request: z.strictObject({
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      description: z.string().min(1),
      auth: z.strictObject({ type: z.literal('noauth') }).optional(),
      header: z.array(pair),
      url: z.strictObject({
        raw: z.string().startsWith('{{baseUrl}}/api/v1/'),
        host: z.tuple([z.literal('{{baseUrl}}')]),
        path: z.array(z.string().min(1)),
        query: z.array(pair).optional(),
      }),
      body: z
        .strictObject({
          mode: z.literal('raw'),
          raw: z.string(),
          options: z.strictObject({ raw: z.strictObject({ language: z.literal('json') }) }),
        })
        .optional(),
    }),
    response: z.tuple([]),
  });
  const folder = z.strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    item: z.array(request).min(2),
  });
  const collectionSchema = z.strictObject({
    info: z.strictObject({
      name: z.string(),
      description: z.string(),
      version: z.string(),
      schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
    }),
    auth: z.strictObject({
      type: z.literal('bearer'),
      bearer: z.tuple([
        z.strictObject({
          key: z.literal('token'),
          value: z.literal('{{apiKey}}'),
          type: z.literal('string'),
        }),
      ]),
    }),
    variable: z.array(z.strictObject({ key: z.string(), value: z.string() })),
    item: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string().optional(),
        item: z.array(z.union([request, folder])),
      }),
    ),
  });
  const parse = () =>
    collectionSchema.parse(JSON.parse(files.get('clients/postman/smartlink.postman_collection.json') ?? ''));
  const requestsOf = () =>
    parse().item.flatMap(({ item }) => item.flatMap((each) => ('item' in each ? each.item : [each])));

  test('has the shape of format 2.1', () => {
    expect(() => parse()).not.toThrow();
  });

  test('has every operation, with every example of its body', () => {
    const operations = Object.entries(document.paths).flatMap(([at, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const examples = Object.values(requestBody?.content['application/json']?.examples ?? { none: null });
        const address = at.replaceAll('{', '{{').replaceAll('}', '}}');
        return examples.map(() => `${method.toUpperCase()} {{baseUrl}}${address}`);
      }),
    );
    const requests = requestsOf().map(
      ({ request: { method, url } }) => `${method} ${url.raw.split('?')[0] ?? ''}`,
    );
    expect(requests.toSorted()).toEqual(operations.toSorted());
    expect(requests.length).toBeGreaterThan(18);
  });

  test('stands in an order in which each request finds what it is about', () => {
    const order = parse().item.map(({ name, item }) => [name, item.map((each) => each.name)]);
    expect(Object.fromEntries(order)).toMatchObject({
      Smartlinks: [
        'Create a smartlink',
        'List smartlinks, or fetch one',
        'Pause or activate a smartlink',
        'Show where a visitor would go',
        'Change parts of a smartlink',
        'Create, change and delete many smartlinks',
        'Delete a smartlink',
      ],
      Webhooks: [
        'Create a webhook',
        'List webhooks',
        'Change the secret of a webhook',
        'Send a test message',
        'Read the log of a webhook',
        'Send a message again',
        'Change a webhook',
        'Delete a webhook',
      ],
    });
  });

  test('asks for no address that an earlier run may have taken', () => {
    const addresses = requestsOf()
      .filter(({ request: { url } }) => url.raw.endsWith('/smartlink'))
      .flatMap(({ request: { body } }) => [...(body?.raw.matchAll(/"smartlinkUrl": (".*?")/g) ?? [])])
      .map(([, address]) => address);
    expect(addresses).toEqual(['"{{smartlinkUrl}}"']);
  });

  test('uses only variables that it has, and holds no key', () => {
    const text = JSON.stringify(parse());
    const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    const has = parse().variable.map(({ key }) => key);
    expect(has).toEqual(expect.arrayContaining([...used]));
    expect(text).not.toContain('slk_live_');
  });
});
