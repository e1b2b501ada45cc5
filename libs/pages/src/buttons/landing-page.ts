import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { buttonPage } from './button-page.js';

/** Returns the page of a Landing, its buttons as they were sent, in its owner's theme and layout. */
export function landingPage(source: PageSourceOf<'Landing'>, context: PageContext): Page {
  const { landing, landingButtons } = source.page;
  return buttonPage(context, {
    source,
    kind: 'landing',
    owner: landing,
    scheme: landing.theme,
    buttons: landingButtons ?? [],
    list: { layout: landing.layout },
  });
}
