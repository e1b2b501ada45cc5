import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { CheckContext } from './check.js';
import { runProgram } from './run-program.js';

/** What of a resolved compose document is looked at. Folders and files are absolute, all variables are filled in. */
export type ComposeDocument = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file?: string }>>;
};

export type ComposeService = {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile?: string; readonly target?: string };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly command?: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly stop_grace_period?: string;
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly {
    readonly target: number;
    readonly published: string;
    readonly host_ip?: string;
  }[];
  readonly volumes?: readonly { readonly type: string; readonly source?: string; readonly target: string }[];
  readonly secrets?: readonly { readonly source: string }[];
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
  readonly restart?: string;
  readonly profiles?: readonly string[];
  readonly deploy?: {
    readonly resources?: { readonly limits?: { readonly cpus?: number; readonly memory?: string } };
  };
};

export type ResolvedCompose = { readonly document: ComposeDocument } | { readonly missing: string };

const COMPOSE_VERSION = 'v2.40.3';

/**
 * Returns deploy/compose.yaml as `docker compose config` resolves it with compose/.env.example, every profile included;
 * no engine is needed for that. Throws with its words when compose refuses the file.
 */
export async function resolveCompose(context: CheckContext): Promise<ResolvedCompose> {
  const found = await findCompose(context);
  if ('missing' in found) return found;
  const deploy = path.join(context.root, 'deploy');
  const { code, stdout, stderr } = await runProgram(
    [
      ...found.argv,
      ...['--env-file', 'compose/.env.example', '--file', 'compose.yaml', '--profile', '*'],
      ...['config', '--format', 'json'],
    ],
    { cwd: deploy, signal: context.signal },
  );
  if (code !== 0) throw new Error(`docker compose refuses deploy/compose.yaml: ${stderr.trim()}`);
  return { document: JSON.parse(stdout) as ComposeDocument };
}

type FoundCompose = { readonly argv: [string, ...string[]] } | { readonly missing: string };

async function findCompose(context: CheckContext): Promise<FoundCompose> {
  const { signal } = context;
  const plugin = await runProgram(['docker', 'compose', 'version'], { signal }).catch(() => null);
  signal.throwIfAborted();
  if (plugin?.code === 0) return { argv: ['docker', 'compose'] };
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'smartlink', `docker-compose-${COMPOSE_VERSION}`);
  const file = path.join(folder, 'docker-compose');
  if (existsSync(file)) return { argv: [file] };
  context.report(`Building docker compose ${COMPOSE_VERSION}, once; some minutes`);
  const draft = `${folder}.${process.pid}.new`;
  try {
    const failure = await buildCompose(draft, signal);
    if (failure !== null) {
      return { missing: `docker compose is not installed, and Go could not build it: ${failure}` };
    }
    renameSync(draft, folder);
    return { argv: [file] };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

// `go install` refuses modules that exclude others, as this one does. As a dependency of a module it can be built.
async function buildCompose(folder: string, signal: AbortSignal): Promise<string | null> {
  const source = `${folder}.source`;
  mkdirSync(folder, { recursive: true });
  mkdirSync(source, { recursive: true });
  writeFileSync(path.join(source, 'go.mod'), 'module compose\n');
  const command = 'github.com/docker/compose/v2/cmd';
  try {
    for (const args of [
      ['get', `${command}@${COMPOSE_VERSION}`],
      ['build', '-o', path.join(folder, 'docker-compose'), command],
    ]) {
      const { code, stderr } = await runProgram(['go', ...args], {
        cwd: source,
        env: { GOFLAGS: '-mod=mod' },
        signal,
      });
      if (code !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${code}`;
    }
    return null;
  } catch (err) {
    signal.throwIfAborted();
    return err instanceof Error ? err.message : String(err);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}
