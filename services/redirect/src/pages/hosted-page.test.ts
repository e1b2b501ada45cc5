import type { LiveLink } from '@smartlink/smartlink/snapshot';
import { expect, test } from 'vitest';
import { hostedPage } from './hosted-page.js';

type Content = { type: string; page?: object; storeLinks?: object; openGraph?: object };

function render(content: Content): { html: string; policy: string } {
  const base = { version: 1, smartlinkId: 'id', ownerId: 'owner', slug: 'Docs', status: 'Active' };
  const page = hostedPage({ ...base, ...content } as unknown as LiveLink);
  return { html: page?.html.toString() ?? '', policy: page?.policy ?? '' };
}

/** Every text and every address of every type, made by `text` and `link`. */
const contents = (text: (field: string) => string, link: (field: string) => string): Content[] => [
  {
    type: 'Landing',
    openGraph: { title: text('openGraph'), description: text('openGraph'), imageUrl: link('openGraph') },
    page: {
      landing: {
        title: text('title'),
        description: text('description'),
        logoLink: link('logo'),
        themeColor: text('color'),
        layout: text('layout'),
        theme: text('theme'),
      },
      landingButtons: [{ title: text('button'), link: link('button'), iconUrl: link('icon') }],
    },
  },
  {
    type: 'QRTag',
    page: {
      qrTag: {
        title: text('title'),
        description: text('description'),
        logoLink: link('logo'),
        themeColor: text('color'),
      },
      qrTagButtons: [{ title: text('button'), link: link('button'), preset: text('preset'), position: 1 }],
    },
  },
  {
    type: 'DigiCard',
    page: {
      digiCard: {
        title: text('title'),
        jobTitle: text('jobTitle'),
        company: text('company'),
        logoLink: link('logo'),
        bgLink: link('background'),
        ctaText: text('cta'),
        themeColor: text('color'),
      },
      digiCardButtons: [{ title: text('button'), link: link('button'), preset: text('preset') }],
    },
  },
  {
    type: 'TxtBin',
    page: { txtBin: { title: text('title'), description: text('description'), text: text('text') } },
  },
  {
    type: 'QrMenu',
    page: {
      qrMenu: {
        title: text('title'),
        description: text('description'),
        logoLink: link('logo'),
        coverLink: link('cover'),
        themeColor: text('color'),
        theme: text('theme'),
        layout: text('layout'),
        currency: text('currency'),
        categories: [
          {
            name: text('category'),
            items: [
              {
                name: text('item'),
                description: text('itemDescription'),
                price: 1,
                variants: [{ label: text('variant'), price: 2 }],
                imageLink: link('photo'),
                badges: [text('badge')],
                active: true,
              },
            ],
          },
        ],
      },
    },
  },
  {
    type: 'App',
    storeLinks: {
      appStoreLink: link('appStore'),
      googlePlayLink: link('googlePlay'),
      windowsAppLink: link('windows'),
      macOsAppLink: link('mac'),
      ipadAppLink: link('ipad'),
      appGalleryLink: link('appGallery'),
      amazonStoreLink: link('amazon'),
    },
  },
];

/** The tags of a page with the names of their attributes: what a browser would act on. */
const skeleton = (html: string): string[] =>
  (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
const addresses = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? '');
const unescape = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#13;', '\r')
    .replaceAll('&amp;', '&');

const types = contents(String, String).map(({ type }, index) => [type, index] as const);
const harmless = contents(
  (field) => `The ${field}`,
  (field) => `https://a.example/${field}`,
).map((content) => render(content));

// Colours, layouts, presets and a card's call to action are not drawn yet.
const SHOWN: Readonly<Record<string, string>> = {
  Landing: 'title description button',
  QRTag: 'title description button',
  DigiCard: 'title jobTitle company button',
  TxtBin: 'title description text',
  QrMenu: 'title description category item currency itemDescription variant badge',
  App: '',
};
const LED_TO: Readonly<Record<string, string>> = {
  Landing: 'logo button icon',
  QRTag: 'logo button',
  DigiCard: 'background logo button',
  TxtBin: '',
  QrMenu: 'cover logo photo',
  App: 'appStore ipad googlePlay appGallery amazon windows mac',
};

