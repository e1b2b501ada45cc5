import type { OpenGraph, PageContent } from '@smartlink/smartlink/snapshot';
import type { Page } from '../reply.js';
import { markup } from './html.js';
import { hostedLayout } from './layout.js';
import { firstVisible, heading } from './owner-content.js';

/**
 * Returns the page of a TxtBin. What a visitor copies from it is the text to the last character. It leads to its plain
 * text by the address of a click, since whoever scanned a code does not scan it again.
 */
export function textPage(
  { txtBin }: Extract<PageContent, { type: 'TxtBin' }>['page'],
  openGraph: OpenGraph | undefined,
  slug: string,
): Page {
  const title = firstVisible(txtBin.title, openGraph?.title, 'Text');
  // A browser drops a line break that follows the tag, so that one is ours and the text's own first one stays.
  const main = markup`${heading({ title, description: txtBin.description })}
<pre tabindex="0" role="region" aria-label="Text">
${txtBin.text}</pre>
<p><a href="/${slug}?raw=1">Plain text</a></p>`;
  return hostedLayout({ title, main });
}
