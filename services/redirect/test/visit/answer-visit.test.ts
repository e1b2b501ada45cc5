import { expect, test } from 'vitest';
import { readLanguage, readReferrerHost, type VisitHeaders } from '@smartlink/visits/routing';
import type { VisitRequest } from '../../src/visit/visit-request.js';
import { toClientAddress } from '../../src/visitor/client-address.js';
import { createTrial, linkWith, LINUX, replyOf, requestWith, statusOf, TXT_BIN } from './visit-trial.js';

test('a known link is answered at once, looked up once by its key, and recorded with all that is known', async () => {
  const trial = createTrial(linkWith());
  const reply = trial.answerVisit(
    requestWith(
      { slug: 'DOCS', query: 'utm_source=news&utm_medium=mail&utm_campaign=c&utm_term=t&utm_content=x' },
      { acceptLanguage: 'az,en;q=0.5', referer: 'https://news.example.org/a' },
    ),
  );
  expect(await statusOf(reply)).toBe('302 Found');
  expect(reply).not.toBeInstanceOf(Promise);
  expect(trial.asked).toEqual(['docs']);
  expect(trial.events).toEqual([
    {
      timeMs: 1_700_000_000_000,
      ownerId: 'owner',
      smartlinkId: 'smartlink',
      slug: 'Docs',
      domain: '',
      source: 'click',
      outcome: 'target',
      exclusion: '',
      country: 'AZ',
      device: 'mobile',
      os: 'iOS',
      browser: 'Safari',
      language: 'az',
      referrerHost: 'news.example.org',
      utmSource: 'news',
      utmMedium: 'mail',
      utmCampaign: 'c',
      utmTerm: 't',
      utmContent: 'x',
      rule: '',
      variant: '',
      button: '',
      visitorId: 7n,
    },
  ]);
});

test.each([
  [requestWith(), 'click'],
  [requestWith({ isScan: true }), 'scan'],
  [requestWith({ query: 'qr=1' }), 'scan'],
  [requestWith({ query: 'a=b&qr=1' }), 'scan'],
  [requestWith({ query: 'qr=2' }), 'click'],
  [requestWith({ query: 'xqr=1' }), 'click'],
])('source of a visit, case %#', (request, source) => {
  const trial = createTrial(linkWith());
  void trial.answerVisit(request);
  expect(trial.events[0]?.source).toBe(source);
});

test('a protected link counts once it is unlocked, and our own form is no referrer', async () => {
  const trial = createTrial(linkWith({ password: { hash: 'x', version: 1 } }), true);
  const reply = trial.answerVisit(requestWith({}, { referer: 'https://sl.example.com/docs' }));
  expect(await statusOf(reply)).toBe('302 Found');
  expect(trial.events[0]).toMatchObject({ outcome: 'target', referrerHost: '' });
});

test('visits without parameters of their own share one answer, made when the link was looked up', async () => {
  const plain = createTrial(linkWith());
  expect(plain.answerVisit(requestWith())).toBe(plain.answerVisit(requestWith()));
  const own = await replyOf(plain.answerVisit(requestWith({ query: 'a=b' })));
  expect(own.location).toBe('https://example.org/?a=b');
  const locked = createTrial(linkWith({ password: { hash: 'x', version: 1 } }));
  const form = await locked.answerVisit(requestWith());
  expect(await statusOf(form)).toBe('200 OK');
  expect(locked.answerVisit(requestWith({ query: 'a=b' }))).toBe(form);
});

test('visits to a store share one answer too, whatever their parameters', async () => {
  const trial = createTrial(linkWith(APP));
  const reply = trial.answerVisit(requestWith());
  expect((await replyOf(reply)).location).toBe('https://apps.example/?id=1');
  expect(trial.answerVisit(requestWith({ query: 'a=b' }))).toBe(reply);
  expect(trial.answerVisit(requestWith({}, { userAgent: LINUX }))).not.toBe(reply);
});

const APP = { type: 'App', storeLinks: { appStoreLink: 'https://apps.example/?id=1' } };
const APP_WITH_FALLBACK = { type: 'App', storeLinks: { fallBackLink: 'https://example.org/app' } };

