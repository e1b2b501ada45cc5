import { expect, test } from 'vitest';
import { createToken } from '@smartlink/smartlink/credentials';
import { parseResponse, type RawResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import { trialSize } from '@smartlink/test-support/trial-size';
import { PAGE_HEADERS, REDIRECT_HEADERS, hasExactly } from './expected-headers.js';
import { ANDROID, IPHONE, LINUX, MAC, WINDOWS, serve } from './serve.js';
import { PAYLOADS } from './xss-payloads.js';

const PASSWORD = 'a password';

const STORES = {
  appStoreLink: 'https://phone.example/app?id=1',
  googlePlayLink: 'https://play.example/app?id=2',
  windowsAppLink: 'https://windows.example/app?id=3',
  macOsAppLink: 'https://mac.example/app?id=4',
  ipadAppLink: 'https://pad.example/app?id=5',
  fallBackLink: 'https://fall.example/app?id=6#end',
};

const { trial, redirect, get } = serve(
  {
    ROOT_REDIRECT_URL: 'https://root.example/home?x=1',
    PUBLIC_BASE_URL: 'https://sl.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
  },
  {
    links: [
      { slug: 'link', url: 'https://target.example/place?a=1#top' },
      { slug: 'bare', url: 'https://target.example/' },
      { slug: 'app', type: 'App', content: { configuration: STORES } },
      { slug: 'locked', url: 'https://secret.example/', password: PASSWORD },
    ],
  },
);

type Way = {
  readonly path: string;
  readonly userAgent: string;
  readonly origin: string;
  readonly route: string;
};

// Every kind of redirect, with the parts of its address that are the owner's alone.
const WAYS: readonly Way[] = [
  { path: '/link', userAgent: LINUX, origin: 'https://target.example', route: '/place' },
  { path: '/q/bare', userAgent: LINUX, origin: 'https://target.example', route: '/' },
  { path: '/app', userAgent: IPHONE, origin: 'https://phone.example', route: '/app' },
  { path: '/app', userAgent: ANDROID, origin: 'https://play.example', route: '/app' },
  { path: '/app', userAgent: MAC, origin: 'https://mac.example', route: '/app' },
  { path: '/app', userAgent: WINDOWS, origin: 'https://windows.example', route: '/app' },
  { path: '/app', userAgent: LINUX, origin: 'https://fall.example', route: '/app' },
  { path: '/-/ipad/app', userAgent: MAC, origin: 'https://pad.example', route: '/app' },
  { path: '/-/mac/q/app', userAgent: IPHONE, origin: 'https://mac.example', route: '/app' },
  { path: '/', userAgent: LINUX, origin: 'https://root.example', route: '/home' },
];

const EVIL = 'evil.example https://evil.example/ //evil.example javascript:alert(1) a\\@evil.example'.split(
  ' ',
);
const HEADERS = `
  X-Forwarded-Host X-Forwarded-Server X-Forwarded-Proto X-Forwarded-Scheme X-Forwarded-Port X-Forwarded-Prefix
  X-Forwarded-For X-Host X-HTTP-Host-Override X-Original-Host Forwarded X-Original-URL X-Rewrite-URL X-Original-URI
  X-HTTP-Method-Override Front-End-Https Via X-Real-IP True-Client-IP Client-IP Base-Url Referer Origin Location
  Destination Accept-Language Content-Location Refresh Link Cookie Authorization From Range Sec-CH-UA
  Sec-CH-UA-Model Sec-CH-UA-Mobile Sec-CH-UA-Full-Version-List Save-Data Sec-Fetch-Site Sec-Fetch-Mode
  Sec-Fetch-Dest Upgrade-Insecure-Requests X-Requested-With`
  .trim()
  .split(/\s+/);
const NAMES = 'url redir_url redirect redirect_uri next to return dest host goto u'.split(' ');

const ask = (way: Way, lines: readonly string[]) =>
  request(redirect.port, [
    `GET ${way.path} HTTP/1.1`,
    ...(lines.some((line) => line.startsWith('Host:')) ? [] : ['Host: a']),
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
    const answers = await Promise.all(tried.map((one) => ask(way, one)));
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

test('the right password leads back to the link and nowhere else', async () => {
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

test('the cookie of a session of management, which browsers send to every port, changes no answer', async () => {
  const session = `smartlink_session=${createToken()}`;
  const tryPassword = (password: string, line: string) =>
    request(redirect.port, [
      'POST /locked HTTP/1.1',
      'Host: a',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${`password=${password}`.length}`,
      'X-Forwarded-For: 203.0.113.7',
      line,
      '',
      `password=${password}`,
    ]);
  const undated = ({ headers, ...rest }: RawResponse) => ({ ...rest, headers: { ...headers, date: '' } });
  for (const path of ['/link', '/app', '/locked', '/nobodyKnows', '/-/preview/link', '/']) {
    expect(undated(await get(path, `Cookie: ${session}`))).toEqual(undated(await get(path)));
  }
  const refused = await tryPassword('wrong', `Cookie: ${session}`);
  expect(refused.status).toBe(401);
  expect(undated(refused)).toEqual(undated(await tryPassword('wrong', 'Cookie: a=b')));
  const { status, headers } = await tryPassword(encodeURIComponent(PASSWORD), `Cookie: ${session}`);
  const [unlock = ''] = headers['set-cookie']?.split(';') ?? [];
  expect(status).toBe(303);
  for (const cookies of [`${session}; ${unlock}`, `${unlock}; __Host-${session}`]) {
    const unlocked = await get('/locked', `Cookie: ${cookies}`);
    expect(unlocked.headers['location']).toBe('https://secret.example/');
  }
});

// With the time of the next try.
const UNAVAILABLE_HEADERS = PAGE_HEADERS.toSpliced(PAGE_HEADERS.indexOf('date'), 0, 'retry-after');

// Written past the API.
test('hostile stored targets give a redirect over http or https with exact headers, or 503', async () => {
  const tried = PAYLOADS.filter((_, index) => index % trialSize(4, 1) === 0);
  const targets = tried.flatMap((text) => [text, `https://target.example/${text}`]);
  await Promise.all(targets.map((url, i) => trial.links.insert({ slug: `stored${i}`, url })));
  let redirects = 0;
  const wrong: string[] = [];
  for (const [i, target] of targets.entries()) {
    const answer = await get(`/stored${i}`);
    const { status, headers } = answer;
    const isOpen = status === 302 && hasExactly(answer, REDIRECT_HEADERS) && headers['location'] === target;
    if (isOpen && /^https?:\/\//.test(target)) redirects += 1;
    else if (status !== 503 || !hasExactly(answer, UNAVAILABLE_HEADERS)) wrong.push(`${target} → ${status}`);
  }
  process.stdout.write(`stored targets: ${targets.length}, ${redirects} led to, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
  expect(redirects).toBeGreaterThan(targets.length / 13);
});
