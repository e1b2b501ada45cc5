import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { useSite } from './browser/use-site.js';
import { MAC_SAFARI, PREVIEW_AGENT } from './serve.js';
import { type HostileLink, hostileLinks, OWNER_HOST } from './xss-links.js';
import { PAYLOADS } from './xss-payloads.js';
import { watchXss, type XssWatch, type XssWatchOptions } from './xss-watch.js';

const {
  chromium: executablePath,
  trial,
  redirect,
  browser,
} = useSite(() => [], { env: { ABUSE_CONTACT_URL: 'mailto:abuse@sl.example.com' } });
// The rest of the payloads is for full runs.
const TRIED = PAYLOADS.filter((_, index) => index % trialSize(8, 1) === 0);
// Of members that stand once in a page, so many payloads share one.
const GROUP = trialSize(160, 1);
const EVERY = trialSize(16, 1);
// Headers of 12 KiB are accepted, three of these and the address among them.
const HEADER_PAYLOADS = 30;
let links: readonly HostileLink[];

beforeAll(async () => {
  if (executablePath === null) return;
  const groups = Array.from({ length: Math.ceil(TRIED.length / GROUP) }, (_, i) =>
    TRIED.slice(i * GROUP, (i + 1) * GROUP),
  );
  links = groups.flatMap((payloads, i) => hostileLinks(payloads, String(i)));
  for (const link of links) {
    const id = await trial.links.insert(link);
    await trial.links.update(id, 'open_graph = $2', link.openGraph);
  }
}, 120_000);

async function watch(
  addresses: readonly string[],
  options: Partial<XssWatchOptions> = {},
): Promise<Pick<XssWatch, 'findings' | 'counts'>> {
  const watching = await watchXss(browser, { looksAtMarkup: true, pictureHost: OWNER_HOST, ...options });
  await Promise.all(addresses.map((address) => watching.open(new URL(address, redirect.url).href, address)));
  await watching.close();
  return watching;
}

const slugsOf = (...kinds: string[]) =>
  links.map(({ slug }) => slug).filter((slug) => kinds.includes(slug.replace(/\d+$/, '')));

test('the corpus has 200 distinct payloads and more', () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(200);
});

test.skipIf(executablePath === null)(
  'hostile text in any member of any type runs, loads and changes nothing in a page',
  async () => {
    const own = slugsOf('Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu', 'App', 'Locked');
    const at = (prefix: string, slugs: readonly string[], suffix = '') =>
      slugs.map((slug) => `${prefix}${slug}${suffix}`);
    const runs = [
      await watch(at('/', own, '?qr=1')),
      await watch(
        at('/-/preview/', slugsOf('Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu', 'App', 'Url')),
      ),
      await watch(at('/', slugsOf('Url', 'Locked', 'App')), { userAgent: PREVIEW_AGENT }),
      await watch(at('/', slugsOf('App')), {
        userAgent: MAC_SAFARI,
        headers: { 'Sec-CH-UA-Platform': '' },
        blocksOurScript: true,
      }),
      // What Chromium shows plain text and drawings with is its own.
      await watch(at('/', slugsOf('TxtBin'), '?raw=1'), { looksAtMarkup: false }),
      await watch(at('/-/qr/', slugsOf('Url', 'QrMenu'), '.svg'), { looksAtMarkup: false }),
    ];
    const sum = (name: keyof XssWatch['counts']) => runs.reduce((all, run) => all + run.counts[name], 0);
    const findings = runs.flatMap((run) => run.findings);
    process.stdout.write(
      `XSS: ${PAYLOADS.length} payloads in every member of 7 types, ${sum('pages')} pages, ${sum('links')} links, ` +
        `${sum('touched')} elements touched, ${findings.length} findings\n`,
    );
    expect(findings.slice(0, 20)).toEqual([]);
    // A page that could not be made would have been looked at as an empty one.
    expect(await redirect.metric('smartlink_redirect_faults_total')).toBe(0);
    expect(await redirect.metric('smartlink_redirect_visits_total{outcome="unavailable"}')).toBe(0);
  },
  240_000,
);

test.skipIf(executablePath === null)(
  'hostile addresses and headers of a visitor run nothing in a page',
  async () => {
    const sendable = PAYLOADS.filter((text) => /^[\x20-\x7e]+$/.test(text));
    const joined = sendable.slice(0, HEADER_PAYLOADS).join(' ');
    const headers = {
      'Accept-Language': joined,
      Referer: `https://a.example/${encodeURI(joined)}`,
      'X-A': joined,
    };
    const hostile = (path: string, text: string) => `${path}${encodeURIComponent(text)}?q=${text}#${text}`;
    const { findings, counts } = await watch(
      PAYLOADS.flatMap((text, i) =>
        i % (2 * EVERY) === 0
          ? [hostile('/', text), hostile('/-/preview/', text), hostile('/Landing0/', text)]
          : [],
      ),
      { userAgent: joined, headers },
    );
    process.stdout.write(
      `XSS: ${counts.pages} system pages with hostile addresses, ${findings.length} findings\n`,
    );
    expect(findings.slice(0, 20)).toEqual([]);
  },
  120_000,
);

test.skipIf(executablePath === null)(
  'a page that escapes nothing is caught, whatever it was given',
  async () => {
    const server = createServer((req, res) => {
      const index = Number(new URL(req.url ?? '', 'http://a').searchParams.get('payload'));
      res.setHeader('Content-Type', 'text/html; charset=utf-8').end(unsafePage(PAYLOADS[index] ?? ''));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?payload=`;
    const tried = PAYLOADS.map((_, index) => `${base}${index}`).filter((_, index) => index % EVERY === 0);
    const { findings } = await watch(tried);
    server.closeAllConnections();
    server.close();
    const caught = new Set(findings.map(({ page }) => page)).size;
    const executed = new Set(findings.filter(({ what }) => RAN.test(what)).map(({ page }) => page)).size;
    process.stdout.write(
      `XSS checker: of ${tried.length} pages that escape nothing ${executed} ran or loaded something, ${caught} were caught\n`,
    );
    expect(executed).toBeGreaterThan(tried.length * 0.5);
    expect(caught).toBeGreaterThan(tried.length * 0.9);
  },
  120_000,
);

const RAN = /^(?:called|asked|dialog|opened|led away)/;

/** The places of our pages that hold an owner's words, as a careless author would write them. */
function unsafePage(text: string): string {
  return `<!doctype html><html><head><style>:root{--accent:${text}}</style></head><body>
<a href="${text}">go</a> <a href='${text}'>go</a> <a class=${text} href="#">go</a>
<p>${text}</p><pre><code>${text}</code></pre>
<script type="application/ld+json">{"name":"${text}"}</script>
<script>const a = "${text}";</script><script>const b = \`${text}\`;</script>
<title>${text}</title></body></html>`;
}
