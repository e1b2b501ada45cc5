import { expect, test } from 'vitest';
import type { PageSourceOf } from '../site.js';
import { vCard } from './vcard.js';

type Card = PageSourceOf<'DigiCard'>['page']['digiCard'];
type Button = NonNullable<PageSourceOf<'DigiCard'>['page']['digiCardButtons']>[number];

const SITE = { publicBaseUrl: 'https://sl.example.com' };

function cardOf(digiCard: Card, digiCardButtons: readonly Button[] = []) {
  return vCard({ slug: 'leyla', type: 'DigiCard', page: { digiCard, digiCardButtons } }, SITE);
}

type Property = { group: string; name: string; types: string[]; raw: string };

/**
 * Reads a contact as RFC 2426 and Android's parser do: lines, then group, name and parameters up to the first colon.
 * Everything that any reader takes for the end of a line must be a CRLF that ends a property.
 */
function parse(text: string): Property[] {
  expect(text.endsWith('\r\n')).toBe(true);
  const lines = text.slice(0, -2).split('\r\n');
  return lines.map((line) => {
    expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    const match = /^(?:(item[0-9]+)\.)?([A-Z]+(?:-[A-Za-z]+)?)((?:;[A-Z]+=[A-Z,]+)*):(.*)$/u.exec(line);
    expect(match, line).not.toBeNull();
    const [, group = '', name = '', parameters = '', raw = ''] = match ?? [];
    const types = parameters === '' ? [] : parameters.slice(';TYPE='.length).split(',');
    return { group, name, types, raw };
  });
}

function valuesOf(text: string, name: string): string[] {
  return parse(text).flatMap((property) => (property.name === name ? [unescape(property.raw)] : []));
}

function unescape(raw: string): string {
  return raw.replace(/\\(.)/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));
}

/** The components of a structured value: a semicolon parts them unless it is escaped. */
function componentsOf(raw: string): string[] {
  return (raw.match(/(?:[^;\\]|\\.)*(?:;|$)/g) ?? [])
    .slice(0, raw.endsWith(';') ? undefined : -1)
    .map((part) => unescape(part.replace(/;$/, '')));
}

function nameOf(text: string): string[] {
  return componentsOf(parse(text).find(({ name }) => name === 'N')?.raw ?? 'no N');
}

test('a card has these lines, in this order', () => {
  const { text } = cardOf({ title: 'Leyla Əliyeva', jobTitle: 'Architect', company: 'Studio; Ağ, Qara' }, [
    { title: 'Office', link: 'tel:+994%2012%20555-01-01' },
    { title: 'Mobile', link: 'tel:+994505550101', preset: 'phone' },
    { title: 'Write', link: 'mailto:leyla@example.org?subject=Hi' },
    { title: 'Portfolio, new', link: 'https://leyla.example/a;b?c=1,2', preset: 'website' },
    { title: 'Chat', link: 'https://wa.me/994505550101', preset: 'whatsapp' },
  ]);
  expect(text.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Əliyeva;Leyla;;;',
    'FN:Leyla Əliyeva',
    'ORG:Studio\\; Ağ\\, Qara',
    'TITLE:Architect',
    'TEL;TYPE=WORK,VOICE:+994 12 555-01-01',
    'TEL;TYPE=CELL,VOICE:+994505550101',
    'EMAIL;TYPE=INTERNET,WORK:leyla@example.org',
    'item1.URL:https://leyla.example/a;b?c=1,2',
    'item1.X-ABLabel:Portfolio\\, new',
    'item2.URL:https://wa.me/994505550101',
    'item2.X-ABLabel:Chat',
    'URL:https://sl.example.com/leyla',
    'UID:https://sl.example.com/leyla',
    'END:VCARD',
    '',
  ]);
});

test.each([
  ['Leyla', ['', 'Leyla', '', '', '']],
  ['Leyla Əliyeva', ['Əliyeva', 'Leyla', '', '', '']],
  ['  Ana  Maria de   Souza ', ['Souza', 'Ana Maria de', '', '', '']],
  ['O;Neill,\\ Jr\\', ['Jr\\', 'O;Neill,\\', '', '', '']],
  ['محمد أحمد', ['أحمد', 'محمد', '', '', '']],
  ['👩‍🚀 🚀', ['🚀', '👩‍🚀', '', '', '']],
])('the name %j is read back as its parts', (title, parts) => {
  const { text } = cardOf({ title });
  expect(nameOf(text)).toEqual(parts);
  expect(valuesOf(text, 'FN')).toEqual([title.trim().replace(/ +/g, ' ')]);
  expect(valuesOf(text, 'X-ABShowAs')).toEqual([]);
});

