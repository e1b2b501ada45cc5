import { expect, test } from 'vitest';
import { coveringLabels, keysCovering, readBlocklistLine } from './blocklist-file.js';

test.each([
  ['bad.example', ['bad.example']],
  ['  BAD.Example.  ', ['bad.example']],
  ['bad.example # seen in May', ['bad.example']],
  ['bücher.example', ['xn--bcher-kva.example']],
  ['192.0.2.7', ['192.0.2.7']],
  ['2001:DB8::1', ['[2001:db8::1]']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['0.0.0.0 bad.example', ['bad.example']],
  ['127.0.0.1\tbad.example\tworse.example # two', ['bad.example', 'worse.example']],
  ['127.0.0.1 localhost', []],
  ['::1 ip6-localhost ip6-loopback', []],
  ['fe80::1%lo0 localhost', []],
  ['https://Bad.example:443/a?b=c#frag', ['bad.example/a?b=c']],
  ['http://user:secret@bad.example./a', ['bad.example/a']],
  ['http://192.0.2.7:8080/bin.sh', ['192.0.2.7/bin.sh']],
  [
    '"3412345","2026-11-01 07:12:05","http://192.0.2.9:42345/i","online","2026-11-01 07:12:05","malware_download","32-bit,elf,mips","https://urlhaus.abuse.ch/url/3412345/","reporter"',
    ['192.0.2.9/i'],
  ],
  ['"1","2026-11-01","http://bad.example/?q=""x""","online"', ['bad.example/?q="x"']],
  ['# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter', []],
  ['', []],
  ['   ', []],
])('reads %s', (line, entries) => {
  expect(readBlocklistLine(line)).toEqual(entries);
});

test.each([
  ...['<html>', 'com', 'localhost', 'bad.example/path', 'bad.example:8080', 'ftp://bad.example/x'],
  ...['http://', 'two words', '"1","2026-11-01"', '"1","2026-11-01","no URL","online"'],
  ...['\u0000\u0001\u0002', `http://bad.example/${'x'.repeat(9_000)}`],
])('does not take %s for an entry', (line) => {
  expect(readBlocklistLine(line)).toBeNull();
});

test.each([
  [
    'https://a.b.bad.example/x?y#z',
    ['a.b.bad.example/x?y', 'a.b.bad.example', 'example', 'bad.example', 'b.bad.example'],
  ],
  ['https://BAD.example.:443', ['bad.example/', 'bad.example', 'example']],
  ['http://192.0.2.7/', ['192.0.2.7/', '192.0.2.7']],
  ['http://[2001:db8::1]/', ['[2001:db8::1]/', '[2001:db8::1]']],
  ['http://[::ffff:c000:207]/', ['192.0.2.7/', '192.0.2.7']],
  ['no URL', []],
])('%s is covered by itself, its host and the domains above', (url, keys) => {
  expect(keysCovering(url, 9)).toEqual(keys);
});

test('a host with many labels is looked up with at most the labels of the longest entry', () => {
  const host = `${'a.'.repeat(119)}bad.example`;
  expect(keysCovering(`https://${host}/`, 3)).toEqual([
    `${host}/`,
    host,
    'example',
    'bad.example',
    'a.bad.example',
  ]);
});

test.each([
  ['https://bad.example/evil', 'http://bad.example/evil'],
  ['https://bad.example/evil', 'https://bad.example/%65vil'],
  ['https://bad.example/evil', 'https://bad.example/%2565vil'],
  ['https://bad.example/%7Eevil?a=%62', 'http://user@bad.example:8080/x/../~evil?a=b#c'],
  ['https://bad.example/a b', 'https://bad.example/a%20b'],
])('a list with %s covers %s', (listed, url) => {
  expect(keysCovering(url, 2)).toContain(readBlocklistLine(listed)?.[0]);
});

test.each([
  ['bad.example', 2],
  ['a.b.bad.example', 4],
  ['192.0.2.7', 0],
  ['[2001:db8::1]', 0],
  ['bad.example/x.y.z', 0],
])('%s covers domains by %i labels', (entry, labels) => {
  expect(coveringLabels(entry)).toBe(labels);
});
