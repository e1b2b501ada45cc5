import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type Logger, startJob } from '@smartlink/process/lifecycle';
import { createSlices } from '../time-slices.js';
import {
  DamagedBlocklistError,
  keysCovering,
  loadBlocklist,
  type LoadedBlocklist,
} from './blocklist-file.js';
import { halfSipHash, type HashKey } from './hash-set.js';
import type { SafetyProvider } from './provider.js';

export type BlocklistObserver = {
  readonly onLoaded: (entries: number) => void;
  /** A changed list could not be used; the old one stays. */
  readonly onReloadFailed: () => void;
};

export type Blocklist = SafetyProvider & {
  readonly entries: () => number;
  /** Size of the hash table. */
  readonly bytes: () => number;
  /** Loads the files if they have changed, as the job does. Rejects when the new list cannot be used. Not concurrently. */
  readonly reloadIfChanged: (signal?: AbortSignal) => Promise<void>;
};

type BlocklistOptions = {
  readonly files: readonly string[];
  readonly reloadIntervalMs: number;
  readonly log: Logger;
  readonly observer: BlocklistObserver;
};

/**
 * A provider with the hosts and URLs of some files. A host covers its subdomains, a URL only itself. Files that have
 * changed, also by a rename, are read again, and the complete new list replaces the old one. Rejects when a file cannot be
 * used at the start.
 *
 * The list is kept as 64-bit hashes under a random key. A URL is looked up by itself, its host and the domains above it,
 * usually six keys. With a million entries the chance of a false match is 6 × 10^6 ÷ 2^64, one in 3 × 10^12 URLs. A
 * listed URL is always found.
 */
export async function openBlocklist(options: BlocklistOptions): Promise<Blocklist> {
  const { files, log, observer } = options;
  const key = randomKey();
  const pair = new Int32Array(2);
  let seen = await signatureOf(files);
  let list = await loadBlocklist(files, key);
  let version = 1;
  announce(list, options);

  const isListed = (url: string): boolean =>
    keysCovering(url, list.labelsMax).some((entry) => {
      halfSipHash(entry, key, pair);
      return list.hashes.has(pair[0] ?? 0, pair[1] ?? 0);
    });

  async function reloadIfChanged(signal?: AbortSignal): Promise<void> {
    const signature = await signatureOf(files);
    if (signature === seen) return;
    try {
      const fresh = await loadBlocklist(files, key, signal);
      // A file that changed again is still being written: the next run reads all of it.
      if ((await signatureOf(files)) !== signature) return;
      seen = signature;
      list = fresh;
      version += 1;
      announce(fresh, options);
    } catch (err) {
      // A damaged file is not tried again until it changes; an unreadable one may be readable in a moment.
      if (err instanceof DamagedBlocklistError) seen = signature;
      throw err;
    }
  }

  const job = startJob({
    everyMs: options.reloadIntervalMs,
    run: reloadIfChanged,
    failure: 'the blocklist was not reloaded; the one before stays in use',
    onFailure: observer.onReloadFailed,
    log,
  });
  return {
    name: 'blocklist',
    isLocal: true,
    listVersion: () => version,
    entries: () => list.hashes.size,
    bytes: () => list.hashes.bytes,
    reloadIfChanged,
    async findUnsafe(urls, signal) {
      const unsafe = new Set<string>();
      const slices = createSlices();
      for (const url of urls) {
        await slices.nextIfOver();
        signal.throwIfAborted();
        if (isListed(url)) unsafe.add(url);
      }
      return unsafe;
    },
    close: job.stop,
  };
}

function announce(
  { hashes, strangeLines, firstStrangeLine }: LoadedBlocklist,
  { log, observer }: BlocklistOptions,
): void {
  observer.onLoaded(hashes.size);
  log.info({ entries: hashes.size }, 'blocklist loaded');
  if (strangeLines > 0) {
    log.warn({ strangeLines, firstStrangeLine }, 'blocklist has lines that are neither host nor URL');
  }
}

/** Changes whenever one of the files does: by a write, a rename onto it, or new permissions. */
async function signatureOf(files: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    files.map(async (file) => {
      const { dev, ino, size, mtimeMs, ctimeMs } = await stat(file);
      return [dev, ino, size, mtimeMs, ctimeMs].join(':');
    }),
  );
  return parts.join(' ');
}

function randomKey(): HashKey {
  const bytes = randomBytes(8);
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)];
}
