import { createSite, type Language, type Site, type SiteOptions } from '@smartlink/pages/site';
import type { Logger } from '@smartlink/process/lifecycle';
import { createClockMap, type Held } from '../bounded-maps.js';
import { publicBaseUrlOf, type RedirectConfig } from '../config.js';
import { type Assets, loadAssets } from '../http/assets.js';
import {
  type Answer,
  createHeads,
  encodedReply,
  fileAnswer,
  type Header,
  headerValue,
  htmlHead,
  htmlHeaders,
  type Keeping,
  NO_INDEX,
  NO_SNIFF,
  REFERRER_POLICY,
  VARY_ENCODING,
} from '../http/reply.js';
import type { ServedHost } from '../http/served-host.js';
import { createSystemReplies, type SystemReplies } from '../http/system-replies.js';
import type { Allowances } from '../links/allowances.js';
import { findByAddress, type LinkCache, STALE_MAX_MS } from '../links/link-cache.js';
import { type ServedLink, sourceOf } from '../links/served-link.js';
import type { VisitResult } from '../metrics/metric-definitions.js';
import { recordResult, type Tally, type VisitCounters } from '../metrics/worker-metrics.js';
import { type LinkFile, nameOf, type RenderedFile, type RenderJob, variesByLanguage } from './file-kinds.js';
import { createPageRenderer, type PageRenderer, startRenderThread } from './page-renderer.js';

/** The answer that is a file of a link; null if there is no such file, `busy` if it cannot be made now. */
export type FoundFile = Answer | null | 'busy';

export type LinkFiles = ReturnType<typeof createLinkFiles>;

