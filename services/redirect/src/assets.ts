import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { SHARE_IMAGE_KINDS } from '@smartlink/pages/site';
import type { ShareImageKind } from '@smartlink/pages/site';
import { fileAnswer } from './encoded-reply.js';
import type { EncodedBody } from './encoded-reply.js';
import type { Answer } from './reply.js';

const YEAR_SECONDS = 31_536_000;

/** The files of ours that pages point to, each under a name that holds its hash, so that browsers may keep it for ever. */
export type Assets = {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly scriptPath: string;
  readonly shareImagePaths: Readonly<Record<ShareImageKind, string>>;
};

/** Reads the pages' script and pictures. Throws when the build has left one out. */
export function loadAssets(): Assets {
  const answers = new Map<string, Answer>();
  const keep = (name: string, extension: string, answer: Answer, bytes: Buffer): string => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
    const address = `/-/assets/${name}.${hash}.${extension}`;
    answers.set(address, answer);
    return address;
  };
  const script = readScript();
  const scriptAnswer = fileAnswer('text/javascript; charset=utf-8', smallest(script), FOR_EVER);
  const scriptPath = keep('p', 'js', scriptAnswer, script);
  const shareImagePaths = Object.fromEntries(
    SHARE_IMAGE_KINDS.map((kind) => {
      const image = readFileSync(fileOf(`@smartlink/pages/share-images/og-${kind}.png`));
      return [kind, keep(`og-${kind}`, 'png', fileAnswer('image/png', image, FOR_EVER), image)];
    }),
  ) as Record<ShareImageKind, string>;
  return { answers, scriptPath, shareImagePaths };
}

const HASH_LENGTH = 12;
const FOR_EVER = { maxAgeSeconds: YEAR_SECONDS, isImmutable: true };

/** One file of all that pages may do with script: each part is a function of its own and looks for its `data-` hook. */
function readScript(): Buffer {
  const folder = path.dirname(fileOf('@smartlink/pages/browser/broken-images.js'));
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return Buffer.concat(names.toSorted().map((name) => readFileSync(path.join(folder, name))));
}

function fileOf(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

/** As small as it gets: made once at start, for all visitors of a year. */
function smallest(plain: Buffer): EncodedBody {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return { brotli: brotliCompressSync(plain, { params }), gzip: gzipSync(plain, { level: 9 }), plain };
}
