import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check, CheckContext } from '../check.js';
import { outcomeOf } from '../check.js';
import { runProgram } from '../run-program.js';

const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;
const POLL_MS = 200;

type Finding = {
  readonly check: string;
  readonly state: string;
  readonly seen: string;
};

/** The doctor on the whole platform: all is well while it runs, and said to be away once it is stopped. */
export const doctorStack: Check = {
  id: 'doctor',
  title:
    'the doctor finds a running stack well, and says what is away after it; config print shows no secret',
  async run(context) {
    const { root, folder, report } = context;
    const data = join(folder, 'data');
    report('Starting the stack');
    const env = {
      SMARTLINK_DATA_DIR: data,
      MANAGEMENT_PORT: '0',
      REDIRECT_PORT: '0',
      METRICS_PORT: '0',
    };
    const child = spawn(process.execPath, [join(root, 'deploy/embedded/dist/main.js')], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    try {
      const stack = await waitForStack(child, data, context.signal);
      const variables = variablesOf(stack, data);
      report('Examining it');
      const well = await examine(context, { SMARTLINK_DATA_DIR: data });
      const problems = [
        ...(well.code === 0 ? [] : ['the doctor ends with a problem on a running stack']),
        ...notOf(well.findings, ['REDIRECT_PORT', 'MANAGEMENT_PORT', 'METRICS_PORT'], (seen) =>
          seen.endsWith('ours, ready'),
        ),
        ...well.findings.flatMap(({ check, state, seen }) =>
          state === 'problem' ? [`${check}: ${seen}`] : [],
        ),
        ...(await printsSecrets(context, stack, data)),
      ];
      report('Stopping it, and examining what is left');
      await stop(child);
      const away = await examine(context, variables);
      problems.push(
        ...(away.code === 1 ? [] : ['the doctor ends without a problem where no engine runs']),
        ...['Postgres', 'Redis', 'ClickHouse'].flatMap((engine) =>
          away.findings.some(({ check, state }) => check === engine && state === 'problem')
            ? []
            : [`the doctor does not say that ${engine} is away`],
        ),
      );
      const count = (state: string) => well.findings.filter((finding) => finding.state === state).length;
      return outcomeOf(
        problems,
        `${well.findings.length} findings on a running stack: ${count('ok')} ok, ${count('warning')} warnings, ${count('unknown')} unknown; without it 3 engines away`,
      );
    } finally {
      await stop(child);
    }
  },
};

type Stack = Readonly<Record<string, string>>;

async function waitForStack(child: ChildProcess, data: string, signal: AbortSignal): Promise<Stack> {
  const file = join(data, 'stack.json');
  const deadline = Date.now() + READY_LIMIT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the stack ended with ${child.exitCode}`);
    if (existsSync(file)) {
      const stack = JSON.parse(readFileSync(file, 'utf8')) as Stack;
      // Written once both services are ready.
      if (stack['publicBaseUrl'] !== undefined) return stack;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new Error(`the stack is not ready after ${READY_LIMIT_MS / 1_000} s`);
}

const variablesOf = (stack: Stack, data: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: stack['databaseUrl'] ?? '',
  REDIS_URL: stack['redisUrl'] ?? '',
  CLICKHOUSE_URL: stack['clickhouseUrl'] ?? '',
  SPOOL_DIR: join(data, 'spool'),
});

async function examine({ root, signal }: CheckContext, env: Readonly<Record<string, string>>) {
  const program = join(root, 'tools/admin/dist/main.js');
  const { code, stdout, stderr } = await runProgram([process.execPath, program, 'doctor', '--json'], {
    cwd: root,
    env,
    signal,
    limitMs: 60_000,
  });
  if (!stdout.startsWith('{')) throw new Error(`the doctor says nothing: ${stderr.trim()}`);
  return { code, findings: (JSON.parse(stdout) as { findings: readonly Finding[] }).findings };
}

const notOf = (
  findings: readonly Finding[],
  checks: readonly string[],
  isRight: (seen: string) => boolean,
): readonly string[] =>
  checks.flatMap((name) => {
    const found = findings.find(({ check }) => check === name);
    return found !== undefined && isRight(found.seen)
      ? []
      : [`${name}: ${found?.seen ?? 'is not looked at'}`];
  });

async function printsSecrets({ root, signal }: CheckContext, stack: Stack, data: string) {
  const program = join(root, 'tools/admin/dist/main.js');
  const { stdout, stderr } = await runProgram([process.execPath, program, 'config', 'print'], {
    cwd: root,
    env: { SMARTLINK_DATA_DIR: data },
    signal,
    limitMs: 60_000,
  });
  const passwords = ['databaseUrl', 'redisUrl', 'clickhouseUrl'].map(
    (name) => new URL(stack[name] ?? '').password,
  );
  if (passwords.includes(''))
    return ['the stack has an engine without a password, so that nothing could be shown'];
  return passwords.some((password) => `${stdout}${stderr}`.includes(password))
    ? ['config print shows the password of an engine']
    : [];
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  child.kill('SIGINT');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}
