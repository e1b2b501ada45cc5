import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  createSmartlinkClient,
  isSmartlinkError,
  type SmartlinkClient,
  type SmartlinkError,
} from '@smartlink/client';
import { makeEventRow } from '@smartlink/test-support/event-row';
import type {} from '@smartlink/test-support/find-chromium';
import { listen } from '../../../services/management/test/call-raw.js';
import {
  addEvents,
  startService,
  type TestService,
  type TestUser,
} from '../../../services/management/test/start-service.js';
import { openCollection, readDocument } from './collection.js';
import { runExamples } from './generated/readme-examples.js';

let service: TestService;
let user: TestUser;
let baseUrl: string;
let client: SmartlinkClient;
/** Serves the built client to a page of another origin, and receives the messages of webhooks. */
const pages = createServer((req, res) => {
  const { pathname } = new URL(req.url ?? '/', 'http://x');
  if (req.method === 'POST') return res.writeHead(204).end();
  if (pathname === '/')
    return res.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>');
  const file = path.join(import.meta.dirname, '../dist', path.posix.normalize(pathname));
  readFile(file).then(
    (code) => res.setHeader('content-type', 'text/javascript').end(code),
    () => res.writeHead(404).end(),
  );
  return undefined;
});
let pageOrigin: string;

beforeAll(async () => {
  await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
  pageOrigin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  service = await startService({
    env: { CORS_ORIGINS: pageOrigin, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    rateLimits: 'kept',
  });
  user = await service.createUser();
  baseUrl = `http://127.0.0.1:${await listen(service.app)}`;
  client = createSmartlinkClient({ baseUrl, apiKey: user.apiKey });
});
afterAll(async () => {
  pages.closeAllConnections();
  await new Promise((done) => pages.close(done));
  await service.close();
});

async function failureOf(call: Promise<unknown>): Promise<SmartlinkError> {
  const err = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!isSmartlinkError(err)) throw err as Error;
  return err;
}

const link = (smartlinkName: string, smartlinkUrl?: string) => ({
  configuration: { smartlinkName, smartlinkType: 'Url' as const, smartlinkUrl: smartlinkUrl ?? null },
  shortener: { url: 'https://example.org/' },
});

describe('against the service', () => {
  test('a key is validated, and an unknown one is UNAUTHORIZED', async () => {
    expect(await client.validate()).toMatchObject({ data: null, rateLimit: { limit: 3_000 } });
    const stranger = createSmartlinkClient({ baseUrl, apiKey: 'nonsense' });
    expect(await failureOf(stranger.validate())).toMatchObject({
      kind: 'api',
      code: 'UNAUTHORIZED',
      status: 401,
    });
  });

  test('a smartlink is created, read, changed by its version, paused and deleted', async () => {
    const created = await client.smartlinks.create(link('First'));
    const { id } = created.data;
    expect(created.data).toMatchObject({
      type: 'Url',
      status: 'Active',
      shortener: { url: 'https://example.org/' },
    });
    const read = await client.smartlinks.get(id);
    expect(read).toMatchObject({ data: created.data, etag: created.etag });
    const updated = await client.smartlinks.update(id, { openGraph: { title: 'T' } }, { ifMatch: read.etag });
    expect(updated.data.openGraph).toEqual({ title: 'T' });
    expect(updated.etag).not.toBe(read.etag);
    const late = client.smartlinks.update(id, { openGraph: null }, { ifMatch: read.etag });
    expect(await failureOf(late)).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
    expect((await client.smartlinks.setStatus(id, 'Paused')).data.status).toBe('Paused');
    expect((await client.smartlinks.remove(id)).data).toBeNull();
    expect((await client.smartlinks.get(id)).data.status).toBe('Deleted');
    expect(await failureOf(client.smartlinks.remove(id))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a create is repeated once its answer is lost, and creates one smartlink', async () => {
    let losses = 2;
    const losing = createSmartlinkClient({
      baseUrl,
      apiKey: user.apiKey,
      environment: { wait: () => Promise.resolve() },
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        losses -= 1;
        if (losses < 0) return response;
        await response.arrayBuffer();
        throw new TypeError('lost');
      },
    });
    await losing.smartlinks.create(link('Lost and found'));
    expect((await client.smartlinks.list({ q: 'Lost and found' })).data).toHaveLength(1);
  });

  test('faults and a full plan have their codes', async () => {
    const faults = await failureOf(client.smartlinks.create(link('Bad', 'not-latin')));
    expect(faults).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'configuration.smartlinkUrl' }],
      requestId: expect.any(String) as string,
    });
    const { apiKey } = await service.createUser('Starter');
    const starter = createSmartlinkClient({ baseUrl, apiKey });
    for (let i = 0; i < 3; i += 1) await starter.smartlinks.create(link('Mine'));
    expect(await failureOf(starter.smartlinks.create(link('Mine')))).toMatchObject({
      code: 'SUBSCRIPTION_LIMIT_REACHED',
      details: undefined,
    });
  });

  test('visits appear in analytics, as JSON and CSV, and in the summary', async () => {
    const { id } = (await client.smartlinks.create(link('Visited'))).data;
    await addEvents(service.app, [
      makeEventRow(user.userId, id, { ts: '2026-03-10 12:00:00.000', source: 'scan' }),
    ]);
    const { data } = await client.analytics.get(id, { from: '2026-03-01', to: '2026-03-31' });
    expect(data).toMatchObject({ totalQrCodeScans: 1, analyticsData: [{ date: '2026-03-10', qrScans: 1 }] });
    expect((await client.analytics.csv(id)).data).toContain('2026-03-10');
    const { smartlinks } = (await client.analytics.summary()).data;
    expect(smartlinks.find((each) => each.id === id)).toMatchObject({ qrScans: 1 });
  });

  test('QR codes are a string or bytes, a visit is resolved, and the document is served', async () => {
    const { id } = (await client.smartlinks.create(link('Drawn'))).data;
    expect((await client.qr.svg(id, { color: '#123456' })).data).toMatch(/^<svg|^<\?xml/);
    expect([...(await client.qr.png(id)).data.slice(1, 4)]).toEqual([...Buffer.from('PNG')]);
    const visit = await client.resolve(id, {
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0',
    });
    expect(visit.data).toMatchObject({ decision: 'redirect', location: 'https://example.org/' });
    expect((await client.reference()).data).toMatchObject({ openapi: '3.1.1' });
  });

  test('every example of the README works', async () => {
    const { apiKey } = await service.createUser();
    const printed: unknown[][] = [];
    await runExamples(baseUrl, apiKey, { log: (...values) => printed.push(values) });
    expect(printed[0]?.[0]).toMatch(/^https:\/\/sl\.example\.com\/\w+$/);
    expect(printed[1]).toEqual(['₼']);
    expect(printed).toContainEqual(['configuration.smartlinkUrl', expect.any(String)]);
    expect(printed).toEqual(
      expect.arrayContaining([
        [201, 'done'],
        [200, 'done'],
        [404, 'NOT_FOUND'],
      ]),
    );
    expect(printed.at(-1)).toEqual([true]);
  });
});

