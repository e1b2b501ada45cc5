import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { childrenOf } from '@smartlink/bench/machine';
import { findListening, type Place, startProgram } from '@smartlink/bench/processes';
import { missingProgram } from '@smartlink/bench/program';
import { freePort } from '@smartlink/embedded/ports';
import { evenUrl } from './links.js';
import { type RedirectProcess, startRedirect } from './redirect-process.js';

/** A server under load. */
export type Target = Pick<RedirectProcess, 'url' | 'pids' | 'stop'>;

export type Contender = 'bare' | 'nginx' | 'service' | 'against';

/** All servers of a run. */
export type Servers = {
  /** Servers that are compared, the floor first. */
  readonly contenders: (service: 'plain' | 'proxied') => ReadonlyMap<Contender, Target>;
  /** Instances of the redirect service, by name. */
  readonly services: ReadonlyMap<string, RedirectProcess>;
  /** Servers that could not be started, with the reason. */
  readonly skipped: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Handler of uWebSockets.js that answers every request with `302` and one Location. */
async function startBare(place: Place): Promise<Target> {
  const program = path.resolve(import.meta.dirname, '../dist/bare-server.js');
  const command = [process.execPath, program, evenUrl(0)];
  const { pid, ready, stop } = await startProgram(place, { name: 'bare', command }, findListening);
  return { url: ready, pids: () => [pid], stop };
}

/** nginx with one worker and `return 302`. Throws StackError when it does not start. */
async function startNginx(place: Place): Promise<Target> {
  const folder = place.stack.folder('nginx');
  const port = await freePort();
  mkdirSync(path.join(folder, 'temp'), { recursive: true });
  const configuration = path.join(folder, 'nginx.conf');
  writeFileSync(configuration, nginxConfiguration(folder, port));
  const command = ['nginx', '-p', folder, '-c', configuration, '-e', 'stderr'];
  const url = `http://127.0.0.1:${port}`;
  const findRedirect = async () => {
    const response = await fetch(url, { redirect: 'manual' }).catch(() => null);
    return response?.status === 302 ? url : null;
  };
  const options = { name: 'nginx', command, stopSignal: 'SIGQUIT' } as const;
  const { pid, stop } = await startProgram(place, options, findRedirect);
  return { url, pids: () => [pid, ...childrenOf(pid)], stop };
}

// nginx's defaults, but for settings in its favour.
function nginxConfiguration(folder: string, port: number): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 16384; }
http {
  access_log off;
  ${temp.join('\n  ')}
  keepalive_requests 1000000000;
  keepalive_timeout 3600s;
  server {
    listen 127.0.0.1:${port};
    location / { return 302 ${evenUrl(0)}; }
  }
}
`;
}

/** The client on this machine sends X-Forwarded-For. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };

/**
 * Starts the bare handler, nginx and the redirect services of this build and of the one in `against`. The caller stops
 * them. Rejects when a server does not start.
 */
export async function startServers(place: Place, against: string | null): Promise<Servers> {
  const started: Target[] = [];
  const services = new Map<string, RedirectProcess>();
  const start = async (starting: Promise<Target>): Promise<Target> => {
    const target = await starting;
    started.push(target);
    return target;
  };
  const startService = async (name: string, settings: { root?: string; env?: typeof PROXIED }) => {
    const service = await startRedirect(place, name, settings);
    services.set(name, service);
    started.push(service);
    return service;
  };
  const stop = async () => {
    for (const target of started.toReversed()) await target.stop();
  };
  try {
    const contenders = new Map<Contender, Target>();
    const plain = await startService('plain', {});
    const proxied = new Map<Contender, Target>([
      ['service', await startService('proxied', { env: PROXIED })],
    ]);
    contenders.set('bare', await start(startBare(place)));
    const noNginx = missingProgram('nginx', 'nginx-light');
    if (noNginx === null) contenders.set('nginx', await start(startNginx(place)));
    contenders.set('service', plain);
    if (against !== null) {
      contenders.set('against', await startService('against-plain', { root: against }));
      proxied.set('against', await startService('against-proxied', { root: against, env: PROXIED }));
    }
    return {
      contenders: (service) => (service === 'plain' ? contenders : new Map([...contenders, ...proxied])),
      services,
      skipped: noNginx === null ? [] : [noNginx],
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}
