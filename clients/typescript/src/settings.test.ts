import { expect, test } from 'vitest';
import { createSmartlinkClient } from './client.js';
import { type ClientOptions, readSettings } from './settings.js';

const GOOD: ClientOptions = { baseUrl: 'https://api.example.com', apiKey: 'slk_live_key' };

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['https://example.com/links//', 'https://example.com/links'],
  [new URL('https://example.com:8443/a'), 'https://example.com:8443/a'],
])('baseUrl %s is taken', (baseUrl, expected) => {
  expect(readSettings({ ...GOOD, baseUrl }).baseUrl).toBe(expected);
});

test.each([
  ...['', '/', 'api.example.com', 'ftp://api.example.com', 'javascript:alert(1)'],
  ...'https://user:secret@api.example.com https://api.example.com?a=b https://api.example.com#a'.split(' '),
  ...['https://api.example.com/api/v1', 'https://api.example.com/api/v1/'],
])('baseUrl %j is refused', (baseUrl) => {
  expect(() => createSmartlinkClient({ ...GOOD, baseUrl })).toThrow(TypeError);
});

test.each(['', 'two words', 'line\nbreak', 'ключ', 'k'.repeat(513)])(
  'the key %j, which a header cannot hold, is refused and not shown',
  (apiKey) => {
    const create = () => createSmartlinkClient({ ...GOOD, apiKey });
    expect(create).toThrow(TypeError);
    if (apiKey !== '') expect(create).not.toThrow(apiKey);
  },
);

test.each([
  { timeoutMs: 0 },
  { timeoutMs: 1.5 },
  { timeoutMs: Number.NaN },
  { timeoutMs: Number.POSITIVE_INFINITY },
  { deadlineMs: 2 ** 31 },
  { retries: -1 },
  { retries: 11 },
  { answerBytesMax: 0 },
])('%o is refused', (options) => {
  expect(() => createSmartlinkClient({ ...GOOD, ...options })).toThrow(TypeError);
});

test('a new id is a random UUID of version 4', () => {
  const { newId } = readSettings(GOOD).environment;
  const ids = new Set(Array.from({ length: 1_000 }, newId));
  expect(ids.size).toBe(1_000);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a printed client does not show its key', () => {
  const client = createSmartlinkClient(GOOD);
  expect(JSON.stringify(client)).not.toContain(GOOD.apiKey);
  expect(Object.values(client).map(String).join()).not.toContain(GOOD.apiKey);
});
