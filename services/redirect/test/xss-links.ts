import type { NewLink } from './link-store.js';

/** The host of owners' pictures and targets. */
export const OWNER_HOST = 'a.example';

const OWNER = `https://${OWNER_HOST}`;
const TYPES = ['Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu', 'App'] as const;
export type HostileLink = NewLink & { readonly openGraph: object };

/**
 * Returns links of all types that hold `payloads` in every text and address they have, as no API of ours would store
 * them. Members that stand once hold them one after the other, lists hold one in each member.
 */
export function hostileLinks(payloads: readonly string[], mark: string): readonly HostileLink[] {
  const text = payloads.join('\n');
  const openGraph = { title: text, description: text, imageUrl: `${OWNER}/${text}` };
  const pages = TYPES.map((type): HostileLink => ({
    slug: `${type}${mark}`,
    type,
    content: contentOf(type, payloads),
    openGraph,
  }));
  const target = `${OWNER}/${encodeForAddress(text)}`;
  return [
    ...pages,
    { slug: `Url${mark}`, url: target, openGraph },
    { slug: `Locked${mark}`, url: target, password: 'a password', openGraph },
  ];
}

function contentOf(type: (typeof TYPES)[number], payloads: readonly string[]): object {
  const text = payloads.join('\n');
  const head = { title: text, description: text, themeColor: payloads[0], theme: payloads[0] };
  switch (type) {
    case 'Landing':
      return {
        landing: { ...head, logoLink: address(text, 0), layout: payloads.length % 2 === 0 ? 'List' : 'Grid' },
        landingButtons: payloads.flatMap(buttonsWith),
      };
    case 'QRTag':
      return { qrTag: { ...head, logoLink: payloads[0] }, qrTagButtons: payloads.flatMap(buttonsWith) };
    case 'DigiCard':
      return {
        digiCard: {
          ...head,
          ...{ jobTitle: text, company: text, ctaText: text },
          ...{ logoLink: address(text, 1), bgLink: address(text, 2) },
        },
        digiCardButtons: payloads.flatMap(buttonsWith),
      };
    case 'TxtBin':
      return { txtBin: { title: text, description: text, text } };
    case 'QrMenu':
      return {
        qrMenu: {
          ...{ ...head, logoLink: address(text, 2), coverLink: address(text, 0), layout: 'List' },
          ...{ currency: text, categories: payloads.map(categoryWith) },
        },
      };
    case 'App':
      return { configuration: storesWith(payloads) };
  }
}

/** A payload is an address by itself, the rest of one, or behind a scheme that opens something. */
function address(payload: string, place: number): string {
  return [payload, `${OWNER}/${payload}`, `http://${OWNER_HOST}/?q=${payload}#${payload}`][place % 3] ?? '';
}

const SCHEMES = ['tel:', 'mailto:', 'sms:', 'geo:', 'whatsapp://'];

function buttonsWith(payload: string, place: number): object[] {
  const scheme = SCHEMES[place % SCHEMES.length] ?? '';
  return [payload, address(payload, 1), address(payload, 2), scheme + payload].map((link, index) => ({
    ...{ title: payload, link, iconUrl: address(payload, index), preset: payload },
    position: index,
  }));
}

function categoryWith(payload: string, place: number): object {
  const variants = [{ label: payload, price: 1 }, ...(place % 2 === 0 ? [{ label: payload, price: 2 }] : [])];
  const item = { name: payload, description: payload, badges: [payload, payload], active: true };
  return {
    name: payload,
    position: payload,
    items: [0, 1].map((index) => ({
      ...{ ...item, position: index, imageLink: address(payload, place + index) },
      ...(index === 0 ? { price: 1.5, variants } : { price: payload }),
    })),
  };
}

const STORES = ['appStoreLink', 'googlePlayLink', 'windowsAppLink', 'macOsAppLink', 'ipadAppLink'];

// Without a fallback, so that there is a list of stores; and readable, or the link would be none.
function storesWith(payloads: readonly string[]): object {
  const text = encodeForAddress(payloads.join('\n'));
  return Object.fromEntries(STORES.map((name, index) => [name, `${OWNER}/${index}?${text}`]));
}

/** Only what a redirect may hold is left as it is: the rest would make the link unreadable. */
function encodeForAddress(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (piece) => encodeURIComponent(piece));
}
