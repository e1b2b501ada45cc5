import { compressPage } from '@smartlink/pages/compression';
import { fileAnswer } from './encoded-reply.js';
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
    const plain = Buffer.from(json);
    const body = { ...compressPage(plain), plain };
    files.set(`/.well-known/${name}`, fileAnswer('application/json', body, { maxAgeSeconds: HOUR_SECONDS }));
  };
  add('apple-app-site-association', options.appleAppSiteAssociation);
  add('assetlinks.json', options.assetLinks);
  return files;
}
