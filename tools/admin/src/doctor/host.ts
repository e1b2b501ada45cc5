import { execFile } from 'node:child_process';
import { readFile, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { FIGURES } from '../capacity/plan.js';
import { given, readServiceConfig } from '../config/config.js';
import { dataFolderOf } from '../engines/session.js';
import {
  ANSWER_LIMIT_MS,
  type DoctorCheck,
  type DoctorContext,
  type Finding,
  mebibytes,
  ok,
  problem,
  unknown,
  warning,
} from './check.js';

/** Faults that keep a service from starting, including short secrets and known passwords. */
export const configurationCheck: DoctorCheck = {
  name: 'configuration',
  run({ env }) {
    const findings = (['redirect', 'management'] as const).flatMap((service): readonly Finding[] => {
      const check = `configuration of ${service}`;
      const { variables, problems, warnings } = readServiceConfig(service, env, {});
      const todo = 'See npm run admin -- config print, and docs/configure.md.';
      const found = [
        ...problems.map((line) => problem(check, line, todo)),
        ...warnings.map((line) => warning(check, line, todo)),
      ];
      const set = variables.filter(({ source }) => source !== 'default' && source !== 'none').length;
      return found.length > 0 ? found : [ok(check, `${set} of ${variables.length} variables given`)];
    });
    return Promise.resolve(findings);
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
  run: (context) =>
    Promise.all([
      Promise.resolve(judgeNode()),
      judgeUwebsockets(context.signal),
      judgeFiles(),
      judgeQueue(),
      judgeMigrateRequests(),
      judgeMemory(context),
      judgeDataFolder(context),
    ]),
};

function judgeNode(): Finding {
  const { node } = process.versions;
  return Number(node.split('.')[0]) >= NODE_MAJOR_MIN
    ? ok('Node', node)
    : problem('Node', `${node}, and ${NODE_MAJOR_MIN} is needed`, 'Upgrade Node.');
}

/** Loads it in its own process: a binary that does not fit ends the process. */
async function judgeUwebsockets(signal: AbortSignal): Promise<Finding> {
  const check = 'uWebSockets.js';
  const todo = 'Use a version of Node that it has a binary for (20 or 22), on glibc; npm ci.';
  try {
    const redirect = dirname(createRequire(import.meta.url).resolve('@smartlink/redirect/config'));
    const script = "process.stdout.write(typeof (await import('uWebSockets.js')).App)";
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: redirect,
      timeout: ANSWER_LIMIT_MS,
      signal,
    });
    return stdout === 'function' ? ok(check, 'loads') : problem(check, 'does not load', todo);
  } catch {
    return problem(check, `does not load in Node ${process.versions.node}`, todo);
  }
}

async function judgeFiles(): Promise<Finding> {
  const check = 'open files';
  const limits = await readText('/proc/self/limits');
  const soft = /^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1];
  if (soft === undefined) return unknown(check, 'the limit cannot be read on this system', 'See ulimit -n.');
  const seen = `${soft}, as this command has it`;
  return soft === 'unlimited' || Number(soft) >= FILES_MIN
    ? ok(check, seen)
    : warning(check, seen, `Each visitor's connection takes one: LimitNOFILE=65536, or ulimit -n 65536.`);
}

async function judgeQueue(): Promise<Finding> {
  const check = 'net.core.somaxconn';
  const text = await readText('/proc/sys/net/core/somaxconn');
  if (text === null) return unknown(check, 'cannot be read on this system');
  const todo = `sysctl net.core.somaxconn=${QUEUE_MIN}: a burst of connections is refused above it.`;
  return Number(text) >= QUEUE_MIN ? ok(check, text) : warning(check, text, todo);
}

async function judgeMigrateRequests(): Promise<Finding> {
  const check = 'net.ipv4.tcp_migrate_req';
  const text = await readText('/proc/sys/net/ipv4/tcp_migrate_req');
  if (text === null) return unknown(check, 'this kernel has no such setting (5.14)', 'See docs/operate.md.');
  return text === '1'
    ? ok(check, text)
    : warning(check, text, 'Set it to 1 where browsers connect directly (docs/operate.md).');
}

async function judgeMemory({ env }: DoctorContext): Promise<Finding> {
  const check = 'memory';
  const number = (name: string, standard: number) => Number(given(env, name) ?? standard);
  const processes = number('REDIRECT_PROCESSES', availableParallelism());
  const each =
    FIGURES.connectionsMib.value * MEBIBYTE +
    FIGURES.cacheRatio.value * number('L1_BYTES_MAX', 64 * MEBIBYTE) +
    number('PAGES_BYTES_MAX', 64 * MEBIBYTE);
  if (!Number.isFinite(processes * each)) return unknown(check, 'a size is no number', 'See configuration.');
  const limit = Number((await readText('/sys/fs/cgroup/memory.max')) ?? NaN);
  const total = Number.isFinite(limit) ? Math.min(limit, totalmem()) : totalmem();
  const seen = `${mebibytes(processes * each)} for ${processes} redirect processes with full caches, of ${mebibytes(total)}`;
  return processes * each <= total * 0.8
    ? ok(check, seen)
    : warning(check, seen, 'Lower L1_BYTES_MAX, PAGES_BYTES_MAX or REDIRECT_PROCESSES, or give it more.');
}

async function judgeDataFolder({ env, isEmbedded }: DoctorContext): Promise<Finding> {
  const check = 'data folder';
  if (!isEmbedded) return unknown(check, 'the engines keep their data elsewhere', 'Watch their disks there.');
  const folder = dataFolderOf(env);
  const { bavail, bsize } = await statfs(folder);
  const seen = `${folder}, ${mebibytes(bavail * bsize)} free`;
  return bavail * bsize >= FREE_MIN_BYTES ? ok(check, seen) : warning(check, seen, 'Make room.');
}

const readText = async (file: string): Promise<string | null> =>
  (await readFile(file, 'utf8').catch(() => null))?.trim() ?? null;
