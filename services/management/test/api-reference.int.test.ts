import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {} from '../src/api-reference/documented-routes.js';
import { readReference, resolve } from './api-reference-document.js';
import type { ApiReference } from './api-reference-document.js';
import { callRaw, listen } from './call-raw.js';
import { startServiceWithUser } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

const PATH = '/api/v1/openapi.json';

let service: TestService;
let api: Caller;
let reference: ApiReference;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  reference = await readReference(service.app);
});
afterAll(() => service.close());

describe('the document', () => {
  test('has every route under /api/v1, and no other', () => {
    const served = service.app.apiRoutes.map(({ method, path }) => `${method} ${path}`).sort();
    const documented = reference.operations.map(({ method, path }) => `${method} ${path}`).sort();
    expect(documented).toEqual(served);
    expect(documented).toContain('GET /api/v1/openapi.json');
    expect(documented.length).toBeGreaterThanOrEqual(9);
  });

  test('is OpenAPI 3.1 with the version of the service', () => {
    const { document } = reference;
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: 'Smartlink Management API', version: manifest.version });
    expect(document).toMatchObject({ servers: [{ url: '/' }], security: [{ apiKey: [] }] });
  });

  // What clients are made of, see clients/. To bring it up to date: npm run docs:client
  test('is the one in docs/openapi.json', () => {
    const kept = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    // Not toEqual: ten thousand lines of difference say less than the command does.
    expect(isDeepStrictEqual(JSON.parse(kept), reference.document), 'run npm run docs:client').toBe(true);
  });

  test('refers only to what is in it', () => {
    const references = [...JSON.stringify(reference.document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, pointer]) => pointer!,
    );
    expect(references.length).toBeGreaterThan(50);
    const dangling = references.filter((pointer) => resolve(reference.document, pointer) === undefined);
    expect(dangling).toEqual([]);
  });

  test('has no component that nothing refers to', () => {
    const text = JSON.stringify(reference.document);
    const { schemas, responses, headers } = reference.document.components;
    const unused = Object.entries({ schemas, responses, headers })
      .flatMap(([kind, components]) => Object.keys(components).map((name) => `#/components/${kind}/${name}`))
      .filter((pointer) => !text.includes(`"$ref":"${pointer}"`));
    expect(unused).toEqual([]);
  });

  test('has schemas that a JSON Schema 2020-12 validator takes, each with only known forms of type', () => {
    const schemas = Object.values(reference.document.components.schemas);
    expect(schemas.length).toBeGreaterThan(30);
    for (const schema of schemas) expect(() => reference.compile(schema)).not.toThrow();
    for (const { operation } of reference.operations) {
      for (const { schema } of operation.parameters ?? [])
        expect(() => reference.compile(schema)).not.toThrow();
    }
  });

  test('names each operation once and says of each what it does, under a tag that is described', () => {
    const { document, operations } = reference;
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations) {
      expect(operation.summary).not.toBe('');
      expect(operation.description).not.toBe('');
      expect(tags).toEqual(expect.arrayContaining([...operation.tags]));
    }
  });

  test('says of every parameter and every field of a request what it is or what it may hold', () => {
    for (const { operation } of reference.operations) {
      for (const { name, schema } of operation.parameters ?? []) {
        expect([operation.operationId, name, schema['description']]).not.toContain(undefined);
      }
    }
  });

  test('asks for a key everywhere but for itself', () => {
    const open = reference.operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ path }) => path)).toEqual([PATH]);
  });

  test('has an example for every request body and every answer with a body, and each fits its schema', () => {
    for (const each of reference.operations) {
      const { operation, method, path } = each;
      const base = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
      const places = Object.keys(operation.responses).map((status) => {
        const { pointer, response } = reference.responseOf(each, Number(status))!;
        return { pointer, content: response.content ?? {} };
      });
      if (operation.requestBody) {
        places.push({ pointer: `${base}/requestBody`, content: operation.requestBody.content });
      }
      for (const { pointer, content } of places) {
        for (const [mediaType, described] of Object.entries(content)) {
          const { examples = {} } = described ?? {};
          const at = `${pointer}/content/${mediaType.replaceAll('/', '~1')}/schema`;
          // Bytes have no example.
          if (mediaType !== 'image/png') expect([at, Object.keys(examples).length]).not.toContain(0);
          for (const [name, { value }] of Object.entries(examples)) {
            expect([at, name, reference.faultsAt(at, value)]).toEqual([at, name, []]);
          }
        }
      }
    }
  });

  test('never holds a password in an answer', () => {
    for (const [name, schema] of Object.entries(reference.document.components.schemas)) {
      if (name.endsWith('Smartlink')) expect(JSON.stringify(schema)).not.toContain('"password"');
    }
  });

  test('takes the same documents in a create as the service: limits, choices and defaults are those of the schemas', () => {
    const { schemas } = reference.document.components;
    expect(resolve(schemas, '#/UrlCreate/properties/configuration/properties')).toMatchObject({
      smartlinkName: { type: 'string', maxLength: 64, minLength: 1 },
      smartlinkUrl: { type: ['string', 'null'], maxLength: 64, pattern: '^[A-Za-z0-9]+$' },
    });
    expect(resolve(schemas, '#/LandingCreate/properties/landing/properties/layout')).toMatchObject({
      enum: ['List', 'Grid', null],
      default: 'List',
    });
    // A patch has the same fields and needs none; what is left out stays, so there are no defaults.
    expect(schemas['SmartlinkUpdate']).toMatchObject({ required: ['id'] });
    const layout = resolve(schemas, '#/SmartlinkUpdate/properties/landing/properties/layout');
    expect(layout).toMatchObject({ enum: ['List', 'Grid', null] });
    expect(layout).not.toHaveProperty('default');
    // But the elements of an array replace old ones whole.
    expect(resolve(schemas, '#/SmartlinkUpdate/properties/landingButtons/items')).toMatchObject({
      required: ['title', 'link'],
    });
  });
});

