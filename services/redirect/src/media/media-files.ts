import { MEDIA_TYPES, parseMediaName } from '@smartlink/media/address';
import type { MediaStore } from '@smartlink/media/store';
import type { Language } from '@smartlink/pages/site';
import { withTimeLimit } from '@smartlink/process/database';
import { createClockMap, type Held } from '../bounded-maps.js';
import { type Answer, createHeads, headerValue, NO_SNIFF, type Reply } from '../http/reply.js';
import type { SystemReplies } from '../http/system-replies.js';
import { recordResult, type Tally, type VisitCounters } from '../metrics/worker-metrics.js';

type MediaDeps = {
  readonly store: Pick<MediaStore, 'get' | 'has'>;
  /** Of the files in memory. */
  readonly bytesMax: number;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  readonly now: () => number;
  readonly onFault: (err: unknown) => void;
};

type MediaRequest = { readonly name: string; readonly language: Language; readonly tally: Tally };

type Entry = Held & { readonly reply: Reply; checkAt: number };

const ENTRY_BYTES = 1_000;
// A file takes up to some MB while it is read; random names cost one read each.
const READS_MAX = 32;
const READ_MS_MAX = 5_000;

// Management removes the files of a deleted picture within 30 s; its address is to stop working within a minute.
const CHECK_MS = 25_000;
const CHECK_AGAIN_MS = 5_000;
/** Visitors of a file in memory wait so long for a slow store. */
const CHECK_WAIT_MS_MAX = 1_000;

const mediaHead = createHeads([
  ['Cache-Control', headerValue('public, max-age=31536000, immutable')],
  ['Content-Security-Policy', headerValue("default-src 'none'")],
  NO_SNIFF,
]);

/**
 * Answers for files of uploaded pictures, from memory or from the store. At once when the file is in memory and was in the
 * store lately, else as a promise. While the store is away, files in memory are served. Concurrent requests share one
 * read. Never throws or rejects.
 */
export function createAnswerMedia(deps: MediaDeps): (request: MediaRequest) => Answer | Promise<Answer> {
  const { store, replies, counters, now } = deps;
  const kept = createClockMap<Entry>({ entriesMax: Number.MAX_SAFE_INTEGER, bytesMax: deps.bytesMax });
  const reads = new Map<string, Promise<Reply | null>>();

  async function read(name: string, type: string): Promise<Reply | null> {
    try {
      const body = await withTimeLimit(READ_MS_MAX, store.get(name));
      if (body === null) return null;
      const headers = [['Content-Type', headerValue(type)]] as const;
      const reply: Reply = { head: mediaHead(200), headers, body };
      const bytes = ENTRY_BYTES + body.length;
      kept.set(name, { reply, bytes, wasUsed: false, checkAt: now() + CHECK_MS });
      return reply;
    } finally {
      reads.delete(name);
    }
  }

  /** Looks for a file in memory in the store, and forgets it if it is gone. */
  async function check(name: string, entry: Entry): Promise<Reply | null> {
    try {
      if (await withTimeLimit(READ_MS_MAX, store.has(name))) {
        entry.checkAt = now() + CHECK_MS;
        return entry.reply;
      }
      kept.delete(name);
      return null;
    } catch {
      entry.checkAt = now() + CHECK_AGAIN_MS;
      return entry.reply;
    } finally {
      reads.delete(name);
    }
  }

  return ({ name, language, tally }) => {
    const unavailable = (): Answer => {
      recordResult(counters, tally, 'unavailable');
      return replies.unavailable[language];
    };
    const answer = (reply: Reply | null): Answer => {
      recordResult(counters, tally, reply === null ? 'not_found' : 'link_file');
      return reply ?? replies.notFound[language];
    };
    const entry = kept.get(name);
    if (entry !== undefined) {
      entry.wasUsed = true;
      if (now() < entry.checkAt) return answer(entry.reply);
    }
    const file = parseMediaName(name);
    if (file === null) return answer(null);
    let found = reads.get(name);
    if (found === undefined) {
      if (reads.size >= READS_MAX) return entry === undefined ? unavailable() : answer(entry.reply);
      found = entry === undefined ? read(name, MEDIA_TYPES[file.extension]) : check(name, entry);
      reads.set(name, found);
    }
    if (entry !== undefined) {
      return withTimeLimit(CHECK_WAIT_MS_MAX, found).then(answer, () => {
        entry.checkAt = now() + CHECK_AGAIN_MS;
        return answer(entry.reply);
      });
    }
    return found.then(answer, (err: unknown) => {
      deps.onFault(err);
      return unavailable();
    });
  };
}
