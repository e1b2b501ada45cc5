import { domainToUnicode } from 'node:url';
import type { IconName } from './icons.js';

// What a button may lead to (decisions.md, URLs). It was checked when it was stored; this is the last look before a
// browser acts on it, should anything else ever have written it. Stored addresses are normalised, schemes in lower case.
const SCHEME = /^(?:(https?):\/\/|(tel|mailto|sms|geo|whatsapp):)/;

/** Returns whether a button may lead to `link`; one that may not is shown as text. */
export function isButtonLink(link: string): boolean {
  return SCHEME.test(link) && URL.canParse(link);
}

/** Returns the icon of a button: the one of its preset, else the one of what its link opens. */
export function buttonIcon(link: string, preset?: string): IconName {
  return PRESET_ICONS.get(preset ?? '') ?? SCHEME_ICONS.get(schemeOf(link)) ?? 'link';
}

// The preset `link` says no more than the link itself does.
const PRESET_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['restaurant', 'restaurant'],
  ['delivery', 'delivery'],
  ['phone', 'phone'],
  ['email', 'email'],
  ['calendar', 'calendar'],
  ['social', 'social'],
  ['website', 'globe'],
  ['location', 'pin'],
  ['whatsapp', 'chat'],
]);

const SCHEME_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['tel', 'phone'],
  ['mailto', 'email'],
  ['sms', 'chat'],
  ['whatsapp', 'chat'],
  ['geo', 'pin'],
]);

function schemeOf(link: string): string {
  const [, web, contact] = SCHEME.exec(link) ?? [];
  return contact ?? web ?? '';
}

/**
 * Returns what a button's link leads to in words a person can check, such as `shop.example`, `+994 12 345 67 89` or
 * `info@shop.example`: the host of a web address, else the number, the address or the coordinates as the link holds
 * them. Null when it holds none, as a mail to nobody in particular.
 */
export function linkTarget(link: string): string | null {
  const target = decode(TARGETS[schemeOf(link)]?.(link) ?? '').trim();
  return target === '' ? null : target;
}

const TARGETS: Readonly<Record<string, (link: string) => string | undefined>> = {
  http: shownHost,
  https: shownHost,
  tel: numbers,
  sms: numbers,
  // Mail programs take several addresses with commas between them (RFC 6068).
  mailto: (link) => /^mailto:([^?]*)/.exec(link)?.[1]?.replaceAll(',', ', '),
  geo: (link) => /^geo:([^;?]*)/.exec(link)?.[1]?.replaceAll(',', ', '),
  whatsapp: (link) => {
    const phone = /[?&]phone=(?:\+|%2B)?([0-9]+)/i.exec(link)?.[1];
    return phone === undefined ? 'WhatsApp' : `WhatsApp +${phone}`;
  },
};

// Without the parameters of RFC 3966 and the text of a message (RFC 5724).
function numbers(link: string): string | undefined {
  return /^\w+:([^;?&]*)/.exec(link)?.[1]?.replaceAll(/,(?=\S)/g, ', ');
}

/**
 * Returns the host of a web address without `www.`, and with the letters it is known by where they cannot be taken for
 * others: Latin ones with marks, or a script of its own in the whole name, top domain included. `раураl.com` in Cyrillic
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
