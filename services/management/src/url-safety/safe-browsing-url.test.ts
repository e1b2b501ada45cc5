import { expect, test } from 'vitest';
import { canonicalise, expressionsOf } from './safe-browsing-url.js';

const written = (url: string): string => {
  const { scheme, host, path, query } = canonicalise(url);
  return `${scheme}://${host}${path}${query === null ? '' : `?${query}`}`;
};

// The examples of https://developers.google.com/safe-browsing/v4/urls-hashing, canonicalization.
test.each([
  ['http://host/%25%32%35', 'http://host/%25'],
  ['http://host/%25%32%35%25%32%35', 'http://host/%25%25'],
  ['http://host/%2525252525252525', 'http://host/%25'],
  ['http://host/asdf%25%32%35asd', 'http://host/asdf%25asd'],
  ['http://host/%%%25%32%35asd%%', 'http://host/%25%25%25asd%25%25'],
  ['http://www.google.com/', 'http://www.google.com/'],
  [
    'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
    'http://168.188.99.26/.secure/www.ebay.com/',
  ],
  [
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
  ],
  [
    'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
    'http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+',
  ],
  ['http://3279880203/blah', 'http://195.127.0.11/blah'],
  ['http://www.google.com/blah/..', 'http://www.google.com/'],
  ['www.google.com/', 'http://www.google.com/'],
  ['www.google.com', 'http://www.google.com/'],
  ['http://www.evil.com/blah#frag', 'http://www.evil.com/blah'],
  ['http://www.GOOgle.com/', 'http://www.google.com/'],
  ['http://www.google.com.../', 'http://www.google.com/'],
  ['http://www.google.com/foo\tbar\rbaz\n2', 'http://www.google.com/foobarbaz2'],
  ['http://www.google.com/q?', 'http://www.google.com/q?'],
  ['http://www.google.com/q?r?', 'http://www.google.com/q?r?'],
  ['http://www.google.com/q?r?s', 'http://www.google.com/q?r?s'],
  ['http://evil.com/foo#bar#baz', 'http://evil.com/foo'],
  ['http://evil.com/foo;', 'http://evil.com/foo;'],
  ['http://evil.com/foo?bar;', 'http://evil.com/foo?bar;'],
  ['http://\u0001\u0080.com/', 'http://%01%80.com/'],
  ['http://notrailingslash.com', 'http://notrailingslash.com/'],
  ['http://www.gotaport.com:1234/', 'http://www.gotaport.com/'],
  ['  http://www.google.com/  ', 'http://www.google.com/'],
  ['http:// leadingspace.com/', 'http://%20leadingspace.com/'],
  ['http://%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['https://www.securesite.com/', 'https://www.securesite.com/'],
  ['http://host.com/ab%23cd', 'http://host.com/ab%23cd'],
  ['http://host.com//twoslashes?more//slashes', 'http://host.com/twoslashes?more//slashes'],
  // By the rules of https://developers.google.com/safe-browsing/reference/URLs.and.Hashing.
  ['http://[2001:0db8:0000::1]/', 'http://[2001:db8::1]/'],
  ['http://[::ffff:1.2.3.4]/', 'http://1.2.3.4/'],
  // The user of a URL is no host, whatever it looks like.
  ['http://good.example%2Fa%3Fb@bad.example/x', 'http://bad.example/x'],
  ['http://[64:ff9b::1.2.3.4]/', 'http://1.2.3.4/'],
  ['http://[64:ff9b::0.0.3.4]/', 'http://0.0.3.4/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://user:p@ss@bad.example/', 'http://bad.example/'],
  ['http://bad.example/a/./b/../c/', 'http://bad.example/a/c/'],
])('%s is %s', (url, canonical) => {
  expect(written(url)).toBe(canonical);
});

// The examples of the same page, suffix and prefix expressions.
const combined = (hosts: readonly string[], paths: readonly string[]) =>
  hosts.flatMap((host) => paths.map((path) => `${host}${path}`));
test.each([
  [
    'http://a.b.c/1/2.html?param=1',
    combined(['a.b.c', 'b.c'], ['/1/2.html?param=1', '/1/2.html', '/', '/1/']),
  ],
  [
    'http://a.b.c.d.e.f.g/1.html',
    combined(['a.b.c.d.e.f.g', 'c.d.e.f.g', 'd.e.f.g', 'e.f.g', 'f.g'], ['/1.html', '/']),
  ],
  ['http://1.2.3.4/1/', ['1.2.3.4/1/', '1.2.3.4/']],
  ['http://a.b/saw-cgi/eBayISAPI.dll/', ['a.b/saw-cgi/eBayISAPI.dll/', 'a.b/', 'a.b/saw-cgi/']],
])('%s has these expressions', (url, expressions) => {
  expect(expressionsOf(canonicalise(url))).toEqual(expressions);
});

test('no URL has more than thirty expressions', () => {
  const url = `https://${'a.'.repeat(60)}example/${'d/'.repeat(200)}x?y`;
  expect(expressionsOf(canonicalise(url))).toHaveLength(30);
});

test('a URL of 2,048 characters that is escaped over and over is through at once', () => {
  const url = `https://bad.example/%${'25'.repeat(1_000)}41`;
  expect(written(url)).toBe('https://bad.example/A');
});
