import path from 'node:path';
import { startChild } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import { claimDataFolder, startStack } from '@smartlink/embedded/stack';
import type { StackAddresses } from '@smartlink/embedded/stack';
import { createTestDatabases } from '@smartlink/embedded/test-databases';
import { TRIAL_EVENTS, TRIAL_LINKS, fillSide, fingerprint, openSide } from '../backup-data.js';
import type { Login, Side } from '../backup-data.js';
import type { Check, CheckContext, Outcome } from '../check.js';
import { outcomeOf } from '../check.js';
import { lastLine } from '../last-line.js';
import { runProgram } from '../run-program.js';
import { until } from '../until.js';

export const backupRestore: Check = {
  id: 'backup-restore',
  title: 'a backup, restored into empty databases, has every row and gives the same answers',
  async run(context) {
    const { folder, report, signal } = context;
    report('Starting engines');
    const dataFolder = await claimDataFolder(path.join(folder, 'data'), () => undefined);
    const stack = await startStack({
      dataFolder,
      external: {},
      report: () => undefined,
      durable: false,
      signal,
    });
    try {
      return await withSide(context, stack, (source) =>
        withSide(context, stack, (target) => tryBackup(context, source, target)),
      );
    } finally {
      await stack.stop();
    }
  },
};

async function withSide(
  { root }: CheckContext,
  stack: StackAddresses,
  work: (side: Side) => Promise<Outcome>,
): Promise<Outcome> {
  const side = await openSide(root, await createTestDatabases(stack));
  try {
    return await work(side);
  } finally {
    await side.close();
  }
}

async function tryBackup(context: CheckContext, source: Side, target: Side): Promise<Outcome> {
  const asManagement = (side: Side) => (args: readonly string[]) => admin(context, side, 'management', args);
  const atSource = asManagement(source);
  context.report(`Making ${TRIAL_LINKS} links and ${TRIAL_EVENTS} events`);
  const user = await atSource([
    ...['users', 'create', '--email', 'a@example.com'],
    ...['--plan', 'Enterprise', '--json'],
  ]);
  const { userId, apiKey } = JSON.parse(user) as { userId: string; apiKey: string };
  await fillSide(source, userId);
  context.report('Asking the API, and waiting for it to roll up');
  const answers = await askApi(context, source, apiKey);
  const before = await fingerprint(source);

  context.report('Filling Redis');
  const lines = [lastLine(await atSource(['cache', 'warm', '--rate', '1000000']))];
  lines.push(lastLine(await atSource(['cache', 'verify'])));
  const out = path.join(context.folder, 'backup');
  for (const args of [
    ['backup', '--out', out],
    ['backup', 'verify', out],
  ]) {
    context.report(args.slice(0, 2).join(' '));
    lines.push(lastLine(await atSource(args)).replaceAll(context.folder, ''));
  }
  context.report('Restoring');
  // It empties tables, sets sequences and writes the log of what was done: management may do none of that.
  const restored = await admin(context, target, 'owner', ['restore', out]);
  lines.push(restored.split('\n')[0] ?? '');
  const after = await fingerprint(target);
  const problems = Object.keys(before)
    .filter((table) => before[table] !== after[table])
    .map(
      (table) =>
        `${table} is ${after[table] ?? ''} after the restore, and was ${before[table] ?? ''} (rows, hash)`,
    );
  context.report('Asking the API of what was restored');
  const answersAfter = await askApi(context, target, apiKey);
  const others = PATHS.filter((_, i) => answers[i] !== answersAfter[i]);
  problems.push(...others.map((one) => `GET ${one} answers otherwise after the restore`));
  lines.push(lastLine(await asManagement(target)(['cache', 'verify', '--sample', '10000'])));
  return outcomeOf(problems, lines.join('\n'));
}

/** Runs the admin command with a heap that would not hold the data, and returns what it prints. */
async function admin(
  { root, signal }: CheckContext,
  side: Side,
  login: Login,
  args: readonly string[],
): Promise<string> {
  const main = path.join(root, 'tools/admin/dist/main.js');
  const argv = [process.execPath, '--max-old-space-size=128', main, ...args] as const;
  const { code, stdout, stderr } = await runProgram(argv, { env: side.envOf(login), signal });
  if (code !== 0)
    throw new Error(
      `admin ${args.join(' ')}, as ${login}, ended with ${code ?? 'a signal'}: ${stderr.trim()}`,
    );
  return stdout;
}

const PATHS = [
  '/smartlink?limit=100',
  '/smartlink?id=00000000-0000-7000-8000-000000000001',
  '/smartlink/analytics?id=00000000-0000-7000-8000-000000000001',
  '/analytics/summary',
];
const LIMIT_MS = 120_000;

/** Runs a management process until it has rolled up and answered, and returns its answers. */
async function askApi(context: CheckContext, side: Side, apiKey: string): Promise<readonly string[]> {
  const port = await freePort();
  const service = await startChild({
    name: 'management',
    command: process.execPath,
    args: [path.join(context.root, 'services/management/dist/main.js')],
    env: {
      PATH: process.env['PATH'],
      ...side.envOf('management'),
      MANAGEMENT_PORT: String(port),
      ROLLUP_INTERVAL_SECONDS: '1',
    },
    logFile: path.join(context.folder, 'management.log'),
    stopSignal: 'SIGTERM',
    graceMs: 15_000,
  });
  try {
    const isRolled = async () => {
      if (service.hasExited()) throw new Error(`management ended: ${service.lastLines(5)}`);
      return (await isReady(port)) && (await isRolledUp(side));
    };
    await until(isRolled, 'the events are rolled up', LIMIT_MS, context.signal);
    const answers: string[] = [];
    // On a busy machine figures may take longer than the service waits for them.
    for (const one of PATHS) {
      const isAnswered = async () => {
        const text = await ask(`http://127.0.0.1:${port}/api/v1${one}`, apiKey, context.signal);
        if (text !== null) answers.push(text);
        return text !== null;
      };
      await until(isAnswered, `GET ${one} is answered`, LIMIT_MS, context.signal);
    }
    return answers;
  } finally {
    await service.stop();
  }
}

/** Returns an answer but for the time that it tells, or null for 503. Rejects for any other refusal. */
async function ask(url: string, apiKey: string, signal: AbortSignal): Promise<string | null> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` }, signal });
  const text = await response.text();
  if (response.status === 503) return null;
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return text.replace(/"timestamp":"[^"]*"\}$/, '');
}

async function isReady(port: number): Promise<boolean> {
  const answer = fetch(`http://127.0.0.1:${port}/-/ready`, { signal: AbortSignal.timeout(2_000) });
  return answer.then(
    ({ ok }) => ok,
    () => false,
  );
}

async function isRolledUp({ clickhouse }: Side): Promise<boolean> {
  const result = await clickhouse.query({
    query: 'select count() as n from rollup_state where open_from >= toDate(now())',
    format: 'JSONEachRow',
  });
  return Number((await result.json<{ n: number | string }>())[0]?.n ?? 0) > 0;
}
