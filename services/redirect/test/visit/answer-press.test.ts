import { expect, test } from 'vitest';
import type { VisitEvent } from '@smartlink/visits/event';
import { classifyAgent, readLanguage, readReferrerHost } from '@smartlink/visits/routing';
import { createAllowances } from '../../src/links/allowances.js';
import type { ServedLink } from '../../src/links/served-link.js';
import { createPressCounters } from '../../src/metrics/worker-metrics.js';
import { createAnswerPress, type PressRequest } from '../../src/visit/answer-press.js';
import { toClientAddress } from '../../src/visitor/client-address.js';
import { HOSTS, linkWith, requestWith, statusOf, TXT_BIN } from './visit-trial.js';

const NOW = 1_700_000_000_000;
const SHOP = { title: 'Shop', link: 'https://shop.example/' };
const LANDING = {
  type: 'Landing',
  url: undefined,
  page: { landing: { title: 'A', layout: 'List', theme: 'Auto' }, landingButtons: [SHOP, SHOP] },
};
const STORES = { appStoreLink: 'https://apps.example/1', googlePlayLink: 'https://play.example/1' };

type Press = Omit<Partial<PressRequest>, 'visit'> & { readonly visit?: PressRequest['visit'] };

/** Presses of a link's buttons, with the events that they leave. Its visits cannot be taken. */
function pressTrial(link: ServedLink | null | Promise<null> = linkWith(LANDING), granted = 1) {
  const events: VisitEvent[] = [];
  const faults: unknown[] = [];
  const counters = createPressCounters();
  const clock = { now: NOW };
  const allowances = createAllowances({
    db: { query: () => Promise.resolve({ rows: [{ granted }] }) },
    now: () => clock.now,
  });
  const answerPress = createAnswerPress({
    links: { find: () => link },
    allowances,
    classifyAgent,
    recorder: {
      record: (event) => {
        events.push(event);
        return undefined;
      },
    },
    counters,
    now: () => clock.now,
    hosts: HOSTS,
    visitors: {
      findCountry: () => 'AZ',
      readVisitorId: ({ network }) => BigInt(`0x${Buffer.from(network).toString('hex')}`),
      readLanguage,
      readReferrerHost,
    },
    onFault: (err) => faults.push(err),
  });
  const press = ({ visit = requestWith(), ...more }: Press = {}) =>
    statusOf(answerPress({ button: 'button:1', secFetchSite: 'same-origin', pageUrl: '', visit, ...more }));
  return { press, events, faults, counters, clock, allowances };
}

test('a press is recorded as a visit of its page would be, excluded and with its button', async () => {
  const { press, events, counters } = pressTrial();
  const status = await press({
    pageUrl: 'https://sl.example.com/q/docs?utm_source=news&utm_term=t',
    visit: requestWith({}, { acceptLanguage: 'az', referer: 'https://other.example/' }),
  });
  expect(status).toBe('204 No Content');
  expect(events).toEqual([
    {
      timeMs: NOW,
      ownerId: 'owner',
      smartlinkId: 'smartlink',
      slug: 'Docs',
      domain: '',
      source: 'scan',
      outcome: 'excluded',
      exclusion: 'press',
      country: 'AZ',
      device: 'mobile',
      os: 'iOS',
      browser: 'Safari',
      language: 'az',
      referrerHost: '',
      utmSource: 'news',
      utmMedium: '',
      utmCampaign: '',
      utmTerm: 't',
      utmContent: '',
      rule: '',
      variant: '',
      button: 'button:1',
      visitorId: expect.any(BigInt),
    },
  ]);
  expect(events[0]?.visitorId).not.toBe(0n);
  expect(counters).toMatchObject({ counted: 1, repeated: 0 });
});

test.each([
  '',
  'not a url',
  'https://sl.example.com',
  'https://sl.example.com/docs#?qr=1',
  `https://${'/'.repeat(9e3)}`,
])('without the address of its page, as in %.40j, a press is a click without a campaign', async (pageUrl) => {
  const { press, events } = pressTrial();
  await press({ pageUrl });
  expect(events).toMatchObject([{ source: 'click', utmSource: '' }]);
});

test.each([
  ['', '204 No Content'],
  ['same-origin', '204 No Content'],
  ['same-site', '403 Forbidden'],
  ['cross-site', '403 Forbidden'],
  ['none', '403 Forbidden'],
])('a report with Sec-Fetch-Site %j is answered by %s', async (secFetchSite, status) => {
  const { press, events } = pressTrial();
  expect(await press({ secFetchSite })).toBe(status);
  expect(events).toHaveLength(status.startsWith('204') ? 1 : 0);
});

const HIDDEN: [name: string, link: ServedLink | null, button: string][] = [
  ['an unknown slug', null, 'button:0'],
  ['a paused link', linkWith({ ...LANDING, status: 'Paused' }), 'button:0'],
  ['a deleted link', linkWith({ ...LANDING, status: 'Deleted' }), 'button:0'],
  ['a link before its start', linkWith({ ...LANDING, availability: { startsAt: NOW + 1 } }), 'button:0'],
  ['an expired link', linkWith({ ...LANDING, availability: { expiresAt: NOW } }), 'button:0'],
  ['a redirect', linkWith(), 'button:0'],
  ['a protected link', linkWith({ password: { hash: 'h', version: 1 } }), 'button:0'],
  ['a snippet', linkWith(TXT_BIN), 'button:0'],
  [
    'stores of an App link with a fallback',
    linkWith({ type: 'App', storeLinks: { ...STORES, fallBackLink: SHOP.link } }),
    'store:appStoreLink',
  ],
  ['a store that is not set', linkWith({ type: 'App', storeLinks: STORES }), 'store:macOsAppLink'],
  ...[
    'button:2',
    'button:01',
    'button:-1',
    'button:',
    'contact:0',
    '',
    '/',
    '..',
    'button%3A0',
    'x'.repeat(9e3),
  ].map((button): [string, ServedLink, string] => [
    `button ${button.slice(0, 20)}`,
    linkWith(LANDING),
    button,
  ]),
];

