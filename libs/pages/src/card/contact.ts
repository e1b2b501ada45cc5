/** How a button's link reaches somebody, read from the link itself. */
export type Contact = {
  readonly numbers: readonly PhoneNumber[];
  readonly mailAddresses: readonly string[];
  /** An http or https address, as its parser writes it; null: it is none. */
  readonly webAddress: string | null;
  /** What a map is to look for, as people write an address; null: the link does not say. */
  readonly place: string | null;
};

export type PhoneNumber = {
  /** Digits, `+` before them, and what people write between them: nothing that could end a line or begin a parameter. */
  readonly number: string;
  /** It takes messages, so it is a phone that somebody carries. */
  readonly isMobile: boolean;
};

/** Returns whom a link reaches; empty lists and null for one that is not understood. */
export function contactOf(link: string): Contact {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return NOBODY;
  }
  switch (url.protocol) {
    case 'tel:':
      return { ...NOBODY, numbers: telNumbers(url) };
    case 'sms:':
      return { ...NOBODY, numbers: smsNumbers(url) };
    case 'whatsapp:':
      return { ...NOBODY, numbers: whatsappNumbers(url.searchParams.get('phone')) };
    case 'mailto:':
      return { ...NOBODY, mailAddresses: mailAddresses(url) };
    case 'http:':
    case 'https:':
      return {
        ...NOBODY,
        numbers: whatsappNumbers(whatsappPhone(url)),
        webAddress: url.href,
        place: placeOf(url),
      };
    case 'geo:':
      return { ...NOBODY, place: placeOf(url) };
    default:
      return NOBODY;
  }
}

const NOBODY: Contact = { numbers: [], mailAddresses: [], webAddress: null, place: null };

// RFC 3966. A comma is a pause to every phone, and so an extension can be dialled.
function telNumbers(url: URL): readonly PhoneNumber[] {
  const [number = '', ...parameters] = decode(url.pathname).split(';');
  const extension = parameters.find((parameter) => /^ext=[0-9.-]+$/.test(parameter))?.slice('ext='.length);
  return numberOf(extension === undefined ? number : `${number},${extension}`, false);
}

// RFC 5724; phones write `;body=` and `&body=` too.
function smsNumbers(url: URL): readonly PhoneNumber[] {
  const receivers = decode(url.pathname).split(/[;&]/, 1)[0] ?? '';
  return receivers.split(',').flatMap((number) => numberOf(number, true));
}

function numberOf(text: string, isMobile: boolean): readonly PhoneNumber[] {
  const number = text.trim();
  return /^\+?[0-9().,\- ]+$/.test(number) && /[0-9]/.test(number) ? [{ number, isMobile }] : [];
}

// Chats are opened by the whole number with its country, at most 15 digits (ITU-T E.164).
function whatsappNumbers(phone: string | null): readonly PhoneNumber[] {
  if (phone === null || !/^[0-9().+\- ]+$/.test(phone)) return [];
  const digits = phone.replace(/[^0-9]/g, '');
  return digits.length >= 7 && digits.length <= 15 ? [{ number: `+${digits}`, isMobile: true }] : [];
}

/** Returns the phone number of a web address that opens a chat with it; null when it does not. */
function whatsappPhone(url: URL): string | null {
  if (url.hostname === 'wa.me') return url.pathname.slice(1);
  return url.hostname === 'api.whatsapp.com' ? url.searchParams.get('phone') : null;
}

// RFC 6068. What holds quotes, brackets or separators is an address that many address books do not read: left out.
function mailAddresses(url: URL): readonly string[] {
  const addresses = decode(url.pathname).split(',');
  return addresses.filter((address) =>
    /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(address),
  );
}

/** By the parameters that maps of all makers know. */
function placeOf({ searchParams }: URL): string | null {
  const place = searchParams.get('q') ?? searchParams.get('query') ?? searchParams.get('address');
  return place === null || place.trim() === '' ? null : place.trim();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
