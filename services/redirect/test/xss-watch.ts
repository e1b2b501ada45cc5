import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Forbidden actions of a page. */
export type Finding = { readonly page: string; readonly what: string };

export type XssWatch = {
  /** Opens an address, touches all there is to touch, and notes what happened. `label` names it in findings. */
  readonly open: (url: string, label: string) => Promise<void>;
  readonly findings: readonly Finding[];
  readonly counts: Readonly<{ pages: number; links: number; touched: number }>;
  readonly close: () => Promise<void>;
};

export type XssWatchOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** Whether unexpected elements and attributes are findings too. */
  readonly looksAtMarkup: boolean;
  /** Hosts that owners' pictures stand at; a request to any other outside host is a finding. */
  readonly pictureHost: string;
  /** Whether the script of our pages is kept away, which leads an iPad or a Mac on at once. */
  readonly blocksOurScript?: boolean;
};

const TABS = 2;
const WHAT_LENGTH_MAX = 160;
const LOAD_DEADLINE_MS = 60_000;

/** Returns a watch over pages in `browser`. The caller closes it. */
export async function watchXss(browser: Browser, options: XssWatchOptions): Promise<XssWatch> {
  const { headers, userAgent, pictureHost, looksAtMarkup } = options;
  const context = await browser.newContext({
    ...(headers === undefined ? {} : { extraHTTPHeaders: { ...headers } }),
    ...(userAgent === undefined ? {} : { userAgent }),
    acceptDownloads: false,
  });
  const findings: Finding[] = [];
  const counts = { pages: 0, links: 0, touched: 0 };
  const labels = new Map<Page, string>();
  const note = (page: Page | undefined, what: string): void => {
    findings.push({ page: (page && labels.get(page)) ?? '?', what: what.slice(0, WHAT_LENGTH_MAX) });
  };
  await hook(context, { note, pictureHost });
  if (options.blocksOurScript === true) await context.route('**/-/assets/p.*', (route) => route.abort());
  const idle: Page[] = [];
  for (let i = 0; i < TABS; i += 1) idle.push(await context.newPage());
  const waiting: ((page: Page) => void)[] = [];

  async function open(url: string, label: string): Promise<void> {
    const page = idle.pop() ?? (await new Promise<Page>((resolve) => waiting.push(resolve)));
    labels.set(page, label);
    try {
      // A download or a page that leads itself elsewhere ends the navigation with an error.
      await page.goto(url, { waitUntil: 'load', timeout: LOAD_DEADLINE_MS }).catch(() => null);
      const seen = (await page.evaluate(TOUCH_ALL).catch(() => null)) as Seen | null;
      const path = (address: string) => address.split('#', 1)[0];
      if (seen === null || path(page.url()) !== path(url)) note(page, `led away to ${page.url()}`);
      counts.pages += 1;
      counts.links += seen?.links ?? 0;
      counts.touched += seen?.touched ?? 0;
      if (looksAtMarkup) for (const stray of seen?.strays ?? []) note(page, `markup: ${stray}`);
    } finally {
      const next = waiting.shift();
      if (next === undefined) idle.push(page);
      else next(page);
    }
  }

  return { open, findings, counts, close: () => context.close() };
}

type Seen = { readonly links: number; readonly touched: number; readonly strays: readonly string[] };

