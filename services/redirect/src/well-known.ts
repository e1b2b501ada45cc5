import { compress } from './rendering/render-file.js';
import { fileAnswer } from './page-reply.js';
import type { Answer } from './reply.js';

const HOUR_SECONDS = 3_600;

/**
 * Returns the files by which phones learn that an app may open our links (Apple's universal links, Android's app links),
 * by path. What the operator did not configure is not there.
 */
export function wellKnownFiles(options: {
  appleAppSiteAssociation: string | undefined;
  assetLinks: string | undefined;
}): ReadonlyMap<string, Answer> {
  const files = new Map<string, Answer>();
  const add = (name: string, json: string | undefined): void => {
    if (json === undefined) return;
    // Apple's fetcher wants this type, no redirect and no extension.
    const answer = fileAnswer('application/json', compress(Buffer.from(json)), {
      maxAgeSeconds: HOUR_SECONDS,
    });
    files.set(`/.well-known/${name}`, answer);
  };
  add('apple-app-site-association', options.appleAppSiteAssociation);
  add('assetlinks.json', options.assetLinks);
  return files;
}
