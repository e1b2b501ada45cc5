import type { PageContext } from '../html/page-context.js';
import type { ShareCard } from '../html/share-tags.js';
import type { PageSource } from '../page-source.js';
import type { ShareImageKind } from '../site.js';
import { firstVisible, isVisible } from './owner-text.js';

/** What a page has to show in previews where its owner gave nothing for them. */
export type OpenGraphCardOptions = {
  readonly title: string;
  readonly description?: string | undefined;
  /** The best first. */
  readonly images?: readonly (string | undefined)[];
  /** Whether the first of `images` is meant to be shown large, as one that was given for previews is. */
  readonly hasLargeImage?: boolean;
  readonly kind: ShareImageKind;
};

/** Returns how previews show a link: by what its owner gave for them, else by what its page has. */
export function openGraphCard(
  { slug, openGraph }: Pick<PageSource, 'slug' | 'openGraph'>,
  { site }: PageContext,
  { title, description, images = [], hasLargeImage = false, kind }: OpenGraphCardOptions,
): ShareCard {
  const imageUrl = openGraph?.imageUrl;
  return {
    site,
    slug,
    title: firstVisible(openGraph?.title, title),
    description: [openGraph?.description, description].find(isVisible),
    images: [imageUrl, ...images],
    kind,
    hasLargeImage: imageUrl !== undefined || hasLargeImage,
  };
}