test('the built client works in a browser, from a page of another origin', async ({ skip }) => {
  const executablePath = inject('chromium');
  if (executablePath === null) return skip('Chromium is missing');
  // Without this argument Chromium does not start for root.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(pageOrigin);
    const result = await page.evaluate(`(${IN_PAGE})(${JSON.stringify([baseUrl, user.apiKey])})`);
    expect(result).toBe('T,PRECONDITION_FAILED,1,true,answer');
  } finally {
    await browser.close();
  }
}, 120_000);

test('the Postman collection can be run as a whole, twice, with a documented success for each request', async () => {
  const { apiKey } = await service.createUser();
  const collection = await openCollection({ baseUrl, apiKey }, pageOrigin);
  const { paths } = await readDocument();
  for (const run of ['first', 'second']) {
    for (const { name, request, status, body } of await collection.run()) {
      const { pathname } = new URL(request.url.raw.replace('{{baseUrl}}', baseUrl));
      const documented = Object.keys(paths[pathname]?.[request.method.toLowerCase()]?.responses ?? {});
      expect([run, name, status, body]).toEqual([run, name, expect.toSatisfy((code) => code < 300), body]);
      expect([name, documented]).toEqual([name, expect.arrayContaining([String(status)])]);
      if (name === 'One of each') {
        const results = (body as { data: { status: number }[] }).data.map((result) => result.status);
        expect(results).toEqual([201, 200, 200, 200]);
      }
    }
  }
});

// As text, since vitest would rewrite its import. The page's own origin answers 404 without the envelope.
const IN_PAGE = `async ([baseUrl, apiKey]) => {
  const { createSmartlinkClient, isSmartlinkError } = await import('/client.js');
  const client = createSmartlinkClient({ baseUrl, apiKey });
  const { data, etag } = await client.smartlinks.create({
    configuration: { smartlinkName: 'From a page', smartlinkType: 'Url' },
    shortener: { url: 'https://example.org/' },
  });
  const changes = { openGraph: { title: 'T' } };
  const updated = await client.smartlinks.update(data.id, changes, { ifMatch: etag });
  const what = (err) => (isSmartlinkError(err) ? err.code ?? err.kind : 'another error');
  const late = await client.smartlinks.update(data.id, changes, { ifMatch: etag }).catch(what);
  const names = [];
  for await (const each of client.smartlinks.listAll({ pageSize: 1, q: 'From a page' })) {
    names.push(each.configuration.smartlinkName);
  }
  const png = await client.qr.png(data.id);
  await client.smartlinks.remove(data.id);
  const here = createSmartlinkClient({ baseUrl: location.origin, apiKey, retries: 0 });
  const gone = await here.validate().catch(what);
  return [updated.data.openGraph.title, late, names.length, png.data.length > 100, gone].join();
}`;
