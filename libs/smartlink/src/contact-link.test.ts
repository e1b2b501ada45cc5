import { expect, test } from 'vitest';
import { type ContactScheme, parseContactLink } from './destinations.js';

const ALL: readonly ContactScheme[] = ['tel', 'mailto', 'sms', 'geo', 'whatsapp'];

test.each([
  ...'tel:(012)%20345.67 tel:+15551234567,,42 tel:+15551234567;ext=42'.split(' '),
  ...'tel:7042;phone-context=example.com mailto:a@example.org'.split(' '),
  ...'mailto:a@example.org,b@example.org?subject=Hi%20there'.split(' '),
  ...'mailto:a@example.org?Subject=x&cc=b@example.org&body=1%0D%0A2'.split(' '),
  ...'mailto:%22a%20b%22@example.org mailto:?to=a@example.org mailto:?subject=Look'.split(' '),
  ...'sms:+15551234567 sms:+15551234567,+15551234568?body=Hi%20there'.split(' '),
  ...'sms:+15551234567&body=Hi sms:?body=Hi geo:40.4093,49.8671'.split(' '),
  ...'geo:-40.4,-49.8,12;crs=wgs84;u=35 geo:0,0?q=Baku+Boulevard'.split(' '),
  ...'whatsapp://send?phone=994501234567&text=Hi'.split(' '),
  'tel:+994 12 345-67-89',
  "mailto:o'neill@example.org",
])('%s is kept', (text) => {
  expect(parseContactLink(text, ALL)).toBe(text);
});

test.each([
  ['TEL:112', 'tel:112'],
  ['mailto:ünal@example.org', 'mailto:%C3%BCnal@example.org'],
  ['WhatsApp://send/?phone=1', 'whatsapp://send/?phone=1'],
])('%s is normalised to %s', (text, href) => {
  expect(parseContactLink(text, ALL)).toBe(href);
});

test.each([
  // codes that configure the phone, and words
  ...'tel:*21*5551234%23 tel:%2A%2306%23 tel:*%2306%23 tel:#31#5551234 tel: tel:+ tel:%20()'.split(' '),
  ...'tel:();ext=5 tel:help tel:5;foo=bar tel:5%0a6 tel:5%006 tel:5?x=1 tel://5551234'.split(' '),
  // injected mail headers
  ...'mailto: mailto:nobody mailto:a@example.org%0D%0ABcc:b@example.org'.split(' '),
  ...'mailto:a@example.org?subject=x%0D%0ABcc:%20b@example.org'.split(' '),
  ...'mailto:a@example.org?subject=x%0ABcc:%20b@example.org'.split(' '),
  ...'mailto:a@example.org?attach=/etc/passwd mailto:a@example.org?body=1&X-Other=2'.split(' '),
  ...'mailto:a@example.org?body=%00 mailto:a@example.org?su%62ject=x'.split(' '),
  ...'mailto:a@example.org?subject=%zz mailto:a@example.org#x mailto://a@example.org?subject=x'.split(' '),
  ...'mailto://a@example.org"?subject=x mailto:/a@example.org'.split(' '),
  ...'mailto:a@example.org"><script>alert(1)</script> mailto:a@example.org,<b@example.org>'.split(' '),
  ...'sms:5&body="><script>alert(1)</script> sms: sms:help sms:5?attach=1 geo:1 geo:a,b'.split(' '),
  ...'geo:1,2,3,4 whatsapp:send whatsapp://evil.example/send?text=x'.split(' '),
  // not a contact at all
  'javascript:alert(1)',
  'JaVaScript:alert(1)',
  'data:text/html,x',
  'intent://x#Intent;end',
  'https://example.org/',
  'facetime:a@example.org',
  ' tel:5',
  'tel:5 ',
  'tel:5\n6',
  'te\tl:5',
  `tel:${'5'.repeat(2045)}`,
  'tel:5\ud800',
])('%j is refused', (text) => {
  expect(parseContactLink(text, ALL)).toBeNull();
});

test('only the schemes that the button may have are taken', () => {
  expect(parseContactLink('sms:5', ['tel', 'mailto'])).toBeNull();
  expect(parseContactLink('tel:5', ['tel', 'mailto'])).toBe('tel:5');
  expect(parseContactLink('tel:5', [])).toBeNull();
});

test('2,048 characters are taken, one more is not', () => {
  expect(parseContactLink(`tel:${'5'.repeat(2044)}`, ALL)).not.toBeNull();
  expect(parseContactLink(`tel:${'5'.repeat(2045)}`, ALL)).toBeNull();
});
