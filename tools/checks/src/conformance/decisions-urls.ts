import type { Section } from './statement.js';
import * as t from './test-files.js';

/** decisions.md: URLs, their safety, and passwords. */
export const URLS: readonly Section[] = [
  {
    title: 'URLs',
    statements: {
      'url-parsed': [
        'A URL is parsed as the WHATWG says, and the parsed form is stored and returned',
        t.create('a valid create stores and returns the parsed form of …'),
        t.destination('normalises …'),
      ],
      'url-schemes': [
        'Destinations and images are http or https; the scheme is judged as parsed',
        t.refused('"ftp://example.org/" as a destination and as an image'),
        t.refused('"JaVa\\tScript:alert(1)" as a destination and as an image'),
        t.limit('landing.logoLink'),
      ],
      'url-landing-buttons': [
        'Buttons of a Landing may be tel and mailto too',
        t.taken('Landing: tel:+99412'),
        t.taken('Landing: mailto:a@example.org'),
        t.limit('landingButtons.0.link'),
      ],
      'url-other-buttons': [
        'Buttons of a QRTag or DigiCard may also be sms, geo and whatsapp',
        t.taken('QRTag: sms:+99412'),
        t.taken('QRTag: geo:40.4,49.8'),
        t.taken('QRTag: whatsapp://send?phone=99412'),
        t.taken('DigiCard: sms:+99412'),
        t.taken('DigiCard: geo:40.4,49.8'),
        t.taken('DigiCard: whatsapp://send?phone=99412'),
        t.contactLink('only the schemes that the button may have are taken'),
      ],
      'url-never': [
        'None is ever javascript, data, vbscript, file or blob',
        t.destination('refuses "javascript:alert(1)"'),
        t.destination('refuses "data:text/html,x"'),
        t.destination('refuses "vbscript:x"'),
        t.destination('refuses "file:///etc/passwd"'),
        t.destination('refuses "blob:https://example.org/1"'),
        t.contactLink('"javascript:alert(1)" is refused'),
        t.contactLink('"data:text/html,x" is refused'),
        t.faultAt('qrTagButtons.0.link'),
        t.hostileUrls('App takes no hostile address in any of its fields'),
        t.hostileUrls('QrMenu takes no hostile address in any of its fields'),
      ],
      'url-userinfo': [
        'Userinfo is refused',
        t.refused('"https://user:pass@example.org/" as a destination and as an image'),
      ],
      'url-no-dot': [
        'A host without a dot is refused',
        t.refused('"http://example/" as a destination and as an image'),
      ],
      'url-private': [
        'Addresses inside a machine or a network are refused (loopback, private, link-local, metadata), in every notation',
        t.refused('"http://0x7f.1/" as a destination and as an image'),
        t.refused('"http://2130706433/" as a destination and as an image'),
        t.refused('"http://017700000001/" as a destination and as an image'),
        t.refused('"http://[::1]/" as a destination and as an image'),
        t.refused('"http://127。0。0。1/" as a destination and as an image'),
        t.refused('"http://169.254.169.254/" as a destination and as an image'),
        t.destination('refuses "http://10.0.0.1/"'),
        t.destination('refuses "http://192.168.1.1/"'),
        t.destination('refuses "http://172.31.255.255/"'),
        t.destination('refuses "http://metadata.google.internal/"'),
        t.hostileUrls('Url takes no hostile address in any of its fields'),
        t.hostileUrls('Landing takes no hostile address in any of its fields'),
        t.hostileUrls('nor does a PATCH'),
      ],
      'url-loop': [
        'An address of this very service is refused, however it is written',
        t.refused('"https://sl.example.com/x" as a destination and as an image'),
        t.refused('"HTTPS://SL.EXAMPLE.COM.:8443/x" as a destination and as an image'),
      ],
      'url-message': [
        'All of these are VALIDATION_FAILED with Invalid URL format, at their field',
        t.refused('"http://a..b/" as a destination and as an image'),
        t.limit('qrMenu.coverLink'),
      ],
      'url-unsafe-code': [
        'UNSAFE_URL is for the verdict of a provider alone',
        t.urlSafety('a create with an unsafe …'),
        t.urlSafetyPolicy(
          'UNSAFE_URL has a detail for each URL the provider calls unsafe, and not the URL itself',
        ),
      ],
      'safety-none': [
        'The provider none checks nothing',
        t.urlSafetyPolicy('the provider `none` has judged nothing, and refuses nothing'),
      ],
      'safety-providers': [
        'Providers: a file of blocked hosts and URLs, two of Google, and a hook',
        t.safetyProviders(
          'google-web-risk what it calls unsafe is refused at its path, and everything else is stored',
        ),
        t.safetyProviders(
          'google-safe-browsing what it calls unsafe is refused at its path, and everything else is stored',
        ),
        t.safetyProviders('http what it calls unsafe is refused at its path, and everything else is stored'),
        t.safetyProviders(
          'blocklist a running service takes a new list over, and shows how many entries it has',
        ),
      ],
      'safety-blocklist': [
        'The file names hosts and exact URLs, as URLhaus and hosts files do, and is reloaded without a restart',
        t.blocklist('hosts cover their subdomains, URLs only themselves'),
        t.blocklist('a changed file is read again, whole, and an unchanged one is not'),
        t.blocklist('a file that is gone leaves the old list in use until it is back'),
      ],
      'safety-limit': [
        'A provider has 1.5 s, and a breaker',
        t.createUrlSafety('a provider that never answers is given up at the limit'),
        t.createUrlSafety(
          'a provider that is down leaves URLs unchecked, and after three checks costs nothing but a probe a pause',
        ),
        t.safetyProviders('http one that is down is asked three times, then no more, and links are stored'),
      ],
      'safety-down': [
        'With the provider down a link is accepted, marked and checked later, or refused with 503 by SAFETY_FAIL_CLOSED',
        t.rechecks('a link made while the provider is down is accepted, judged later, and paused if need be'),
        t.rechecks(
          'fail-closed a create is 503 and stores nothing, and what is stored is asked about again later',
        ),
      ],
      'safety-daily': [
        'Stored URLs are looked at again each day, and a link that turned bad is paused',
        t.rechecks('a link that is fine is due again within a day, and nothing else of it moves'),
        t.rechecks('a later verdict pauses the link: fetch, list, audit log and webhook say why'),
      ],
      'url-never-fetched': [
        'The service never fetches a URL of a user',
        t.urls('no host of a user’s URL is looked up or connected to, by any call'),
      ],
    },
  },
  {
    title: 'Passwords',
    statements: {
      'password-unused': [
        'One that comes without protection is hashed and kept for later',
        t.passwords('a password given while unprotected is kept, and protection can use it later'),
        t.create(
          'a password that comes while protected is false is kept, and is enough to protect the link later',
        ),
      ],
      'password-null': [
        'A protected link cannot give its password up: null is a fault',
        t.passwords('null clears it when unprotected and is a fault when protected'),
        t.refused('protected, password null'),
      ],
      'password-hash': [
        'It is kept as argon2id',
        t.passwords(
          'protection without a password is a fault, with one it holds, and the password is never returned',
        ),
        t.passwordHash(
          'verified beside this thread: its own hashes are right, another password is not, and a damaged hash matches nothing',
        ),
      ],
      'password-queue': [
        'Hashing waits in a bounded queue',
        t.passwordHasher(
          'refuses with SERVICE_UNAVAILABLE what is more than may run and wait, and works on afterwards',
        ),
      ],
      'password-never': [
        'It is never returned, logged or kept in clear',
        t.create('a password of 6 characters is stored as a hash and shown nowhere'),
        t.idempotency('a password is part of the request, and is not to be had from what is kept'),
        t.secrets('no row, key, event, log line or answer holds a key or a password'),
      ],
    },
  },
];
