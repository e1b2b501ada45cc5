import { compactCss } from '../html/compact-css.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import { isVisible, ownerText } from './owner-text.js';
import { keepPhoneNumbers } from './phone-numbers.js';

/** What a page of an owner begins with; all but the title may be missing. */
export type Heading = {
  readonly title: string;
  readonly logoLink?: string | undefined;
  readonly description?: string | undefined;
};

/** Returns the head of an owner's page: logo, title, description. Its style is HEADING_STYLE. */
export function heading(context: PageContext, { title, logoLink, description }: Heading): Html {
  const text = isVisible(description)
    ? markup`<p class="owner" ${ownerText(description)}>${keepPhoneNumbers(description)}</p>\n`
    : null;
  return markup`<header>
${context.image(logoLink, { box: 'logo', isFirst: true })}<h1 ${ownerText(title)}>${keepPhoneNumbers(title)}</h1>
${text}</header>
`;
}

/** The style of heading. */
export const HEADING_STYLE = compactCss(`
header{margin-bottom:32px}
header,header [dir]{text-align:center}
.logo{width:96px;height:96px;margin:0 auto 16px;border-radius:14px;background-color:var(--surface)}
.logo img{object-fit:contain}
h1+p{margin-top:8px;color:var(--muted);text-wrap:balance}
`);
