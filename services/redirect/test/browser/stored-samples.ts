import { appSamples } from '@smartlink/pages/samples/app-samples';
import { cardSamples } from '@smartlink/pages/samples/card-samples';
import { landingSamples } from '@smartlink/pages/samples/landing-samples';
import { linkSamples } from '@smartlink/pages/samples/link-samples';
import { menuSamples } from '@smartlink/pages/samples/menu-samples';
import { tagSamples } from '@smartlink/pages/samples/tag-samples';
import { textSamples } from '@smartlink/pages/samples/text-samples';
import type { PageSource } from '@smartlink/pages/site';
import type { LinkStore, NewLink } from '../link-store.js';

/** The password of every protected sample. */
export const PASSWORD = 'correct horse ü';

/** A sample as it stands in the database. */
export type StoredSample = {
  readonly name: string;
  readonly id: string;
  readonly source: PageSource;
};

const SAMPLES: Readonly<Record<string, PageSource>> = {
  ...landingSamples,
  ...tagSamples,
  ...cardSamples,
  ...textSamples,
  ...menuSamples,
  ...appSamples,
  ...linkSamples,
};

/**
 * Writes every sample of libs/pages as a link of its own, as management does: under its own slug, or under its name where
 * several have one slug.
 */
export async function storeSamples(links: LinkStore): Promise<readonly StoredSample[]> {
  const taken = new Set<string>();
  const stored: StoredSample[] = [];
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const own = sample.slug.replaceAll('-', '');
    const slug = taken.has(own.toLowerCase()) ? name.replaceAll('-', '') : own;
    if (taken.has(slug.toLowerCase())) throw new Error(`Two samples have the slug ${slug}`);
    taken.add(slug.toLowerCase());
    const source = { ...sample, slug };
    const id = await links.insert(newLink(source));
    if (source.openGraph !== undefined) await links.update(id, 'open_graph = $2', source.openGraph);
    const appearance = 'appearance' in source ? source.appearance : undefined;
    if (appearance !== undefined) await links.update(id, 'appearance = $2', appearance);
    stored.push({ name, id, source });
  }
  return stored;
}

function newLink(source: PageSource): NewLink {
  const { slug, type } = source;
  if (type === 'App') return { slug, type, content: { configuration: source.storeLinks } };
  if (type !== 'Url') return { slug, type, content: source.page };
  return source.isProtected
    ? { slug, url: 'https://secret.example/place', password: PASSWORD }
    : { slug, url: source.url };
}
