import { beforeAll, describe, expect, test } from 'vitest';
import { type Drawing, drawPng, drawSvg, encodeSymbol, parseColor } from '@smartlink/pages/qr-code';
import { createSmartlink, urlSmartlink, useService } from './start-service.js';

// draw-svg.test.ts and draw-png.test.ts show that scanners can read what is drawn.

const SLUG = 'Menu2026';
const LOGO = 'https://cdn.example.org/logo.png?a=1&b=2';
const LOGO_IMAGE = '<image href="https://cdn.example.org/logo.png?a=1&amp;b=2"';

let id: string;

const { service, user, api } = useService();
beforeAll(async () => {
  id = await create(urlSmartlink({ smartlinkUrl: SLUG }));
});

const create = async (body: object) => (await createSmartlink(api, body)).id;

async function draw(query: string) {
  const res = await service.app.inject({
    url: `/api/v1/smartlink/qr?${query}`,
    headers: { authorization: `Bearer ${user.apiKey}` },
  });
  return { status: res.statusCode, headers: res.headers, text: res.body, bytes: res.rawPayload };
}

/** The drawing of an address as it is by default. */
const drawingOf = (address: string, more: Partial<Drawing> = {}): Drawing => ({
  ...{ symbol: encodeSymbol(address, 'M'), sizePx: 512, marginModules: 4 },
  ...{ color: parseColor('#000')!, background: parseColor('#fff')! },
  ...more,
});
const svgOf = (slug: string, logoUrl: string | null = null, more: Partial<Drawing> = {}) =>
  drawSvg(drawingOf(`HTTPS://SL.EXAMPLE.COM/Q/${slug.toUpperCase()}`, more), {
    title: `QR code of https://sl.example.com/${slug}`,
    logoUrl,
  });

async function faultsOf(query: string): Promise<{ path: string; message: string }[]> {
  const res = await api.get(`/smartlink/qr?${query}`);
  expect(res.status).toBe(400);
  expect(res.body.error).toMatchObject({ code: 'VALIDATION_FAILED', message: 'Request validation failed' });
  return res.body.error.details as { path: string; message: string }[];
}
const pathsOf = async (query: string) => (await faultsOf(query)).map(({ path }) => path);

