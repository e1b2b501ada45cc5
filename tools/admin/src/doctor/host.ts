import { execFile } from 'node:child_process';
import { readFile, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { FIGURES } from '../capacity/plan.js';
import { readServiceConfig, valueOf } from '../config/config.js';
import { dataFolderOf } from '../engines/session.js';
import {
  ANSWER_LIMIT_MS,
  type DoctorCheck,
  type DoctorContext,
  mebibytes,
  ok,
  okOrWarning,
  problem,
  unknown,
  type Verdict,
  warning,
} from './check.js';

/** Faults that keep a service from starting, including short secrets and known passwords. */
export const configurationCheck: DoctorCheck = {
  name: 'configuration',
  run({ env }) {
    const judge = (service: 'redirect' | 'management'): readonly Verdict[] => {
      const { variables, problems, warnings } = readServiceConfig(service, env, {});
      const todo = 'See npm run admin -- config print, and docs/configure.md.';
      const set = variables.filter(({ source }) => source !== 'default' && source !== 'none').length;
      const faults = [
        ...problems.map((fault) => problem(fault.problem, todo)),
        ...warnings.map((line) => warning(line, todo)),
      ];
      return faults.length > 0 ? faults : [ok(`${set} of ${variables.length} variables given`)];
    };
    return Promise.resolve({
      'configuration of redirect': judge('redirect'),
      'configuration of management': judge('management'),
    });
  },
};

const NODE_MAJOR_MIN = 20;
const MEBIBYTE = 1024 * 1024;
// A connection of a visitor is one file; two processes were tried with 10,000 each (docs/benchmarks.md).
const FILES_MIN = 16_384;
// The kernel's own default since 5.4.
const QUEUE_MIN = 4_096;
const FREE_MIN_BYTES = 1024 * MEBIBYTE;

/** Node, the binary of uWebSockets.js, system limits, memory and disk. */
export const hostCheck: DoctorCheck = {
  name: 'host',
  run: async (context) => ({
    Node: judgeNode(process.versions.node),
    'uWebSockets.js': await judgeUwebsockets(context.signal),
    'open files': judgeFiles(await readText('/proc/self/limits')),
    'net.core.somaxconn': judgeQueue(await readText('/proc/sys/net/core/somaxconn')),
    'net.ipv4.tcp_migrate_req': judgeMigration(await readText('/proc/sys/net/ipv4/tcp_migrate_req')),
    memory: judgeMemory(context, Number((await readText('/sys/fs/cgroup/memory.max')) ?? NaN)),
    'data folder': await judgeDataFolder(context),
  }),
};

const readText = async (file: string): Promise<string | null> =>
  (await readFile(file, 'utf8').catch(() => null))?.trim() ?? null;

const judgeNode = (version: string): Verdict =>
  Number(version.split('.')[0]) >= NODE_MAJOR_MIN
    ? ok(version)
    : problem(`${version}, and ${NODE_MAJOR_MIN} is needed`, 'Upgrade Node.');

/** Loads it in its own process: a binary that does not fit ends the process. */
async function judgeUwebsockets(signal: AbortSignal): Promise<Verdict> {
  const todo = 'Use a version of Node that it has a binary for (20 or 22), on glibc; npm ci.';
  try {
    const redirect = dirname(createRequire(import.meta.url).resolve('@smartlink/redirect/config'));
    const script = "process.stdout.write(typeof (await import('uWebSockets.js')).App)";
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: redirect,
      timeout: ANSWER_LIMIT_MS,
      signal,
    });
    return stdout === 'function' ? ok('loads') : problem('does not load', todo);
  } catch {
    return problem(`does not load in Node ${process.versions.node}`, todo);
  }
}

function judgeFiles(limits: string | null): Verdict {
  const soft = /^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1];
  if (soft === undefined) return unknown('the limit cannot be read on this system', 'See ulimit -n.');
  const todo = "Each visitor's connection takes one: LimitNOFILE=65536, or ulimit -n 65536.";
  const isEnough = soft === 'unlimited' || Number(soft) >= FILES_MIN;
  return okOrWarning(isEnough, `${soft}, as this command has it`, todo);
}

function judgeQueue(length: string | null): Verdict {
  if (length === null) return unknown('cannot be read on this system');
  const todo = `sysctl net.core.somaxconn=${QUEUE_MIN}: a burst of connections is refused above it.`;
  return okOrWarning(Number(length) >= QUEUE_MIN, length, todo);
}

const judgeMigration = (setting: string | null): Verdict =>
  setting === null
    ? unknown('this kernel has no such setting (5.14)', 'See docs/operate.md.')
    : okOrWarning(setting === '1', setting, 'Set it to 1 where browsers connect directly (docs/operate.md).');

/** `limit`: bytes of the control group; NaN for none. */
function judgeMemory({ env }: DoctorContext, limit: number): Verdict {
  const processes = valueOf('redirect', 'REDIRECT_PROCESSES', env);
  const linkBytes = valueOf('redirect', 'L1_BYTES_MAX', env);
  const pageBytes = valueOf('redirect', 'PAGES_BYTES_MAX', env);
  const mediaBytes = valueOf('redirect', 'MEDIA_BYTES_MAX', env);
  if (
    processes === undefined ||
    linkBytes === undefined ||
    pageBytes === undefined ||
    mediaBytes === undefined
  ) {
    return unknown('a size is no number', 'See configuration.');
  }
  const connections = FIGURES.connectionsMib.value * MEBIBYTE;
  const needed = processes * (connections + FIGURES.cacheRatio.value * linkBytes + pageBytes + mediaBytes);
  const total = Number.isFinite(limit) ? Math.min(limit, totalmem()) : totalmem();
  const seen = `${mebibytes(needed)} for ${processes} redirect processes with full caches, of ${mebibytes(total)}`;
  const todo = 'Lower L1_BYTES_MAX, PAGES_BYTES_MAX, MEDIA_BYTES_MAX or REDIRECT_PROCESSES, or give it more.';
  return okOrWarning(needed <= total * 0.8, seen, todo);
}

async function judgeDataFolder({ env, isEmbedded }: DoctorContext): Promise<Verdict> {
  if (!isEmbedded) return unknown('the engines keep their data elsewhere', 'Watch their disks there.');
  const folder = dataFolderOf(env);
  const { bavail, bsize } = await statfs(folder);
  const seen = `${folder}, ${mebibytes(bavail * bsize)} free`;
  return okOrWarning(bavail * bsize >= FREE_MIN_BYTES, seen, 'Make room.');
}