describe('GET /api/v1/openapi.json', () => {
  test('needs no key, counts towards no limit and is not changed by a bad key', async () => {
    for (const authorization of [undefined, 'Bearer nonsense']) {
      const res = await service.app.inject({
        url: PATH,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(res.statusCode).toBe(200);
      expect(res.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String) as string,
      });
      expect(res.headers).not.toHaveProperty('ratelimit-limit');
    }
  });

  test('answers HEAD without the body, and 304 to who has it', async () => {
    const full = await service.app.inject(PATH);
    const head = await service.app.inject({ method: 'HEAD', url: PATH });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers).toMatchObject({
      etag: full.headers.etag,
      'content-length': full.headers['content-length'],
    });
    const etag = String(full.headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const res = await service.app.inject({ url: PATH, headers: { 'if-none-match': known } });
      expect([res.statusCode, res.body, res.headers.etag]).toEqual([304, '', etag]);
    }
    const other = await service.app.inject({ url: PATH, headers: { 'if-none-match': '"other"' } });
    expect(other.statusCode).toBe(200);
  });

  test('is 405 with Allow to other methods, with a key and without', async () => {
    const port = await listen(service.app);
    for (const [method, path] of [
      ['POST', PATH],
      ['PUT', `${PATH}?a=b`],
      ['DELETE', '/api/v1/openapi%2Ejson'],
      ['PROPFIND', PATH],
    ] as const) {
      const answer = await callRaw(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect([answer.status, answer.headers['allow'], answer.body?.error?.code]).toEqual([
        405,
        'GET, HEAD',
        'METHOD_NOT_ALLOWED',
      ]);
    }
    expect((await api.post('/openapi.json', {})).status).toBe(405);
  });

  test('leaves every path beside it behind the key', async () => {
    for (const path of [
      '/api/v1/openapi',
      '/api/v1/openapi.yaml',
      '/api/v1/unknown',
      '/api/v1/',
      '/api/v1/smartlink',
      '/api/v1/openapi.json/',
      '/api/v1/openapi.json/x',
      '/api/v1/openapi.json/x/y?z',
      '/api/v1/openapi%2ejson/x',
      '/api/v1//openapi.json',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const { statusCode } = await service.app.inject({ method, url: path });
        expect([method, path, statusCode]).toEqual([method, path, 401]);
      }
    }
  });
});
