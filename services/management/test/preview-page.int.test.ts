import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { button, item, smartlink } from './smartlink-bodies.js';
import { type RedirectProcess, startRedirect } from './start-process.js';
import {
  type Caller,
  callerWith,
  createPerson,
  metricsOf,
  redisOf,
  sessionHeaders,
  signIn,
  startServiceOn,
  urlSmartlink,
  useService,
} from './start-service.js';

const INSTANCE = { PUBLIC_BASE_URL: 'https://sl.example.com', ABUSE_CONTACT_URL: 'mailto:abuse@example.com' };
const { service, user, api } = useService({ env: INSTANCE, takesNewMembers: true });

type Editor = { readonly editor: Caller; readonly pages: Caller; readonly personId: string };

let redirect: RedirectProcess;
let first: Editor;
beforeAll(async () => {
  redirect = await startRedirect(service.databases, INSTANCE);
  first = await signInEditor();
});
afterAll(() => redirect.stop());

async function signInEditor(app = service.app): Promise<Editor> {
  const person = await createPerson(app, { roles: { [user.userId]: 'Editor' } });
  const { token, api: editor } = await signIn(app, person, user.userId);
  const { cookie } = sessionHeaders(token);
  return { editor, pages: callerWith(app, { cookie }, ''), personId: person.personId };
}

async function keep(body: object, { editor }: Pick<Editor, 'editor'> = first) {
  const { status, body: answer } = await editor.post('/smartlink/preview', body);
  expect([status, answer.data?.faults]).toEqual([200, []]);
  return answer.data as { url: string; expiresAt: string };
}

const APPEARANCE = { buttonStyle: 'outline', buttonShape: 'pill' };
const OPEN_GRAPH = {
  title: 'Shared',
  description: 'For messengers',
  imageUrl: 'https://a.example.org/a.png',
};
const LANDING = { title: 'Docs & <more>', themeColor: '#0a7', logoLink: 'https://a.example.org/logo.png' };
const PASSWORD = 'correct horse battery';
const protectedUrl = (smartlinkUrl: string) =>
  urlSmartlink({ smartlinkUrl }, { protected: true, password: PASSWORD }, { openGraph: OPEN_GRAPH });
const plainUrl = (smartlinkUrl: string) =>
  urlSmartlink({ smartlinkUrl }, {}, { openGraph: OPEN_GRAPH, utm: { source: 'poster' } });
const AGENT = { 'user-agent': 'WhatsApp/2.23' };

/** Drafts with a view, a language, and the request of a visitor who sees that page. */
const SHOWN: readonly [
  draft: ReturnType<typeof smartlink>,
  view: string,
  language: string,
  path: string,
  agent?: object,
][] = [
  [
    smartlink(
      'Landing',
      { landing: LANDING, landingButtons: [button()], appearance: APPEARANCE },
      { smartlinkUrl: 'Land' },
    ),
    ...(['own', 'az', '/Land'] as const),
  ],
  [
    smartlink(
      'QrMenu',
      { qrMenu: { title: 'Café', categories: [{ name: 'Hot', items: [item()] }] } },
      { smartlinkUrl: 'Menu' },
    ),
    ...(['own', 'ru', '/Menu'] as const),
  ],
  [
    smartlink('TxtBin', { txtBin: { text: '{"a": 1}', title: 'Snippet' } }, { smartlinkUrl: 'Text' }),
    ...(['own', 'tr', '/Text'] as const),
  ],
  [protectedUrl('Locked'), 'password', 'az', '/Locked'],
  [protectedUrl('Locked2'), 'share', 'en', '/Locked2', AGENT],
  [plainUrl('Plain'), 'preview', 'ru', '/-/preview/Plain'],
  [plainUrl('Plain2'), 'share', 'en', '/Plain2', AGENT],
];

test.each(SHOWN)(
  'a draft shows the bytes that visitors of the saved link get, but reports no presses: %#',
  async (draft, view, language, path, agent = {}) => {
    const { url } = await keep({ draft, view, language });
    const shown = await first.pages.get(url, { 'accept-encoding': 'identity' });
    expect((await api.post('/smartlink', draft)).status).toBe(201);
    const visited = await fetch(`${redirect.url}${path}`, {
      headers: { 'accept-language': language, ...agent },
    });
    const page = (await visited.text())
      .replace('/-/assets/p.', '/dashboard/preview/p.')
      .replace(' autofocus>', '>')
      .replaceAll(/ ping="[^"]*"/g, '');
    expect([shown.status, shown.text]).toEqual([200, page]);
    expect(shown.text).toContain(`<html lang="${language}">`);
    const policy = String(visited.headers.get('content-security-policy')).replace("connect-src 'self'; ", '');
    expect(shown.headers['content-security-policy']).toBe(
      `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox allow-scripts`,
    );
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'self'; sandbox");
    expect(shown.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  },
);

test('the script of a page is served without a cookie', async () => {
  const { url } = await keep({ draft: smartlink('TxtBin', { txtBin: { text: 'a' } }) });
  const script = /<script src="(\/dashboard\/preview\/p\.[0-9a-f]+\.js)"/.exec(
    (await first.pages.get(url)).text,
  )?.[1];
  const answer = await service.app.inject(script ?? '');
  expect([answer.statusCode, answer.headers]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'text/javascript; charset=utf-8',
      // The frame's origin is opaque.
      'cross-origin-resource-policy': 'cross-origin',
    }),
  ]);
  const visited = await fetch(
    `${redirect.url}${String(script).replace('/dashboard/preview/', '/-/assets/')}`,
  );
  expect(answer.body).toBe(await visited.text());
});

