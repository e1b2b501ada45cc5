import { expect, test } from 'vitest';
import { request } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { ANDROID, IPHONE, LINUX, WINDOWS, selectEvents, useTrial } from './serve.js';
import { type Redirect, startRedirect, untilDelivered } from './start-redirect.js';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

// A day, and the time by which the clocks of services may differ and events may be late: docs promise 25 h 10 min.
const SALT_LIFE_MS_MAX = 90_600_000;
const SLUGS = ['agents', 'places', 'visitors'];
type Row = Record<'slug' | 'country' | 'device' | 'os' | 'browser' | 'exclusion' | 'id', string>;
type Visit = { slug: string; userAgent?: string; address?: string; lines?: readonly string[] };

const trial = useTrial(
  { clickhouse: 'own' },
  SLUGS.map((slug) => ({ slug, url: 'https://example.org/' })),
);
let visits = 0;

async function visit(
  service: Redirect | undefined,
  { slug, userAgent = ANDROID, address, lines = [] }: Visit,
) {
  const response = await request(service?.port ?? 0, [
    `GET /${slug}?utm_term=${(visits += 1)} HTTP/1.1`,
    'Host: a',
    `User-Agent: ${userAgent}`,
    ...(address === undefined ? [] : [`X-Forwarded-For: ${address}`]),
    ...lines,
    'Connection: close',
  ]);
  expect(response.status).toBe(302);
}

const ROWS = `select slug, country, device, os, browser, exclusion, toString(visitor_id) as id
  from events final order by toUInt32(utm_term)`;

const AGENTS: [device: string, os: string, browser: string, userAgent: string][] = [
  ['mobile', 'Android', 'Chrome', ANDROID],
  ['mobile', 'iOS', 'Safari', IPHONE],
  [
    'tablet',
    'iOS',
    'Safari',
    `Mozilla/5.0 (iPad; CPU OS 16_5 like Mac OS X) ${WEBKIT} Version/16.5 Mobile/15E148 Safari/604.1`,
  ],
  ['desktop', 'Windows', 'Edge', `${WINDOWS} Edg/142.0.0.0`],
  ['desktop', 'Linux', 'Firefox', LINUX],
  [
    'tv',
    'Tizen',
    'Samsung Internet',
    `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) SamsungBrowser/4.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 TV`,
  ],
  ['wearable', 'watchOS', 'other', 'atc/1.0 watchOS/5.2 model/Watch4,4 hwp/t8006 build/16T225 (6; dt:193)'],
  [
    'console',
    'PlayStation',
    'Safari',
    `Mozilla/5.0 (PlayStation; PlayStation 5/2.26) ${WEBKIT} Version/13.0 Safari/605.1.15`,
  ],
  ['other', 'other', 'other', 'SomethingWeNeverKnewExisted'],
];

const ADDRESSES: [country: string, visit: Omit<Visit, 'slug'>][] = [
  ['AZ', { address: '85.132.0.77' }],
  ['DE', { address: '78.46.1.77' }],
  ['US', { address: '8.8.8.77' }],
  ['DE', { address: '2a01:4f8:1:2::77' }],
  // 85.132.0.77, mapped into IPv6.
  ['AZ', { address: '::ffff:5584:4d' }],
  ['AZ', { address: '0:0:0:0:0:ffff:85.132.0.77' }],
  ['AZ', { address: '8.8.8.77, 85.132.0.77' }],
  ['US', { address: '85.132.0.77', lines: ['X-Forwarded-For: 8.8.8.77'] }],
  ['XX', { address: '192.168.1.77' }],
  ['XX', {}],
  ['AZ', { address: '8.8.8.77', lines: ['CF-IPCountry: AZ'] }],
  ['US', { address: '8.8.8.77', lines: ['CF-IPCountry: XX'] }],
  ['US', { address: '8.8.8.77', lines: ['CF-IPCountry: <b>'] }],
];

