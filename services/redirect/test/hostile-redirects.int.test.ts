import { parseResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import type { RawResponse } from '@smartlink/test-support/raw-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REDIRECT_HEADERS, hasExactly } from './expected-headers.js';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';
import { PAYLOADS } from './xss-payloads.js';

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PASSWORD = 'a password';

const STORES = {
  appStoreLink: 'https://phone.example/app?id=1',
  googlePlayLink: 'https://play.example/app?id=2',
  windowsAppLink: 'https://windows.example/app?id=3',
  macOsAppLink: 'https://mac.example/app?id=4',
  ipadAppLink: 'https://pad.example/app?id=5',
  fallBackLink: 'https://fall.example/app?id=6#end',
};

let trial: Trial;
let redirect: Redirect;

beforeAll(async () => {
  trial = await openTrial();
  redirect = await startRedirect(trial.databases, {
    ROOT_REDIRECT_URL: 'https://root.example/home?x=1',
    PUBLIC_BASE_URL: 'https://sl.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  await trial.links.insert({ slug: 'link', url: 'https://target.example/place?a=1#top' });
  await trial.links.insert({ slug: 'bare', url: 'https://target.example/' });
  await trial.links.insert({ slug: 'app', type: 'App', content: { configuration: STORES } });
  await trial.links.insert({ slug: 'locked', url: 'https://secret.example/', password: PASSWORD });
});

afterAll(async () => {
  await redirect.stop();
  await trial.close();
});

type Way = {
  readonly path: string;
  readonly userAgent: string;
  readonly origin: string;
  readonly route: string;
};

// Every way by which a visitor is sent on, with all of its address that nobody but the owner may choose.
const WAYS: readonly Way[] = [
  { path: '/link', userAgent: DESKTOP, origin: 'https://target.example', route: '/place' },
  { path: '/q/bare', userAgent: DESKTOP, origin: 'https://target.example', route: '/' },
  { path: '/app', userAgent: IPHONE, origin: 'https://phone.example', route: '/app' },
  { path: '/app', userAgent: ANDROID, origin: 'https://play.example', route: '/app' },
  { path: '/app', userAgent: MAC, origin: 'https://mac.example', route: '/app' },
  { path: '/app', userAgent: WINDOWS, origin: 'https://windows.example', route: '/app' },
  { path: '/app', userAgent: DESKTOP, origin: 'https://fall.example', route: '/app' },
  { path: '/-/ipad/app', userAgent: MAC, origin: 'https://pad.example', route: '/app' },
  { path: '/-/mac/q/app', userAgent: IPHONE, origin: 'https://mac.example', route: '/app' },
  { path: '/', userAgent: DESKTOP, origin: 'https://root.example', route: '/home' },
];

const EVIL = [
  'evil.example',
  'https://evil.example/',
  '//evil.example',
  'javascript:alert(1)',
  'a\\@evil.example',
];
const HEADERS = [
  ...[
    'X-Forwarded-Host',
    'X-Forwarded-Server',
    'X-Forwarded-Proto',
    'X-Forwarded-Scheme',
    'X-Forwarded-Port',
  ],
  ...[
    'X-Forwarded-Prefix',
    'X-Forwarded-For',
    'X-Host',
    'X-HTTP-Host-Override',
    'X-Original-Host',
    'Forwarded',
  ],
  ...[
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Original-URI',
    'X-HTTP-Method-Override',
    'Front-End-Https',
    'Via',
  ],
  ...['X-Real-IP', 'True-Client-IP', 'Client-IP', 'Base-Url', 'Referer', 'Origin', 'Location', 'Destination'],
  ...['Accept-Language', 'Content-Location', 'Refresh', 'Link', 'Cookie', 'Authorization', 'From', 'Range'],
  ...['Sec-CH-UA', 'Sec-CH-UA-Model', 'Sec-CH-UA-Mobile', 'Sec-CH-UA-Full-Version-List', 'Save-Data'],
  ...['Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-Dest', 'Upgrade-Insecure-Requests', 'X-Requested-With'],
];
const NAMES = [
  'url',
  'redir_url',
  'redirect',
  'redirect_uri',
  'next',
  'to',
  'return',
  'dest',
  'host',
  'goto',
  'u',
];

const ask = (
  way: Pick<Way, 'path' | 'userAgent'>,
  query: string,
  lines: readonly string[] = [],
  host = 'a',
) =>
  request(redirect.port, [
    `GET ${way.path}${query} HTTP/1.1`,
    ...(lines.some((line) => line.startsWith('Host:')) ? [] : [`Host: ${host}`]),
    `User-Agent: ${way.userAgent}`,
    ...lines,
  ]);

function leadsWhereItShould(answer: RawResponse, way: Way): boolean {
  const { status, headers } = answer;
  const location = headers['location'] ?? '';
  if (status !== 302 || !/^[\x21-\x7e]+$/.test(location) || !URL.canParse(location)) return false;
  const { origin, pathname, username, password } = new URL(location);
  const isSame = origin === way.origin && pathname === way.route && username === '' && password === '';
  return isSame && hasExactly(answer, REDIRECT_HEADERS);
}

test('no header changes where any redirect leads', async () => {
  const wrong: string[] = [];
  let cases = 0;
  for (const way of WAYS) {
    const lines = HEADERS.flatMap((name, i) => [`${name}: ${EVIL[i % EVIL.length]}`]);
    const tried = [
      ...lines.map((line) => [line]),
      lines.slice(0, 40),
      ...EVIL.map((evil) => [`Host: ${evil}`]),
      [`Host: a`, `Host: evil.example`],
    ];
    const answers = await Promise.all(tried.map((one) => ask(way, '', one)));
    for (const [index, answer] of answers.entries()) {
      cases += 1;
      // uWebSockets.js may refuse what is no host; nobody is led anywhere then.
      const isRefused = answer.status === 0 || answer.status === 400;
      const isFine =
        leadsWhereItShould(answer, way) || (isRefused && tried[index]?.[0]?.startsWith('Host:') === true);
      if (!isFine)
        wrong.push(`${way.path} ${tried[index]?.join()} → ${answer.status} ${answer.headers['location']}`);
    }
  }
  process.stdout.write(`hostile headers: ${cases} redirects, ${wrong.length} led astray\n`);
  expect(wrong).toEqual([]);
});

test('no query changes where any redirect leads', async () => {
  const wrong: string[] = [];
  let cases = 0;
  const endings = PAYLOADS.filter((text) => /^[\x21-\x7e]+$/.test(text));
  const queries = [
    ...NAMES.flatMap((name) => EVIL.map((evil) => `?${name}=${evil}`)),
    ...EVIL.flatMap((evil) => [`?${evil}`, `??${evil}`, `?&${evil}`, `?@${evil}`, `?#@${evil}`, `?;${evil}`]),
    ...endings.map((text) => `?${text}`),
  ];
  for (const way of WAYS) {
    const text = await sendRaw(
      redirect.port,
      queries
        .map((query) => `GET ${way.path}${query} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${way.userAgent}\r\n\r\n`)
        .join(''),
      { until: (got) => got.split('HTTP/1.1 ').length > queries.length && got.endsWith('\r\n\r\n') },
    );
    const answers = text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((piece) => piece !== '');
    expect(answers.length).toBe(queries.length);
    for (const [index, answer] of answers.entries()) {
      cases += 1;
      if (!leadsWhereItShould(parseResponse(answer), way))
        wrong.push(`${way.path}${queries[index]} → ${answer}`);
    }
  }
  process.stdout.write(`hostile queries: ${cases} redirects, ${wrong.length} led astray\n`);
  expect(wrong).toEqual([]);
});

test('who shows the password is led back to the link and nowhere else', async () => {
  const body = `password=${encodeURIComponent(PASSWORD)}`;
  let visitor = 0;
  const unlock = (path: string, lines: readonly string[]) =>
    request(redirect.port, [
      `POST ${path} HTTP/1.1`,
      ...(lines.some((line) => line.startsWith('Host:')) ? [] : ['Host: a']),
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      `X-Forwarded-For: 198.51.100.${(visitor += 1)}`,
      ...lines,
      '',
      body,
    ]);
  const wrong: string[] = [];
  let led = 0;
  const tried: [path: string, lines: readonly string[]][] = [
    ...EVIL.flatMap((evil): [string, string[]][] => [
      [`/locked?next=${evil}`, []],
      [`/locked?@${evil}`, []],
      [`/q/locked/?#${evil}`, [`X-Forwarded-Host: ${evil}`]],
      ['/locked', [`X-Original-URL: ${evil}`, `Referer: ${evil}`]],
      ['/locked', [`Host: ${evil}`]],
    ]),
    ['//locked', []],
    ['//evil.example/locked', []],
    ['/\\evil.example/locked', []],
    ['/q//locked', []],
  ];
  for (const [path, lines] of tried) {
    const { status, headers } = await unlock(path, lines);
    const location = headers['location'];
    if (location === undefined) continue;
    led += 1;
    const { origin, pathname } = new URL(location, 'https://sl.example.com/');
    const isOurs = origin === 'https://sl.example.com' && /^\/(?:q\/)?locked$/.test(pathname);
    if (status !== 303 || !isOurs) wrong.push(`${path} → ${location}`);
  }
  process.stdout.write(
    `unlocked with hostile requests: ${led} of ${tried.length} led back, ${wrong.length} astray\n`,
  );
  expect(wrong).toEqual([]);
  expect(led).toBeGreaterThanOrEqual(20);
});