export type LinkFilesOptions = {
  readonly render: PageRenderer['render'];
  /** For files without words. */
  readonly defaultLanguage: Language;
  readonly bytesMax: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

type Entry = Held & {
  /** The answer, or the reason why it cannot be made. */
  readonly made: { readonly answer: Answer | null } | { readonly failure: unknown };
  /** Expiry. */
  readonly endsAt: number;
};

// Three replies with their headers, a policy, a tag; measured roughly.
const ENTRY_BYTES = 4_000;
const QR_SECONDS = 3_600;
/** A failed page is not retried at every visit: it may have cost a thread ten seconds. */
export const FAILURE_LIFE_MS = 30_000;

/**
 * The compressed files made of links, bounded by bytes. Each is made once per address and version of its link, by one job shared
 * by concurrent visits. Keys contain the version, so a change removes nothing; unused files are evicted. (Postgres, restored
 * from a backup, may reuse a version: an entry lives no longer than L1 may serve stale links.)
 */
export function createLinkFiles(options: LinkFilesOptions) {
  const { now } = options;
  const kept = createClockMap<Entry>({ entriesMax: Number.MAX_SAFE_INTEGER, bytesMax: options.bytesMax });
  const flights = new Map<string, Promise<FoundFile>>();
  const counters = { hits: 0, renders: 0, busy: 0, failures: 0 };

  function keep(key: string, made: Entry['made'], bytes: number, lifeMs: number): void {
    kept.set(key, { made, bytes: ENTRY_BYTES + bytes, endsAt: now() + lifeMs, wasUsed: false });
  }

  async function make(
    key: string,
    link: ServedLink,
    request: Pick<RenderJob, 'file' | 'language' | 'baseUrl'>,
  ): Promise<FoundFile> {
    const { file } = request;
    counters.renders += 1;
    const source = file.kind === 'qr' ? '' : (sourceOf(link) ?? '');
    try {
      const rendered = await options.render({ ...request, slug: link.slug, source });
      if (rendered === 'busy') {
        counters.busy += 1;
        return 'busy';
      }
      const answer = rendered === null ? null : answerOf(link, file, rendered);
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
    /** The answer at once when it is cached, else a promise, which rejects when it cannot be made. */
    find(link: ServedLink, file: LinkFile, wanted: Language, { number, baseUrl }: ServedHost) {
      // A QR code may lead to a paused link, which may come back; pages show nothing of it.
      if (file.kind !== 'qr' && sourceOf(link) === null) return null;
      const language = variesByLanguage(file) ? wanted : options.defaultLanguage;
      const key = `${number ?? ''}/${link.slug} ${link.version} ${nameOf(file)} ${language}`;
      const entry = kept.get(key);
      if (entry !== undefined && entry.endsAt > now()) {
        entry.wasUsed = true;
        if ('failure' in entry.made) throw entry.made.failure;
        counters.hits += 1;
        return entry.made.answer;
      }
      const known = flights.get(key);
      if (known !== undefined) return known;
      const flight = make(key, link, { file, language, baseUrl });
      flights.set(key, flight);
      return flight;
    },
    counters,
    gauges: () => ({ entries: kept.size(), bytes: kept.bytes() }),
  };
}

function answerOf(
  { availability }: ServedLink,
  file: LinkFile,
  { contentType, body, hash, page, disposition }: RenderedFile,
): Answer {
  if ('identity' in body) {
    return fileAnswer(contentType, asBuffer(body.identity), { maxAgeSeconds: QR_SECONDS });
  }
  const encoded = { brotli: asBuffer(body.brotli), gzip: asBuffer(body.gzip) };
  if (file.kind === 'qr') return fileAnswer(contentType, encoded, { maxAgeSeconds: QR_SECONDS });
  // Each visit to a limited link takes one.
  const isLimited = availability?.isLimited === true;
  const isKept = !isLimited && (file.kind !== 'page' || file.view === 'own');
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

// A Buffer from a thread arrives as a plain Uint8Array.
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function sizeOf({ body }: RenderedFile): number {
  // Counts the memory held, which is more than the bytes if they do not fill it.
  return Object.values(body).reduce((sum, bytes) => sum + bytes.buffer.byteLength, 0);
}

type AnswerFileDeps = {
  readonly links: Pick<LinkCache, 'find'>;
  readonly files: Pick<LinkFiles, 'find'>;
  readonly allowances: Pick<Allowances, 'findClosed'>;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  /** Internal faults; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

type FileRequest = {
  readonly host: ServedHost;
  readonly slug: string;
  readonly file: LinkFile;
  readonly language: Language;
  readonly tally: Tally;
};

/**
 * Answers for a link's preview, QR code and address card, which are not counted as visits. At once when link and file are
 * known, else as a promise. Never throws or rejects.
 */
export function createAnswerFile(deps: AnswerFileDeps): (request: FileRequest) => Answer | Promise<Answer> {
  const { replies } = deps;

  return (request) => {
    const found = findByAddress(deps.links, request.slug, false, request.host.number);
    if (!(found instanceof Promise)) return answer(request, found);
    return found.then(
      (link) => answer(request, link),
      () => system('unavailable', request),
    );
  };

  function answer(request: FileRequest, link: ServedLink | null): Answer | Promise<Answer> {
    try {
      if (link === null) return system('notFound', request);
      const { kind } = link.plain;
      if (kind === 'gone') return system('gone', request);
      if (kind === 'paused' && request.file.kind !== 'qr') return system('paused', request);
      if (kind === 'unsupported') return system('unavailable', request);
      if (request.file.kind !== 'qr') {
        const closed = deps.allowances.findClosed(link);
        if (closed !== null) return system(closed.kind, request);
        // Its page has no button for it: a card is what the limit is for.
        if (request.file.kind === 'vcard' && link.availability?.isLimited === true)
          return system('notFound', request);
      }
      const found = deps.files.find(link, request.file, request.language, request.host);
      if (!(found instanceof Promise)) return answerFile(request, found);
      return found.then((file) => answerFile(request, file)).catch((err: unknown) => fail(request, err));
    } catch (err) {
      return fail(request, err);
    }
  }

  function answerFile(request: FileRequest, found: FoundFile): Answer {
    if (found === null) return system('notFound', request);
    if (found === 'busy') return system('unavailable', request);
    recordResult(deps.counters, request.tally, 'link_file');
    return found;
  }

  function system(name: keyof typeof RESULTS, { language, tally }: FileRequest): Answer {
    recordResult(deps.counters, tally, RESULTS[name]);
    return replies[name][language];
  }

  function fail({ language, tally }: FileRequest, err: unknown): Answer {
    recordResult(deps.counters, tally, 'error');
    deps.onFault(err);
    return replies.unavailable[language];
  }
}

const RESULTS = {
  notFound: 'not_found',
  gone: 'gone',
  paused: 'paused',
  scheduled: 'scheduled',
  expired: 'expired',
  exhausted: 'exhausted',
  unavailable: 'unavailable',
} as const satisfies Partial<Record<keyof SystemReplies, VisitResult>>;

export type Pages = {
  readonly site: Site;
  readonly assets: Assets;
  readonly replies: SystemReplies;
  readonly files: LinkFiles;
  /** Closed by the caller of openPages. */
  readonly renderer: PageRenderer;
};

/** Reads the assets, makes the system pages, and starts the rendering thread. */
export function openPages(config: RedirectConfig, log: Logger): Pages {
  const assets = loadAssets();
  const options: SiteOptions = {
    publicBaseUrl: publicBaseUrlOf(config),
    abuseContactUrl: config.ABUSE_CONTACT_URL ?? null,
    scriptPath: assets.scriptPath,
    shareImagePaths: assets.shareImagePaths,
  };
  const site = createSite(options);
  const now = () => performance.now();
  const renderer = createPageRenderer({
    startThread: (events) => startRenderThread(options, events),
    now,
    log,
  });
  const files = createLinkFiles({
    render: renderer.render,
    defaultLanguage: config.DEFAULT_LANGUAGE,
    bytesMax: config.PAGES_BYTES_MAX,
    now,
  });
  return { site, assets, replies: createSystemReplies(site), files, renderer };
}
