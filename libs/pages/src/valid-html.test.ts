import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { SYSTEM_PAGES, passwordErrorPage, systemPage } from './link/system-page.js';
import { renderPage } from './render-page.js';
import { type Page, PAGE_VIEWS, type PageSource } from './site.js';
import { TEST_SITE } from './test-site.js';
import type { Language } from './words/words.js';

const SITE = { ...TEST_SITE, abuseContactUrl: 'mailto:abuse@sl.example.com' };
const PICTURE = 'https://a.example/a.png';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Titles are the owner's, and a number is shown and copied as its owner wrote it.
    'long-title': 'off',
    'tel-non-breaking': 'off',
    // VoiceOver takes a list without marks for none unless its role is said.
    'no-redundant-role': 'off',
    'void-style': 'off',
    'doctype-style': 'off',
  },
});

const own = (type: PageSource['type'], page: object, language: Language = 'en'): Page | null =>
  renderPage({ slug: 'Docs', type, page } as unknown as PageSource, 'own', language, SITE);

const BUTTONS = [
  { title: 'Call +994 12 555', link: 'tel:+994125550134', iconUrl: PICTURE },
  { title: 'Two', link: 'javascript:alert(1)', preset: 'calendar' },
  { title: '<three>', link: 'https://a.example/?a=1&b="2"' },
];
const HEAD = { title: 'T'.repeat(128), description: 'One\nTwo', logoLink: PICTURE };
const landing = (head: object, landingButtons?: object[]) =>
  own('Landing', { landing: { layout: 'List', theme: 'Auto', ...head }, landingButtons });
const tag = (qrTag: object, qrTagButtons?: object[]) => own('QRTag', { qrTag, qrTagButtons });

const PERSON = { title: 'Leyla Əliyeva', jobTitle: 'Architect', company: 'Xəzər Studio' };
const CONTACTS = [
  { title: 'Mobile', link: 'tel:+994505550134' },
  { title: 'Chat', link: 'https://wa.me/994505550134' },
  { title: 'E-mail', link: 'mailto:leyla@example.org?subject=Hi' },
  { title: 'Studio', link: 'https://maps.example/?q=28+May+Street', preset: 'location' },
  { title: 'Profile', link: 'https://www.social.example/leyla/', preset: 'social' },
];
const HUNDRED = Array.from({ length: 100 }, (_, index) => ({
  title: `Project ${index}`,
  link: `https://projects.example/${index}`,
}));

const CODE = 'const a = 1; // one\nif (a) { b("two"); }\n';
const TEXTS = [
  CODE,
  'Hello\n\nthere',
  '<!doctype html>\n<p title="a">b',
  'a\u202e = 1;\n',
  'x'.repeat(2_000),
];

const item = (name: string, more: object = {}) => ({ name, price: 1, active: true, ...more });
const SOUP = item('Soup', {
  imageLink: PICTURE,
  description: 'Hot\nand sour',
  badges: ['a', 'b', 'c', 'd', 'e'],
  variants: [{ label: 'S', price: 1 }],
});
const LOOK = { title: 'Cafe', description: 'Open', coverLink: PICTURE, logoLink: PICTURE };
// So many that there are a search and a bar of categories; short, for the validator takes its time.
const CATEGORIES = [
  { name: 'Food', items: [SOUP, ...Array.from({ length: 19 }, () => item('Rice'))] },
  { name: 'Drinks', items: [item('Tea')] },
];
const menu = (categories: object[], more: object = {}, language: Language = 'en') =>
  own('QrMenu', { qrMenu: { currency: '₼', categories, ...more } }, language);

const LINKS = [
  { type: 'Url', isProtected: false, url: 'https://shop.example/a?b=1&c="2"' },
  { type: 'Url', isProtected: true, openGraph: { title: 'T'.repeat(200), description: '<b>\n"' } },
  { type: 'App', storeLinks: {}, openGraph: { title: 'قهوة' } },
  {
    type: 'App',
    storeLinks: {
      appStoreLink: 'https://apps.apple.com/app/id1',
      windowsAppLink: 'https://files.example/a b.exe',
      fallBackLink: 'https://narin.example/',
    },
  },
];

test.each<[kind: string, pages: readonly (Page | null)[]]>([
  ['Landing', [landing(HEAD, BUTTONS), landing({}), landing({ layout: 'Grid' }, [...BUTTONS, ...BUTTONS])]],
  ['QRTag', [tag(HEAD, BUTTONS), tag({}), tag({}, [...BUTTONS, ...BUTTONS])]],
  [
    'DigiCard',
    [
      own('DigiCard', { digiCard: {} }),
      own('DigiCard', {
        digiCard: { ...PERSON, logoLink: PICTURE, bgLink: PICTURE },
        digiCardButtons: CONTACTS,
      }),
      own('DigiCard', { digiCard: PERSON, digiCardButtons: HUNDRED }),
    ],
  ],
  ['TxtBin', TEXTS.map((text) => own('TxtBin', { txtBin: { text, title: 'T', description: 'D' } }))],
  [
    'QrMenu',
    [
      menu(CATEGORIES, LOOK),
      menu([{ name: 'Food', items: [SOUP] }], { ...LOOK, layout: 'Grid', theme: 'Dark' }, 'az'),
      menu([{ name: 'Food', items: [item('Tea')] }]),
      menu([]),
    ],
  ],
  ...(['en', 'ru'] as const).map((language): [string, readonly (Page | null)[]] => [
    `system and link pages in ${language}`,
    [
      ...SYSTEM_PAGES.map((name) => systemPage(name, language, SITE, 5)),
      ...(['wrong', 'too-many', 'busy'] as const).map((error) =>
        passwordErrorPage({ slug: 'Sale', error, waitSeconds: 60 }, language, SITE),
      ),
      ...LINKS.flatMap((link) =>
        PAGE_VIEWS.map((view) => renderPage({ slug: 'Sale', ...link } as PageSource, view, language, SITE)),
      ),
    ],
  ]),
])(
  '%s is valid HTML',
  async (_kind, pages) => {
    const rendered = pages.filter((page) => page !== null);
    expect(rendered.length).toBeGreaterThan(2);
    for (const { html } of rendered) {
      const { results } = await validator.validateString(html);
      const faults = results.flatMap(({ messages }) =>
        messages.map((each) => `${each.ruleId}: ${each.message}`),
      );
      expect(faults, html).toEqual([]);
    }
  },
  20_000,
);
