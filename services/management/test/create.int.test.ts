import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, startService, urlSmartlink } from './start-service.js';
import type { TestService } from './start-service.js';

let service: TestService;
let api: ReturnType<typeof caller>;
let userId: string;

beforeAll(async () => {
  service = await startService();
  const user = await service.createUser();
  ({ userId } = user);
  api = caller(service.app, user.apiKey);
});
afterAll(() => service.close());

describe('a valid create', () => {
  test('answers 201 with the whole Smartlink, Location and ETag', async () => {
    const res = await api.post(
      '/smartlink',
      urlSmartlink({ smartlinkUrl: 'FirstOne' }, {}, { openGraph: { title: 'T', imageUrl: null } }),
    );
    expect(res.text).toContain('"success":true');
    expect(res.headers.location).toBe('https://sl.example.com/FirstOne');
    expect(res.headers.etag).toMatch(/^"\d+"$/);
    expect(res.body).toEqual({
      success: true,
      message: 'Smartlink created',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        status: 'Active',
        type: 'Url',
        userId,
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
    const res = await api.post('/smartlink', urlSmartlink());
    expect(res.body.data.configuration.smartlinkUrl).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{6}$/);
  });
});
