import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { mediaVariables, openMediaStore } from '@smartlink/media/store';
import { readConfig } from '@smartlink/process/config';
import type { Principal } from '../src/accounts/accounts.js';
import { addPicture } from '../src/media/media.js';
import { removePictures } from '../src/media/removals.js';
import { animatedPng, decompressionBomb } from './pictures.js';
import { smartlink } from './smartlink-bodies.js';
import { type RedirectProcess, startRedirect } from './start-process.js';
import {
  caller,
  createPerson,
  createSmartlink,
  PUBLIC_BASE_URL,
  signIn,
  type TestUser,
  useService,
} from './start-service.js';
import { count } from './stored-state.js';

const folder = mkdtempSync(join(tmpdir(), 'smartlink-media-'));
const ENV = { MEDIA_DIR: folder, PUBLIC_BASE_URL };
const store = openMediaStore(readConfig(z.object(mediaVariables), ENV));
const { service, user, api } = useService({ env: ENV });

let redirect: RedirectProcess;
beforeAll(async () => {
  redirect = await startRedirect(service.databases, ENV);
});
afterAll(async () => {
  await redirect.stop();
  rmSync(folder, { recursive: true });
});

const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#375' }, limitInputPixels: false });
const smallPng = () => noise(40, 30).png().toBuffer();

async function upload(
  payload: Buffer | string,
  type = 'image/png',
  { apiKey }: Pick<TestUser, 'apiKey'> = user,
) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type };
  const res = await service.app.inject({ method: 'POST', url: '/api/v1/media', headers, payload });
  return { status: res.statusCode, body: res.json() };
}

/** What a refused upload says. */
const refusal = ({ status, body: { error } }: Awaited<ReturnType<typeof upload>>) => [
  status,
  error.details?.[0].message ?? error.message,
];
const TOO_LARGE = Buffer.alloc(10 * 1024 * 1024 + 1);

type Media = {
  readonly id: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sizes: readonly { readonly width: number; readonly url: string }[];
};

async function stored(payload: Buffer, type?: string, by?: TestUser): Promise<Media> {
  const { status, body } = await upload(payload, type, by);
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data as Media;
}

/** As visitors get it. */
const visit = (url: string, headers = {}) =>
  fetch(`${redirect.url}${url.slice(PUBLIC_BASE_URL.length)}`, { headers });

const filesIn = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

test('a picture is served in its sizes, upright, without metadata, and pages offer them', async () => {
  const photo = noise(500, 400)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'nobody else' } })
    .withMetadata({ orientation: 6 });
  const media = await stored(await photo.toBuffer(), 'image/jpeg');
  const address = media.url.replace(/400\.jpg$/, '');
  expect(media).toEqual({
    id: media.id,
    url: expect.stringMatching(/^https:\/\/sl\.example\.com\/-\/media\/[0-9a-f]{32}-400\.jpg$/),
    width: 400,
    height: 500,
    bytes: filesIn().reduce((sum, file) => sum + statSync(file).size, 0),
    sizes: [96, 192, 384, 400].map((width) => ({ width, url: `${address}${width}.webp` })),
    createdAt: expect.any(String),
  });
  for (const { width, url } of media.sizes) {
    for (const [each, type, format] of [
      [url, 'image/webp', 'webp'],
      [url.replace('webp', 'jpg'), 'image/jpeg', 'jpeg'],
    ] as const) {
      const answer = await visit(each);
      expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
        200,
        expect.objectContaining({
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
        }),
      ]);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const found = await sharp(bytes).metadata();
      expect([found.width, found.height, found.format]).toEqual([width, Math.round(width * 1.25), format]);
      expect([found.exif, found.orientation, bytes.includes('nobody else')]).toEqual([
        undefined,
        undefined,
        false,
      ]);
    }
  }
  const { slug } = await createSmartlink(
    api,
    smartlink('Landing', { landing: { title: 'Docs', logoLink: media.url } }),
  );
  const page = await (await fetch(`${redirect.url}/${slug}`)).text();
  const srcset = media.sizes.slice(0, 3).map(({ width, url }) => `${url} ${width}w`);
  expect(page).toContain(`<img src="${media.url}" srcset="${srcset.join(', ')}" sizes="112px"`);
});

