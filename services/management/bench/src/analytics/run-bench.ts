import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackError } from '@smartlink/embedded/stack-error';
import { describeMachine } from '@smartlink/bench/machine';
import { measureEventCost, measureEventPath } from './event-path.js';
import type { EventCostFigures, EventPathFigures } from './event-path.js';
import { PARTS } from './options.js';
import type { Options, Part } from './options.js';
import { diskBytes, sizesFor } from './sizes.js';
import { measureStored } from './stored-events.js';
import type { StoredFigures } from './stored-events.js';

/** All that a run found; what `--only` left out is missing. */
export type Findings = {
  readonly machine: string;
  readonly date: string;
  readonly eventPath: EventPathFigures | null;
  readonly eventCost: EventCostFigures | null;
  /** By the number of events stored, ascending. */
  readonly stored: readonly StoredFigures[];
};

export type RunOptions = {
  readonly options: Options;
  /** PATH: where the service's wrappers (taskset, setpriv) are looked for. */
  readonly searchPath: string | undefined;
  readonly print: (line: string) => void;
  /** Called when a part is done, with what it found and nothing else. */
  readonly onPart: (found: Findings) => void;
  readonly signal: AbortSignal;
};

/**
 * Measures what `options` ask for and removes what it has made. Rejects with StackError when the disk is too full or
 * something does not start, and when `signal` ends the run.
 */
export async function runBench(run: RunOptions): Promise<Findings> {
  const { options, searchPath, print, onPart, signal } = run;
  const { events, only } = options;
  requireDisk(events);
  const sizes = sizesFor(events, options.common);
  const machine = describeMachine();
  print(`${machine}\n`);
  const nothing: Findings = {
    machine,
    date: new Date().toISOString().slice(0, 10),
    eventPath: null,
    eventCost: null,
    stored: [],
  };
  const parts: Readonly<Record<Part, () => Promise<Partial<Findings>>>> = {
    cost: async () => ({
      eventCost: await inFolder((folder) => measureEventCost({ sizes, signal }, folder)),
    }),
    ship: async () => ({ eventPath: await measureEventPath({ sizes, signal }) }),
    api: async () => ({ stored: await measureStored({ sizes, searchPath, signal }) }),
  };
  let findings = nothing;
  for (const part of PARTS) {
    if (only !== null && !only.includes(part)) continue;
    const found = await parts[part]();
    onPart({ ...nothing, ...found });
    findings = { ...findings, ...found };
  }
  return findings;
}

function requireDisk(events: number): void {
  const folder = tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  const needed = diskBytes(events);
  if (bavail * bsize >= needed) return;
  const gib = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  throw new StackError(
    `${folder} has ${gib(bavail * bsize)} GiB free, and ${events.toLocaleString('en')} events need ${gib(needed)} GiB: free some, set TMPDIR to another folder, or take fewer with --events.`,
  );
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
