import { MEDIA_TYPES, parseMediaName } from '@smartlink/media/address';
import type { MediaStore } from '@smartlink/media/store';
import type { Language } from '@smartlink/pages/site';
import { withTimeLimit } from '@smartlink/process/database';
import { createClockMap, type Held } from '../bounded-maps.js';
import { type Answer, createHeads, headerValue, NO_SNIFF, type Reply } from '../http/reply.js';
import type { SystemReplies } from '../http/system-replies.js';
import { recordResult, type Tally, type VisitCounters } from '../metrics/worker-metrics.js';

type MediaDeps = {
  readonly store: Pick<MediaStore, 'get'>;
  /** Of the files in memory. */
  readonly bytesMax: number;
  readonly replies: SystemReplies;
  readonly counters: VisitCounters;
  readonly onFault: (err: unknown) => void;
};

type MediaRequest = { readonly name: string; readonly language: Language; readonly tally: Tally };

type Entry = Held & { readonly reply: Reply };

const ENTRY_BYTES = 1_000;
// A file takes up to some MB while it is read; random names cost one read each.
const READS_MAX = 32;
const READ_MS_MAX = 5_000;

const mediaHead = createHeads([
  ['Cache-Control', headerValue('public, max-age=31536000, immutable')],
  ['Content-Security-Policy', headerValue("default-src 'none'")],
  NO_SNIFF,
]);

/**
 * Answers for files of uploaded pictures, from memory or from the store. At once when the file is in memory, else as a
 * promise. Concurrent requests share one read. Never throws or rejects.
 */
export function createAnswerMedia(deps: MediaDeps): (request: MediaRequest) => Answer | Promise<Answer> {
  const { store, replies, counters } = deps;
  const kept = createClockMap<Entry>({ entriesMax: Number.MAX_SAFE_INTEGER, bytesMax: deps.bytesMax });
  const reads = new Map<string, Promise<Reply | null>>();

  async function read(name: string, type: string): Promise<Reply | null> {
    try {
      const body = await withTimeLimit(READ_MS_MAX, store.get(name));
      if (body === null) return null;
      const headers = [['Content-Type', headerValue(type)]] as const;
      const reply: Reply = { head: mediaHead(200), headers, body };
      kept.set(name, { reply, bytes: ENTRY_BYTES + body.length, wasUsed: false });
      return reply;
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
      return answer(entry.reply);
    }
    const file = parseMediaName(name);
    if (file === null) return answer(null);
    let found = reads.get(name);
    if (found === undefined) {
      if (reads.size >= READS_MAX) return unavailable();
      found = read(name, MEDIA_TYPES[file.extension]);
      reads.set(name, found);
    }
    return found.then(answer, (err: unknown) => {
      deps.onFault(err);
      return unavailable();
    });
  };
}
