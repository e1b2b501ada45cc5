import { expect, test } from 'vitest';
import { parseDestination, parsePageLink } from './destinations.js';

const parse = (text: string) => parseDestination(text, { publicBaseUrl: 'https://sl.example.com' });

// The corpus of docs/reliability goals S8: each was used against a link service somewhere.
test.each([
  'javascript:alert(1)',
  'JaVa\tScript:alert(1)',
  ' https://example.org',
  ...'\x01https://example.org data:text/html,x vbscript:x blob:https://example.org/1'.split(' '),
  ...'file:///etc/passwd ftp://example.org/ intent://x#Intent;end //evil.com http:evil.com'.split(' '),
  ...'https:/\\evil.com https:\\\\evil.com https://evil.com\\@good.com'.split(' '),
  ...'https://user:pass@example.org/ https://@example.org/ http://0x7f.1/ http://2130706433/'.split(' '),
  ...'http://017700000001/ http://[::1]/ http://[::ffff:127.0.0.1]/ http://127。0。0。1/'.split(' '),
  ...'http://169.254.169.254/latest/meta-data http://metadata.google.internal/'.split(' '),
  ...'http://localhost./ http://localhost/ http://localhost.localdomain/'.split(' '),
  ...'http://metadata.goog/computeMetadata/v1 http://168.63.129.16/ http://example/'.split(' '),
  ...'http://a..b/ http://example.org:0/ http://example.org:65536/ http://pаypal.com/'.split(' '),
  ...'http://xn--pypal-4ve.com/ http://ꓐank.com/ http://ex"ample.org/'.split(' '),
  "http://ex'ample.org/",
  ...'http://ex`ample.org/ http://ex{ample}.org/ http://example.org&x.org/'.split(' '),
  ...'http://example.org;x.org/ http://exam\u00adple.org/ http://ex%00ample.org/'.split(' '),
  ...'http://example.org/a\r\nSet-Cookie:x http://10.0.0.1/ http://192.168.1.1/'.split(' '),
  ...'http://172.31.255.255/ http://100.64.0.1/ http://0.0.0.0/ http://printer.local/'.split(' '),
  ...'http://intranet.lan/ http://wpad.corp/ http://kubernetes.default.svc/ http://192.88.99.1/'.split(' '),
  ...'https://-a.com/ https://a.-b.com/ http://api.prod.svc.cluster.local/'.split(' '),
  ...'https://sl.example.com/x https://SL.example.com/ https://sl.example.com:8443/'.split(' '),
  ...'http://sl.example.com./ https://example.org/\ud800 https:// https://.'.split(' '),
  '',
  'example.org',
])('refuses %j', (text) => {
  expect(parse(text)).toBeNull();
});

test.each([
  ['https://example.org', 'https://example.org/'],
  ['HTTPS://Example.ORG/Path?q=1#h', 'https://example.org/Path?q=1#h'],
  ['http://example.org:8080/a b', 'http://example.org:8080/a%20b'],
  ['https://example.org/%0d%0aX', 'https://example.org/%0d%0aX'],
  ['https://münchen.example.org/', 'https://xn--mnchen-3ya.example.org/'],
  ['https://пример.испытание/', 'https://xn--e1afmkfd.xn--80akhbyknj4f/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://example.org/?next=http://user@host/\\', 'https://example.org/?next=http://user@host/\\'],
  ['https://example.org./', 'https://example.org./'],
  ['https://example.org/❤️', 'https://example.org/%E2%9D%A4%EF%B8%8F'],
])('normalises %j', (text, href) => {
  expect(parse(text)).toBe(href);
});

test('accepts 2,048 characters and refuses 2,049', () => {
  const base = 'https://example.org/';
  expect(parse(base + 'a'.repeat(2048 - base.length))).toHaveLength(2048);
  expect(parse(base + 'a'.repeat(2049 - base.length))).toBeNull();
});

test.each([
  ['https://sl.example.com', 'https://sl.example.com/menu', 'https://sl.example.com/menu'],
  ['https://sl.example.com', 'http://SL.example.com:8080/menu', 'http://sl.example.com:8080/menu'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/menu', 'http://127.0.0.1:8080/menu'],
  ['http://localhost:8080', 'http://localhost:8080/menu', 'http://localhost:8080/menu'],
  // Other services of the machine.
  ['http://127.0.0.1:8080', 'http://127.0.0.1:5432/', null],
  ['http://localhost:8080', 'https://localhost:8080/', null],
  ['https://sl.example.com', 'http://127.0.0.1/', null],
  ['https://sl.example.com', 'https://user@sl.example.com/menu', null],
])('on a page of %s, %s is %s, and no redirect leads there', (publicBaseUrl, text, href) => {
  expect(parsePageLink(text, { publicBaseUrl })).toBe(href);
  expect(parseDestination(text, { publicBaseUrl })).toBeNull();
});
