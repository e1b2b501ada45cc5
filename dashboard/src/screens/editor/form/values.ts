import type { Smartlink, SmartlinkType } from '@smartlink/client';
import { OWN_HOST } from '../../../app/hosts.js';
import { toNumber } from './numbers.js';
import { EMPTY_ROUTING, routingBody, toRouting } from './routing-values.js';

// The form has the members of all types, named as in the API: a fault's path is its field's name, and changing the type
// loses nothing.

export const STORE_LINKS = [
  'appStoreLink',
  'ipadAppLink',
  'googlePlayLink',
  'appGalleryLink',
  'amazonStoreLink',
  'windowsAppLink',
  'macOsAppLink',
  'fallBackLink',
] as const;

export const UTM_MEMBERS = ['source', 'medium', 'campaign', 'term', 'content', 'ref'] as const;

export const EMPTY_BUTTON = { title: '', link: '', iconUrl: '', preset: '' };
export const EMPTY_VARIANT = { label: '', price: '' };
export const EMPTY_ITEM = {
  name: '',
  description: '',
  price: '',
  variants: [] as (typeof EMPTY_VARIANT)[],
  imageLink: '',
  /** Separated by commas. */
  badges: '',
  active: true,
};
export type Item = typeof EMPTY_ITEM;
export const EMPTY_CATEGORY = { name: '', items: [] as Item[] };

export const EMPTY = {
  configuration: {
    smartlinkName: '',
    smartlinkUrl: '',
    /** Host of a domain, or OWN_HOST; empty: the present or default one. */
    domain: '',
    ...{ appStoreLink: '', ipadAppLink: '', googlePlayLink: '', appGalleryLink: '', amazonStoreLink: '' },
    ...{ windowsAppLink: '', macOsAppLink: '', fallBackLink: '' },
  },
  shortener: { url: '', protected: false, password: '' },
  landing: { title: '', description: '', logoLink: '', themeColor: '', layout: 'List', theme: 'Auto' },
  landingButtons: [] as (typeof EMPTY_BUTTON)[],
  qrTag: { title: '', description: '', logoLink: '', themeColor: '' },
  qrTagButtons: [] as (typeof EMPTY_BUTTON)[],
  digiCard: {
    title: '',
    jobTitle: '',
    company: '',
    logoLink: '',
    bgLink: '',
    ctaText: '',
    themeColor: '',
  },
  digiCardButtons: [] as (typeof EMPTY_BUTTON)[],
  txtBin: { title: '', description: '', text: '' },
  qrMenu: {
    title: '',
    description: '',
    logoLink: '',
    coverLink: '',
    themeColor: '',
    theme: 'Auto',
    layout: 'List',
    currency: '₼',
    categories: [] as (typeof EMPTY_CATEGORY)[],
    footnote: '',
  },
  /** Not in the API: `fixed` omits `qrMenu.footnote`, `none` makes it empty. */
  footnoteKind: 'fixed',
  openGraph: { title: '', description: '', imageUrl: '' },
  appearance: { buttonStyle: 'filled', buttonShape: 'rounded', background: 'tint' },
  utm: { source: '', medium: '', campaign: '', term: '', content: '', ref: '' },
  /** Empty: as the service is set. */
  redirect: { status: '', cacheSeconds: '', forwardQuery: '' },
  routing: EMPTY_ROUTING,
  /** Times in ISO 8601. */
  availability: { startsAt: '', expiresAt: '', maxVisits: '', expiredUrl: '' },
  tags: [] as string[],
  folderId: '',
  notes: '',
};
export type Values = typeof EMPTY;

type Members = Readonly<Record<string, unknown>>;

/** Form values of a smartlink; members of other types are empty. */
export function toValues(link: Smartlink): Values {
  const given = link as Members;
  const menu = (given.qrMenu ?? {}) as Members;
  const categories = ordered(menu.categories).map((category) => ({
    ...fill(EMPTY_CATEGORY, category),
    items: ordered(category.items).map(toItem),
  }));
  const footnote = menu.footnote;
  return {
    ...EMPTY,
    configuration: { ...fill(EMPTY.configuration, given.configuration), domain: '' },
    shortener: fill(EMPTY.shortener, given.shortener),
    landing: fill(EMPTY.landing, given.landing),
    landingButtons: ordered(given.landingButtons).map((button) => fill(EMPTY_BUTTON, button)),
    qrTag: fill(EMPTY.qrTag, given.qrTag),
    qrTagButtons: ordered(given.qrTagButtons).map((button) => fill(EMPTY_BUTTON, button)),
    digiCard: fill(EMPTY.digiCard, given.digiCard),
    digiCardButtons: ordered(given.digiCardButtons).map((button) => fill(EMPTY_BUTTON, button)),
    txtBin: fill(EMPTY.txtBin, given.txtBin),
    qrMenu: { ...fill(EMPTY.qrMenu, menu), categories },
    footnoteKind: typeof footnote !== 'string' ? 'fixed' : footnote === '' ? 'none' : 'own',
    openGraph: fill(EMPTY.openGraph, given.openGraph),
    appearance: fill(EMPTY.appearance, given.appearance),
    utm: fill(EMPTY.utm, given.utm),
    redirect: textsOf(EMPTY.redirect, given.redirect),
    routing: toRouting(given.routing),
    availability: textsOf(EMPTY.availability, given.availability),
    tags: [...((given.tags ?? []) as readonly string[])],
    folderId: (given.folderId ?? '') as string,
    notes: (given.notes ?? '') as string,
  };
}

function toItem(item: Members): Item {
  return {
    ...fill(EMPTY_ITEM, item),
    price: numberText(item.price),
    variants: ordered(item.variants).map(({ label, price }) => ({
      label: String(label),
      price: numberText(price),
    })),
    badges: ((item.badges ?? []) as readonly string[]).join(', '),
  };
}

