import { createRandom } from '@smartlink/test-support/random';
import { request } from '@smartlink/test-support/raw-request';
import { decide } from '@smartlink/visit-routing/decide';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redirectReply } from '../src/reply.js';
import { prepareLink } from '../src/served-link.js';
import { PAGE_HEADERS, REDIRECT_HEADERS, hasExactly } from './expected-headers.js';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';
import { PAYLOADS } from './xss-payloads.js';

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let trial: Trial;
let redirect: Redirect;

beforeAll(async () => {
  trial = await openTrial();
  redirect = await startRedirect(trial.databases);
});

afterAll(async () => {
  await redirect.stop();
  await trial.close();
});

// A page of ours that says when to come again.
const UNAVAILABLE_HEADERS = PAGE_HEADERS.toSpliced(PAGE_HEADERS.indexOf('date'), 0, 'retry-after');

// As somebody may write them past the API: what leaves the service has whole headers, or is no redirect at all.
test('whatever target is stored, an answer has exactly the headers it may have, and leads over http or https', async () => {
  const targets = PAYLOADS.flatMap((text) => [text, `https://target.example/${text}`]);
  await Promise.all(targets.map((url, i) => trial.links.insert({ slug: `stored${i}`, url })));
  let redirects = 0;
  const wrong: string[] = [];
  for (const [i, target] of targets.entries()) {
    const answer = await request(redirect.port, [
      `GET /stored${i} HTTP/1.1`,
      'Host: a',
      `User-Agent: ${DESKTOP}`,
    ]);
    const { status, headers } = answer;
    const isOpen = status === 302 && hasExactly(answer, REDIRECT_HEADERS) && headers['location'] === target;
    if (isOpen && /^https?:\/\//.test(target)) redirects += 1;
    else if (status !== 503 || !hasExactly(answer, UNAVAILABLE_HEADERS)) wrong.push(`${target} → ${status}`);
  }
  process.stdout.write(`stored targets: ${targets.length}, ${redirects} led to, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
  expect(redirects).toBeGreaterThan(50);
});

test('10,000 fuzzed targets with fuzzed queries: each is a whole Location of the target’s place, or none', () => {
  const random = createRandom(11);
  const pick = (from: readonly string[]): string => from[random(from.length)] ?? '';
  let redirects = 0;
  const wrong: string[] = [];
  for (let i = 0; i < 10_000; i += 1) {
    const target = `${pick(HEADS)}${pick(PIECES)}${pick(PIECES)}${pick(PIECES)}`;
    const query = `${pick(PIECES)}${pick(PIECES)}=${pick(PIECES)}&${pick(PIECES)}`;
    const link = prepareLink({ ...SNAPSHOT, url: target }, 302);
    const decision = decide(link, { ...VISIT, query });
    if (decision.kind !== 'redirect') continue;
    redirects += 1;
    const reply = redirectReply(302, decision.location);
    const headers = [...reply.head.headers, ['location', reply.location ?? ''] as const, ...reply.headers];
    const names = headers.map(([name]) => name.toLowerCase());
    const isWhole = headers.every(([, value]) => /^[\x20-\x7e]*$/.test(value));
    const isRight = names.join() === REDIRECT_HEADERS.slice(0, headers.length).join() && isWhole;
    if (!isRight || placeOf(decision.location) !== placeOf(target)) wrong.push(`${target} ${query}`);
  }
  process.stdout.write(`fuzzed targets: 10,000, ${redirects} of them redirects, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
  expect(redirects).toBeGreaterThan(1_500);
});

const SNAPSHOT = {
  version: 1,
  smartlinkId: 'id',
  ownerId: 'owner',
  slug: 'link',
  status: 'Active',
  type: 'Url',
} as const;
const VISIT = {
  ...{ isUnlocked: false, forwardsQuery: true, mayBeIpad: false, isPreview: false },
  platform: 'other',
} as const;

const HEADS = [
  'https://target.example',
  'http://t.example:81/',
  'https://',
  'HTTPS://t.example',
  'javascript:',
  '//',
];
const PIECES = [
  ...[
    '\r\n',
    '\r',
    '\n',
    '\0',
    '\t',
    ' ',
    '\u007f',
    '\u0080',
    '\u2028',
    '\ud800',
    'é',
    '😀',
    '%0d%0a',
    '%00',
  ],
  ...['/', '//', '\\', '?', '#', '@', ':', '&', '=', ';', '%', '..', '<', '"', "'", 'a', 'Set-Cookie: a=b'],
  ...['evil.example', 'https://evil.example', '?x=1', '#top', '', '', 'qr=1', '[::1]', 'x'.repeat(50)],
];

/** Returns scheme, host and path of an address as a browser reads them, or as much as stands before `?` and `#`. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address.split(/[?#]/, 1)[0] ?? '';
  const { protocol, host, pathname, username } = new URL(address);
  return `${protocol}//${username}@${host}${pathname}`;
}
