import { expect, test } from 'vitest';
import { buttonIcon, isButtonLink, linkTarget } from './button-list.js';

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
    'sms:+994505550112?body=x': '+994505550112',
    'sms:+994505550112;body=x': '+994505550112',
    'geo:40.3777,49.892;u=35?z=3': '40.3777, 49.892',
    'whatsapp://send?text=x&phone=994505550112': 'WhatsApp +994505550112',
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

test('a button has the icon of its preset, else of what its link opens', () => {
  const web = 'https://a.example/';
  expect(['restaurant', 'website', 'location', 'whatsapp'].map((preset) => buttonIcon(web, preset))).toEqual([
    'restaurant',
    'globe',
    'pin',
    'chat',
  ]);
  const links = [web, 'tel:+1', 'mailto:a@a.example', 'sms:+1', 'whatsapp://send', 'geo:1,2'];
  const icons = ['link', 'phone', 'email', 'chat', 'chat', 'pin'];
  expect(links.map((link) => buttonIcon(link))).toEqual(icons);
  for (const preset of ['link', 'constructor', '']) expect(buttonIcon('tel:+1', preset)).toBe('phone');
});
