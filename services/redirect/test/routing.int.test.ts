import { createClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import type { Routing } from '@smartlink/smartlink/document';
import { until } from '@smartlink/test-support/until';
import { findSeries, readRollupState, type SeriesRequest } from '@smartlink/visits/analytics';
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
const { trial, get, ask } = serve(
  { TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry' },
  { links: [{ slug: 'routed', url: OWN, routing }, PLAIN], clickhouse: 'own' },
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

  const client = createClient({ url: clickhouseUrl });
  const { ownerId } = trial.links;
  const { rows: stored } = await trial.pool.query(`select id from smartlinks where slug = 'routed'`);
  const { id: smartlinkId } = (stored as { id: string }[])[0] ?? { id: '' };
  const state = await readRollupState(client, 5_000);
  const request: SeriesRequest = {
    ownerId,
    smartlinkId,
    interval: 'day',
    timeZone: 'UTC',
    from: null,
    to: null,
  };
  const { totals } = await findSeries(client, state, request, 5_000);
  expect(totals.routes).toEqual({
    ...{ default: 2, 'rule:phones': 2, 'rule:scans': 1 },
    [`rule:news/variant:${variant}`]: 3,
  });
  await client.close();
});