test.each<[title: string, link: object, request: VisitRequest, status: string, outcome: string]>([
  ['a person', {}, requestWith(), '302 Found', 'target '],
  ['a bot', {}, requestWith({}, { userAgent: 'Googlebot/2.1' }), '302 Found', 'excluded bot'],
  ['HEAD', {}, requestWith({ isHead: true }), '302 Found', 'excluded head'],
  ['a prefetch', {}, requestWith({}, { secPurpose: 'prefetch;prerender' }), '302 Found', 'excluded prefetch'],
  ['a paused link', { status: 'Paused' }, requestWith(), '404 Not Found', 'excluded paused'],
  ['a deleted link', { status: 'Deleted' }, requestWith(), '410 Gone', 'excluded deleted'],
  ['an unlock form', { password: { hash: 'x', version: 1 } }, requestWith(), '200 OK', 'excluded form'],
  [
    'a bot at a paused link',
    { status: 'Paused' },
    requestWith({}, { userAgent: 'curl/8' }),
    '404 Not Found',
    'excluded bot',
  ],
  ['a page', TXT_BIN, requestWith(), '200 OK', 'page '],
  ['its text alone', TXT_BIN, requestWith({ query: 'a=b&raw=1' }), '200 OK', 'page '],
  ['HEAD of a page', TXT_BIN, requestWith({ isHead: true }), '200 OK', 'excluded head'],
  ['a bot at a page', TXT_BIN, requestWith({}, { userAgent: 'Googlebot/2.1' }), '200 OK', 'excluded bot'],
  ['a prefetched page', TXT_BIN, requestWith({}, { purpose: 'prefetch' }), '200 OK', 'excluded prefetch'],
  ['a store', APP, requestWith(), '302 Found', 'target '],
  ['the list of stores', APP, requestWith({}, { userAgent: LINUX }), '200 OK', 'fallback '],
  ['a fallback', APP_WITH_FALLBACK, requestWith({ query: 'a=b' }), '302 Found', 'fallback '],
  ['a bot at the list of stores', APP, requestWith({}, { userAgent: '' }), '200 OK', 'excluded bot'],
  ['a paused page', { ...TXT_BIN, status: 'Paused' }, requestWith(), '404 Not Found', 'excluded paused'],
])('%s is answered and recorded, as listed', async (_title, link, request, status, outcome) => {
  const trial = createTrial(linkWith(link));
  expect(await statusOf(trial.answerVisit(request))).toBe(status);
  expect(trial.events.map((event) => `${event.outcome} ${event.exclusion}`)).toEqual([outcome]);
});

test('raw=1 shows only a snippet’s text, is ignored by other pages, and is passed on to targets', async () => {
  const bodyOf = async (link: object, query: string) =>
    (await replyOf(createTrial(linkWith(link)).answerVisit(requestWith({ query })))).body.toString();
  expect(await bodyOf(TXT_BIN, 'raw=1')).toBe('a <b>');
  expect(await bodyOf(TXT_BIN, '')).toContain('&lt;b&gt;');
  expect(await bodyOf(TXT_BIN, 'raw=10&xraw=1')).toContain('<!doctype html>');
  expect(await bodyOf({ type: 'Landing', page: { landing: {} } }, 'raw=1')).toContain('<!doctype html>');
  const redirect = await replyOf(createTrial(linkWith()).answerVisit(requestWith({ query: 'raw=1' })));
  expect(redirect.location).toBe('https://example.org/?raw=1');
});

test('a page is made once for all who speak its language, and is answered at once from then on', async () => {
  const trial = createTrial(linkWith(TXT_BIN));
  const first = trial.answerVisit(requestWith());
  expect(first).toBeInstanceOf(Promise);
  expect(trial.answerVisit(requestWith({ query: 'a=b' }))).toBeInstanceOf(Promise);
  const page = await first;
  expect(trial.answerVisit(requestWith())).toBe(page);
  const russian = requestWith({}, { acceptLanguage: 'ru-RU,ru;q=0.9' });
  expect((await replyOf(trial.answerVisit(russian))).body.toString()).toContain('<html lang="ru">');
  expect(trial.events.length).toBe(4);
});