test.each([{ company: 'Narin Bakery' }, { title: 'Narin Bakery', company: ' Narin  Bakery' }])(
  'a company is saved as one: %j',
  (card) => {
    const { text } = cardOf(card);
    expect(nameOf(text)).toEqual(['', '', '', '', '']);
    expect(valuesOf(text, 'FN')).toEqual(['Narin Bakery']);
    expect(valuesOf(text, 'ORG')).toEqual(['Narin Bakery']);
    expect(valuesOf(text, 'X-ABShowAs')).toEqual(['COMPANY']);
  },
);

test('an empty card is named after its preview, or after its address', () => {
  const page = { digiCard: { title: ' ' } };
  const named = vCard({ slug: 'a1', type: 'DigiCard', page, openGraph: { title: 'Our team' } }, SITE);
  expect(valuesOf(named.text, 'FN')).toEqual(['Our team']);
  const { text, fileName } = vCard({ slug: 'a1', type: 'DigiCard', page }, SITE);
  expect(valuesOf(text, 'FN')).toEqual(['a1']);
  expect(valuesOf(text, 'ORG')).toEqual(['a1']);
  expect(fileName).toBe('a1.vcf');
});

const LINE_ENDS = ['\n', '\r', '\r\n', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];

test.each(LINE_ENDS)('no text starts a line after %j', (end) => {
  const hostile = `A${end}END:VCARD${end}BEGIN:VCARD${end} TEL:900`;
  const link = 'https://a.example/';
  const { text } = cardOf({ title: hostile, jobTitle: hostile, company: `${hostile}2` }, [
    { title: hostile, link },
  ]);
  const names = parse(text).map(({ name }) => name);
  expect(names).toEqual('BEGIN VERSION N FN ORG TITLE URL X-ABLabel URL UID END'.split(' '));
});

test('texts of full length survive a round trip', () => {
  const signs = ';,\\:"\'=😀مA.n\\n';
  const full = (length: number) => Array.from(signs.repeat(length)).slice(0, length).join('');
  const card = { title: full(256), jobTitle: full(128), company: full(127) };
  const { text } = cardOf(card, [{ title: full(255), link: 'https://a.example/' }]);
  expect(valuesOf(text, 'FN')).toEqual([card.title]);
  expect(valuesOf(text, 'TITLE')).toEqual([card.jobTitle]);
  expect(valuesOf(text, 'ORG')).toEqual([card.company]);
  expect(valuesOf(text, 'X-ABLabel')).toEqual([full(255)]);
});

test.each([
  ['tel:(012)%20345.67', '(012) 345.67'],
  ['tel:+15551234567;ext=42', '+15551234567,42'],
  ['tel:7042;phone-context=example.com', '7042'],
  ['sms:+15551234567?body=TEL:900', '+15551234567'],
  ['sms:+15551234567&body=Hi', '+15551234567'],
  ['whatsapp://send?phone=994501234567&text=Hi', '+994501234567'],
  ['https://wa.me/994501234567?text=Hi', '+994501234567'],
  ['https://api.whatsapp.com/send?phone=%2B994501234567', '+994501234567'],
])('the number of %s is %s', (link, number) => {
  expect(valuesOf(cardOf({}, [{ title: 'Call', link }]).text, 'TEL')).toEqual([number]);
});

test.each([
  ...'tel:5%0D%0ATEL:900 tel:5%E2%80%A86 tel:*21*5551234%23 tel:%zz sms:?body=Hi'.split(' '),
  ...'whatsapp://send?text=Hi https://wa.me/message/ABCDEFG mailto:a@example.org%0D%0ATEL:900'.split(' '),
  ...'mailto:%22a%20b%22@example.org mailto:?subject=Look javascript:alert(1)'.split(' '),
  'no address',
])('%s gives neither number nor mail address', (link) => {
  const { text } = cardOf({}, [{ title: 'Call', link }]);
  expect([...valuesOf(text, 'TEL'), ...valuesOf(text, 'EMAIL')]).toEqual([]);
});

const typesIn = (text: string) => parse(text).flatMap(({ name, types }) => (name === 'TEL' ? [types] : []));

