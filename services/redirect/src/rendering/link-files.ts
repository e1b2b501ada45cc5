import type { Language } from '@smartlink/pages/words';
import { createClockMap } from '../clock-map.js';
import type { Held } from '../clock-map.js';
import { encodedReply, fileAnswer, htmlHeaders } from '../page-reply.js';
import type { Keeping } from '../page-reply.js';
import { NO_INDEX, NO_SNIFF, REFERRER_POLICY, headerValue } from '../reply.js';
import type { Answer, Header } from '../reply.js';
import type { ServedLink } from '../served-link.js';
import { hasWords, isQrFile } from './link-file.js';
import type { LinkFile, RenderedFile } from './link-file.js';
import type { PageRenderer } from './page-renderer.js';

export type LinkFiles = {
  /**
   * Returns the answer that is a file of a link, null where the link has none such: at once when it is kept here, else a
   * promise, which rejects when it cannot be made.
   */
  readonly find: (
    link: ServedLink,
    file: LinkFile,
    language: Language,
  ) => Answer | null | Promise<Answer | null>;
  readonly counters: Readonly<{ hits: number; renders: number; failures: number }>;
  readonly gauges: () => { entries: number; bytes: number };
};

export type LinkFilesOptions = {
  readonly render: PageRenderer['render'];
  /** Of files without words. */
  readonly defaultLanguage: Language;
  readonly bytesMax: number;
};

type Entry = Held & { readonly answer: Answer | null };

// Three replies with their lists of headers, a policy, a tag; measured roughly.
const ENTRY_BYTES = 4_000;
const QR_SECONDS = 3_600;

/**
 * The files made of links, compressed, as long as there is room. Each is made once for a version of its link, by one job
 * that all who ask meanwhile share. Versions are part of the keys, so nothing here is ever out of date; what nobody asks
 * for any more makes room.
 */
export function createLinkFiles(options: LinkFilesOptions): LinkFiles {
  const kept = createClockMap<Entry>({ entriesMax: Number.MAX_SAFE_INTEGER, bytesMax: options.bytesMax });
  const flights = new Map<string, Promise<Answer | null>>();
  const counters = { hits: 0, renders: 0, failures: 0 };

  async function make(
    key: string,
    link: ServedLink,
    file: LinkFile,
    language: Language,
  ): Promise<Answer | null> {
    try {
      counters.renders += 1;
      const { slug, source } = link;
      // A code leads to a paused link too, which may come back; no page shows anything of it meanwhile.
      if (source === null && !isQrFile(file)) return null;
      const rendered = await options.render({ slug, source: source ?? '', file, language });
      const answer = rendered === null ? null : answerOf(file, rendered);
      kept.set(key, { answer, bytes: ENTRY_BYTES + sizeOf(rendered), wasUsed: false });
      return answer;
    } catch (err) {
      counters.failures += 1;
      throw err;
    } finally {
      flights.delete(key);
    }
  }

  return {
    find(link, file, wanted) {
      const language = hasWords(file) ? wanted : options.defaultLanguage;
      const key = `${link.slug} ${link.version} ${file} ${language}`;
      const entry = kept.get(key);
      if (entry !== undefined) {
        counters.hits += 1;
        entry.wasUsed = true;
        return entry.answer;
      }
      const known = flights.get(key);
      if (known !== undefined) return known;
      const flight = make(key, link, file, language);
      flights.set(key, flight);
      return flight;
    },
    counters,
    gauges: () => ({ entries: kept.size(), bytes: kept.bytes() }),
  };
}

function answerOf(file: LinkFile, rendered: RenderedFile): Answer {
  const body = bodyOf(rendered);
  if (isQrFile(file)) {
    return fileAnswer(rendered.contentType, body, { maxAgeSeconds: QR_SECONDS });
  }
  if (Buffer.isBuffer(body)) throw new Error(`${file} is not compressed`);
  const isKept = file === 'own' || file === 'raw' || file === 'vcard';
  const keeping: Keeping = isKept ? { kind: 'revalidate', hash: rendered.hash } : { kind: 'no-store' };
  return encodedReply(200, headersOf(rendered), body, keeping);
}

function headersOf({ page, contentType, disposition }: RenderedFile): readonly Header[] {
  if (page !== null) return htmlHeaders(page);
  return [
    VARY_ENCODING,
    NO_INDEX,
    REFERRER_POLICY,
    NO_SNIFF,
    ['Content-Type', headerValue(contentType)],
    ...(disposition === '' ? [] : [['Content-Disposition', headerValue(disposition)] as const]),
  ];
}

const VARY_ENCODING: Header = ['Vary', headerValue('Accept-Encoding')];

function bodyOf({ brotli, gzip, identity }: RenderedFile): { brotli: Buffer; gzip: Buffer } | Buffer {
  if (brotli !== null && gzip !== null) return { brotli: asBuffer(brotli), gzip: asBuffer(gzip) };
  if (identity === null) throw new Error('A file has no bytes');
  return asBuffer(identity);
}

// A Buffer that crosses from a thread arrives as the Uint8Array it is.
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function sizeOf(file: RenderedFile | null): number {
  if (file === null) return 0;
  return (file.brotli?.length ?? 0) + (file.gzip?.length ?? 0) + (file.identity?.length ?? 0);
}
