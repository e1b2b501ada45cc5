import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BuiltImage } from './image-store.js';

export type ContainerOptions = {
  readonly image: BuiltImage;
  /** Instead of the image's own. */
  readonly command?: readonly string[] | null;
  /** Put behind the image's entry point, as `docker run IMAGE …` does. */
  readonly args?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Content of the files below /run/secrets. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Folders of this machine by where they are mounted. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Where its set-up is written; one for each container. */
  readonly folder: string;
  readonly name: string;
};

export type Container = {
  readonly name: string;
  /** Resolves with its exit code, null after a signal, and all it has printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  readonly hasEnded: () => boolean;
  /** What it has printed so far. */
  readonly output: () => string;
  /** Signals its first process. */
  readonly kill: (signal: NodeJS.Signals) => void;
};

/**
 * Starts a container of the image without an engine: the image's files, read-only, with /tmp in memory; namespaces of its
 * own for mounts and processes; the image's user, without capabilities and without a way to any. Only the network is this
 * machine's. The caller waits for its end; it is killed with this process.
 */
export function startContainer(options: ContainerOptions): Container {
  const { image, folder, name } = options;
  const setUp = path.join(folder, `${name}.sh`);
  writeFileSync(setUp, setUpScript(options), { mode: 0o700 });
  const argv = options.command ?? [...image.entrypoint, ...(options.args ?? image.command)];
  const environment = [...image.environment, ...pairs(options.environment)];
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'],
      ...['sh', setUp, ...environment, ...argv],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let isOver = false;
  const read = (chunk: string) => (output += chunk);
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      isOver = true;
      resolve({ code, output });
    });
  });
  return {
    name,
    ended,
    hasEnded: () => isOver,
    output: () => output,
    kill: (signal) => {
      const first = firstChildOf(child.pid ?? 0);
      if (first !== null) process.kill(first, signal);
    },
  };
}

/** Its PID 1 becomes the program itself: each step ends in exec. */
function setUpScript({ image, secrets, volumes = {} }: ContainerOptions): string {
  const root = quote(image.rootfs);
  const files = Object.entries(secrets).map(
    ([secret, content]) => `printf %s ${quote(content)} > ${root}/run/secrets/${quote(secret)}`,
  );
  const mounts = Object.entries(volumes).map(
    ([target, source]) => `mount --bind ${quote(source)} ${root}${quote(target)}`,
  );
  const [uid, gid] = image.user.split(':');
  return [
    'set -eu',
    `mount --bind ${root} ${root}`,
    `mount -o remount,bind,ro ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    `mount -t tmpfs tmpfs ${root}/run`,
    `mount --rbind /dev ${root}/dev`,
    `mkdir ${root}/run/secrets`,
    ...files,
    `chmod -R a+rX ${root}/run`,
    `mount -o remount,ro ${root}/run`,
    ...mounts,
    `exec chroot ${root} /usr/bin/setpriv --reuid=${uid ?? ''} --regid=${gid ?? ''} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all /usr/bin/env -i -C /app "$@"`,
    '',
  ].join('\n');
}

function pairs(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function firstChildOf(pid: number): number | null {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return first === undefined || first === '' ? null : Number(first);
  } catch {
    return null;
  }
}
