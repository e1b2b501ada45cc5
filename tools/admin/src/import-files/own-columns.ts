/** How a cell becomes a member; a `fact` is about the smartlink, and no part of what POST takes. */
export type ColumnKind = 'text' | 'word' | 'flag' | 'json' | 'fact';

export type Column = { readonly path: string; readonly kind: ColumnKind };

// Members of a create that are one word or number, and of those of `text` spaces matter. A test holds this list and the
// validator's schemas together: a member that is new there must be named here.
const WORDS: Readonly<Record<string, readonly string[]>> = {
  configuration: [
    'smartlinkUrl',
    'smartlinkType',
    'appStoreLink',
    'googlePlayLink',
    'windowsAppLink',
    'macOsAppLink',
    'ipadAppLink',
    'appGalleryLink',
    'amazonStoreLink',
    'fallBackLink',
  ],
  openGraph: ['imageUrl'],
  shortener: ['url'],
  landing: ['logoLink', 'themeColor', 'layout', 'theme'],
  qrTag: ['logoLink', 'themeColor'],
  digiCard: ['logoLink', 'bgLink', 'themeColor'],
  qrMenu: ['logoLink', 'coverLink', 'themeColor', 'theme', 'layout'],
};

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  configuration: ['smartlinkName'],
  openGraph: ['title', 'description'],
  shortener: ['password'],
  landing: ['title', 'description'],
  qrTag: ['title', 'description'],
  digiCard: ['title', 'jobTitle', 'company', 'ctaText'],
  txtBin: ['title', 'description', 'text'],
  qrMenu: ['title', 'description', 'currency'],
};

// As JSON in a cell: lists, and any object as a whole.
const JSONS = [
  'configuration',
  'openGraph',
  'shortener',
  'landing',
  'landingButtons',
  'qrTag',
  'qrTagButtons',
  'digiCard',
  'digiCardButtons',
  'txtBin',
  'qrMenu',
  'qrMenu.categories',
];

const FACTS = ['createdAt', 'status', 'clicks', 'scans', 'fallbacks'];

const under = (members: Readonly<Record<string, readonly string[]>>, kind: ColumnKind): Column[] =>
  Object.entries(members).flatMap(([object, names]) =>
    names.map((name) => ({ path: `${object}.${name}`, kind })),
  );

/** The columns of our own CSV, by their path in lower case: people type headings in any case. */
export const COLUMNS: ReadonlyMap<string, Column> = new Map(
  [
    ...under(WORDS, 'word'),
    ...under(TEXTS, 'text'),
    { path: 'shortener.protected', kind: 'flag' as const },
    ...JSONS.map((path) => ({ path, kind: 'json' as const })),
    ...FACTS.map((path) => ({ path, kind: 'fact' as const })),
  ].map((column) => [column.path.toLowerCase(), column]),
);

/** What people call columns elsewhere, in lower case without spaces and punctuation, and what those are here. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...[
    'destination',
    'destinationurl',
    'link',
    'longurl',
    'longlink',
    'originalurl',
    'target',
    'targeturl',
  ].map((name) => [name, 'url'] as const),
  ...['alias', 'backhalf', 'code', 'keyword', 'path', 'shortcode', 'shortlink', 'shorturl'].map(
    (name) => [name, 'slug'] as const,
  ),
  ['title', 'name'],
  ['label', 'name'],
  ['date', 'createdAt'],
  ['visits', 'clicks'],
  ['hits', 'clicks'],
]);

/** Short names of columns, in lower case, and what they stand for. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['name', 'configuration.smartlinkName'],
  ['smartlinkname', 'configuration.smartlinkName'],
  ['slug', 'configuration.smartlinkUrl'],
  ['smartlinkurl', 'configuration.smartlinkUrl'],
  ['type', 'configuration.smartlinkType'],
  ['smartlinktype', 'configuration.smartlinkType'],
  ['url', 'shortener.url'],
  ['password', 'shortener.password'],
  ['protected', 'shortener.protected'],
  ['text', 'txtBin.text'],
  ['created', 'createdAt'],
]);
