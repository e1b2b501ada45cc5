import { join } from 'node:path';
import type { Check, CheckContext } from '../check.js';
import { outcomeOf } from '../check.js';
import { runProgram } from '../run-program.js';
import { startWholeStack } from '../whole-stack.js';
import type { WholeStack } from '../whole-stack.js';

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
    const { report } = context;
    report('Starting the stack');
    const stack = await startWholeStack(context);
    try {
      report('Examining it');
      const well = await examine(context, { SMARTLINK_DATA_DIR: stack.dataDir });
      const problems = [
        ...(well.code === 0 ? [] : ['the doctor ends with a problem on a running stack']),
        ...notOf(well.findings, ['REDIRECT_PORT', 'MANAGEMENT_PORT', 'METRICS_PORT'], (seen) =>
          seen.endsWith('ours, ready'),
        ),
        ...well.findings.flatMap(({ check, state, seen }) =>
          state === 'problem' ? [`${check}: ${seen}`] : [],
        ),
        ...(await judgePrinted(context, stack)),
      ];
      report('Stopping it, and examining what is left');
      await stack.stop();
      const away = await examine(context, variablesOf(stack));
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
      await stack.stop();
    }
  },
};

const variablesOf = (stack: WholeStack): Readonly<Record<string, string>> => ({
  DATABASE_URL: stack.databaseUrl,
  REDIS_URL: stack.redisUrl,
  CLICKHOUSE_URL: stack.clickhouseUrl,
  SPOOL_DIR: join(stack.dataDir, 'spool'),
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

/** What is wrong with what `config print` says of the stack: it names the engines' addresses, without their passwords. */
async function judgePrinted({ root, signal }: CheckContext, stack: WholeStack): Promise<readonly string[]> {
  const program = join(root, 'tools/admin/dist/main.js');
  const { code, stdout, stderr } = await runProgram([process.execPath, program, 'config', 'print'], {
    cwd: root,
    env: { SMARTLINK_DATA_DIR: stack.dataDir },
    signal,
    limitMs: 60_000,
  });
  const addresses = [
    ['DATABASE_URL', stack.databaseUrl],
    ['REDIS_URL', stack.redisUrl],
    ['CLICKHOUSE_URL', stack.clickhouseUrl],
  ] as const;
  const problems = addresses.flatMap(([name, address]) => {
    const { host, password } = new URL(address);
    // Had it none, nothing could be shown of it.
    if (password === '') return [`the engine of ${name} has no password`];
    if (`${stdout}${stderr}`.includes(password)) return [`config print shows the password of ${name}`];
    const line = stdout.split('\n').find((each) => each.includes(` ${name} `)) ?? '';
    return line.includes(`:***@${host}`) ? [] : [`config print does not say what ${name} is: ${line}`];
  });
  return code === 0
    ? problems
    : [...problems, `config print ended with ${code ?? 'a signal'}: ${stderr.trim()}`];
}
