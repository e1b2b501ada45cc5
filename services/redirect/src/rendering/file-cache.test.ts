import { expect, test } from 'vitest';
import type { Site } from '@smartlink/pages/site';
import { negotiate } from '../http/reply.js';
import { createHosts, type ServedHost } from '../http/served-host.js';
import { prepareLink } from '../links/served-link.js';
import { createLinkFiles, FAILURE_LIFE_MS, type LinkFilesOptions } from './file-cache.js';
import {
  IPAD_OR_MAC_PAGE,
  type LinkFile,
  nameOf,
  OWN_PAGE,
  qrFile,
  RAW_TEXT,
  SHARE_PAGE,
  VCARD,
} from './file-kinds.js';
import { renderFile } from './render-job.js';

const SITE: Site = {
  publicBaseUrl: 'https://sl.example.com',
  abuseContactUrl: null,
  scriptPath: '/-/assets/p.js',
  shareImagePath: (kind) => `/-/assets/og-${kind}.png`,
};

const OWN = createHosts({
  PUBLIC_BASE_URL: 'https://sl.example.com',
  REDIRECT_PORT: 80,
  STRICT_HOSTS: false,
}).own;

const linkWith = (more: object = {}) =>
  prepareLink(
    {
      ...{ version: 1, smartlinkId: 'smartlink', ownerId: 'owner', slug: 'page', status: 'Active' },
      ...{ type: 'TxtBin', page: { txtBin: { text: 'one' } } },
      ...more,
    } as Parameters<typeof prepareLink>[0],
    { status: 302, forwardsQuery: true },
    '',
  );

function createTrial(render?: LinkFilesOptions['render']) {
  const clock = { time: 0 };
  const asked: string[] = [];
  const files = createLinkFiles({
    render: (request) => {
      asked.push(`${nameOf(request.file)} ${request.language} ${request.source.length > 0}`);
      return render?.(request) ?? Promise.resolve(renderFile(request, SITE));
    },
    defaultLanguage: 'en',
    bytesMax: 1e6,
    now: () => clock.time,
  });
  return { files, asked, clock };
}

test('a file is made once a version and a language, also for all who ask while it is made', async () => {
  const { files, asked } = createTrial();
  const link = linkWith();
  const first = files.find(link, OWN_PAGE, 'az', OWN);
  expect(files.find(link, OWN_PAGE, 'az', OWN)).toBe(first);
  const page = await first;
  expect(files.find(link, OWN_PAGE, 'az', OWN)).toBe(page);
  expect(await files.find(link, OWN_PAGE, 'ru', OWN)).not.toBe(page);
  expect(await files.find(linkWith({ version: 2 }), OWN_PAGE, 'az', OWN)).not.toBe(page);
  expect(asked).toEqual(['own az true', 'own ru true', 'own az true']);
  expect(files.counters).toMatchObject({ hits: 1, renders: 3, failures: 0 });
});

test('under each host a link has files of its own, with the pictures of the instance', async () => {
  const { files } = createTrial();
  const picture = `https://sl.example.com/-/media/${'a'.repeat(32)}-192.webp`;
  const card = linkWith({
    ...{ type: 'DigiCard', page: { digiCard: { title: 'Leyla', logoLink: picture }, digiCardButtons: [] } },
  });
  const domain = { ...OWN, number: 5, name: 'links.example', baseUrl: 'https://links.example' };
  const textOf = async (host: ServedHost) => {
    const answer = await files.find(card, OWN_PAGE, 'en', host);
    if (answer === null || answer === 'busy') throw new Error('There is no page');
    return (await negotiate(answer, { acceptEncoding: '', ifNoneMatch: '' })).body.toString();
  };
  for (const [host, other] of [
    [OWN, domain],
    [domain, OWN],
    [OWN, domain],
  ] as const) {
    const text = await textOf(host);
    expect(text).toContain(`"${host.baseUrl}/page"`);
    expect(text).not.toContain(`${other.baseUrl}/page`);
    expect(text).toContain(`srcset="https://sl.example.com/-/media/`);
  }
});

test('files without translated text are rendered once for all languages, a QR code without its source', async () => {
  const { files, asked } = createTrial();
  for (const file of [RAW_TEXT, qrFile('svg', '')!, qrFile('png', 'size=256')!]) {
    const [russian, turkish] = [
      files.find(linkWith(), file, 'ru', OWN),
      files.find(linkWith(), file, 'tr', OWN),
    ];
    expect(await russian).toBe(await turkish);
  }
  expect(asked).toEqual(['raw en true', 'qr svg M 512 en false', 'qr png M 256 en false']);
});

test('of a paused link there is its QR code and nothing else, and what a type has not is null', async () => {
  const { files } = createTrial();
  const paused = linkWith({ status: 'Paused' });
  for (const file of [OWN_PAGE, RAW_TEXT]) expect(files.find(paused, file, 'en', OWN)).toBe(null);
  expect(await files.find(paused, qrFile('svg', '')!, 'en', OWN)).not.toBe(null);
  const others: readonly LinkFile[] = [VCARD, IPAD_OR_MAC_PAGE, SHARE_PAGE];
  for (const file of others) expect(await files.find(linkWith(), file, 'en', OWN)).toBe(null);
});

test('a file that cannot be made is not tried again at once, but later', async () => {
  let tries = 0;
  const { files, clock } = createTrial(() => {
    tries += 1;
    return Promise.reject(new Error('broken'));
  });
  const link = linkWith();
  await expect(files.find(link, OWN_PAGE, 'en', OWN)).rejects.toThrow('broken');
  expect(() => files.find(link, OWN_PAGE, 'en', OWN)).toThrow('broken');
  expect(tries).toBe(1);
  clock.time = FAILURE_LIFE_MS;
  await expect(files.find(link, OWN_PAGE, 'en', OWN)).rejects.toThrow('broken');
  expect([tries, files.counters.failures]).toEqual([2, 2]);
});

test('a file that could not be made for want of time is tried again at the next visit', async () => {
  let tries = 0;
  const { files } = createTrial((request) => {
    tries += 1;
    return Promise.resolve(tries === 1 ? 'busy' : renderFile(request, SITE));
  });
  expect(await files.find(linkWith(), OWN_PAGE, 'en', OWN)).toBe('busy');
  expect(await files.find(linkWith(), OWN_PAGE, 'en', OWN)).not.toBe('busy');
  expect(files.counters).toMatchObject({ renders: 2, busy: 1, failures: 0 });
});

test('no version is kept for longer than an hour, since a restored database may give it again', async () => {
  const { files, clock } = createTrial();
  const page = await files.find(linkWith(), OWN_PAGE, 'en', OWN);
  clock.time = 3_600_000;
  const again = files.find(linkWith({ page: { txtBin: { text: 'two' } } }), OWN_PAGE, 'en', OWN);
  expect(again).toBeInstanceOf(Promise);
  expect(await again).not.toBe(page);
});

test('the ledger counts the memory that is held, and every buffer fills its own', async () => {
  const { files } = createTrial();
  const answer = await files.find(linkWith(), OWN_PAGE, 'en', OWN);
  if (answer === null || answer === 'busy') throw new Error('There is no page');
  let held = 0;
  for (const acceptEncoding of ['br', 'gzip']) {
    const { body } = await negotiate(answer, { acceptEncoding, ifNoneMatch: '' });
    expect(body.buffer.byteLength).toBe(body.byteLength);
    held += body.byteLength;
  }
  expect(files.gauges().bytes).toBe(held + 4_000);
});