test.each(HIDDEN)('a press at %s is 404, and not recorded', async (_, link, button) => {
  const { press, events, counters } = pressTrial(link);
  expect(await press({ button })).toBe('404 Not Found');
  expect([events, counters.not_found]).toEqual([[], 1]);
});

test.each(['', '-', '..', 'a.b', 'a%62', 'x'.repeat(65), 'é'])(
  'a press at the slug %.20j is 404',
  async (slug) => {
    expect(await pressTrial().press({ visit: requestWith({ slug }) })).toBe('404 Not Found');
  },
);

test.each([
  ['DigiCard', { digiCard: {}, digiCardButtons: [SHOP] }, 'contact:0'],
  ['QRTag', { qrTag: {}, qrTagButtons: [SHOP, SHOP] }, 'button:1'],
])('the buttons of a %s count', async (type, page, button) => {
  const { press, events } = pressTrial(linkWith({ type, page, url: undefined }));
  await press({ button });
  expect(events).toMatchObject([{ button }]);
});

test('presses at the list of stores count', async () => {
  const { press, events } = pressTrial(linkWith({ type: 'App', storeLinks: STORES }));
  await press({ button: 'store:googlePlayLink' });
  expect(events).toMatchObject([{ button: 'store:googlePlayLink', outcome: 'excluded' }]);
});

test('the page of the last visitor of a limited link still reports presses', async () => {
  const link = linkWith({ ...LANDING, availability: { isLimited: true } });
  const { press, events, allowances } = pressTrial(link, 0);
  expect(await allowances.take(link)).toBe(false);
  expect(allowances.findClosed(link)?.kind).toBe('exhausted');
  expect(await press()).toBe('204 No Content');
  expect(events).toHaveLength(1);
});

test('without Redis and Postgres a press is 503, never 404, as is one that breaks', async () => {
  const away = pressTrial(Promise.reject(new Error('away')));
  expect(await away.press()).toBe('503 Service Unavailable');
  const broken = pressTrial({
    ...linkWith(LANDING),
    get buttons(): never {
      throw new Error('broken');
    },
  });
  expect(await broken.press()).toBe('503 Service Unavailable');
  expect([away.faults, away.counters.unavailable]).toEqual([[], 1]);
  expect([broken.faults, broken.counters.error]).toEqual([[new Error('broken')], 1]);
});

test('bots and prefetches are answered and not recorded', async () => {
  const { press, events, counters } = pressTrial();
  for (const visit of [
    requestWith({}, { userAgent: 'curl/8' }),
    requestWith({}, { secPurpose: 'prefetch' }),
  ]) {
    expect(await press({ visit })).toBe('204 No Content');
  }
  expect([events, counters.excluded]).toEqual([[], 2]);
});

test('a visitor presses a button once in two seconds, counted from the press that counts', async () => {
  const { press, events, counters, clock } = pressTrial();
  const pressAt = async (ms: number, more: Press = {}): Promise<number> => {
    clock.now = NOW + ms;
    expect(await press(more)).toBe('204 No Content');
    return events.length;
  };
  expect([await pressAt(0), await pressAt(1), await pressAt(1_999)]).toEqual([1, 1, 1]);
  expect([await pressAt(2_000), await pressAt(2_001)]).toEqual([2, 2]);
  expect(await pressAt(2_001, { button: 'button:0' })).toBe(3);
  expect(await pressAt(2_001, { visit: requestWith({ address: toClientAddress('81.17.91.1') }) })).toBe(4);
  // The clock was set back by a day.
  expect(await pressAt(-86_400_000)).toBe(5);
  expect(counters).toMatchObject({ counted: 5, repeated: 3 });
});

test.each([{ secGpc: '1' }, { dnt: '1' }])(
  'visitors with %j have no id, and are told apart',
  async (headers) => {
    const { press, events } = pressTrial();
    for (const address of ['81.17.90.1', '81.17.90.1', '81.17.91.1']) {
      await press({ visit: requestWith({ address: toClientAddress(address) }, headers) });
    }
    expect(events.map(({ visitorId }) => visitorId)).toEqual([0n, 0n]);
  },
);

test('presses from unknown addresses all count, without an id', async () => {
  const { press, events } = pressTrial();
  const visit = requestWith({ address: toClientAddress('') });
  await press({ visit });
  await press({ visit });
  expect(events.map(({ visitorId }) => visitorId)).toEqual([0n, 0n]);
});

test('a flood of visitors makes it forget the first, so its memory has a bound', async () => {
  const { press, events } = pressTrial();
  const pressFrom = (number: number) =>
    press({
      visit: requestWith({
        address: toClientAddress(`${number >> 16}.${(number >> 8) & 255}.${number & 255}.1`),
      }),
    });
  for (let number = 0; number < 20_001; number += 1) await pressFrom(number);
  expect(events).toHaveLength(20_001);
  await pressFrom(20_000);
  expect(events).toHaveLength(20_001);
  await pressFrom(0);
  expect(events).toHaveLength(20_002);
});
