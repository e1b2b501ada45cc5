import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { failureMessage } from '@smartlink/process/failure-message';
import type { Logger } from '@smartlink/process/logger';
import { createSlices } from '../event-loop-slices.js';
import { keysCovering } from './blocklist-line.js';
import { halfSipHash } from './half-sip-hash.js';
import type { HashKey } from './half-sip-hash.js';
import { DamagedBlocklistError, loadBlocklist } from './load-blocklist.js';
import type { LoadedBlocklist } from './load-blocklist.js';
import type { SafetyProvider } from './safety-provider.js';

export type BlocklistObserver = {
  /** A list came into use. */
  readonly onLoaded: (entries: number) => void;
  /** A new list could not be used; the old one stays. */
  readonly onReloadFailed: () => void;
};

export type Blocklist = SafetyProvider & {
  readonly entries: () => number;
  /** Bytes of the table. */
  readonly bytes: () => number;
  /** Loads the files if they have changed since, as the timer does; one load at a time. Never rejects. */
  readonly reloadIfChanged: () => Promise<void>;
};

export type BlocklistOptions = {
  readonly files: readonly string[];
  readonly reloadIntervalMs: number;
  readonly log: Logger;
  readonly observer: BlocklistObserver;
};

/**
 * Returns a provider that knows the hosts and URLs of some files. A host covers its subdomains, a URL only itself. The
 * files are looked at every `reloadIntervalMs` and read again when one is another than before, also by a rename; a new
 * list takes the old one's place in one assignment once it is whole. Rejects when a file cannot be used at the start.
 *
 * The list is kept as 64-bit hashes under a key that this process alone knows. A URL is looked up by itself and by
 * its host and the domains above it, six keys as a rule and no more than the list has labels; with a million entries one of them hits by accident with a
 * probability of 6 × 10^6 ÷ 2^64, one in 3 × 10^12 URLs. What is on the list is always found.
 */
export async function openBlocklist(options: BlocklistOptions): Promise<Blocklist> {
  const { files, reloadIntervalMs, log, observer } = options;
  const key = randomKey();
  const closing = new AbortController();
  const pair = new Int32Array(2);
  let seen = await signatureOf(files);
  let list = await loadBlocklist(files, key, closing.signal);
  announce(list, options);
  let reloading = Promise.resolve();
  let isReloading = false;

  const timer = setInterval(() => {
    void reloadIfChanged();
  }, reloadIntervalMs);
  timer.unref();

  return {
    name: 'blocklist',
    isLocal: true,
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
    async close() {
      clearInterval(timer);
      closing.abort(new Error('the blocklist is closed'));
      await reloading;
    },
  };

  function isListed(url: string): boolean {
    return keysCovering(url, list.labelsMax).some((entry) => {
      halfSipHash(entry, key, pair);
      return list.hashes.has(pair[0] ?? 0, pair[1] ?? 0);
    });
  }

  function reloadIfChanged(): Promise<void> {
    if (isReloading || closing.signal.aborted) return reloading;
    isReloading = true;
    reloading = reload().finally(() => {
      isReloading = false;
    });
    return reloading;
  }

  async function reload(): Promise<void> {
    let signature: string | null = null;
    try {
      signature = await signatureOf(files);
      if (signature === seen) return;
      const fresh = await loadBlocklist(files, key, closing.signal);
      // Somebody is still writing: the next look finds all of it.
      if ((await signatureOf(files)) !== signature) return;
      seen = signature;
      list = fresh;
      announce(fresh, options);
    } catch (err) {
      if (closing.signal.aborted) return;
      // A damaged file stays so until it changes; what could not be read may be readable in a moment.
      if (err instanceof DamagedBlocklistError && signature !== null) seen = signature;
      observer.onReloadFailed();
      const reason = failureMessage(err);
      log.warn({ reason }, 'the blocklist was not reloaded; the one before stays in use');
    }
  }
}

function announce(
  { hashes, strangeLines, firstStrangeLine }: LoadedBlocklist,
  { log, observer }: BlocklistOptions,
): void {
  observer.onLoaded(hashes.size);
  log.info({ entries: hashes.size }, 'blocklist loaded');
  if (strangeLines > 0) {
    log.warn({ strangeLines, firstStrangeLine }, 'some lines of the blocklist are neither host nor URL');
  }
}

/** Returns what changes whenever one of the files does: by a write, a rename onto it, or new permissions. */
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