test('a picture with transparency has PNG for those who take no WebP', async () => {
  const { url, width } = await stored(await noise(20, 10, 4).png().toBuffer());
  expect([width, url.slice(-4)]).toEqual([20, '.png']);
  const { channels, format } = await sharp(Buffer.from(await (await visit(url)).arrayBuffer())).metadata();
  expect([format, channels]).toEqual(['png', 4]);
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';
const frames = () =>
  sharp(randomBytes(30 * 60 * 3), { raw: { width: 30, height: 60, channels: 3, pageHeight: 20 } as never });
const HOSTILE: Readonly<
  Record<
    string,
    [type: string, file: () => Promise<Buffer> | Buffer | string, status: number, message: string]
  >
> = {
  text: ['image/png', () => 'hello', 400, 'Must be a picture'],
  nothing: ['image/png', () => '', 400, 'Must be a picture'],
  'an SVG that is called a PNG': ['image/png', () => SVG, 400, 'Must be a picture'],
  'a TIFF that is called a JPEG': [
    'image/jpeg',
    () => noise(9, 9).tiff().toBuffer(),
    400,
    'Must be a picture',
  ],
  'half a JPEG': [
    'image/jpeg',
    async () => (await noise(200, 200).jpeg().toBuffer()).subarray(0, 9_000),
    400,
    'Must be a picture',
  ],
  'an animated GIF': [
    'image/gif',
    () =>
      frames()
        .gif({ delay: [90, 90, 90] })
        .toBuffer(),
    400,
    'Animated pictures are not kept',
  ],
  'an animated WebP': [
    'image/webp',
    () =>
      frames()
        .webp({ delay: [90, 90, 90] })
        .toBuffer(),
    400,
    'Animated pictures are not kept',
  ],
  'an animated PNG': ['image/png', animatedPng, 400, 'Animated pictures are not kept'],
  'a strip': [
    'image/png',
    () => plain(10, 201).png().toBuffer(),
    400,
    'Must be at most 20 times as high as wide',
  ],
  'a bomb of 900 megapixels': ['image/png', decompressionBomb, 413, 'A picture has at most 40 megapixels'],
  'more than 10 MiB': ['image/png', () => TOO_LARGE, 413, 'The file is larger than 10 MiB'],
};

test.each(Object.entries(HOSTILE))(
  '%s is refused, and nothing is stored',
  async (_name, [type, file, status, message]) => {
    const [rows, files] = [await count(service.app, 'media'), filesIn().length];
    expect(refusal(await upload(await file(), type))).toEqual([status, message]);
    expect([await count(service.app, 'media'), filesIn().length]).toEqual([rows, files]);
  },
);

test.each(['image/svg+xml', 'text/html', 'application/json', ''])('the type %j is 415', async (type) => {
  const { status, body } = await upload(SVG, type);
  expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('what follows a picture in its file is not kept', async () => {
  const jpeg = Buffer.concat([
    await noise(50, 40).jpeg().toBuffer(),
    Buffer.from('<script>alert(1)</script>'),
  ]);
  const { url } = await stored(jpeg, 'image/jpeg');
  expect(await (await visit(url)).text()).not.toContain('<script>');
});

test('a form is taken with its picture as `file`, and refused without one', async () => {
  const png = await smallPng();
  const form = (name: string, bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="note"\r\n\r\nhello\r\n`),
      Buffer.from(
        `--x\r\ncontent-disposition: form-data; name="${name}"; filename="../a.png"\r\ncontent-type: image/png\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n--x--\r\n'),
    ]);
  const type = 'multipart/form-data; boundary=x';
  const { width } = await stored(form('file', png), type);
  expect(width).toBe(40);
  const refusalOf = async (...given: [Buffer, string]) => refusal(await upload(...given));
  expect(await refusalOf(form('picture', png), type)).toEqual([400, 'Required']);
  for (const name of ['file', 'picture']) {
    expect(await refusalOf(form(name, png).subarray(0, 200), type)).toEqual([400, 'Must be a complete form']);
  }
  const unnamed = Buffer.from(`--x\r\nh: v\r\n\r\n${'x'.repeat(90_000)}\r\n--x--`);
  expect(await refusalOf(unnamed, type)).toEqual([400, 'Must be a complete form']);
  expect(await refusalOf(form('file', png), 'multipart/form-data')).toEqual([
    400,
    'Must be a form with a boundary',
  ]);
  expect(await refusalOf(form('file', TOO_LARGE), type)).toEqual([413, 'The file is larger than 10 MiB']);
});

test('the same bytes twice are one picture of an account, and another one elsewhere', async () => {
  const png = await smallPng();
  const first = await stored(png);
  expect(await stored(png)).toEqual(first);
  const other = await service.createUser();
  const theirs = await stored(png, 'image/png', other);
  expect(theirs.url).not.toBe(first.url);
  const theirApi = caller(service.app, other.apiKey);
  expect((await theirApi.get('/media')).body.data).toEqual([theirs]);
  const refused = await theirApi.delete('/media', { mediaId: first.id });
  expect([refused.status, refused.body.error]).toEqual([
    404,
    { code: 'NOT_FOUND', message: 'Media not found' },
  ]);
  expect((await api.get('/media?limit=1')).body.data).toEqual([first]);
});

test('the plan limits the bytes of an account', async () => {
  const { rows } = await service.app.pg.query(
    'select name, media_bytes_max::float8 as max from plans order by max nulls last',
  );
  expect(rows).toEqual([
    { name: 'Starter', max: 50_000_000 },
    { name: 'Professional', max: 500_000_000 },
    { name: 'Enterprise', max: null },
  ]);
  const png = await smallPng();
  const { bytes } = await stored(png);
  await service.app.pg.query("update plans set media_bytes_max = $1 where name = 'Starter'", [bytes + 10]);
  const small = await service.createUser('Starter');
  await stored(png, 'image/png', small);
  const refused = await upload(await smallPng(), 'image/png', small);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'SUBSCRIPTION_LIMIT_REACHED']);
  const person = await createPerson(service.app, { roles: { [small.userId]: 'Owner' } });
  const account = await (await signIn(service.app, person, small.userId)).api.get('/account');
  expect(account.body.data.usage.mediaBytes).toBe(bytes);
  expect(account.body.data.plan.mediaBytes).toBe(bytes + 10);
});

test('uploads at the same time do not exceed the plan together', async () => {
  const { userId } = await service.createUser();
  const principal = { userId, actor: 'key x', plan: { mediaBytesMax: 250 } } as Principal;
  const picture = {
    width: 1,
    height: 1,
    files: [{ width: 1, extension: 'webp', data: Buffer.alloc(100) }],
  } as const;
  const added = await Promise.allSettled(
    Array.from({ length: 8 }, () => addPicture(service.app.pg, principal, picture, randomBytes(32))),
  );
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await count(service.app, 'media where user_id = $1', [userId])).toBe(2);
});

