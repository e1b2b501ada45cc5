import { describe, expect, test } from 'vitest';
import { caller, urlSmartlink, useService } from './start-service.js';

const { service, user, api } = useService();

describe('a valid create', () => {
  test('answers 201 with the whole Smartlink, Location and ETag', async () => {
    const res = await api.post(
      '/smartlink',
      urlSmartlink({ smartlinkUrl: 'FirstOne' }, {}, { openGraph: { title: 'T', imageUrl: null } }),
    );
    expect(res.status).toBe(201);
    expect(res.headers.location).toBe('https://sl.example.com/FirstOne');
    expect(res.headers.etag).toMatch(/^"\d+"$/);
    expect(res.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(res.body).toEqual({
      success: true,
      message: 'Smartlink created',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        status: 'Active',
        type: 'Url',
        userId: user.userId,
        relink: 'https://sl.example.com/FirstOne',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        updatedAt: res.body.data.createdAt,
        configuration: { smartlinkName: 'Docs', smartlinkUrl: 'FirstOne', smartlinkType: 'Url' },
        analytics: { totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 },
        shortener: { url: 'https://example.org/', protected: false },
        openGraph: { title: 'T' },
      },
      timestamp: expect.any(String) as string,
    });
  });

  test('gives six characters that are easy to read when none are asked for', async () => {
    const slugs = new Set<string>();
    for (const configuration of [{}, { smartlinkUrl: null }, {}]) {
      const res = await api.post('/smartlink', urlSmartlink(configuration));
      expect(res.body.data.configuration.smartlinkUrl).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{6}$/);
      slugs.add(res.body.data.configuration.smartlinkUrl as string);
    }
    expect(slugs.size).toBe(3);
  });
});

describe('with an Idempotency-Key', () => {
  const create = (key: string, body: unknown, who = api) =>
    who.post('/smartlink', body, { 'idempotency-key': key });
  const countSmartlinks = async () => ((await api.get('/smartlink')).body.data as unknown[]).length;

  test('a repeated create is answered as the first, byte for byte, and makes nothing', async () => {
    const first = await create('same', urlSmartlink());
    const before = await countSmartlinks();
    const again = await create('same', { ...urlSmartlink(), unknown: 'ignored' });
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await countSmartlinks()).toBe(before);
  });

  test('the same key with another body is 409', async () => {
    await create('reused', urlSmartlink());
    const res = await create('reused', urlSmartlink({ smartlinkName: 'Other' }));
    expect(res.status).toBe(409);
    expect(res.body.error).toEqual({
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This Idempotency-Key was used with another request',
    });
  });

  test('a password is part of the request, and the kept fingerprint is a hash of its own salt', async () => {
    const body = (password: string) => urlSmartlink({}, { protected: true, password });
    const first = await create('secret', body('correct horse'));
    expect((await create('secret', body('correct horse'))).text).toBe(first.text);
    expect((await create('secret', body('battery staple'))).status).toBe(409);
    expect((await create('secret', urlSmartlink())).status).toBe(409);
    const kept = await service.app.pg.query(
      `select fingerprint, idempotency_keys::text as row from idempotency_keys where key = 'secret'`,
    );
    expect(kept.rows).toEqual([
      {
        fingerprint: expect.stringMatching(/^\$argon2id\$/) as string,
        row: expect.not.stringMatching(/correct horse|battery staple/) as string,
      },
    ]);
  });

  test('a refusal for a taken slug is replayed, a refused body is not kept', async () => {
    await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'mine' }));
    const taken = await create('taken', urlSmartlink({ smartlinkUrl: 'mine' }));
    expect(taken.status).toBe(409);
    expect((await create('taken', urlSmartlink({ smartlinkUrl: 'mine' }))).text).toBe(taken.text);
    expect((await create('mended', urlSmartlink({ smartlinkName: '' }))).status).toBe(400);
    expect((await create('mended', urlSmartlink())).status).toBe(201);
  });

  test('a limit that was reached is replayed, and not asked again', async () => {
    const starter = caller(service.app, (await service.createUser('Starter')).apiKey);
    for (const key of ['one', 'two', 'three'])
      expect((await create(key, urlSmartlink(), starter)).status).toBe(201);
    const refused = await create('four', urlSmartlink(), starter);
    expect(refused.body.error.code).toBe('SUBSCRIPTION_LIMIT_REACHED');
    expect((await create('four', urlSmartlink(), starter)).text).toBe(refused.text);
    // At the limit the first answers still stand.
    expect((await create('one', urlSmartlink(), starter)).status).toBe(201);
  });

  test('a key belongs to its user', async () => {
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    const mine = await create('shared', urlSmartlink());
    const theirs = await create('shared', urlSmartlink({ smartlinkName: 'Theirs' }), stranger);
    expect(theirs.status).toBe(201);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });

  test('after 24 hours a key is new', async () => {
    const first = await create('old', urlSmartlink());
    await service.app.pg.query(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = 'old'`,
    );
    const next = await create('old', urlSmartlink({ smartlinkName: 'Next day' }));
    expect(next.status).toBe(201);
    expect(next.body.data.id).not.toBe(first.body.data.id);
    expect((await create('old', urlSmartlink({ smartlinkName: 'Next day' }))).text).toBe(next.text);
  });

  test.each(['', 'a b', 'k'.repeat(256), 'ä'])('the key %j is a fault', async (key) => {
    const res = await create(key, urlSmartlink());
    expect(res.status).toBe(400);
    expect(res.body.error.details).toEqual([
      { path: 'Idempotency-Key', message: 'Must be given once, as 1 to 255 visible ASCII characters' },
    ]);
  });

  test('an API key is no Idempotency-Key, mistyped or not: it would be kept in clear', async () => {
    for (const key of [user.apiKey, user.apiKey.slice(0, -1)]) {
      const res = await create(key, urlSmartlink());
      expect([res.status, res.body.error.details]).toEqual([
        400,
        [{ path: 'Idempotency-Key', message: 'Must not be an API key' }],
      ]);
    }
  });
});
