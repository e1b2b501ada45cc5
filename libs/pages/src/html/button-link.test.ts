import { expect, test } from 'vitest';
import { buttonHref, buttonIcon, isButtonLink, isSameText, linkTarget } from './button-link.js';

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  ...'java\nscript:alert(1) \u0001javascript:alert(1) data:text/html,x vbscript:x'.split(' '),
  ...'file:///etc/passwd blob:https://a.example/1 //a.example/ /docs https:a.example'.split(' '),
  ...'httpsx://a.example https:// x\nhttps://a.example/'.split(' '),
  '',
])('no button leads to %j', (link) => {
  expect(isButtonLink(link)).toBe(false);
});

test('a button says where it leads', () => {
  const targets: Readonly<Record<string, string | null>> = {
    'https://www.shop.example/order?x=1': 'shop.example',
    'http://shop.example:8080/': 'shop.example:8080',
    'https://bank.example@evil.example/': 'evil.example',
    'tel:+994-12-555-01-12;ext=3': '+994-12-555-01-12',
    'tel:+994%2012%20555%2001%2012': '+994 12 555 01 12',
    'mailto:a@a.example,b@a.example?subject=x': 'a@a.example, b@a.example',
    'mailto:?subject=x': null,
    'sms:+994505550112?body=x': '+994 50 555 01 12',
    'sms:+994505550112,112;body=x': '+994 50 555 01 12, 112',
    'geo:40.3777,49.892;u=35?z=3': '40.3777, 49.892',
    'whatsapp://send?text=x&phone=994505550112': '+994 50 555 01 12',
    'https://wa.me/994505550112?text=x': '+994 50 555 01 12',
    'whatsapp://send?text=x': 'WhatsApp',
  };
  for (const [link, target] of Object.entries(targets))
    expect([link, linkTarget(link)]).toEqual([link, target]);
});

test('a host keeps its letters only where they cannot be taken for others', () => {
  const hostOf = (host: string) => linkTarget(new URL(`https://${host}/`).href);
  for (const host of ['şəki.example', 'bäckerei.example', 'пример.рф']) expect(hostOf(host)).toBe(host);
  // Cyrillic letters that look like Latin ones, alone and between them; a Latin letter that looks like another.
  for (const host of ['раура.com', 'pаypal.com', 'ɡoogle.com', 'lıve.com'])
    expect(hostOf(host)).toMatch(/^xn--/);
});

test('international numbers are shown in groups, all others as their owner wrote them', () => {
  const numbers: Readonly<Record<string, string>> = {
    '+994125550144': '+994 12 555 01 44',
    '+14155550132': '+1 415 555 0132',
    '+79125550142': '+7 912 555 01 42',
    '+905325550142': '+90 532 555 01 42',
    '+4915155501342': '+49 151 5550 1342',
    '+6581234567': '+65 8123 4567',
    '+3545550132': '+354 555 01 32',
    '+12': '+12',
    '+999999999999999': '+999 9999 9999 9999',
    '+9999999999999999': '+9999999999999999',
    '112': '112',
    '0125550144': '0125550144',
  };
  for (const [number, shown] of Object.entries(numbers)) {
    expect([number, linkTarget(`tel:${number}`)]).toEqual([number, shown]);
  }
});

test('a target that the words of a button say already is the same text', () => {
  expect(isSameText('+994125550144', '+994 12 555 01 44')).toBe(true);
  expect(isSameText('Shop.example', 'shop.example')).toBe(true);
  expect(isSameText('WhatsApp', 'WhatsApp')).toBe(true);
  expect(isSameText('Office', '+994 12 555 01 44')).toBe(false);
});

test('a chat of WhatsApp is opened by its web address', () => {
  const links: Readonly<Record<string, string>> = {
    'whatsapp://send?phone=994505550112': 'https://wa.me/994505550112',
    'whatsapp://send?phone=%2B994505550112&text=Table%207%20%26%208':
      'https://wa.me/994505550112?text=Table%207%20%26%208',
    'whatsapp://send?text=x': 'https://wa.me/?text=x',
    'whatsapp://send': 'https://wa.me/',
    'https://a.example/': 'https://a.example/',
    'tel:+1': 'tel:+1',
  };
  for (const [link, href] of Object.entries(links)) expect([link, buttonHref(link)]).toEqual([link, href]);
});

test('a button has the icon of its purpose, its service, its preset, else of what its link opens', () => {
  const web = 'https://a.example/';
  const chat = 'https://wa.me/994505550112';
  expect(['restaurant', 'website', 'location', 'whatsapp'].map((preset) => buttonIcon(web, preset))).toEqual([
    'restaurant',
    'globe',
    'pin',
    'whatsapp',
  ]);
  expect(['calendar', 'social', 'website', ''].map((preset) => buttonIcon(chat, preset))).toEqual([
    'calendar',
    'whatsapp',
    'whatsapp',
    'whatsapp',
  ]);
  const links = [web, 'tel:+1', 'mailto:a@a.example', 'sms:+1', 'whatsapp://send', 'geo:1,2'];
  const icons = ['link', 'phone', 'email', 'chat', 'whatsapp', 'pin'];
  expect(links.map((link) => buttonIcon(link))).toEqual(icons);
  for (const preset of ['link', 'constructor', '']) expect(buttonIcon('tel:+1', preset)).toBe('phone');
});

test('a service is recognised by its host alone', () => {
  const icons: Readonly<Record<string, string>> = {
    'https://www.instagram.com/narin': 'instagram',
    'https://open.spotify.com/artist/1': 'spotify',
    'https://narin.bandcamp.com/': 'bandcamp',
    'https://music.apple.com/az/album/1': 'apple-music',
    'https://apple.com/': 'link',
    'https://www.google.com.tr/maps/place/Baku': 'google-maps',
    'https://www.google.com/search?q=maps': 'link',
    'https://instagram.com.evil.example/': 'link',
    'https://notinstagram.com/': 'link',
    'https://evil.example/instagram.com': 'link',
    'http://192.0.2.1/': 'link',
  };
  for (const [link, icon] of Object.entries(icons)) expect([link, buttonIcon(link)]).toEqual([link, icon]);
});
