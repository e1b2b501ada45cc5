import { createClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import type { Routing } from '@smartlink/smartlink/document';
import { type RawResponse, request } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { type Figures, findSeries, readRollupState } from '@smartlink/visits/analytics';
import type { NewLink } from './link-store.js';
import { ANDROID, LINUX, selectEvents, serve } from './serve.js';

const OWN = 'https://example.org/own';
const routing: Routing = {
  rules: [
    { id: 'phones', url: 'https://example.org/phones', when: { countries: ['DE'], devices: ['mobile'] } },
    {
      id: 'news',
      when: { referrers: ['news.example'] },
      variants: [
        { id: 'a', weight: 1, url: 'https://example.org/a' },
        { id: 'b', weight: 1, url: 'https://example.org/b' },
      ],
    },
    { id: 'scans', url: 'https://example.org/scans?x=1', when: { sources: ['scan'], languages: ['de'] } },
  ],
};
const PLAIN = { slug: 'plain', url: OWN };
const SECRET = 'https://secret.example.org/place';
const PASSWORD = 'correct horse';
const LATER = { startsAt: '2190-01-01T00:00:00.000Z' };
const PAST = { expiresAt: '2020-01-01T00:00:00.000Z' };
const OVER = 'https://example.org/over';
const PROTECTED = { url: SECRET, password: PASSWORD };
const AVAILABLE: readonly NewLink[] = [
  { slug: 'later', ...PROTECTED, availability: LATER },
  { slug: 'over', ...PROTECTED, availability: PAST },
  { slug: 'moved', ...PROTECTED, availability: { ...PAST, expiredUrl: OVER } },
  { slug: 'few', url: SECRET, availability: { maxVisits: 1 } },
  { slug: 'fewlocked', ...PROTECTED, availability: { maxVisits: 1 } },
  {
    slug: 'card',
    type: 'DigiCard',
    content: {
      digiCard: { title: 'Leyla' },
      digiCardButtons: [
        { title: 'Call', link: 'tel:+994501234567' },
        { title: 'Site', link: OWN },
      ],
    },
    availability: { maxVisits: 9 },
  },
];
const { trial, redirect, get, ask } = serve(
  { TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry' },
  { links: [{ slug: 'routed', url: OWN, routing }, PLAIN, ...AVAILABLE], clickhouse: 'own' },
);

const from = (country: string) => `CF-IPCountry: ${country}`;

test('visitors are led by rules, and a link without rules is answered as ever', async () => {
  const locationOf = async (userAgent: string, path: string, ...lines: string[]) => {
    const { status, headers } = await ask('GET', path, `User-Agent: ${userAgent}`, ...lines);
    return [status, headers['location']];
  };
  const [phones, scans] = ['https://example.org/phones', 'https://example.org/scans?x=1'];
  expect(await locationOf(ANDROID, '/routed', from('DE'))).toEqual([302, phones]);
  expect(await locationOf(ANDROID, '/routed?a=b', from('DE'))).toEqual([302, `${phones}?a=b`]);
  // A bot with a phone's User-Agent is led where phones are.
  expect(await locationOf(`${ANDROID} Googlebot/2.1`, '/routed', from('DE'))).toEqual([302, phones]);
  expect(await locationOf(ANDROID, '/routed', from('FR'))).toEqual([302, OWN]);
  expect(await locationOf(LINUX, '/q/routed', 'Accept-Language: de-CH')).toEqual([302, scans]);
  expect(await locationOf(LINUX, '/routed', 'Accept-Language: de-CH')).toEqual([302, OWN]);
  const news = 'Referer: https://m.news.example/1';
  const [first, second] = [
    await locationOf(LINUX, '/routed', news),
    await locationOf(LINUX, '/routed', news),
  ];
  expect(first).toEqual(second);
  const { headerNames } = await get('/routed', news);
  expect(headerNames).toEqual((await get('/plain')).headerNames);

  const { clickhouseUrl } = trial.databases;
  const rows = await until(async () => {
    const found = await selectEvents<Record<string, string>>(
      clickhouseUrl,
      `select rule, variant, exclusion from events final where slug = 'routed'`,
    );
    return found.length === 9 ? found : undefined;
  }, 'all events have arrived');
  const variant = first[1] === 'https://example.org/a' ? 'a' : 'b';
  const counted = rows.filter(({ exclusion }) => exclusion === '');
  expect(counted.map((row) => `${row['rule']}/${row['variant']}`).sort()).toEqual([
    ...['/', '/'],
    ...Array.from({ length: 3 }, () => `news/${variant}`),
    ...['phones/', 'phones/', 'scans/'],
  ]);
  expect(rows.filter(({ exclusion }) => exclusion === 'bot')).toMatchObject([{ rule: 'phones' }]);

  const totals = await readTotals('routed');
  expect(totals.routes).toEqual({
    ...{ default: 2, 'rule:phones': 2, 'rule:scans': 1 },
    [`rule:news/variant:${variant}`]: 3,
  });
});

/** The figures of a smartlink over all time, as analytics answer them. */
async function readTotals(slug: string): Promise<Figures> {
  const client = createClient({ url: trial.databases.clickhouseUrl });
  const { rows } = await trial.pool.query('select id from smartlinks where slug = $1', [slug]);
  const [{ id: smartlinkId } = { id: '' }] = rows as { id: string }[];
  const range = { interval: 'day', timeZone: 'UTC', from: null, to: null } as const;
  const state = await readRollupState(client, 5_000);
  const request = { ownerId: trial.links.ownerId, smartlinkId, ...range };
  const { totals } = await findSeries(client, state, request, 5_000);
  await client.close();
  return totals;
}

const textOf = ({ body }: RawResponse): string => Buffer.from(body, 'latin1').toString();
const ENGLISH = 'Accept-Language: en';

test('a link that is not available says so in the language of the visitor, and shows nothing elsewhere', async () => {
  for (const [language, scheduled, over] of [
    ['en', 'This link is not available yet', 'This link is no longer available'],
    ['az', 'Bu keçid hələ əlçatan deyil', 'Bu keçid artıq əlçatan deyil'],
    ['ru', 'Ссылка пока недоступна', 'Ссылка больше недоступна'],
    ['tr', 'Bu bağlantı henüz kullanılamıyor', 'Bu bağlantı artık kullanılamıyor'],
  ]) {
    const pages = [await get('/later', `Accept-Language: ${language}`)];
    pages.push(await get('/over', `Accept-Language: ${language}`));
    expect(pages.map(({ status }) => status)).toEqual([404, 410]);
    expect(pages.map((page) => /<h1>(.*?)<\/h1>/.exec(textOf(page))?.[1])).toEqual([scheduled, over]);
  }
  const moved = await get('/moved?a=b');
  expect([moved.status, moved.headers['location']]).toEqual([302, OVER]);
  const statusOf = async (path: string) => (await get(path)).status;
  expect([await statusOf('/-/preview/later'), await statusOf('/-/preview/moved')]).toEqual([404, 410]);
  expect(await statusOf('/-/qr/later.svg')).toBe(200);
});

test('a preview of a limited link says only that it is limited, and its card has no file', async () => {
  const few = textOf(await get('/-/preview/few', ENGLISH));
  expect(few).toContain('It opens a limited number of times, so where it leads is not shown here.');
  expect(few).not.toContain('secret.example.org');
  expect(textOf(await get('/-/preview/card', ENGLISH))).not.toContain('Leyla');
  expect((await get('/-/card/card.vcf')).status).toBe(404);
  const card = await get('/card', ENGLISH);
  expect(textOf(card)).toContain('Leyla');
  expect(textOf(card)).not.toContain('.vcf');
  expect(card.headers['cache-control']).toBe('private, no-store');
  expect(card.headers).not.toHaveProperty('etag');
  expect([(await get('/few')).status, (await get('/few')).status]).toEqual([302, 410]);
  expect((await get('/-/preview/few')).status).toBe(410);
});

test('a protected link that is not available takes no password, and a limited one counts unlocked visits', async () => {
  const post = (slug: string) => {
    const body = new URLSearchParams({ password: PASSWORD }).toString();
    const lines = ['Host: sl.example.com', 'Content-Type: application/x-www-form-urlencoded'];
    return request(redirect.port, [
      ...[`POST /${slug} HTTP/1.1`, ...lines, `Content-Length: ${body.length}`, '', body],
    ]);
  };
  const [later, over, moved] = [await post('later'), await post('over'), await post('moved')];
  expect([later.status, over.status, moved.status]).toEqual([404, 410, 303]);
  expect(moved.headers['location']).toBe(OVER);
  for (const answer of [later, over, moved]) expect(answer.headers).not.toHaveProperty('set-cookie');
  expect((await get('/fewlocked')).status).toBe(200);
  const cookie = `Cookie: ${(await post('fewlocked')).headers['set-cookie']?.split(';')[0]}`;
  const visit = async () => (await get('/fewlocked', cookie)).status;
  // One without a User-Agent is a program.
  expect(textOf(await ask('GET', '/fewlocked', cookie))).not.toContain('secret.example.org');
  expect([await visit(), await visit()]).toEqual([302, 410]);
  expect((await post('fewlocked')).status).toBe(410);
});

test('visits of links that are not live are tallied by reason', async () => {
  const reasons = async () => {
    const sql = `select exclusion, count() as visits from events final where slug in ('moved', 'later', 'few') group by exclusion`;
    const rows = await selectEvents<{ exclusion: string; visits: string }>(
      trial.databases.clickhouseUrl,
      sql,
    );
    return Object.fromEntries(rows.map(({ exclusion, visits }) => [exclusion, Number(visits)]));
  };
  const expected = { '': 1, scheduled: 4, expired: 1, exhausted: 1 };
  const found = await until(async () => {
    const counts = await reasons();
    return Object.keys(counts).length === 4 ? counts : undefined;
  }, 'the events have arrived');
  expect(found).toEqual(expected);
});

test('a press arrives as an event of its own with its button, and is no visit, not even of a limited link', async () => {
  const used = async () => {
    const { rows } = await trial.pool.query(
      `select used from link_allowances join smartlinks on id = smartlink_id where type = 'DigiCard'`,
    );
    return rows.map((row) => Number((row as { used: unknown }).used));
  };
  const before = await used();
  expect(before).toHaveLength(1);
  const press = async (button: string, ...lines: string[]) => {
    const path = `/-/press/card/${button}`;
    return (await ask('POST', path, `User-Agent: ${ANDROID}`, 'Content-Length: 0', from('DE'), ...lines))
      .status;
  };
  const page = 'Referer: https://sl.example.com/q/card?utm_source=poster';
  const forwarded = 'X-Forwarded-For: 198.51.100.7';
  expect([await press('contact:1', page, forwarded), await press('contact:1', page, forwarded)]).toEqual([
    204, 204,
  ]);
  expect([await press('contact:0', 'DNT: 1'), await press('contact:2')]).toEqual([204, 404]);
  const sql = `select button, outcome, exclusion, source, country, device, utm_source, visitor_id > 0 as has_id
               from events final where exclusion = 'press' order by button`;
  const rows = await until(async () => {
    const found = await selectEvents(trial.databases.clickhouseUrl, sql);
    return found.length === 2 ? found : undefined;
  }, 'the presses have arrived');
  const pressed = { outcome: 'excluded', exclusion: 'press', country: 'DE', device: 'mobile' };
  expect(rows).toEqual([
    { ...pressed, button: 'contact:0', source: 'click', utm_source: '', has_id: 0 },
    { ...pressed, button: 'contact:1', source: 'scan', utm_source: 'poster', has_id: 1 },
  ]);
  const presses = (result: string) => redirect.metric(`smartlink_redirect_presses_total{result="${result}"}`);
  await until(async () => (await presses('not_found')) === 1, 'the presses are reported');
  expect([await presses('counted'), await presses('repeated')]).toEqual([2, 1]);
  expect(await used()).toEqual(before);
  const { excluded, presses: counted } = await readTotals('card');
  expect([excluded, counted]).toEqual([{}, { 'contact:0': 1, 'contact:1': 1 }]);
  const visits = `select distinct exclusion from events final where slug = 'card' and button = ''`;
  expect(await selectEvents(trial.databases.clickhouseUrl, visits)).toEqual([{ exclusion: '' }]);
});
