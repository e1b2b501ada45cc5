import { expect, test } from 'vitest';
import { createTrustedProxies } from '@smartlink/process/client-address';
import { createHosts } from '../http/served-host.js';
import type { Sender } from '../visit/visit-request.js';
import { toClientAddress } from '../visitor/client-address.js';
import {
  type Arrival,
  copyFormRequest,
  copyVisitRequest,
  type Incoming,
  readRepeatedLines,
} from './dispatch.js';

const RULES = { proxies: createTrustedProxies(['10.0.0.0/8']), countryHeader: 'x-country' };
const EDGE: Sender = { address: toClientAddress('10.0.0.1'), isProxy: true };
const STRANGER: Sender = { address: toClientAddress('203.0.113.9'), isProxy: false };
const HOSTS = createHosts({
  PUBLIC_BASE_URL: 'https://sl.example.com',
  REDIRECT_PORT: 80,
  STRICT_HOSTS: false,
});
const ADDRESS = { slug: 'docs', isScan: false };

/** A request as uWebSockets.js gives it: the first line of a name, and no query where there is no `?`. */
function incoming(lines: readonly [name: string, value: string][], query?: string): Incoming {
  return {
    getUrl: () => '/docs',
    getQuery: () => query!,
    getHeader: (name) => lines.find(([known]) => known === name)?.[1] ?? '',
    forEach: (callback) => {
      for (const [name, value] of lines) callback(name, value);
    },
  };
}

const arrivalOf = (req: Incoming, sender: Sender): Arrival => ({
  req,
  isHead: false,
  sender,
  lines: readRepeatedLines(req),
  outcome: null,
});

const FORWARDED = incoming([
  ['x-forwarded-for', ''],
  ['x-forwarded-for', '198.51.100.7, 203.0.113.50'],
  ['x-forwarded-for', '10.0.0.9'],
  ['forwarded', 'for=198.51.100.8'],
  ['x-real-ip', '198.51.100.9'],
  ['x-country', 'AZ'],
]);

test('of several lines of X-Forwarded-For the right-most stranger counts, where a proxy sends them', () => {
  const visit = copyVisitRequest(arrivalOf(FORWARDED, EDGE), HOSTS.own, ADDRESS, RULES);
  expect(visit).toMatchObject({
    address: { text: '203.0.113.50', network: '203.0.113' },
    edgeCountry: 'AZ',
  });
  expect(copyFormRequest(arrivalOf(FORWARDED, EDGE), RULES.proxies).address).toBe('203.0.113.50');
});

test('an untrusted client cannot set its address or country', () => {
  const visit = copyVisitRequest(arrivalOf(FORWARDED, STRANGER), HOSTS.own, ADDRESS, RULES);
  expect(visit).toMatchObject({ address: { text: '203.0.113.9' }, edgeCountry: '' });
  expect(copyFormRequest(arrivalOf(FORWARDED, STRANGER), RULES.proxies).address).toBe('203.0.113.9');
});

test('absent parts of a request are empty, the others are copied', () => {
  const headers = {
    userAgent: 'user-agent',
    secChUaPlatform: 'sec-ch-ua-platform',
    acceptLanguage: 'accept-language',
    referer: 'referer',
    secPurpose: 'sec-purpose',
    purpose: 'purpose',
    xMoz: 'x-moz',
    secGpc: 'sec-gpc',
    dnt: 'dnt',
  };
  const copy = (req: Incoming) =>
    copyVisitRequest(
      { ...arrivalOf(req, STRANGER), isHead: true },
      HOSTS.own,
      { ...ADDRESS, platform: 'mac' },
      RULES,
    );
  const lines = [...Object.values(headers), 'cookie'].map((name): [string, string] => [name, `its ${name}`]);
  expect(copy(incoming(lines, 'a=b'))).toEqual({
    isHead: true,
    host: HOSTS.own,
    slug: 'docs',
    isScan: false,
    chosenPlatform: 'mac',
    query: 'a=b',
    headers: Object.fromEntries(Object.entries(headers).map(([member, name]) => [member, `its ${name}`])),
    cookie: 'its cookie',
    address: STRANGER.address,
    edgeCountry: '',
    tally: expect.objectContaining({ outcome: null }),
  });
  expect(copy(incoming([]))).toMatchObject({
    query: '',
    cookie: '',
    headers: Object.fromEntries(Object.keys(headers).map((member) => [member, ''])),
  });
});