async function hook(
  context: BrowserContext,
  options: { note: (page: Page | undefined, what: string) => void; pictureHost: string },
): Promise<void> {
  const { note, pictureHost } = options;
  await context.exposeBinding('noteXss', ({ page }, what: string) => {
    note(page, what);
  });
  await context.addInitScript(HOOKS);
  context.on('page', (page) => {
    page.on('dialog', (dialog) => {
      note(page, `dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => {
      note(page, `opened ${popup.url()}`);
    });
  });
  // Watched and not answered here, which takes ten times as long: outside hosts are none to this browser.
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    const isPicture = hostname === pictureHost && request.resourceType() === 'image';
    const isOurs = hostname === '127.0.0.1' && protocol === 'http:';
    if (!isOurs && !isPicture) note(pageOf(request), `asked for ${request.url()}`);
  });
}

function pageOf(request: { frame: () => { page: () => Page } }): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    // Of a navigation whose frame is not there yet.
    return undefined;
  }
}

// Browser code stands here as text: these tests know no DOM types.

const HOOKS = `
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
  window[name] = () => { noteXss('called ' + name); };
}
addEventListener('securitypolicyviolation', (event) => {
  noteXss('the policy had to stop ' + event.effectiveDirective + ' ' + event.blockedURI);
});
// Other addresses are led to by what they are, not by going there.
addEventListener('click', (event) => {
  const link = event.composedPath().find((node) => node.nodeName === 'A' || node.nodeName === 'a');
  const href = link && (typeof link.href === 'string' ? link.href : link.href.baseVal);
  if (href && /^(?:https?|tel|sms|geo|mailto|whatsapp):/.test(href)) event.preventDefault();
}, true);
addEventListener('submit', (event) => { if (event.target.action.startsWith('http')) event.preventDefault(); }, true);
`;

// Elements that our pages have none of, or of which it is known which they are (`own` below).
const FORBIDDEN = String(
  /^(?:script|link|form|i?frame|frameset|object|embed|applet|base|portal|math|foreignobject|animate.*|set|video|audio|source|track|marquee|textarea|select|template|noscript|xmp|plaintext|listing|isindex|image|area|table|bgsound|keygen|x)$/i,
);

const TOUCH_ALL = `(async () => {
  const strays = [];
  const own = (element) =>
    element.nodeName === 'SCRIPT'
      ? /^\\/-\\/assets\\/p\\.[0-9a-f]+\\.js$/.test(element.getAttribute('src')) || element.type === 'application/ld+json'
      : element.nodeName === 'LINK' ? ['icon', 'canonical'].includes(element.rel)
      : element.nodeName === 'FORM' ? element.getAttributeNames().join() === 'method' : false;
  const look = () => {
    const once = { STYLE: 0, TITLE: 0, MAIN: 0, BODY: 0, H1: 0 };
    for (const element of document.querySelectorAll('*')) {
      if (element.nodeName in once && ++once[element.nodeName] > 1) strays.push('second ' + element.nodeName);
      if (${FORBIDDEN}.test(element.localName) && !own(element)) strays.push(element.outerHTML.slice(0, 120));
      if (element.matches('meta[http-equiv],[srcdoc],[autofocus][onfocus],img:not(.ph *,[src^="/-/qr/"])')) {
        strays.push(element.outerHTML.slice(0, 120));
      }
      for (const { name, value } of element.attributes) {
        const isLink = /^(?:href|xlink:href|src|action|formaction|data|poster|background|ping)$/.test(name);
        const isSafe = /^(?:https?:\\/\\/|tel:|mailto:|sms:|geo:|whatsapp:|#|\\/(?![/\\\\]))/.test(value);
        if (/^on|^style$|^srcdoc$/.test(name) || (isLink && !isSafe)) strays.push(element.localName + ' ' + name + '=' + value);
      }
    }
  };
  look();
  let touched = 0;
  for (const details of document.querySelectorAll('details')) details.open = true;
  const all = document.querySelectorAll('a,area,button,summary,input,textarea,select,[tabindex],x,math,text,table,form,h1,li');
  for (const element of [...all].slice(0, 600)) {
    touched += 1;
    for (const name of ['pointerenter', 'mouseover', 'keydown', 'contextmenu', 'auxclick', 'wheel', 'copy', 'input']) {
      element.dispatchEvent(new Event(name, { bubbles: true }));
    }
    if (typeof element.focus === 'function') element.focus();
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
  // Once for the tasks that clicks have put in line, and once for what these have.
  for (let i = 0; i < 2; i += 1) await new Promise((resolve) => setTimeout(resolve));
  look();
  return { links: document.links.length, touched, strays: [...new Set(strays)] };
})()`;
