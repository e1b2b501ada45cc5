import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReference } from './api-reference-document.js';
import type { ApiReference } from './api-reference-document.js';
import { CASES, SEED, TIMEOUT_MS } from './fuzz-run.js';
import { startService } from './start-service.js';
import type { TestService } from './start-service.js';
import { liftRateLimit } from './stored-rows.js';

let service: TestService;
let reference: ApiReference;
let apiKey: string;

beforeAll(async () => {
  service = await startService();
  await liftRateLimit(service.app);
  reference = await readReference(service.app);
  ({ apiKey } = await service.createUser());
});
afterAll(() => service.close());

const METHODS = [
  ...[
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'SEARCH',
    'LOCK',
    'M-SEARCH',
  ],
];
const PIECES = [
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '/%2e%2e',
    '%2f',
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c0%af',
    '\\',
    ';',
    ';a=b',
    '.',
    '.json',
  ],
  ...[
    '/*',
    ':id',
    '/status',
    '/smartlink',
    '/API',
    '/v1',
    '/v2',
    ' ',
    '%20',
    '?',
    '?id=1',
    '#x',
    'é',
    '😀',
    '__proto__',
  ],
  ...['a'.repeat(5_000), '/a'.repeat(500)],
];

/** Returns paths of the API with something added, taken out or in another case. */
function paths(known: readonly string[]): fc.Arbitrary<string> {
  const change = fc.tuple(fc.constantFrom(...known), fc.nat({ max: 30 }), fc.constantFrom(...PIECES));
  return fc.oneof(
    fc.constantFrom(...known),
    change.map(([path, at, piece]) => path.slice(0, 7 + at) + piece + path.slice(7 + at)),
    change.map(([path, at]) => path.slice(0, 8 + at) + path.slice(9 + at)),
    fc.constantFrom(...known).map((path) => path.toUpperCase()),
    fc.webPath().map((path) => `/api/v1${path}`),
  );
}

/** What the envelope of a refusal is documented as, by code. */
const COMPONENTS: Readonly<Record<string, string>> = {
  NOT_FOUND: 'NotFoundFailure',
  METHOD_NOT_ALLOWED: 'MethodNotAllowedFailure',
  UNAUTHORIZED: 'UnauthorizedFailure',
  VALIDATION_FAILED: 'ValidationFailedFailure',
  UNSUPPORTED_MEDIA_TYPE: 'UnsupportedMediaTypeFailure',
};

test(
  'every method on every path is answered as documented, and without a key with nothing but 401',
  async () => {
    const known = reference.operations.map(({ path }) => path);
    const counts = new Map<number, number>();
    const request = fc.record({
      method: fc.constantFrom(...METHODS),
      path: paths(known),
      hasKey: fc.boolean(),
      payload: fc.option(fc.constantFrom('{}', '', '[1', '{"id":"x"}'), { nil: undefined }),
    });
    const property = fc.asyncProperty(request, async ({ method, path, hasKey, payload }) => {
      const res = await service.app.inject({
        method: method,
        url: path,
        headers: {
          'content-type': 'application/json',
          ...(hasKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        ...(payload === undefined ? {} : { payload }),
      });
      counts.set(res.statusCode, (counts.get(res.statusCode) ?? 0) + 1);
      expect(res.statusCode).toBeLessThan(500);
      expect(res.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      if (res.statusCode < 400 || res.body === '') return;
      const body = res.json<{ success: boolean; error: { code: string } }>();
      expect(body.success).toBe(false);
      const component = COMPONENTS[body.error.code] ?? 'unknown';
      expect(reference.faultsAt(`#/components/schemas/${component}`, body)).toEqual([]);
      if (res.statusCode === 405) expect(res.headers.allow).toMatch(/^[A-Z, ]+$/);
      // The parser of the address has put `..` and `//` right; what it leaves under the API asks for a key.
      const { pathname } = new URL(path.startsWith('//') ? `http://x${path}` : path, 'http://x');
      const isBehindKey = pathname.startsWith('/api/v1/') && !pathname.startsWith('/api/v1/openapi.json');
      if (isBehindKey && !hasKey) expect(res.statusCode).toBe(401);
      if (isBehindKey && hasKey) expect(res.statusCode).not.toBe(401);
    });
    await fc.assert(property, { seed: SEED, numRuns: CASES, endOnFailure: false });
    const told = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    process.stdout.write(
      `H2: any method, any path: ${CASES} cases of seed ${SEED}: ${told.join(', ')}; 0 × 5xx\n`,
    );
  },
  TIMEOUT_MS,
);
