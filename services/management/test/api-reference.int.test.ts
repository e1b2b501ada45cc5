import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type {} from '../src/api-reference/api-reference.js';
import { type ApiReference, readReference } from './api-reference-document.js';
import { useService } from './start-service.js';

const PATH = '/api/v1/openapi.json';

let reference: ApiReference;

const { service, api } = useService();
beforeAll(async () => {
  reference = await readReference(service.app);
});

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

  test('has schemas that a JSON Schema 2020-12 validator takes, each with only known forms of type', () => {
    const schemas = Object.values(reference.document.components.schemas);
    expect(schemas.length).toBeGreaterThan(30);
    for (const schema of schemas) expect(() => reference.compile(schema)).not.toThrow();
    for (const { operation } of reference.operations) {
      for (const { schema } of operation.parameters ?? [])
        expect(() => reference.compile(schema)).not.toThrow();
    }
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
          const isBytes = mediaType === 'image/png' || JSON.stringify(described?.schema).includes('"binary"');
          if (!isBytes) expect([at, Object.keys(examples).length]).not.toContain(0);
          for (const [name, { value }] of Object.entries(examples)) {
            expect([at, name, reference.faultsAt(at, value)]).toEqual([at, name, []]);
          }
        }
      }
    }
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

  test('answers HEAD without the body, and 304 to a matching If-None-Match', async () => {
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

  test('is 405 to other methods, with a key and without', async () => {
    const { statusCode, headers } = await service.app.inject({ method: 'PUT', url: `${PATH}?a=b` });
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await api.post('/openapi.json', {})).status).toBe(405);
  });

  test('leaves every path beside it behind the key', async () => {
    for (const path of [
      ...['/api/v1/openapi', '/api/v1/openapi.yaml', '/api/v1/unknown', '/api/v1/', '/api/v1/smartlink'],
      ...['/api/v1/openapi.json/', '/api/v1/openapi.json/x', '/api/v1/openapi.json/x/y?z'],
      ...['/api/v1/openapi%2ejson/x', '/api/v1//openapi.json'],
    ]) {
      for (const method of ['GET', 'POST', 'DELETE'] as const) {
        const { statusCode } = await service.app.inject({ method, url: path });
        expect([method, path, statusCode]).toEqual([method, path, 401]);
      }
    }
  });
});

describe('the page', () => {
  test.each(['/docs', '/docs/'])('%s needs no key and is not kept', async (path) => {
    const res = await service.app.inject(path);
    expect(res.statusCode).toBe(200);
    expect(res.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.any(String) as string,
    });
    expect(res.body).toContain('<title>Smartlink API</title>');
    expect(res.body).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(res.headers['content-length']).toBe(String(Buffer.byteLength(res.body)));
  });

  test('allows no other host and no inline script by its policy, in every file', async () => {
    for (const path of ['/docs', '/docs/static/swagger-ui.css', '/docs/static/swagger-initializer.js']) {
      const policy = String((await service.app.inject(path)).headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  test('shows the one document, in no other form', async () => {
    const json = await service.app.inject('/docs/json');
    expect([json.statusCode, json.headers.location]).toEqual([302, '/api/v1/openapi.json']);
    for (const path of ['/docs?a=b', '/docs/?a=b']) {
      expect((await service.app.inject(path)).headers.location).toBe('/docs/');
    }
    for (const path of [
      '/docs/yaml',
      '/docs/nothing',
      '/docs/static/nothing.js',
      '/docs/static/../../package.json',
    ]) {
      expect([path, (await service.app.inject(path)).statusCode]).toEqual([path, 404]);
    }
  });

  test('does not remember keys and asks no validator', async () => {
    const { body } = await service.app.inject('/docs/static/swagger-initializer.js');
    expect(body).toContain('"persistAuthorization":false');
    expect(body).toContain('validatorUrl: null');
  });
});
