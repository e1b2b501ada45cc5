import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { SHARE_IMAGE_KINDS, type ShareImageKind } from './site.js';

/** Where visitors get the files. */
export const ASSETS_PATH = '/-/assets/';

type PageFile = {
  /** With a hash of its bytes: `p.<hash>.js`. */
  readonly name: string;
  readonly bytes: Buffer;
};

/** Files that pages refer to: their script, and the default pictures for previews. Throws when the build lacks one. */
export function readPageFiles() {
  const script = toFile('p', 'js', readScript());
  const shareImages = SHARE_IMAGE_KINDS.map((kind) => {
    const image = readFileSync(new URL(`../share-images/og-${kind}.png`, import.meta.url));
    return { kind, ...toFile(`og-${kind}`, 'png', image) };
  });
  const paths = shareImages.map(({ kind, name }) => [kind, `${ASSETS_PATH}${name}`]);
  return {
    script,
    shareImages,
    shareImagePaths: Object.fromEntries(paths) as Readonly<Record<ShareImageKind, string>>,
  };
}

// Beside both src and dist.
const SCRIPTS = new URL('../dist/browser/', import.meta.url);

/** All scripts of pages in one file: each part is a function that looks for its `data-` hook. */
function readScript(): Buffer {
  const names = readdirSync(SCRIPTS).filter((name) => name.endsWith('.js'));
  return Buffer.concat(names.toSorted().map((name) => readFileSync(new URL(name, SCRIPTS))));
}

const HASH_LENGTH = 12;

function toFile(name: string, extension: string, bytes: Buffer): PageFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  return { name: `${name}.${hash}.${extension}`, bytes };
}
