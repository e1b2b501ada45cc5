import type { Language } from '@smartlink/pages/words';
import { createClockMap } from '../clock-map.js';
import type { Held } from '../clock-map.js';
import { VARY_ENCODING, encodedReply, fileAnswer } from '../encoded-reply.js';
import type { Keeping } from '../encoded-reply.js';
import { STALE_MAX_MS } from '../link-cache.js';
import { htmlHead, htmlHeaders } from '../page-reply.js';
import { NO_INDEX, NO_SNIFF, REFERRER_POLICY, createHeads, headerValue } from '../reply.js';
import type { Answer, Header } from '../reply.js';
import { sourceOf } from '../served-link.js';
import type { ServedLink } from '../served-link.js';
import { nameOf, variesByLanguage } from './link-file.js';
import type { LinkFile, RenderedFile } from './link-file.js';
import type { PageRenderer } from './page-renderer.js';

/** The answer that is a file of a link; null where the link has no such file, `busy` where it cannot be made just now. */
export type FoundFile = Answer | null | 'busy';

export type LinkFiles = {
  /** Returns the answer at once when it is kept here, else a promise, which rejects when it cannot be made. */
  readonly find: (link: ServedLink, file: LinkFile, language: Language) => FoundFile | Promise<FoundFile>;
  readonly counters: Readonly<{ hits: number; renders: number; busy: number; failures: number }>;
  readonly gauges: () => { entries: number; bytes: number };
};

export type LinkFilesOptions = {
  readonly render: PageRenderer['render'];
  /** Of files without words. */
  readonly defaultLanguage: Language;
  readonly bytesMax: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

type Entry = Held & {
  /** Why it cannot be made, where it cannot. */
  readonly made: { readonly answer: Answer | null } | { readonly failure: unknown };
  /** When it is to be made anew. */
  readonly endsAt: number;
};

// Three replies with their lists of headers, a policy, a tag; measured roughly.
const ENTRY_BYTES = 4_000;
const QR_SECONDS = 3_600;
/** A page that cannot be made is not tried again at every visit: it may have cost a thread ten seconds. */
export const FAILURE_LIFE_MS = 30_000;

/**
 * The files made of links, compressed, as long as there is room. Each is made once for a version of its link, by one job
 * that all who ask meanwhile share. Versions are part of the keys, so nothing has to be taken out when a link changes;
 * what nobody asks for any more makes room. (A Postgres that was restored from a backup may give a version again: an
 * entry lives no longer than L1 may serve what is stale.)
 */
export function createLinkFiles(options: LinkFilesOptions): LinkFiles {
  const { now } = options;
  const kept = createClockMap<Entry>({ entriesMax: Number.MAX_SAFE_INTEGER, bytesMax: options.bytesMax });
  const flights = new Map<string, Promise<FoundFile>>();
  const counters = { hits: 0, renders: 0, busy: 0, failures: 0 };

  function keep(key: string, made: Entry['made'], bytes: number, lifeMs: number): void {
    kept.set(key, { made, bytes: ENTRY_BYTES + bytes, endsAt: now() + lifeMs, wasUsed: false });
  }

  async function make(key: string, link: ServedLink, file: LinkFile, language: Language): Promise<FoundFile> {
    counters.renders += 1;
    const source = file.kind === 'qr' ? '' : (sourceOf(link) ?? '');
    try {
      const rendered = await options.render({ slug: link.slug, source, file, language });
      if (rendered === 'busy') {
        counters.busy += 1;
        return 'busy';
      }
      const answer = rendered === null ? null : answerOf(file, rendered);
      keep(key, { answer }, rendered === null ? 0 : sizeOf(rendered), STALE_MAX_MS);
      return answer;
    } catch (err) {
      counters.failures += 1;
      keep(key, { failure: err }, 0, FAILURE_LIFE_MS);
      throw err;
    } finally {
      flights.delete(key);
    }
  }

  return {
    find(link, file, wanted) {
      // A code leads to a paused link too, which may come back; no page shows anything of it meanwhile.
      if (file.kind !== 'qr' && sourceOf(link) === null) return null;
      const language = variesByLanguage(file) ? wanted : options.defaultLanguage;
      const key = `${link.slug} ${link.version} ${nameOf(file)} ${language}`;
      const entry = kept.get(key);
      if (entry !== undefined && entry.endsAt > now()) {
        entry.wasUsed = true;
        if ('failure' in entry.made) throw entry.made.failure;
        counters.hits += 1;
        return entry.made.answer;
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

function answerOf(file: LinkFile, { contentType, body, hash, page, disposition }: RenderedFile): Answer {
  if ('identity' in body) {
    return fileAnswer(contentType, asBuffer(body.identity), { maxAgeSeconds: QR_SECONDS });
  }
  const encoded = { brotli: asBuffer(body.brotli), gzip: asBuffer(body.gzip) };
  if (file.kind === 'qr') return fileAnswer(contentType, encoded, { maxAgeSeconds: QR_SECONDS });
  const isKept = file.kind !== 'page' || file.view === 'own';
  const keeping: Keeping = isKept ? { kind: 'revalidate', hash } : { kind: 'no-store' };
  const labels =
    page === null
      ? { code: 200, headOf: plainHead, headers: headersOfFile(contentType, disposition) }
      : { code: 200, headOf: htmlHead, headers: htmlHeaders(page) };
  return encodedReply(labels, encoded, keeping);
}

const plainHead = createHeads([VARY_ENCODING, NO_INDEX, REFERRER_POLICY, NO_SNIFF]);

function headersOfFile(contentType: string, disposition: string): readonly Header[] {
  const headers: Header[] = [['Content-Type', headerValue(contentType)]];
  if (disposition !== '') headers.push(['Content-Disposition', headerValue(disposition)]);
  return headers;
}

// A Buffer that crosses from a thread arrives as the Uint8Array it is.
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function sizeOf({ body }: RenderedFile): number {
  // Of the memory that is held, which would be more than the bytes if they did not fill it.
  return Object.values(body).reduce((sum, bytes) => sum + bytes.buffer.byteLength, 0);
}
