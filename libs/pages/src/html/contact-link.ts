/** Contact details that a button's link contains. */
export type Contact = {
  readonly numbers: readonly PhoneNumber[];
  readonly mailAddresses: readonly string[];
  /** Normalised http or https address; null for other links. */
  readonly webAddress: string | null;
  /** Search text of a map link, a postal address; null if the link has none. */
  readonly place: string | null;
};

export type PhoneNumber = {
  /** Digits with an optional `+` and separators; nothing that could end a line or begin a parameter. */
  readonly number: string;
  /** The number accepts messages, so it is a mobile phone. */
  readonly isMobile: boolean;
};

/** Contact details of a link; empty lists and null if it is not understood. */
export function contactOf(link: string): Contact {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return NO_CONTACT;
  }
  switch (url.protocol) {
    case 'tel:':
      return { ...NO_CONTACT, numbers: telNumbers(url) };
    case 'sms:':
      return { ...NO_CONTACT, numbers: smsNumbers(url) };
    case 'whatsapp:':
      return { ...NO_CONTACT, numbers: whatsappNumbers(url.searchParams.get('phone')) };
    case 'mailto:':
      return { ...NO_CONTACT, mailAddresses: mailAddresses(url) };
    case 'http:':
    case 'https:':
      return {
        ...NO_CONTACT,
        numbers: whatsappNumbers(whatsappPhone(url)),
        webAddress: url.href,
        place: placeOf(url),
      };
    case 'geo:':
      return { ...NO_CONTACT, place: placeOf(url) };
    default:
      return NO_CONTACT;
  }
}

const NO_CONTACT: Contact = { numbers: [], mailAddresses: [], webAddress: null, place: null };

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

/** The phone number of a web address that opens a chat with it; null when it does not. */
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