test('a link is weighed by what its pages are made of', () => {
  const text = 'ü'.repeat(10_000);
  const { bytes } = linkWith({ type: 'TxtBin', page: { txtBin: { text } } });
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(25_000);
});

test('unknown slugs, erased owners and unsupported links leave no event', async () => {
  for (const [link, status] of [
    [null, '404 Not Found'],
    [linkWith({ status: 'Deleted', smartlinkId: '', ownerId: '' }), '410 Gone'],
    [linkWith({ type: 'Hologram' }), '503 Service Unavailable'],
  ] as const) {
    const trial = createTrial(link);
    expect(await statusOf(trial.answerVisit(requestWith()))).toBe(status);
    expect(trial.events).toEqual([]);
  }
});

test('a look-up that fails is 503 and counted, and nothing is thrown', async () => {
  const trial = createTrial(Promise.reject(new Error('nobody answers')));
  expect(await statusOf(trial.answerVisit(requestWith()))).toBe('503 Service Unavailable');
  expect(trial.counters.unavailable).toBe(1);
});

test('an internal error is 503, reported once and never thrown', async () => {
  const broken = {
    ...linkWith(),
    get plain(): never {
      throw new Error('broken');
    },
  };
  const trial = createTrial(broken);
  expect(await statusOf(trial.answerVisit(requestWith()))).toBe('503 Service Unavailable');
  expect([trial.counters.error, trial.faults.length]).toEqual([1, 1]);
});

test('in strict mode the visitor waits for the event to be written', async () => {
  const { answerVisit } = createTrial(linkWith({}, 308), false, {
    recorder: { record: () => Promise.resolve(true) },
  });
  const reply = answerVisit(requestWith());
  expect(reply).toBeInstanceOf(Promise);
  expect(await statusOf(reply)).toBe('308 Permanent Redirect');
});

function eventOf(request: Partial<VisitRequest>, headers: Partial<VisitHeaders> = {}) {
  const visitors = { findCountry: () => 'DE', readVisitorId: () => 7n, readLanguage, readReferrerHost };
  const trial = createTrial(linkWith(), false, { visitors });
  void trial.answerVisit(requestWith(request, headers));
  return trial.events[0];
}

test.each<[who: string, request: Partial<VisitRequest>, headers: Partial<VisitHeaders>]>([
  ['a visitor with Sec-GPC: 1', {}, { secGpc: '1' }],
  ['a visitor with DNT: 1', {}, { dnt: '1' }],
  ['a bot', {}, { userAgent: 'Googlebot/2.1' }],
  ['HEAD', { isHead: true }, {}],
  ['a prefetch', {}, { secPurpose: 'prefetch' }],
  ['a visitor of unknown address', { address: toClientAddress('') }, {}],
])('%s has no visitor id', (_who, request, headers) => {
  expect(eventOf(request, headers)?.visitorId).toBe(0n);
});

test.each([['AZ', 'AZ'], ...['XX', 'T1', 'az', '<script>', ''].map((code) => [code, 'DE'])])(
  'the edge’s country %j makes %s of a visitor whose address is German',
  (edgeCountry, country) => {
    expect(eventOf({ edgeCountry })?.country).toBe(country);
  },
);

test('a link has its own status, caching and query forwarding, with and without a query', async () => {
  const redirectOf = async (redirect: object, query: string) => {
    const { answerVisit } = createTrial(linkWith({ redirect }));
    const { head, location } = await replyOf(answerVisit(requestWith({ query })));
    return [head.status, Object.fromEntries(head.headers)['Cache-Control'], location];
  };
  const kept = { status: 301, cacheSeconds: 60 };
  const HEAD = ['301 Moved Permanently', 'private, max-age=60'];
  expect(await redirectOf(kept, '')).toEqual([...HEAD, 'https://example.org/']);
  expect(await redirectOf(kept, 'a=1')).toEqual([...HEAD, 'https://example.org/?a=1']);
  expect(await redirectOf({ ...kept, forwardQuery: false }, 'a=1')).toEqual([
    ...HEAD,
    'https://example.org/',
  ]);
});
