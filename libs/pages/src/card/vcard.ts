import { contactOf, type Contact, type PhoneNumber } from '../html/contact-link.js';
import { firstVisible, isVisible } from '../html/owner-text.js';
import type { PageSourceOf } from '../site.js';

/** A contact to save and the name of its file. */
type VCard = FileName & {
  /** To be sent as UTF-8, without a byte order mark, as text/vcard. */
  readonly text: string;
};

type Card = PageSourceOf<'DigiCard'>['page']['digiCard'];
type Button = NonNullable<PageSourceOf<'DigiCard'>['page']['digiCardButtons']>[number];

/**
 * The contact of a card as vCard 3.0 (RFC 2426), the only version that both Android and Apple contacts read. Without REV,
 * because the time of the last change is unknown; without PHOTO, because we never fetch pictures and remote ones are not
 * shown; without folded lines, which some phones reject and the RFC only recommends.
 * `publicBaseUrl` is Site's.
 */
export function vCard(
  source: PageSourceOf<'DigiCard'>,
  { publicBaseUrl }: { readonly publicBaseUrl: string },
): VCard {
  const { digiCard, digiCardButtons = [] } = source.page;
  const name = oneLine(firstVisible(digiCard.title, digiCard.company, source.openGraph?.title, source.slug));
  const cardUrl = `${publicBaseUrl}/${source.slug}`;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    ...names(name, digiCard),
    ...(isVisible(digiCard.jobTitle) ? [`TITLE:${escape(digiCard.jobTitle)}`] : []),
    ...contacts(digiCardButtons, isCompany(name, digiCard)),
    `URL:${rawUrl(cardUrl)}`,
    `UID:${rawUrl(cardUrl)}`,
    'END:VCARD',
  ];
  return { ...fileNameOf(name, source.slug), text: lines.map((line) => `${line}\r\n`).join('') };
}

/**
 * The last word of a person's name is the family name; phones show FN and sort by N. A card without a name belongs to a
 * company, marked for Apple's contacts by X-ABShowAs.
 */
function names(name: string, card: Card): readonly string[] {
  const company = isVisible(card.company) ? oneLine(card.company) : null;
  if (isCompany(name, card)) {
    return ['N:;;;;', `FN:${escape(name)}`, `ORG:${escape(company ?? name)}`, 'X-ABShowAs:COMPANY'];
  }
  const words = name.split(' ');
  const family = words.length === 1 ? '' : (words.at(-1) ?? '');
  const given = words.length === 1 ? name : words.slice(0, -1).join(' ');
  return [
    `N:${escape(family)};${escape(given)};;;`,
    `FN:${escape(name)}`,
    ...(company === null ? [] : [`ORG:${escape(company)}`]),
  ];
}

function isCompany(name: string, { title, company }: Card): boolean {
  return !isVisible(title) || (isVisible(company) && name === oneLine(company));
}

function contacts(buttons: readonly Button[], ofCompany: boolean): readonly string[] {
  const reached = buttons.map((button) => ({ button, contact: contactOf(button.link) }));
  const mailAddresses = new Set(reached.flatMap(({ contact }) => contact.mailAddresses));
  return [
    ...phones(reached, ofCompany),
    ...Array.from(mailAddresses, (address) => `EMAIL;TYPE=INTERNET,WORK:${address}`),
    ...webAddresses(reached),
  ];
}

type Reached = readonly { readonly button: Button; readonly contact: Contact }[];

/** Each number once, ignoring separators. A person's only number is assumed to be a mobile one. */
function phones(reached: Reached, ofCompany: boolean): readonly string[] {
  const byDigits = new Map<string, PhoneNumber>();
  for (const { button, contact } of reached) {
    for (const { number, isMobile } of contact.numbers) {
      const digits = number.replace(/[^0-9,]/g, '');
      const known = byDigits.get(digits);
      byDigits.set(digits, {
        number: known?.number ?? number,
        isMobile: isMobile || button.preset === 'whatsapp' || known?.isMobile === true,
      });
    }
  }
  return Array.from(byDigits.values(), ({ number, isMobile }) => {
    const type = isMobile || (byDigits.size === 1 && !ofCompany) ? 'CELL' : 'WORK';
    return `TEL;TYPE=${type},VOICE:${number}`;
  });
}

/** The title of a button labels the address in Apple's contacts; others read only the address. */
function webAddresses(reached: Reached): readonly string[] {
  const titles = new Map<string, string>();
  for (const { button, contact } of reached) {
    if (contact.webAddress !== null && !titles.has(contact.webAddress)) {
      titles.set(contact.webAddress, button.title);
    }
  }
  return Array.from(titles).flatMap(([address, title], index) => [
    `item${index + 1}.URL:${rawUrl(address)}`,
    `item${index + 1}.X-ABLabel:${escape(title)}`,
  ]);
}

// URLs are not escaped as text. The backslash of a query is the only character that readers would unescape.
function rawUrl(href: string): string {
  return href.replaceAll('\\', '%5C');
}

/** Text in a value (RFC 2426, 4). All of a card's texts have one line, so a line break cannot be meant: it is a space. */
function escape(text: string): string {
  return oneLine(text).replace(/[\\;,]/g, '\\$&');
}

/** `text` without anything that a reader may take for the end of a line, and without white space to spare. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** File names for Content-Disposition. */
type FileName = {
  /** For `filename="…"`: letters, digits, `-` and `.` of ASCII. */
  readonly fileName: string;
  /** For `filename*=…`, as RFC 8187 has it, `UTF-8''` included. */
  readonly fileNameUtf8: string;
};

// A name on disk has at most 255 bytes, and a code point takes up to 4.
const LENGTH_MAX = 60;

/**
 * File name of a contact, for browsers that support RFC 8187 and those that do not. `slug` is the ASCII name when no
 * letter can be transliterated.
 */
function fileNameOf(name: string, slug: string): FileName {
  const readable = cut(
    name
      // Path separators, characters Windows rejects, and invisible ones: direction marks could hide the real extension.
      .replace(/[/\\:*?"<>|\p{C}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+/, ''),
  ).replace(/[. ]+$/, '');
  return {
    fileName: `${asciiOf(readable) ?? slug}.vcf`,
    fileNameUtf8: `UTF-8''${encode(`${readable === '' ? slug : readable}.vcf`)}`,
  };
}

// Latin letters that do not decompose into a letter and a mark.
const LETTERS: Readonly<Record<string, string>> = {
  ə: 'e',
  Ə: 'E',
  ı: 'i',
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  æ: 'ae',
  Æ: 'AE',
};

/** Null when letters of other scripts are left. */
function asciiOf(name: string): string | null {
  const latin = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[əƏıßøØłŁæÆ]/g, (letter) => LETTERS[letter] ?? '');
  if (/(?![a-z])\p{L}/iu.test(latin)) return null;
  const words = cut(latin.replace(/[^a-z0-9]+/gi, '-')).replace(/^-|-$/g, '');
  return words === '' ? null : words;
}

function cut(text: string): string {
  return Array.from(text).slice(0, LENGTH_MAX).join('');
}

// encodeURIComponent keeps `'`, `(`, `)` and `*`, which RFC 8187 does not allow.
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
