import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startReceiver } from './webhook-receiver.js';

export type StubRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Answers one request; `unsafe` is what the test calls unsafe. */
export type StubAnswer = (request: StubRequest, res: ServerResponse, unsafe: ReadonlySet<string>) => void;

export type ProviderStub = Awaited<ReturnType<typeof startProviderStub>>;

const JSON_TYPE = 'application/json; charset=UTF-8';
export const STUB_KEY = 'key-of-the-stub';

/** Starts a server that stands for a provider until the caller closes it. */
export async function startProviderStub() {
  const unsafe = new Set<string>();
  const requests: StubRequest[] = [];
  let answer: StubAnswer = (_request, res) => res.writeHead(404).end();
  let underWay = 0;
  let concurrencyMax = 0;
  const receiver = await startReceiver((res, { path, ...message }) => {
    underWay += 1;
    concurrencyMax = Math.max(concurrencyMax, underWay);
    res.once('close', () => {
      underWay -= 1;
    });
    const request = { ...message, url: new URL(path, 'http://stub') };
    requests.push(request);
    answer(request, res, unsafe);
  });
  return {
    url: receiver.url(''),
    unsafe,
    requests,
    /** The most requests that were under way at once. */
    concurrencyMax: () => concurrencyMax,
    answerWith(given: StubAnswer) {
      answer = given;
    },
    reset() {
      unsafe.clear();
      requests.length = 0;
      concurrencyMax = 0;
    },
    close: receiver.close,
  };
}

/**
 * uris.search of Google Web Risk: https://cloud.google.com/web-risk/docs/reference/rest/v1/uris/search. `unsafe` holds
 * URLs.
 */
export const answerAsWebRisk: StubAnswer = ({ method, url, headers }, res, unsafe) => {
  const types = url.searchParams.getAll('threatTypes');
  const uri = url.searchParams.get('uri');
  if (headers['x-goog-api-key'] !== STUB_KEY) {
    sendGoogleError(res, 403, 'PERMISSION_DENIED');
    return;
  }
  if (method !== 'GET' || url.pathname !== '/v1/uris:search' || uri === null || types.length === 0) {
    sendGoogleError(res, 400, 'INVALID_ARGUMENT');
    return;
  }
  const isHit = unsafe.has(uri) && types.includes('MALWARE');
  const threat = { threatTypes: ['MALWARE'], expireTime: '2030-07-17T15:01:23.045123456Z' };
  sendJson(res, 200, isHit ? { threat } : {});
};

/**
 * hashes.search of Google Safe Browsing v5: https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search,
 * as protobuf. `unsafe` holds expressions (host and path).
 */
export const answerAsSafeBrowsing: StubAnswer = ({ method, url, headers }, res, unsafe) => {
  const prefixes = url.searchParams.getAll('hashPrefixes').map((text) => Buffer.from(text, 'base64'));
  if (headers['x-goog-api-key'] !== STUB_KEY) {
    sendGoogleError(res, 403, 'PERMISSION_DENIED');
    return;
  }
  const isValid =
    prefixes.every(({ length }) => length === 4) && prefixes.length > 0 && prefixes.length <= 1_000;
  if (method !== 'GET' || url.pathname !== '/v5/hashes:search' || !isValid) {
    sendGoogleError(res, 400, 'INVALID_ARGUMENT');
    return;
  }
  const hashes = [...unsafe].map((expression) => createHash('sha256').update(expression).digest());
  const found = hashes.filter((hash) => prefixes.some((prefix) => hash.subarray(0, 4).equals(prefix)));
  // SOCIAL_ENGINEERING, and 300 seconds.
  const detail = Buffer.from([0x08, 0x02]);
  const fullHashes = found.map((hash) => message(1, Buffer.concat([message(1, hash), message(2, detail)])));
  const body = Buffer.concat([...fullHashes, message(2, Buffer.from([0x08, 0xac, 0x02]))]);
  res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(body);
};

/** An operator's hook, as docs/url-safety.md describes it. `unsafe` holds URLs. */
export const answerAsHook: StubAnswer = ({ method, headers, body }, res, unsafe) => {
  if (headers['authorization'] !== `Bearer ${STUB_KEY}`) {
    sendJson(res, 401, {});
    return;
  }
  if (method !== 'POST' || headers['content-type'] !== 'application/json') {
    sendJson(res, 400, {});
    return;
  }
  const { urls } = JSON.parse(body) as { urls: string[] };
  sendJson(res, 200, { unsafe: urls.filter((url) => unsafe.has(url)) });
};

const respond =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): StubAnswer =>
  (_request, res) => {
    res.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };

/** What a provider should not do; each time there is no answer. Those of `SLOW` end with the limit alone. */
export const MISBEHAVIOURS: Readonly<Record<string, StubAnswer>> = {
  'answers a page': respond(200, 'text/html', '<html><body>Sorry</body></html>'),
  'answers JSON of another shape': respond(200, JSON_TYPE, '{"threat":"x","fullHashes":7,"unsafe":{"a":1}}'),
  'answers JSON about something else': respond(200, JSON_TYPE, '{"status":"ok"}'),
  'answers nothing': respond(200, JSON_TYPE, ''),
  'answers half a JSON document': respond(200, JSON_TYPE, '{"unsafe":['),
  'answers 500': respond(500, JSON_TYPE, '{"error":{"code":500}}'),
  'answers 429': respond(429, JSON_TYPE, '{"error":{"code":429}}'),
  'answers a redirect': respond(302, JSON_TYPE, '{"unsafe":[]}', { location: '/elsewhere' }),
  'answers more than a mebibyte': respond(200, JSON_TYPE, `{"unsafe":[]}${' '.repeat(1024 * 1024)}`),
  'hangs up': (_request, res) => {
    res.destroy();
  },
};

export const SLOW: Readonly<Record<string, StubAnswer>> = {
  'never answers': () => undefined,
  'begins and never ends': (_request, res) => {
    res.writeHead(200, { 'content-type': JSON_TYPE }).write('{"unsafe":[]');
  },
};

function sendGoogleError(res: ServerResponse, code: number, status: string): void {
  sendJson(res, code, { error: { code, message: 'No', status } });
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': JSON_TYPE }).end(JSON.stringify(body));
}

/** A field of a protobuf message, of less than 128 bytes. */
function message(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}