test('a picture in use cannot be deleted; a deleted one loses its files', async () => {
  const media = await stored(await smallPng());
  const { id } = await createSmartlink(
    api,
    smartlink('TxtBin', { txtBin: { text: 'a' }, openGraph: { imageUrl: media.url } }),
  );
  const kept = await api.delete('/media', { mediaId: media.id });
  expect([kept.status, kept.body.error.code]).toEqual([409, 'MEDIA_IN_USE']);
  await api.delete('/smartlink', { smartlinkId: id });
  expect((await api.delete('/media', { mediaId: media.id })).status).toBe(200);
  expect((await api.delete('/media', { mediaId: media.id })).status).toBe(404);
  await removePictures({ pg: service.app.pg, store });
  expect((await visit(media.url)).status).toBe(404);
  expect(
    await count(
      service.app,
      "audit_entries where action in ('media.create', 'media.delete') and details ->> 'mediaId' = $1",
      [media.id],
    ),
  ).toBe(2);
});

test('pictures that no smartlink has had for 30 days are removed, and those of deleted accounts', async () => {
  const owner = await service.createUser();
  const ownersApi = caller(service.app, owner.apiKey);
  const [used, unused, recent] = [await smallPng(), await smallPng(), await smallPng()];
  const [shown, forgotten, fresh] = [
    await stored(used, 'image/png', owner),
    await stored(unused, 'image/png', owner),
    await stored(recent, 'image/png', owner),
  ];
  await createSmartlink(ownersApi, smartlink('Landing', { landing: { title: 'a', logoLink: shown.url } }));
  const age = (ids: readonly string[], days: number) =>
    service.app.pg.query(
      `update media set use_checked_at = now() - interval '2 days', unused_since = now() - $2 * interval '1 day'
       where id = any($1)`,
      [ids, days],
    );
  await age([shown.id, forgotten.id], 31);
  await age([fresh.id], 29);
  await removePictures({ pg: service.app.pg, store });
  const left = (await ownersApi.get('/media')).body.data as Media[];
  expect(left.map(({ id }) => id)).toEqual([fresh.id, shown.id]);
  expect([(await visit(forgotten.url)).status, (await visit(shown.url)).status]).toEqual([404, 200]);

  const files = filesIn().length;
  await service.app.pg.query('delete from smartlinks where user_id = $1', [owner.userId]);
  await service.app.pg.query('delete from users where id = $1', [owner.userId]);
  await removePictures({ pg: service.app.pg, store });
  expect(filesIn().length).toBe(files - 2 * (shown.sizes.length + fresh.sizes.length));
});

test('an upload that ended without all of its files is removed after an hour', async () => {
  const media = await stored(await smallPng());
  await service.app.pg.query(
    "update media set stored_at = null, created_at = now() - interval '61 minutes' where id = $1",
    [media.id],
  );
  expect((await api.delete('/media', { mediaId: media.id })).status).toBe(404);
  await removePictures({ pg: service.app.pg, store });
  expect((await visit(media.url)).status).toBe(404);
});

test.each([
  '',
  'x.png',
  `${'0'.repeat(32)}-96.webp`,
  `${'0'.repeat(32)}-96.svg`,
  '..%2f..%2fetc%2fpasswd',
  '../../../etc/passwd',
])('the address %j is an unknown picture', async (name) => {
  const answer = await fetch(`${redirect.url}/-/media/${name}`);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
});