const HOME = '85.132.0.77';
// Visits of the same visitor, on two services that share nothing but Redis.
const VISITORS: [visitor: string, service: 0 | 1, visit: Omit<Visit, 'slug'>][] = [
  ['phone', 0, { address: HOME }],
  ['phone', 1, { address: HOME }],
  ['phone', 1, { address: '85.132.0.78' }],
  ['phone', 0, { address: '::ffff:5584:4d' }],
  ['laptop', 0, { address: HOME, userAgent: WINDOWS }],
  ['laptop', 1, { address: HOME, userAgent: WINDOWS }],
  ['neighbour', 1, { address: '85.132.1.77' }],
  ['phone6', 0, { address: '2a01:4f8:1:2::77' }],
  ['phone6', 1, { address: '2a01:4f8:1:ffff::1' }],
  ['0', 0, { address: HOME, lines: ['Sec-GPC: 1'] }],
  ['0', 1, { address: HOME, lines: ['DNT: 1'] }],
  ['0', 0, { address: HOME, userAgent: 'Googlebot/2.1' }],
];

test('an event has device, country and visitor, through trusted proxies; two services have the same visitor id', async () => {
  const started = performance.now();
  const env = { REDIRECT_PROCESSES: '1', TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry' };
  const { databases, redis } = trial;
  const services = await Promise.all([startRedirect(databases, env), startRedirect(databases, env)]);
  // Until it has the day's salt from Redis, a worker uses a salt of its own, and its visitor ids match no others.
  for (const { metric } of services) {
    await until(
      async () => (await metric('smartlink_redirect_visitor_salts{source="shared"}')) === 1,
      'the salt is shared',
    );
  }

  for (const [, , , userAgent] of AGENTS) await visit(services[0], { slug: 'agents', userAgent });
  for (const [, asked] of ADDRESSES) await visit(services[0], { slug: 'places', ...asked });
  for (const [, service, asked] of VISITORS) await visit(services[service], { slug: 'visitors', ...asked });
  const visitsOf = (service: number) => VISITORS.filter(([, asked]) => asked === service).length;
  const expected = [AGENTS.length + ADDRESSES.length + visitsOf(0), visitsOf(1)];
  await Promise.all(services.map((service, index) => untilDelivered(service, expected[index] ?? 0)));
  const keys = await redis.keys(`${databases.redisKeyPrefix}visitor-salt:*`);
  const ttls = await Promise.all(keys.map((key) => redis.pttl(key)));
  await Promise.all(services.map((service) => service.stop()));

  const rows = await selectEvents<Row>(databases.clickhouseUrl, ROWS);
  const of = (slug: string) => rows.filter((row) => row.slug === slug);
  expect(of('agents').map(({ device, os, browser }) => [device, os, browser])).toEqual(
    AGENTS.map(([device, os, browser]) => [device, os, browser]),
  );
  expect(of('places').map(({ country }) => country)).toEqual(ADDRESSES.map(([country]) => country));
  const ids = new Map<string, Set<string>>();
  expect(of('visitors')).toHaveLength(VISITORS.length);
  VISITORS.forEach(([who], index) => {
    ids.set(who, (ids.get(who) ?? new Set()).add(of('visitors')[index]?.id ?? ''));
  });
  expect([...ids.values()].map((found) => found.size)).toEqual([...ids.keys()].map(() => 1));
  expect(new Set([...ids.values()].flatMap((found) => [...found])).size).toBe(ids.size);
  expect(ids.get('0')).toEqual(new Set(['0']));

  expect(keys.length).toBeGreaterThanOrEqual(1);
  expect(ttls.every((ttlMs) => ttlMs > 0 && ttlMs <= SALT_LIFE_MS_MAX)).toBe(true);
  const said = JSON.stringify([rows, services.map(({ log }) => log)]);
  // The end of an address; a time may end in .77 as well.
  expect(said).not.toMatch(/\.\d{1,3}\.77\b/);
  process.stdout.write(`visitors: ${rows.length} events in ${Math.round(performance.now() - started)} ms\n`);
});

test('an invalid database of countries ends the start with an error that names the variable', async () => {
  const start = startRedirect(trial.databases, {
    REDIRECT_PROCESSES: '1',
    COUNTRY_DATABASE: import.meta.filename,
  });
  await expect(start).rejects.toThrow(/COUNTRY_DATABASE: .*visitors\.int\.test\.ts is no readable database/);
});
