import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = {
  links: 'libs/links',
  pages: 'libs/pages',
  process: 'libs/process',
  smartlink: 'libs/smartlink',
  visits: 'libs/visits',
  redirect: 'services/redirect',
} as const;
const NOT_COPIED = new Set(['src', 'test', 'browser', 'samples', 'node_modules']);

type PackageName = keyof typeof PACKAGES;

/** A text of a compiled file that stands there exactly once, and what is put in its place. */
export type Edit = {
  readonly package: PackageName;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

export type Build = ReturnType<typeof copyBuild>;

/**
 * Copies the compiled packages to a folder of their own and makes one edit there; other packages are links to those
 * installed. Throws, with the edit's place, unless its text stands there exactly once: a trial whose breakage no longer
 * breaks anything would show nothing. The caller removes the copy.
 */
export function copyBuild(edit: Edit | null) {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-build-'));
  const copies = join(folder, 'node_modules', '@smartlink');
  const dist = (name: PackageName) => join(copies, name, 'dist');
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  mkdirSync(copies, { recursive: true });
  for (const [name, source] of Object.entries(PACKAGES)) {
    cpSync(join(ROOT, source), join(copies, name), {
      recursive: true,
      filter: (path) => isCopied(relative(join(ROOT, source), path)),
    });
    // The tests' own condition would lead from a compiled file of the copy to a source that is not in it.
    const manifest = join(copies, name, 'package.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replaceAll(/"source": "[^"]*",/g, ''));
  }
  const installed = join(ROOT, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name !== '@smartlink' && !name.startsWith('.')) {
      symlinkSync(join(installed, name), join(folder, 'node_modules', name));
    }
  }
  if (edit !== null) {
    const file = join(dist(edit.package), edit.file);
    const parts = readFileSync(file, 'utf8').split(edit.find);
    if (parts.length !== 2) {
      remove();
      throw new Error(
        `${edit.package}/dist/${edit.file} has ${parts.length - 1} places with the text of this edit; adapt the edit ` +
          `to the new code:\n${edit.find}`,
      );
    }
    writeFileSync(file, parts.join(edit.replace));
  }
  return {
    dist,
    /** Loads a compiled module (`events/shipper.js`) of a package, which imports other copies. */
    // A folder named node_modules is left to Node by the test runner, which would otherwise look for sources.
    load: async <Module>(name: PackageName, file: string): Promise<Module> =>
      (await import(/* @vite-ignore */ join(dist(name), file))) as never,
    remove,
  };
}

function isCopied(path: string): boolean {
  return !NOT_COPIED.has(path) && !/\.(?:d\.ts|map|test\.js|tsbuildinfo)$/.test(path);
}

export type BrokenBuild = Edit & {
  readonly name: string;
  /** Which checker must notice. */
  readonly checker: 'races' | 'shipping' | 'burst' | 'kill' | 'stop';
  /** Of what it counts, what must be above zero. */
  readonly finds: 'stale' | 'lost' | 'doubled' | 'waiting';
  /** Tried in an ordinary run too; the full size tries all. */
  readonly isTriedAlways?: true;
};

/** Faults that once were made, here or elsewhere, and what notices each. */
export const BROKEN_BUILDS: readonly BrokenBuild[] = [
  {
    name: 'a change deletes the Redis key',
    checker: 'races',
    finds: 'stale',
    isTriedAlways: true,
    package: 'links',
    file: 'publish.js',
    find: 'const taken = setIfNewer(redis, keyPrefix, slugKey, encoded, message);',
    replace:
      'const taken = redis.del(snapshotRedisKey(keyPrefix, slugKey)).then(() => redis.publish(changeChannel(keyPrefix), message));',
  },
  {
    name: 'Redis is written by a plain set',
    checker: 'races',
    finds: 'stale',
    package: 'links',
    file: 'redis-codec.js',
    find: 'and stored >= ARGV[2] then return 0 end',
    replace: 'and false then return 0 end',
  },
  {
    name: 'a failed insert counts as sent',
    checker: 'shipping',
    finds: 'lost',
    isTriedAlways: true,
    package: 'redirect',
    file: 'events/segment-sender.js',
    find: 'const outcome = await deps.table.insert(columns, rows(), deps.signal);',
    replace: `const outcome = await deps.table.insert(columns, rows(), deps.signal).catch(() => {
        sent.isComplete = true;
        return { kind: 'acknowledged' };
    });`,
  },
  {
    name: 'a failed insert is not tried again',
    checker: 'shipping',
    finds: 'waiting',
    package: 'redirect',
    file: 'events/shipper.js',
    find: 'await shared.pause(pauseMs);',
    replace: 'return;',
  },
  {
    name: 'a segment is settled before ClickHouse answers',
    checker: 'shipping',
    finds: 'lost',
    // Taken for acknowledged as soon as the last byte is on its way.
    package: 'redirect',
    file: 'events/segment-sender.js',
    find: 'const outcome = await deps.table.insert(columns, rows(), deps.signal);',
    replace: `const answer = deps.table.insert(columns, rows(), deps.signal).catch(() => (sent.isComplete = true));
    while (!sent.isComplete) await new Promise((resolve) => setImmediate(resolve));
    void answer;
    const outcome = { kind: 'acknowledged' };`,
  },
  {
    name: 'events get their ids when they are sent',
    checker: 'shipping',
    finds: 'doubled',
    package: 'redirect',
    file: 'events/segment-sender.js',
    find: 'yield frame.rows;',
    replace: `{
        const { splitRows } = await import('./spool-segment.js');
        const { randomBytes } = await import('node:crypto');
        for (const row of splitRows(frame)) yield Buffer.concat([row.subarray(0, 8), randomBytes(16), row.subarray(24)]);
    }`,
  },
  {
    name: 'strict mode confirms before it writes',
    checker: 'kill',
    finds: 'lost',
    isTriedAlways: true,
    package: 'redirect',
    file: 'events/event-recorder.js',
    find: 'const outcome = await spool.append(frame, half.rowCount);',
    replace: 'half.resolveWaiters(true); const outcome = await spool.append(frame, half.rowCount);',
  },
  {
    name: 'a drop is not counted',
    checker: 'burst',
    finds: 'lost',
    isTriedAlways: true,
    package: 'redirect',
    file: 'events/event-recorder.js',
    find: 'counters.droppedEvents[reason]++;',
    replace: '',
  },
  {
    name: 'the recorder closes before its last write',
    checker: 'stop',
    finds: 'lost',
    package: 'redirect',
    file: 'events/event-recorder.js',
    find: 'halfWriter.stopRetrying();\n            flush();',
    replace: '',
  },
];