describe('the image', () => {
  test('is an SVG of 512 pixels unless asked otherwise, in black on white, that leads to /q/ and the slug', async () => {
    const res = await draw(`id=${id}`);
    expect(res.status).toBe(200);
    expect(res.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-disposition': 'inline; filename="Menu2026.svg"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(res.text).toContain('width="512" height="512" viewBox="0 0 33 33"');
    expect(res.text).toBe(svgOf(SLUG));
  });

  test('is a PNG of exactly the size asked for', async () => {
    const res = await draw(`id=${id}&format=png&size=300`);
    expect(res.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="Menu2026.png"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const address = 'HTTPS://SL.EXAMPLE.COM/Q/MENU2026';
    expect(res.bytes).toEqual(drawPng(drawingOf(address, { sizePx: 300 })));
    expect((await draw(`id=${id}&format=png&size=64`)).status).toBe(200);
    expect((await draw(`id=${id}&format=png&size=2048`)).status).toBe(200);
  });

  test('follows margin, ecc and the colours', async () => {
    expect((await draw(`id=${id}&margin=0`)).text).toContain('viewBox="0 0 25 25"');
    expect((await draw(`id=${id}&margin=16`)).text).toContain('viewBox="0 0 57 57"');
    const widths = [];
    for (const ecc of ['L', 'M', 'Q', 'H']) {
      const { text } = await draw(`id=${id}&margin=0&ecc=${ecc}`);
      widths.push(/viewBox="0 0 (\d+)/.exec(text)![1]);
    }
    expect(widths).toEqual(['25', '25', '29', '29']);
    const { text } = await draw(`id=${id}&color=%23123&background=%23fedCBA80`);
    expect(text).toContain('fill="#fedcba" fill-opacity="0.502"/><path fill="#112233" ');
  });

  test('is there for a link that is paused or deleted, as a fetch is, and counts nothing', async () => {
    const ownId = await create(urlSmartlink({ smartlinkUrl: 'Gone1' }));
    await api.post('/smartlink/status', { id: ownId, status: 'Paused' });
    expect((await draw(`id=${ownId}`)).text).toBe(svgOf('Gone1'));
    await api.delete('/smartlink', { smartlinkId: ownId });
    expect((await draw(`id=${ownId}`)).text).toBe(svgOf('Gone1'));
    const { body } = await api.get(`/smartlink?id=${ownId}`);
    expect(body.data.analytics).toEqual({ totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 });
  });
});

describe('a bad parameter is a fault at its name:', () => {
  test.each([
    ['format', ['', 'SVG', 'gif', 'png&format=png']],
    ['size', ['', '63', '2049', '1e3', '0x40', '%2064', '64%20', '+64', '-64', '064', '64.0', 'x']],
    ['size', ['%D9%A6%D9%A4', '512&size=512', '512&size[]=512']],
    ['margin', ['', '-1', '17', '1.5', '04', '00', '1e1', '4&margin=4']],
    ['ecc', ['', 'm', 'X', 'M&ecc=M']],
    ['color', ['', '000', 'black', '%23', '%2300000', '%23ggg', 'rgb(0,0,0)', '%23000&color=%23000']],
    ['background', ['', 'transparent', 'fff', '%23fffff', '%23fff&background=%23fff']],
    ['logo', ['', '1', 'TRUE', 'https://x.example/logo.png', 'true&logo=true']],
  ])('%s', async (name, values) => {
    for (const value of values) {
      expect(await pathsOf(`id=${id}&${name}=${value}`)).toEqual([name]);
    }
  });

  test('a missing, empty or repeated id', async () => {
    for (const query of ['', 'id=', `id=${id}&id=${id}`, 'id[]=x'])
      expect(await pathsOf(query)).toEqual(['id']);
  });

  test('colours with too little contrast, or light modules on dark', async () => {
    const pairs = ['color=%23959595', 'color=%23fff', 'background=%23000', 'color=%23fff&background=%23000'];
    for (const colors of pairs) expect(await pathsOf(`id=${id}&${colors}`)).toEqual(['color']);
    expect((await draw(`id=${id}&color=%23949494`)).status).toBe(200);
  });

  test('all of them at once', async () => {
    const faults = await pathsOf('format=x&size=1&margin=x&ecc=x&color=x&background=x&logo=x');
    expect(faults.sort()).toEqual(['background', 'color', 'ecc', 'format', 'id', 'logo', 'margin', 'size']);
    const rules = await pathsOf(`id=${id}&size=x&color=%23fff&ecc=M&logo=true&format=png`);
    expect(rules.sort()).toEqual(['color', 'ecc', 'logo', 'size']);
  });

  test('a PNG with fewer pixels than the code has modules', async () => {
    const longId = await create(urlSmartlink({ smartlinkUrl: 'x'.repeat(64) }));
    const query = (size: number) => `id=${longId}&size=${size}&margin=16&ecc=H`;
    const [fault, ...others] = await faultsOf(`${query(64)}&format=png`);
    expect(others).toEqual([]);
    expect(fault?.path).toBe('size');
    const least = Number(/^Must be at least (\d+):/.exec(fault!.message)![1]);
    expect((await draw(`${query(least)}&format=png`)).status).toBe(200);
    expect((await draw(`${query(least - 1)}&format=png`)).status).toBe(400);
    expect((await draw(query(64))).status).toBe(200);
  });
});

describe('the logo', () => {
  // With slugs of 15 characters levels Q and H differ in width.
  const bodyOf = (smartlinkType: string, objects: object, slug = smartlinkType.padEnd(15, 'x')) => ({
    configuration: { smartlinkName: 'Logo', smartlinkType, smartlinkUrl: slug },
    ...objects,
  });

  test.each([
    ['Landing', { landing: { logoLink: LOGO } }],
    ['QRTag', { qrTag: { logoLink: LOGO } }],
    ['DigiCard', { digiCard: { fullName: 'Ada', logoLink: LOGO } }],
    ['QrMenu', { qrMenu: { title: 'Menu', currency: 'EUR', logoLink: LOGO } }],
  ])(
    'of a %s is the one of its own logoLink, at level H unless level Q is asked for',
    async (type, objects) => {
      const slug = type.padEnd(15, 'x');
      const ownId = await create(bodyOf(type, objects));
      const res = await draw(`id=${ownId}&logo=true`);
      const address = `HTTPS://SL.EXAMPLE.COM/Q/${slug.toUpperCase()}`;
      expect(res.text).toBe(svgOf(slug, LOGO, { symbol: encodeSymbol(address, 'H') }));
      expect(res.text).toContain(LOGO_IMAGE);
      expect(res.headers['content-security-policy']).toBe(
        "default-src 'none'; frame-ancestors 'none'; img-src http: https:",
      );
      const { text } = await draw(`id=${ownId}&logo=true&ecc=Q`);
      expect(text).toBe(svgOf(slug, LOGO, { symbol: encodeSymbol(address, 'Q') }));
      expect((await draw(`id=${ownId}`)).text).not.toContain('<image');
    },
  );

  test('is a fault where the smartlink has none, or had it as another type', async () => {
    const landingId = await create(bodyOf('Landing', { landing: { title: 'x' } }, 'plain'));
    const formerId = await create(bodyOf('Landing', { landing: { logoLink: LOGO } }, 'former'));
    const change = {
      id: formerId,
      configuration: { smartlinkType: 'Url' },
      shortener: { url: 'https://example.org/' },
    };
    expect((await api.patch('/smartlink', change)).status).toBe(200);
    for (const ownId of [id, landingId, formerId]) {
      expect(await pathsOf(`id=${ownId}&logo=true`)).toEqual(['logo']);
    }
  });

  test('is a fault in a PNG, and with a level that cannot repair what it hides', async () => {
    expect(await faultsOf(`id=${id}&logo=true&format=png`)).toEqual([
      { path: 'logo', message: 'A PNG cannot hold the logo, which is never fetched: use format=svg' },
    ]);
    for (const ecc of ['L', 'M']) expect(await pathsOf(`id=${id}&logo=true&ecc=${ecc}`)).toEqual(['ecc']);
  });
});
