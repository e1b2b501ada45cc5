import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SmartlinkClient } from '@smartlink/client';
import { runAdmin } from './own-stack.js';
import type { PlanLinks } from './plan-links.js';
import type { Target } from './target.js';

const BULK_MAX = 100;
/** Above this the import of the admin command is faster than bulk calls, its own start included. */
const BY_API_MAX = 2_000;

export type MadeLinks = {
  /** Removes them from a stack that is not ours. */
  readonly remove: () => Promise<void>;
};

export type MakeLinksOptions = {
  readonly api: SmartlinkClient;
  readonly target: Target;
  readonly plan: PlanLinks;
  readonly prefix: string;
  readonly count: number;
  /** For a file on the way. */
  readonly folder: string;
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
};

/** Makes the smartlinks of a plan. Rejects when one of them is refused. */
export async function makeLinks(options: MakeLinksOptions): Promise<MadeLinks> {
  const { target, count } = options;
  if (target.own !== null && count > BY_API_MAX) {
    await importLinks(options, target.own);
    return { remove: () => Promise.resolve() };
  }
  const remove = async () => {
    // Those of our own stack go with it.
    if (target.own === null) await removeLinks(options.api, options.prefix);
  };
  try {
    await createLinks(options);
  } catch (err) {
    await remove();
    throw err;
  }
  return { remove };
}

async function createLinks({ api, plan, prefix, count, progress, signal }: MakeLinksOptions) {
  for (let first = 0; first < count; first += BULK_MAX) {
    signal.throwIfAborted();
    const size = Math.min(BULK_MAX, count - first);
    const operations = Array.from({ length: size }, (_, index) => ({ create: plan(prefix, first + index) }));
    const { data } = await api.smartlinks.bulk(operations);
    for (const result of data) {
      if (!result.success) throw new Error(`a smartlink was refused: ${result.error.message}`);
    }
    progress(first + size);
  }
}

// Those that a script has made too, at slugs that begin as all of the run do.
async function removeLinks(api: SmartlinkClient, prefix: string): Promise<void> {
  const ids: string[] = [];
  for await (const { id } of api.smartlinks.listAll({ q: prefix })) ids.push(id);
  for (let first = 0; first < ids.length; first += BULK_MAX) {
    await api.smartlinks.bulk(
      ids.slice(first, first + BULK_MAX).map((smartlinkId) => ({ delete: { smartlinkId } })),
    );
  }
}

async function importLinks(
  { plan, prefix, count, folder, progress }: MakeLinksOptions,
  own: NonNullable<Target['own']>,
): Promise<void> {
  const file = `${folder}/links.ndjson`;
  const lines = function* () {
    for (let number = 0; number < count; number += 1) yield `${JSON.stringify(plan(prefix, number))}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const said = await runAdmin(['import', file, '--email', own.email, '--json'], own.env);
  const { created } = JSON.parse(said) as { created: number };
  await rm(file);
  if (created !== count) throw new Error(`${count - created} of ${count} smartlinks were refused`);
  progress(created);
}