test.each(types)('%s shows its texts and pictures and leads where its buttons say', (type, index) => {
  const { html, policy } = harmless[index]!;
  const body = html.slice(html.indexOf('<body>'));
  const texts = [...new Set(body.match(/(?<=The )\w+/g))];
  expect(texts.join(' ')).toBe(SHOWN[type]);
  expect(addresses(body).filter((address) => address !== '/Docs?raw=1')).toEqual(
    (LED_TO[type] ?? '').split(' ').flatMap((name) => (name === '' ? [] : `https://a.example/${name}`)),
  );
  for (const anchor of body.match(/<a href="http[^>]*>/g) ?? []) {
    expect(anchor).toContain('rel="noopener nofollow"');
  }
  for (const picture of body.match(/<img [^>]*>/g) ?? []) expect(picture).toContain('loading="lazy"');
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src http: https:; form-action 'none'/,
  );
});

test.each(types)('%s lets no markup of its owner through, in any field', (_type, index) => {
  for (const payload of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '</title></style></pre></main><svg onload=alert(1)>',
    '<!--',
    '&lt;script&gt;&#x3c;',
    '${alert(1)}{{alert(1)}}',
  ]) {
    const content = contents(
      (field) => `The ${field}${payload}`,
      (field) => `https://a.example/${field}?${payload}`,
    );
    const { html } = render(content[index]!);
    expect(skeleton(html)).toEqual(skeleton(harmless[index]!.html));
    expect(unescape(html)).toContain(payload);
  }
});

test.each(types)('%s leads nowhere by a scheme that is not allowed', (_type, index) => {
  const own = addresses(render(contents(String, () => '')[index]!).html);
  for (const bad of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    '//a.example/',
    '/docs',
    'https:a.example',
    'httpsx://a.example',
  ]) {
    const { html } = render(contents(String, () => bad)[index]!);
    expect(addresses(html)).toEqual(own);
  }
});

test.each(['tel:+994501234567', 'mailto:a@a.example', 'sms:+1', 'geo:40.4,49.9', 'whatsapp://send?phone=1'])(
  'a button may hold %s, a picture may not',
  (link) => {
    const page = {
      landing: { title: 'T', logoLink: link },
      landingButtons: [{ title: 'B', link, iconUrl: link }],
    };
    const { html } = render({ type: 'Landing', page });
    expect(addresses(html)).toEqual(['/favicon.ico', link]);
    expect(html).toContain(`<a href="${link}" rel="noopener nofollow">B</a>`);
  },
);

test('a page without a title takes the preview’s, a card’s company, or a fixed word', () => {
  const titleOf = (content: Content) => /<title>(.*)<\/title>/.exec(render(content).html)?.[1];
  const bare: Content[] = [
    { type: 'Landing', page: { landing: {} } },
    { type: 'QRTag', page: { qrTag: { title: '  ' } } },
    { type: 'DigiCard', page: { digiCard: {} } },
    { type: 'TxtBin', page: { txtBin: { text: 'x' } } },
    { type: 'QrMenu', page: { qrMenu: { currency: '₼', categories: [] } } },
    { type: 'App', storeLinks: {} },
  ];
  expect(bare.map(titleOf)).toEqual(['Links', 'Links', 'Card', 'Text', 'Menu', 'Get the app']);
  expect(bare.slice(0, 5).map((content) => titleOf({ ...content, openGraph: { title: 'P' } }))).toEqual(
    Array(5).fill('P'),
  );
  expect(titleOf({ type: 'DigiCard', page: { digiCard: { company: 'C' } } })).toBe('C');
  for (const content of bare.filter(({ type }) => type !== 'TxtBin')) {
    expect(render(content).html).toContain('Nothing here yet');
  }
});

test('buttons of a QRTag stand by position, those of a Landing as they were sent', () => {
  const button = (title: string, position?: number) => ({ title, link: 'https://a.example/', position });
  const buttons = [button('d'), button('c', 2), button('a', 0), button('b', 1), button('e')];
  const shown = (content: Content) =>
    [...render(content).html.matchAll(/nofollow">(\w)</g)].map((match) => match[1]).join('');
  expect(shown({ type: 'QRTag', page: { qrTag: {}, qrTagButtons: buttons } })).toBe('abcde');
  expect(shown({ type: 'Landing', page: { landing: {}, landingButtons: buttons } })).toBe('dcabe');
});