const numberText = (value: unknown): string => (typeof value === 'number' ? String(value) : '');

/** `blank` with the members of `given`, except lists. */
function fill<Blank extends object>(blank: Blank, given: unknown): Blank {
  const members = (given ?? {}) as Members;
  return Object.fromEntries(
    Object.entries(blank).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : (members[name] ?? value),
    ]),
  ) as Blank;
}

/** The same, with numbers and flags as texts. */
function textsOf<Blank extends Readonly<Record<string, string>>>(blank: Blank, given: unknown): Blank {
  const texts = Object.entries(fill<Members>(blank, given)).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(texts) as Blank;
}

/** Elements in display order. */
function ordered(list: unknown): readonly Members[] {
  const place = ({ position }: Members): number => (typeof position === 'number' ? position : Infinity);
  return [...((list ?? []) as readonly Members[])].sort((a, b) =>
    place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0,
  );
}

/** Body of a create or update. Empty values are null, which clears them. */
export function toBody(type: SmartlinkType, values: Values): Members {
  return { ...commonBody(type, values), ...typeBody(type, values) };
}

function commonBody(
  type: SmartlinkType,
  { configuration, openGraph, routing, availability, tags, folderId, notes }: Values,
) {
  const { smartlinkName, smartlinkUrl, domain } = configuration;
  const stores = type === 'App' ? STORE_LINKS.map((name) => [name, configuration[name].trim()]) : [];
  return {
    configuration: {
      smartlinkName,
      smartlinkUrl: orNull(smartlinkUrl.trim()),
      ...(domain === '' ? {} : { domain: domain === OWN_HOST ? null : domain }),
      smartlinkType: type,
      ...orNulls(Object.fromEntries(stores) as Record<string, string>),
    },
    openGraph: orNulls(openGraph),
    routing: routingBody(routing),
    availability: availabilityBody(availability),
    tags,
    folderId: orNull(folderId),
    notes: orNull(notes),
  };
}

function typeBody(type: SmartlinkType, values: Values): Members {
  const appearance = orNulls(values.appearance);
  switch (type) {
    case 'App':
      return { redirect: redirectBody(values) };
    case 'Url': {
      const { url, protected: isProtected, password } = values.shortener;
      // An empty password keeps the stored one.
      const secret = isProtected && password !== '' ? { password } : {};
      return {
        shortener: { url: url.trim(), protected: isProtected, ...secret },
        utm: orNulls(values.utm),
        redirect: redirectBody(values),
      };
    }
    case 'Landing': {
      const landingButtons = values.landingButtons.map(({ preset: _, iconUrl, ...button }) => ({
        ...button,
        iconUrl: orNull(iconUrl),
      }));
      return { landing: orNulls(values.landing), landingButtons, appearance };
    }
    case 'QRTag':
      return { qrTag: orNulls(values.qrTag), qrTagButtons: withPresets(values.qrTagButtons), appearance };
    case 'DigiCard':
      return {
        digiCard: orNulls(values.digiCard),
        digiCardButtons: withPresets(values.digiCardButtons),
        appearance,
      };
    case 'TxtBin': {
      const { text, ...heads } = values.txtBin;
      return { txtBin: { ...orNulls(heads), text } };
    }
    case 'QrMenu':
      return { qrMenu: menuBody(values), appearance };
  }
}

function availabilityBody({ maxVisits, expiredUrl, ...times }: Values['availability']): Members {
  return {
    ...orNulls({ ...times, expiredUrl: expiredUrl.trim() }),
    maxVisits: maxVisits.trim() === '' ? null : toNumber(maxVisits),
  };
}

function redirectBody({ redirect: { status, cacheSeconds, forwardQuery } }: Values): Members {
  return {
    status: status === '' ? null : Number(status),
    cacheSeconds: cacheSeconds.trim() === '' ? null : toNumber(cacheSeconds),
    forwardQuery: forwardQuery === '' ? null : forwardQuery === 'true',
  };
}

function withPresets(buttons: Values['qrTagButtons']) {
  return buttons.map(({ title, link, preset }) => ({ title, link, preset: orNull(preset) }));
}

function menuBody({ qrMenu: { categories, footnote, ...menu }, footnoteKind }: Values): Members {
  return {
    ...orNulls(menu),
    footnote: footnoteKind === 'fixed' ? null : footnoteKind === 'none' ? '' : footnote,
    categories: categories.map(({ name, items }) => ({
      name,
      items: items.map(({ description, price, variants, imageLink, badges, ...item }) => ({
        ...item,
        description: orNull(description),
        price: toNumber(price),
        variants: variants.map((variant) => ({ ...variant, price: toNumber(variant.price) })),
        imageLink: orNull(imageLink.trim()),
        badges: badges
          .split(',')
          .map((badge) => badge.trim())
          .filter((badge) => badge !== ''),
      })),
    })),
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

const orNulls = (texts: Readonly<Record<string, string>>): Members =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, orNull(text)]));

const PHONE = /^\+?[\d\s()/-]{5,20}$/;
const MAIL = /^[^\s@:/]+@[^\s@:/]+\.\p{L}{2,}$/u;
const HOST = /^[^\s@:/?#]+\.\p{L}{2,}(?:[:/?#]\S*)?$/u;

/** A link with the scheme that its writer left out; null if that is not clear. */
export function completeLink(typed: string, isOnPage: boolean): string | null {
  const link = typed.trim();
  if (isOnPage && PHONE.test(link)) return `tel:${link.replace(/[^\d+]/g, '')}`;
  if (isOnPage && MAIL.test(link)) return `mailto:${link}`;
  return HOST.test(link) ? `https://${link}` : null;
}