test.each([{ company: 'Narin Bakery' }, { title: 'Narin Bakery', company: 'Narin Bakery' }, {}])(
  'a company’s only number is one at work, unless it takes messages: %j',
  (card) => {
    const office: Button = { title: 'Order', link: 'tel:1' };
    expect(typesIn(cardOf(card, [office]).text)).toEqual([['WORK', 'VOICE']]);
    expect(typesIn(cardOf(card, [{ ...office, preset: 'whatsapp' }]).text)).toEqual([['CELL', 'VOICE']]);
  },
);

test('a person’s only number is a mobile one; of several those that take messages are', () => {
  const typesOf = (...buttons: Button[]) => typesIn(cardOf({ title: 'Leyla' }, buttons).text);
  const [office, home]: Button[] = [
    { title: 'Office', link: 'tel:1' },
    { title: 'Home', link: 'tel:2' },
  ];
  expect(typesOf(office!)).toEqual([['CELL', 'VOICE']]);
  expect(typesOf(office!, { ...office!, link: 'tel:(1)' })).toEqual([['CELL', 'VOICE']]);
  expect(typesOf(office!, home!, { title: 'Chat', link: 'sms:2' })).toEqual([
    ['WORK', 'VOICE'],
    ['CELL', 'VOICE'],
  ]);
  expect(typesOf(office!, { ...home!, preset: 'whatsapp' })).toEqual([
    ['WORK', 'VOICE'],
    ['CELL', 'VOICE'],
  ]);
});

test('mail addresses come without their query, decoded, each once', () => {
  const { text } = cardOf({}, [
    { title: 'Write', link: 'mailto:%C3%BCnal@example.org,b@example.org?subject=Hi&cc=c@example.org' },
    { title: 'Again', link: 'mailto:b@example.org' },
  ]);
  expect(valuesOf(text, 'EMAIL')).toEqual(['ünal@example.org', 'b@example.org']);
});

test('an address cannot be read as another by unescaping it', () => {
  const { text } = cardOf({}, [{ title: 'Site', link: 'https://a.example/?q=\\nURL:https://b.example/' }]);
  expect(valuesOf(text, 'URL')[0]).toBe('https://a.example/?q=%5CnURL:https://b.example/');
});

test('no line is folded, and nothing says what other versions of the format would', () => {
  const { text } = cardOf({ title: 'x'.repeat(256), logoLink: 'https://images.example/a.jpg' });
  expect(text).not.toMatch(/\r\n[ \t]|CHARSET|PHOTO|LOGO|ENCODING/);
  expect(text.startsWith('BEGIN:VCARD\r\n')).toBe(true);
});

test.each([
  ['Leyla Əliyeva', 'Leyla-Eliyeva.vcf', 'Leyla%20%C6%8Fliyeva.vcf'],
  ['Işıl Çağlar', 'Isil-Caglar.vcf', 'I%C5%9F%C4%B1l%20%C3%87a%C4%9Flar.vcf'],
  ['Анна', 'leyla.vcf', '%D0%90%D0%BD%D0%BD%D0%B0.vcf'],
  ['../../etc/passwd', 'etc-passwd.vcf', 'etc%20passwd.vcf'],
  ["O'Neill (Jr)*", 'O-Neill-Jr.vcf', 'O%27Neill%20%28Jr%29.vcf'],
  ['a\u202efcv.exe"', 'a-fcv-exe.vcf', 'a%20fcv.exe.vcf'],
  ['"\r\nSet-Cookie: a=b', 'Set-Cookie-a-b.vcf', 'Set-Cookie%20a%3Db.vcf'],
  ['...', 'leyla.vcf', 'leyla.vcf'],
  ['🚀', 'leyla.vcf', '%F0%9F%9A%80.vcf'],
])('the file of %j is %s', (title, fileName, utf8) => {
  const card = cardOf({ title });
  expect(card.fileName).toBe(fileName);
  expect(card.fileNameUtf8).toBe(`UTF-8''${utf8}`);
});

test('the longest file name fits on a disk', () => {
  const { fileName, fileNameUtf8 } = cardOf({ title: '😀'.repeat(256) });
  expect(Buffer.byteLength(decodeURIComponent(fileNameUtf8.slice("UTF-8''".length)))).toBeLessThanOrEqual(
    255,
  );
  expect(fileName).toBe('leyla.vcf');
  expect(cardOf({ title: 'ß'.repeat(256) }).fileName).toHaveLength(64);
});