test('a view that the link does not have is replaced by what visitors get there', async () => {
  const body = async (draft: object, view: string) =>
    /<main.*<\/main>/s.exec((await first.pages.get((await keep({ draft, view })).url)).text)?.[0];
  const [url, locked] = [urlSmartlink(), urlSmartlink({}, { protected: true, password: PASSWORD })];
  const landing = smartlink('Landing', { landing: LANDING });
  expect(await body(url, 'own')).toBe(await body(url, 'preview'));
  expect(await body(url, 'password')).toBe(await body(url, 'preview'));
  expect(await body(locked, 'own')).toBe(await body(locked, 'password'));
  expect(await body(landing, 'share')).toBe(await body(landing, 'own'));
});

test('a session has one page of a draft, which only it may see, for ten minutes', async () => {
  const draft = smartlink('Landing', { landing: LANDING });
  const notFound = { code: 'NOT_FOUND', message: 'Preview not found' };
  const { url, expiresAt } = await keep({ draft });
  const left = new Date(expiresAt).getTime() - Date.now();
  expect(left).toBeGreaterThan(590_000);
  expect(left).toBeLessThanOrEqual(600_000);
  expect((await first.pages.get(url)).status).toBe(200);

  const second = await signInEditor();
  expect((await second.pages.get(url)).body.error).toEqual(notFound);
  const anonymous = await service.app.inject(url);
  expect([anonymous.statusCode, anonymous.json().error.message]).toEqual([401, 'Session expired']);

  const later = await keep({ draft });
  const replaced = await first.pages.get(url);
  expect([replaced.status, replaced.body.error]).toEqual([404, notFound]);
  const redis = redisOf(service.app);
  const [key = '', ...others] = await redis.keys(`${service.databases.redisKeyPrefix}draft:*`);
  expect(others).toEqual([]);
  const ttlMs = await redis.pttl(key);
  expect(ttlMs).toBeGreaterThan(590_000);
  expect(ttlMs).toBeLessThanOrEqual(600_000);
  await redis.pexpire(key, 1);
  await expect.poll(async () => (await first.pages.get(later.url)).status).toBe(404);
});

test('no password of a draft is stored', async () => {
  await keep({ draft: urlSmartlink({}, { protected: true, password: PASSWORD }) });
  const redis = redisOf(service.app);
  const [key = ''] = await redis.keys(`${service.databases.redisKeyPrefix}draft:*`);
  const kept = await redis.getBuffer(key);
  const page = gunzipSync(kept?.subarray(kept.indexOf('\n') + 1) ?? '').toString();
  expect(page).toContain('type="password"');
  expect(page).not.toContain(PASSWORD);
});

test('a large draft is made in the thread of heavy requests, and its page is charged to the person', async () => {
  const items = Array.from({ length: 300 }, () => item({ description: 'x'.repeat(40) }));
  const draft = smartlink('QrMenu', { qrMenu: { categories: [{ name: 'Hot', items }] } });
  const { editor, pages, personId } = await signInEditor();
  const { url } = await keep({ draft }, { editor });
  const { status, headers } = await pages.get(url, { 'accept-encoding': 'gzip' });
  expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(await metricsOf(service.app)).toMatch(/heavy_requests_total\{reason="content"[^}]*\} 1\n/);
  const pageBytes = (await pages.get(url, { 'accept-encoding': 'gzip;q=0' })).text.length;
  // A request reports the work of those before it.
  await editor.get('/validate');
  const usageKey = `${service.databases.redisKeyPrefix}usage:person:${personId}`;
  const chargedMs = Number(await redisOf(service.app).hget(usageKey, 'workMs'));
  expect(chargedMs).toBeGreaterThanOrEqual(
    Math.floor(JSON.stringify({ draft }).length / 4_096 + pageBytes / 8_192),
  );
});

test('without Redis a draft is checked, and has no page', async () => {
  const proxy = await startBreakableProxy(service.databases.redisUrl);
  const { app } = await startServiceOn(service.databases, { ...INSTANCE, REDIS_URL: proxy.url });
  const { editor, pages } = await signInEditor(app);
  await proxy.kill();
  const draft = { draft: urlSmartlink() };
  expect((await editor.post('/smartlink/preview', draft)).body.data).toEqual({ faults: [] });
  expect((await pages.get('/dashboard/preview/any')).status).toBe(503);
  await app.close();
  await proxy.close();
});
