import { documentOf, styleOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { firstVisible, ownerText } from '../parts/owner-text.js';
import { themeCss } from '../theme/theme-css.js';

const STYLE = styleOf('');

export function digiCardPage(source: PageSourceOf<'DigiCard'>, context: PageContext): Page {
  const { site, words } = context;
  const title = firstVisible(
    source.page.digiCard.title,
    source.openGraph?.title,
    source.page.digiCard.company,
    words.fallbackTitles.card,
  );
  return documentOf(context, {
    title,
    share: {
      site,
      slug: source.slug,
      title,
      description: source.openGraph?.description,
      images: [source.openGraph?.imageUrl],
      kind: 'card',
      hasLargeImage: source.openGraph?.imageUrl !== undefined,
    },
    isIndexed: false,
    theme: themeCss(undefined, 'Auto'),
    style: STYLE,
    jsonLd: null,
    body: markup`<main>
<h1 ${ownerText(title)}>${title}</h1>
</main>`,
  });
}
