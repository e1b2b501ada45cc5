import { NOTICE_STYLE, documentOf, glyph, openGraphCard } from '../html/document.js';
import { compactCss, type Html, markup } from '../html/markup.js';
import { createPageContext, type IconName, type PageContext } from '../html/page-context.js';
import type { Page, PageSource, PageSourceOf, Site } from '../site.js';
import { themeCss } from '../theme/theme-css.js';
import { WORDS } from '../words/translations.js';
import { fillIn, type Language, type Words } from '../words/words.js';

export const SYSTEM_PAGES = [
  'notFound',
  'paused',
  'gone',
  'scheduled',
  'over',
  'tooManyRequests',
  'unavailable',
  'root',
] as const;
export type SystemPage = (typeof SYSTEM_PAGES)[number];

/**
 * A page without a target: what happened and what to do. `waitSeconds` is for
 * `tooManyRequests`. It needs no store, so that it can be made at start and shown when all of them are down.
 */
export function systemPage(name: SystemPage, language: Language, site: Site, waitSeconds = 0): Page {
  const words = WORDS[language];
  const context = createPageContext(site, words);
  const { title, text } = words[name];
  // An empty address is this one again, parameters included.
  const action =
    name === 'unavailable'
      ? markup`<div class="act"><a class="btn" href="">${words.unavailable.retry}</a></div>\n`
      : null;
  return documentOf(context, {
    title,
    share: null,
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: NOTICE_STYLE,
    jsonLd: null,
    body: markup`<main class="notice">
${glyph(context, GLYPHS[name])}
<h1>${title}</h1>
<p>${fillIn(text, { n: waitSeconds })}</p>
${action}</main>`,
  });
}

const GLYPHS: Readonly<Record<SystemPage, IconName>> = {
  notFound: 'search',
  paused: 'pause',
  gone: 'removed',
  scheduled: 'clock',
  over: 'removed',
  tooManyRequests: 'clock',
  unavailable: 'warning',
  root: 'link',
};

/** Why a password did not open its link: it is not the right one, or it was not looked at. */
export type PasswordError = 'wrong' | 'too-many' | 'busy';

/**
 * The form that asks for a link's password. It is sent to its own address, so that the visitor's parameters stay,
 * and names neither the owner nor the target.
 */
export function passwordPage(source: PageSourceOf<'Url'>, context: PageContext): Page {
  return formPage(source, context, null);
}

/** Why a form comes back: the slug of its link as the owner typed it, and how long to wait for `too-many`. */
export type RefusedPassword = {
  readonly slug: string;
  readonly error: PasswordError;
  readonly waitSeconds: number;
};

/** The form again after a failed attempt, without content for previews. */
export function passwordErrorPage(
  { slug, error, waitSeconds }: RefusedPassword,
  language: Language,
  site: Site,
): Page {
  const words = WORDS[language];
  const text = errorText(error, waitSeconds, words.password);
  return formPage({ slug }, createPageContext(site, words), { error, text });
}

type Link = Pick<PageSource, 'slug' | 'openGraph'>;
type Fault = { readonly error: PasswordError; readonly text: string };

function formPage(link: Link, context: PageContext, fault: Fault | null): Page {
  const words = context.words.password;
  context.needScript();
  return documentOf(context, {
    // A screen reader reads it first on the returned page.
    title: fault === null ? words.title : `${words.error} ${words.title}`,
    share: openGraphCard(link, context, { title: words.title, description: words.text, kind: 'link' }),
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: STYLE,
    jsonLd: null,
    form: 'link',
    body: markup`<main>
<div class="notice">
${glyph(context, 'lock')}
<h1>${words.title}</h1>
<p>${words.text}</p>
</div>
<form method="post">
${fault === null ? null : message(context, fault)}${field(link.slug, context, fault)}
<button type="submit" class="btn">${words.submit}</button>
</form>
</main>`,
  });
}

function message(context: PageContext, { error, text }: Fault): Html {
  const isWrong = error === 'wrong';
  return markup`<p class="${isWrong ? 'wrong' : 'wait'}" id="error">${context.icon(isWrong ? 'warning' : 'clock')}<span>${text}</span></p>
`;
}

/** `slug` serves as user name, so that password managers distinguish links. */
function field(slug: string, context: PageContext, fault: Fault | null): Html {
  const words = context.words.password;
  const described = fault === null ? null : markup` aria-describedby="error"`;
  const invalid = fault?.error === 'wrong' ? markup` aria-invalid="true"` : null;
  // A visitor who has to wait must first read why.
  const focus = fault === null || fault.error === 'wrong' ? markup` autofocus` : null;
  return markup`<input type="text" name="username" autocomplete="username" value="${slug}" hidden>
<label for="password">${words.label}</label>
<div class="field">
<input id="password" name="password" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" enterkeyhint="go" required${invalid}${described}${focus}>
<button type="button" aria-label="${words.show}" data-eye="${words.show}" data-hide="${words.hide}" hidden>${context.icon('eye')}${context.icon('eye-off')}</button>
</div>`;
}

function errorText(error: PasswordError, waitSeconds: number, words: Words['password']): string {
  if (error === 'wrong') return words.wrong;
  if (error === 'busy') return words.busy;
  return fillIn(words.tooMany, { n: Math.max(1, Math.ceil(waitSeconds / 60)) });
}

// The only page with an error colour: 6.5:1 on the light surface, 9:1 on the dark one.
const STYLE =
  NOTICE_STYLE +
  compactCss(`
:root{--wrong:#b42318}
@media(prefers-color-scheme:dark){:root{--wrong:#ff9d92}}
main{max-width:26rem;margin-inline:auto}
form{margin-top:32px;padding:23px;border:1px solid var(--border);border-radius:14px;background:var(--surface);box-shadow:var(--shadow)}
label{display:block;margin-bottom:8px;font-weight:600}
.field{position:relative;margin-bottom:24px}
input{width:100%;min-height:56px;padding-block:12px;padding-inline:16px 56px;border:1px solid var(--control);
  border-radius:8px;background:var(--bg);color:var(--text)}
input:focus-visible{outline-offset:-1px;box-shadow:none}
input::-ms-reveal{display:none}
input[aria-invalid]{border:2px solid var(--wrong)}
.field button{position:absolute;inset-block:4px;inset-inline-end:4px;width:48px;border:0;border-radius:8px;background:none;color:var(--muted);cursor:pointer}
.field button:not([hidden]){display:grid;place-items:center}
.field .i{grid-area:1/1}
[type=password]~button .i+.i,[type=text]~button .i:first-child{visibility:hidden}
.wrong,.wait{display:flex;gap:12px;margin-bottom:16px}
.wrong{color:var(--wrong);font-weight:600}
.wait{padding:12px 16px;border:1px solid var(--tint);border-radius:8px;background:var(--tint)}
form .btn{justify-content:center}
`);
