import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createLogger } from '@smartlink/process/logger';
import { openBlocklist } from '@smartlink/management/url-safety/blocklist';
import type { Blocklist } from '@smartlink/management/url-safety/blocklist';
import { BAD_HOSTS, compareLookUps } from './compare-look-ups.js';
import type { LookUpFigures } from './compare-look-ups.js';
import { makeSet } from './set-of-strings.js';

export type Findings = {
  readonly entries: number;
  readonly fileMib: number;
  /** By the outcome, beside a Set of strings. */
  readonly lookUps: { readonly miss: LookUpFigures; readonly hit: LookUpFigures };
  /** Of that Set, in the heap. */
  readonly setMib: number;
  readonly loadMs: number;
  readonly tableMib: number;
  /** Resident memory more than before the list, after a forced collection. */
  readonly listMib: number;
  /** The most that it rose to while a second list was read, over the same base. */
  readonly reloadPeakMib: number;
  readonly reloadMs: number;
  readonly reloadCpuMs: number;
  /** How much later than asked a timer ran: at rest and during the reload. */
  readonly restDelayMs: Delay;
  readonly reloadDelayMs: Delay;
  /** Processor time of the longest turn of the event loop during a reload: what other work on the machine leaves alone. */
  readonly longestTurnCpuMs: number;
};

export type Delay = { readonly p99: number; readonly max: number };

const MIB = 1024 * 1024;
/** Of the list that is read last. */
const LAST_GENERATION = 2;
const REST_MS = 2_000;
const DELAY_RESOLUTION_MS = 1;
const RSS_LOOK_MS = 5;

type Size = { readonly entries: number; readonly rounds: number };

/** Makes a list of `entries` hosts and URLs, reads it, asks it, replaces it and reads it again. Leaves no file behind. */
export async function measureBlocklist(size: Size, print: (line: string) => void): Promise<Findings> {
  const { entries } = size;
  const directory = await mkdtemp(path.join(tmpdir(), 'blocklist-bench-'));
  const file = path.join(directory, 'list.txt');
  try {
    print(`Writing ${entries.toLocaleString('en')} entries.`);
    await writeList(file, entries, 0);
    const fileMib = (await stat(file)).size / MIB;
    const baseMib = collectedRssMib();
    const loadStart = performance.now();
    const list = await open(file);
    const loadMs = performance.now() - loadStart;
    try {
      const listMib = collectedRssMib() - baseMib;
      print('Reloading.');
      const reload = await measureReload(list, file, entries, baseMib);
      print('Looking up, in turns with a Set.');
      const compared = await compareWithSet(list, size);
      return {
        entries: list.entries(),
        fileMib,
        loadMs,
        tableMib: list.bytes() / MIB,
        listMib,
        ...reload,
        ...compared,
      };
    } finally {
      await list.close();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

function open(file: string): Promise<Blocklist> {
  return openBlocklist({
    files: [file],
    reloadIntervalMs: 3_600_000,
    log: createLogger({ service: 'bench', level: 'silent' }),
    observer: { onLoaded: () => undefined, onReloadFailed: () => undefined },
  });
}

type ReloadFindings = Pick<
  Findings,
  'reloadMs' | 'reloadCpuMs' | 'reloadPeakMib' | 'restDelayMs' | 'reloadDelayMs' | 'longestTurnCpuMs'
>;

async function measureReload(
  list: Blocklist,
  file: string,
  entries: number,
  baseMib: number,
): Promise<ReloadFindings> {
  const restDelayMs = await delayDuring(() => new Promise((resolve) => setTimeout(resolve, REST_MS)));
  await replaceList(file, entries, 1);
  let peak = 0;
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, RSS_LOOK_MS);
  const start = performance.now();
  const cpu = process.cpuUsage();
  const reloadDelayMs = await delayDuring(() => list.reloadIfChanged());
  const { user, system } = process.cpuUsage(cpu);
  const reloadMs = performance.now() - start;
  clearInterval(looking);
  if (list.entries() < entries) throw new Error('the second list was not taken over');
  return {
    reloadMs,
    reloadCpuMs: (user + system) / 1_000,
    reloadPeakMib: peak / MIB - baseMib,
    restDelayMs,
    reloadDelayMs,
    longestTurnCpuMs: await measureLongestTurn(list, file, entries),
  };
}

async function measureLongestTurn(list: Blocklist, file: string, entries: number): Promise<number> {
  await replaceList(file, entries, LAST_GENERATION);
  let longestMs = 0;
  let isOver = false;
  let before = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    before = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await list.reloadIfChanged();
  isOver = true;
  return longestMs;
}

async function replaceList(file: string, entries: number, generation: number): Promise<void> {
  await writeList(`${file}.new`, entries, generation);
  await rename(`${file}.new`, file);
  collectedRssMib();
}

async function delayDuring(act: () => Promise<unknown>): Promise<Delay> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  await act();
  delay.disable();
  // What is measured is the time between two runs of a timer; one resolution of it was asked for.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - DELAY_RESOLUTION_MS);
  return { p99: late(delay.percentile(99)), max: late(delay.max) };
}

/** Times look-ups, through the call that the service makes, in turns with a Set of strings, and weighs that. */
async function compareWithSet(
  list: Blocklist,
  { entries, rounds }: Size,
): Promise<{ lookUps: Findings['lookUps']; setMib: number }> {
  const { signal } = new AbortController();
  collectedRssMib();
  const before = process.memoryUsage().heapUsed;
  // As the list is by now: its last generation.
  const set = makeSet(linesOf(entries, LAST_GENERATION));
  collectedRssMib();
  const setMib = (process.memoryUsage().heapUsed - before) / MIB;
  const ways = {
    ours: async (urls: readonly string[]) => (await list.findUnsafe(urls, signal)).size,
    other: set.countUnsafe,
  };
  const compare = (kind: 'free' | 'bad') => compareLookUps(ways, { kind, entries, rounds });
  return { lookUps: { miss: await compare('free'), hit: await compare('bad') }, setMib };
}

function* linesOf(entries: number, generation: number): Generator<string> {
  for (let number = 0; number < entries; number += 1) yield lineOf(number, generation);
}

/** Nine hosts to one URL; lists of two generations have the hosts that are looked up in common, and half of the rest. */
async function writeList(file: string, entries: number, generation: number): Promise<void> {
  await pipeline(function* () {
    for (let from = 0; from < entries; from += 1_000) {
      const lines = Array.from({ length: Math.min(1_000, entries - from) }, (_, i) =>
        lineOf(from + i, generation),
      );
      yield `${lines.join('\n')}\n`;
    }
  }, createWriteStream(file));
}

function lineOf(number: number, generation: number): string {
  const name = number.toString(36);
  if (number < BAD_HOSTS) return `bad-${name}.example`;
  const version = number % 2 === 0 ? generation : 0;
  if (number % 10 === 0) return `http://files-${name}-${version}.example/download/setup.exe`;
  return number % 3 === 0
    ? `0.0.0.0 host-${name}-${version}.example`
    : `login.account-${name}-${version}.example`;
}

let collect: (() => void) | null = null;

/** Returns resident memory in MiB after a forced collection. */
function collectedRssMib(): number {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  for (let i = 0; i < 2; i++) collect();
  return process.memoryUsage.rss() / MIB;
}
