import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@smartlink/embedded/ports';
import { parse, stringify } from 'yaml';
import { PROMETHEUS_FOLDER, readRuleFiles } from './rule-files.js';
import { isSoWithin } from '../until.js';

const STOP_LIMIT_MS = 10_000;
const START_LIMIT_MS = 30_000;
const INTERVAL = '1s';

export type Sample = { readonly metric: Readonly<Record<string, string>>; readonly value: number };

export type RuleState = { readonly name: string; readonly health: string; readonly lastError?: string };

export type PrometheusServer = {
  /** Returns what an instant query finds. Throws with Prometheus' own words when it refuses the query. */
  readonly query: (expr: string) => Promise<readonly Sample[]>;
  readonly rules: () => Promise<readonly RuleState[]>;
  /** What it printed so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts Prometheus on loopback with our own configuration and rules, changed in two points: targets are given by address
 * (`jobs`) instead of DNS, and everything is looked at once a second. The caller stops it.
 */
export async function startPrometheus(options: {
  readonly root: string;
  readonly folder: string;
  readonly jobs: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): Promise<PrometheusServer> {
  const { root, folder, jobs } = options;
  const port = await freePort();
  const config = writeConfig(root, folder, { ...jobs, prometheus: `127.0.0.1:${port}` });
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-10_000)));
  }
  const gone = new Promise<void>((resolve) => {
    child.once('error', (err) => {
      output += err.message;
      resolve();
    });
    child.once('exit', () => {
      resolve();
    });
  });
  const ask = async (place: string, body?: URLSearchParams): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${place}`, {
      ...(body && { method: 'POST', body }),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = (await response.json()) as { readonly data?: unknown; readonly error?: string };
    if (answer.error !== undefined) throw new Error(`Prometheus: ${answer.error}`);
    return answer.data;
  };
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  // Where it has ended instead, whoever asks is told.
  await isSoWithin(async () => child.exitCode !== null || (await isReady()), START_LIMIT_MS, options.signal);
  return {
    output: () => output,
    async query(expr) {
      const data = (await ask('query', new URLSearchParams({ query: expr }))) as InstantVector;
      return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    async rules() {
      const data = (await ask('rules')) as {
        readonly groups: readonly { readonly rules: readonly RuleState[] }[];
      };
      return data.groups.flatMap(({ rules }) => rules);
    },
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await gone;
      clearTimeout(killer);
    },
  };
}

type InstantVector = {
  readonly result: readonly {
    readonly metric: Record<string, string>;
    readonly value: readonly [number, string];
  }[];
};

type ScrapeConfig = { job_name: string; dns_sd_configs?: unknown; static_configs?: unknown };

function writeConfig(root: string, folder: string, jobs: Readonly<Record<string, string>>): string {
  const from = path.join(root, PROMETHEUS_FOLDER);
  const config = parse(readFileSync(path.join(from, 'prometheus.yml'), 'utf8')) as {
    global: Record<string, unknown>;
    scrape_configs: ScrapeConfig[];
  };
  config.global = { ...config.global, scrape_interval: INTERVAL, evaluation_interval: INTERVAL };
  for (const scrape of config.scrape_configs) {
    const target = jobs[scrape.job_name];
    if (target === undefined)
      throw new Error(`prometheus.yml has a job ${scrape.job_name} that this check does not know`);
    delete scrape.dns_sd_configs;
    scrape.static_configs = [{ targets: [target] }];
  }
  mkdirSync(path.join(folder, 'rules'), { recursive: true });
  for (const { name } of readRuleFiles(root)) {
    const rules = parse(readFileSync(path.join(from, 'rules', name), 'utf8')) as {
      groups: { interval?: string }[];
    };
    for (const group of rules.groups) group.interval = INTERVAL;
    writeFileSync(path.join(folder, 'rules', name), stringify(rules));
  }
  const file = path.join(folder, 'prometheus.yml');
  writeFileSync(file, stringify(config));
  return file;
}
