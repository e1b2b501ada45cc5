import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BRIDGE = fileURLToPath(new URL('network-bridge.mjs', import.meta.url));

export type Address = { readonly host: string; readonly port: number };

export type Namespace = {
  readonly name: string;
  /** The command that runs another one inside. */
  readonly prefix: readonly string[];
  /** Runs a command inside; throws with what it printed when it fails. */
  readonly run: (...command: readonly string[]) => void;
  /** Takes connections to `listen` inside and carries them to `to` outside. Closed with the namespace. */
  readonly reachOut: (ways: readonly { listen: Address; to: Address }[]) => Promise<void>;
  /** Takes connections to `listen` outside and carries them to `to` inside. Closed with the namespace. */
  readonly reachIn: (ways: readonly { listen: Address; to: Address }[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Returns why network namespaces cannot be made here, or null when they can. */
export function whyNoNamespaces(): string | null {
  if (process.platform !== 'linux') return 'network namespaces are a part of Linux';
  if (process.getuid?.() !== 0) return 'network namespaces can be made by root only';
  const name = `slt${process.pid}try`;
  const added = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (added.error !== undefined) return 'the command ip is missing (apt-get install iproute2)';
  if (added.status !== 0) return `no network namespace can be made here: ${added.stderr.trim()}`;
  spawnSync('ip', ['netns', 'del', name]);
  return null;
}

/** Makes a network namespace that only its own loopback can reach. The caller closes it, when nothing runs inside. */
export function openNamespace(label: string): Namespace {
  const name = `slt${process.pid}${label}`;
  const prefix = ['ip', 'netns', 'exec', name];
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-net-'));
  const bridges: (() => Promise<void>)[] = [];
  let sockets = 0;
  runCommand(['ip', 'netns', 'add', name]);
  runCommand([...prefix, 'ip', 'link', 'set', 'lo', 'up']);

  /** `near` takes the connections of `ways` and `far` carries them on. */
  const carry = async (
    near: readonly string[],
    far: readonly string[],
    ways: readonly { listen: Address; to: Address }[],
  ): Promise<void> => {
    const joined = ways.map((way) => ({ ...way, path: join(folder, String(sockets++)) }));
    bridges.push(
      await startBridge(
        far,
        joined.map(({ path, to }) => ({ listen: { path }, to })),
      ),
    );
    bridges.push(
      await startBridge(
        near,
        joined.map(({ path, listen }) => ({ listen, to: { path } })),
      ),
    );
  };

  return {
    name,
    prefix,
    run: (...command) => {
      runCommand([...prefix, ...command]);
    },
    reachOut: (ways) => carry(prefix, [], ways),
    reachIn: (ways) => carry([], prefix, ways),
    async close() {
      await Promise.all(bridges.map((close) => close()));
      rmSync(folder, { recursive: true, force: true });
      runCommand(['ip', 'netns', 'del', name]);
    },
  };
}

/** Lays a cable between two namespaces; each end gets its address, as in `10.77.1.1/24`. It goes with either of them. */
export function connectNamespaces(
  near: { readonly namespace: Namespace; readonly device: string; readonly address: string },
  far: { readonly namespace: Namespace; readonly device: string; readonly address: string },
): void {
  const ends = [near.device, 'netns', near.namespace.name, 'type', 'veth', 'peer', 'name', far.device];
  runCommand(['ip', 'link', 'add', ...ends, 'netns', far.namespace.name]);
  for (const { namespace, device, address } of [near, far]) {
    namespace.run('ip', 'address', 'add', address, 'dev', device);
    namespace.run('ip', 'link', 'set', device, 'up');
  }
}

type Way = { readonly listen: Address | { path: string }; readonly to: Address | { path: string } };

async function startBridge(prefix: readonly string[], ways: readonly Way[]): Promise<() => Promise<void>> {
  const [command, ...args] = [...prefix, process.execPath, BRIDGE, JSON.stringify(ways)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), exited.then(() => null)]);
  if (first === null) throw new Error(`A bridge cannot listen: ${JSON.stringify(ways)}`);
  return async () => {
    child.stdin.end();
    await exited;
  };
}

function runCommand([command = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
