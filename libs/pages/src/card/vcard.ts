import type { PageSourceOf } from '../page-source.js';
import { firstVisible, isVisible } from '../parts/owner-text.js';
import { contactOf } from './contact.js';
import type { Contact, PhoneNumber } from './contact.js';
import { fileNameOf } from './vcard-file-name.js';
import type { FileName } from './vcard-file-name.js';

/** A contact to save, and what its file is called. */
export type VCard = FileName & {
  /** To be sent as UTF-8, without a byte order mark, as text/vcard. */
  readonly text: string;
};

type Card = PageSourceOf<'DigiCard'>['page']['digiCard'];
type Button = NonNullable<PageSourceOf<'DigiCard'>['page']['digiCardButtons']>[number];

/**
 * Returns the contact of a card, as vCard 3.0 (RFC 2426): the one version that Android's contacts and Apple's both read.
 * Without REV, because nobody knows when the card was changed; without PHOTO, because pictures are never fetched by us
 * and a remote one is not shown; and without folded lines, which some phones refuse and the RFC only recommends.
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
 * A person's last word is the family name; phones show FN, and sort by N. A card without a name of its own is a company's,
 * and X-ABShowAs says so to Apple's contacts.
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

/** Each number once, whatever is written between its digits. A person's only one is as a rule a mobile phone's. */
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

/** A button's title is the address's label, which Apple's contacts show; others read the address alone. */
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

// URLs are not escaped as text is. The one sign that may be left in them and that readers unescape all the same is the
// backslash of a query.
function rawUrl(href: string): string {
  return href.replaceAll('\\', '%5C');
}

/** Text in a value (RFC 2426, 4). All of a card's texts have one line, so a line break cannot be meant: it is a space. */
function escape(text: string): string {
  return oneLine(text).replace(/[\\;,]/g, '\\$&');
}

/** Returns `text` without anything that a reader may take for the end of a line, and without white space to spare. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
