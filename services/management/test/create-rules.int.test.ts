import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MALFORMED_SLUGS } from './smartlink-bodies.js';
import { PUBLIC_BASE_URL, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

const LATIN = 'Smartlink URL can only contain latin characters and numbers';
const OBJECT = 'Must be an object';
const REQUIRED = 'Required';
const BAD_URL = 'Invalid URL format';

describe('what a create refuses', () => {
  const configuration = { smartlinkName: 'Docs', smartlinkType: 'Url' };
  const shortener = { url: 'https://example.org/' };
  const cases: [string, unknown, [string, string][]][] = [
    ['null', null, [['', OBJECT]]],
    ['an array', [], [['', OBJECT]]],
    ['a string', '"x"', [['', OBJECT]]],
    ['a number', '1', [['', OBJECT]]],
    ['no configuration', { shortener }, [['configuration', REQUIRED]]],
    ['configuration null', { configuration: null, shortener }, [['configuration', OBJECT]]],
    ['configuration as array', { configuration: [], shortener }, [['configuration', OBJECT]]],
    ['no shortener', { configuration }, [['shortener', REQUIRED]]],
    ['shortener null', { configuration, shortener: null }, [['shortener', OBJECT]]],
    ['shortener of a wrong type', { configuration, shortener: 'x' }, [['shortener', OBJECT]]],
    ["another type's object", { configuration, landing: {} }, [['shortener', REQUIRED]]],
    ['no url', { configuration, shortener: {} }, [['shortener.url', REQUIRED]]],
    ['url null', { configuration, shortener: { url: null } }, [['shortener.url', 'Must be a string']]],
    ['url a number', urlSmartlink({}, { url: 1 }), [['shortener.url', 'Must be a string']]],
    [
      'no name',
      { configuration: { smartlinkType: 'Url' }, shortener },
      [['configuration.smartlinkName', REQUIRED]],
    ],
    [
      'an empty name',
      urlSmartlink({ smartlinkName: '' }),
      [['configuration.smartlinkName', 'Must not be empty']],
    ],
    [
      'a name of spaces',
      urlSmartlink({ smartlinkName: ' \u00a0\u3000' }),
      [['configuration.smartlinkName', 'Must not be empty']],
    ],
    [
      'a name of zero widths',
      urlSmartlink({ smartlinkName: '\u200b\u202e\ufeff' }),
      [['configuration.smartlinkName', 'Must not be empty']],
    ],
    [
      'a name of 65',
      urlSmartlink({ smartlinkName: 'n'.repeat(65) }),
      [['configuration.smartlinkName', 'Must be at most 64 characters']],
    ],
    [
      'a name with a newline',
      urlSmartlink({ smartlinkName: 'a\nb' }),
      [['configuration.smartlinkName', 'Must not contain line breaks or control characters']],
    ],
    [
      'a name with NUL',
      urlSmartlink({ smartlinkName: 'a\0b' }),
      [['configuration.smartlinkName', 'Must not contain line breaks or control characters']],
    ],
    [
      'a numeric name',
      urlSmartlink({ smartlinkName: 1 }),
      [['configuration.smartlinkName', 'Must be a string']],
    ],
    [
      'no type',
      { configuration: { smartlinkName: 'n' }, shortener },
      [['configuration.smartlinkType', 'Must be one of App, Url, Landing, QRTag, DigiCard, TxtBin, QrMenu']],
    ],
    [
      'a type in lower case',
      urlSmartlink({ smartlinkType: 'url' }),
      [['configuration.smartlinkType', 'Must be one of App, Url, Landing, QRTag, DigiCard, TxtBin, QrMenu']],
    ],
    [
      'type constructor',
      urlSmartlink({ smartlinkType: 'constructor' }),
      [['configuration.smartlinkType', 'Must be one of App, Url, Landing, QRTag, DigiCard, TxtBin, QrMenu']],
    ],
    ['an empty slug', urlSmartlink({ smartlinkUrl: '' }), [['configuration.smartlinkUrl', LATIN]]],
    [
      'a slug of 65',
      urlSmartlink({ smartlinkUrl: 'a'.repeat(65) }),
      [['configuration.smartlinkUrl', 'Must be at most 64 characters']],
    ],
    [
      'a numeric slug',
      urlSmartlink({ smartlinkUrl: 5 }),
      [['configuration.smartlinkUrl', 'Must be a string']],
    ],
    ...MALFORMED_SLUGS.map((slug): [string, unknown, [string, string][]] => [
      `slug ${JSON.stringify(slug)}`,
      urlSmartlink({ smartlinkUrl: slug }),
      [['configuration.smartlinkUrl', LATIN]],
    ]),
    ...['dashboard', 'Dashboard', 'WELCOME', 'pp', 'Tos'].map(
      (slug): [string, unknown, [string, string][]] => [
        `reserved ${slug}`,
        urlSmartlink({ smartlinkUrl: slug }),
        [['configuration.smartlinkUrl', 'This smartlink URL is reserved']],
      ],
    ),
    [
      'a bad image',
      urlSmartlink({}, {}, { openGraph: { imageUrl: 'no' } }),
      [['openGraph.imageUrl', BAD_URL]],
    ],
    ['openGraph of a wrong type', urlSmartlink({}, {}, { openGraph: 'x' }), [['openGraph', OBJECT]]],
    [
      'an openGraph title of 129',
      urlSmartlink({}, {}, { openGraph: { title: 't'.repeat(129) } }),
      [['openGraph.title', 'Must be at most 128 characters']],
    ],
    [
      'a description of 257',
      urlSmartlink({}, {}, { openGraph: { description: 't'.repeat(257) } }),
      [['openGraph.description', 'Must be at most 256 characters']],
    ],
    [
      'protected as text',
      urlSmartlink({}, { protected: 'true', password: 'secret' }),
      [['shortener.protected', 'Must be true or false']],
    ],
    [
      'protected without password',
      urlSmartlink({}, { protected: true }),
      [['shortener.password', 'Required when protected is true']],
    ],
    [
      'protected, password null',
      urlSmartlink({}, { protected: true, password: null }),
      [['shortener.password', 'Required when protected is true']],
    ],
    [
      'a password of 5',
      urlSmartlink({}, { password: '12345' }),
      [['shortener.password', 'Must be at least 6 characters']],
    ],
    [
      'a password of 129',
      urlSmartlink({}, { password: 'p'.repeat(129) }),
      [['shortener.password', 'Must be at most 128 characters']],
    ],
    [
      'a numeric password',
      urlSmartlink({}, { password: 123456 }),
      [['shortener.password', 'Must be a string']],
    ],
  ];

  test.each(cases)('%s', async (_name, body, details) => {
    const before = await stored();
    const res = await api.post('/smartlink', body);
    expect(res.status).toBe(400);
    expect(res.body).toEqual({
      success: false,
      error: {
        code: 'VALIDATION_FAILED',
        message: 'Request validation failed',
        details: details.map(([path, message]) => ({ path, message })),
      },
      timestamp: expect.any(String) as string,
    });
    expect(await stored()).toBe(before);
  });

  test.each([
    'example.org',
    '//evil.com',
    'http:evil.com',
    'https:/\\evil.com',
    'https://evil.com\\@good.com',
    'javascript:alert(1)',
    'JaVa\tScript:alert(1)',
    ' https://example.org',
    'data:text/html,x',
    'ftp://example.org/',
    'https://user:pass@example.org/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://[::1]/',
    'http://127。0。0。1/',
    'http://169.254.169.254/',
    'http://localhost./',
    'http://example/',
    'http://a..b/',
    'http://example.org:0/',
    'http://example.org:65536/',
    'https://ex%00ample.org/',
    'https://exa\u00admple.org/',
    'https://example.org/\r\nx',
    `https://example.org/${'a'.repeat(2_029)}`,
    `${PUBLIC_BASE_URL}/x`,
    'HTTPS://SL.EXAMPLE.COM.:8443/x',
    '',
  ])('%j as a destination and as an image', async (url) => {
    const res = await api.post('/smartlink', urlSmartlink({}, { url }, { openGraph: { imageUrl: url } }));
    expect(res.status).toBe(400);
    expect(new Set(detailsOf(res).map((detail) => JSON.stringify(detail)))).toEqual(
      new Set(
        ['shortener.url', 'openGraph.imageUrl'].map((path) => JSON.stringify({ path, message: BAD_URL })),
      ),
    );
  });

  test('is told all at once', async () => {
    const res = await api.post('/smartlink', {
      configuration: { smartlinkName: '', smartlinkUrl: 'a-b', smartlinkType: 'Url' },
      shortener: { url: 'x', protected: true, password: '1' },
      openGraph: { imageUrl: 'x', title: 5 },
    });
    expect(
      detailsOf(res)
        .map((detail) => detail.path)
        .sort(),
    ).toEqual([
      'configuration.smartlinkName',
      'configuration.smartlinkUrl',
      'openGraph.imageUrl',
      'openGraph.title',
      'shortener.password',
      'shortener.url',
    ]);
  });
});

const detailsOf = (res: { body: { error: { details: { path: string; message: string }[] } } }) =>
  res.body.error.details;

async function stored(): Promise<string> {
  const { rows } = await service.app.pg.query(
    `select (select count(*) from smartlinks) || ' ' || (select count(*) from slugs) || ' ' ||
            (select count(*) from audit_entries) as counts`,
  );
  return (rows[0] as { counts: string }).counts;
}
