import type { PageContext } from '../html/page-context.js';
import type { ShareCard } from '../html/share-tags.js';
import type { PageSource } from '../page-source.js';
import { firstVisible } from '../parts/owner-text.js';
import type { ShareImageKind } from '../site.js';

export type OpenGraphCardOptions = {
  /** Where the owner gave none for previews. */
  readonly title: string;
  readonly description?: string;
  readonly kind: ShareImageKind;
};

/** Returns how previews show a link that has nothing of its own to show but what its owner gave for them. */
export function openGraphCard(
  { slug, openGraph }: Pick<PageSource, 'slug' | 'openGraph'>,
  { site }: PageContext,
  { title, description = '', kind }: OpenGraphCardOptions,
): ShareCard {
  return {
    site,
    slug,
    title: firstVisible(openGraph?.title, title),
    description: firstVisible(openGraph?.description, description),
    images: [openGraph?.imageUrl],
    kind,
    hasLargeImage: openGraph?.imageUrl !== undefined,
  };
}
