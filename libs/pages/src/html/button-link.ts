import { domainToUnicode } from 'node:url';
import { brandOf } from './brand-icons.js';
import { contactOf } from './contact-link.js';
import type { IconName } from './page-context.js';

// Allowed targets of buttons. They were checked when stored; this is the last check before a browser follows them. Stored
// addresses are normalised, with schemes in lower case.
const SCHEME = /^(?:(https?):\/\/|(tel|mailto|sms|geo|whatsapp):)/;

/** Whether a button may lead to `link`; one that may not is shown as text. */
export function isButtonLink(link: string): boolean {
  return SCHEME.test(link) && URL.canParse(link);
}

/** The address a button leads to: chats of WhatsApp by its web address, which also works without the app. */
export function buttonHref(link: string): string {
  if (schemeOf(link) !== 'whatsapp') return link;
  const text = new URL(link).searchParams.get('text');
  const number = contactOf(link).numbers[0]?.number.slice(1) ?? '';
  return `https://wa.me/${number}${text === null ? '' : `?text=${encodeURIComponent(text)}`}`;
}

/** The icon of a button: by the purpose its owner chose, the service of its link, or what its link opens. */
export function buttonIcon(link: string, preset = ''): IconName {
  const scheme = schemeOf(link);
  const brand = scheme === 'http' || scheme === 'https' ? brandOf(link) : null;
  return PURPOSE_ICONS.get(preset) ?? brand ?? PRESET_ICONS.get(preset) ?? SCHEME_ICONS.get(scheme) ?? 'link';
}

const PURPOSE_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['restaurant', 'restaurant'],
  ['delivery', 'delivery'],
  ['phone', 'phone'],
  ['email', 'email'],
  ['calendar', 'calendar'],
  ['location', 'pin'],
]);

// The preset `link` adds nothing to the link.
const PRESET_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['social', 'social'],
  ['website', 'globe'],
  ['whatsapp', 'whatsapp'],
]);

const SCHEME_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['tel', 'phone'],
  ['mailto', 'email'],
  ['sms', 'chat'],
  ['whatsapp', 'whatsapp'],
  ['geo', 'pin'],
]);

function schemeOf(link: string): string {
  const [, web, contact] = SCHEME.exec(link) ?? [];
  return contact ?? web ?? '';
}

/**
 * What a button's link leads to in words a person can check, such as `shop.example`, `+994 12 345 67 89` or
 * `info@shop.example`: the number of a chat, the host of another web address, else the number, the address or the
 * coordinates as the link holds them; null for a mail without a recipient.
 */
export function linkTarget(link: string): string | null {
  const target = decode(TARGETS[schemeOf(link)]?.(link) ?? '').trim();
  return target === '' ? null : target;
}

const TARGETS: Readonly<Record<string, (link: string) => string | undefined>> = {
  http: webTarget,
  https: webTarget,
  tel: numbers,
  sms: numbers,
  // Mail programs take several addresses with commas between them (RFC 6068).
  mailto: (link) => /^mailto:([^?]*)/.exec(link)?.[1]?.replaceAll(',', ', '),
  geo: (link) => /^geo:([^;?]*)/.exec(link)?.[1]?.replaceAll(',', ', '),
  whatsapp: (link) => chatNumber(link) ?? 'WhatsApp',
};

/** Whether two texts of a button say the same, such as a number with and without spaces. */
export function isSameText(one: string, other: string): boolean {
  return one === other || significant(one) === significant(other);
}

function significant(text: string): string {
  return text.toLowerCase().replace(/[\s()+./-]+/g, '');
}

function webTarget(link: string): string {
  return chatNumber(link) ?? shownHost(link);
}

function chatNumber(link: string): string | undefined {
  const number = contactOf(link).numbers[0]?.number;
  return number === undefined ? undefined : groupDigits(number);
}

// Without the parameters of RFC 3966 and the text of a message (RFC 5724).
function numbers(link: string): string {
  const list = /^\w+:([^;?&]*)/.exec(link)?.[1] ?? '';
  return list
    .split(',')
    .map((number) => groupDigits(number.trim()))
    .join(', ');
}

// Country codes of one and two digits (ITU-T E.164); all others have three.
const INTERNATIONAL = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{6,12})$/;

// Sizes of groups by the length of the number within its country, as most countries with such numbers write them.
const GROUPS: Readonly<Record<number, readonly number[]>> = {
  6: [3, 3],
  7: [3, 2, 2],
  8: [4, 4],
  9: [2, 3, 2, 2],
  10: [3, 3, 2, 2],
  11: [3, 4, 4],
  12: [4, 4, 4],
};

/** An international number in groups; one with separators of its own, or without a country, is unchanged. */
function groupDigits(number: string): string {
  const [, country, digits] = INTERNATIONAL.exec(number) ?? [];
  if (country === undefined || digits === undefined) return number;
  const sizes = country === '1' && digits.length === 10 ? [3, 3, 4] : (GROUPS[digits.length] ?? []);
  let start = 0;
  const groups = sizes.map((size) => digits.slice(start, (start += size)));
  return [`+${country}`, ...groups].join(' ');
}

/**
 * The host of a web address without `www.`, in Unicode if its letters cannot be mistaken for others: Latin ones with
 * marks, or one other script in the whole name, top-level domain included. `раураl.com` in Cyrillic
 * stays as `xn--…`, as in the address bar of browsers.
 */
function shownHost(link: string): string {
  const { host, hostname } = new URL(link);
  const letters = domainToUnicode(hostname);
  const isClear = CLEAR_HOSTS.some((pattern) => pattern.test(letters));
  return (isClear ? host.replace(hostname, letters) : host).replace(/^www\./, '');
}

const CLEAR_HOSTS: readonly RegExp[] = [
  /^[a-z0-9à-ÿāăąćčďđēěęğģīįķļłńňņōőœřśšşťţūůűųźżžəș.-]+$/,
  /^[\p{Script=Cyrillic}0-9.-]+$/u,
  /^[\p{Script=Arabic}0-9.-]+$/u,
  /^[\p{Script=Hebrew}0-9.-]+$/u,
];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
