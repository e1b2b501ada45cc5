import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Check, CheckContext } from '../check.js';
import { outcomeOf } from '../check.js';
import { DASHBOARDS } from '../monitoring/all-dashboards.js';
import { withoutVariables } from '../monitoring/expression.js';
import { childrenOf, pidOf, startVisitors } from '../monitoring/live-trial.js';
import { startPrometheus } from '../monitoring/prometheus-server.js';
import type { PrometheusServer } from '../monitoring/prometheus-server.js';
import { HOW_TO_GET, versionOf } from '../monitoring/promtool.js';
import { isSoWithin } from '../until.js';
import { startWholeStack } from '../whole-stack.js';
import type { WholeStack } from '../whole-stack.js';

const WINDOW = '15s';
const DATA_LIMIT_MS = 90_000;
// More than WorkersRestart allows in its 15 minutes.
const KILLS = 5;
const WORKERS = 2;

/** The real stack, some visits, a few faults, and Prometheus with our configuration that watches. */
export const prometheusLive: Check = {
  id: 'prometheus-live',
  title: 'Prometheus scrapes a running stack, and every panel and rule has data',
  async run(context) {
    const version = await versionOf('prometheus', context.signal);
    if (version === null) return { kind: 'skipped', reason: `prometheus is not in PATH: ${HOW_TO_GET}` };
    context.report('Starting the stack');
    const stack = await startStack(context);
    const visitors = startVisitors({ ...stack, apiKey: stack.demoKey });
    try {
      const prometheus = await startPrometheus({
        root: context.root,
        signal: context.signal,
        folder: path.join(context.folder, 'prometheus'),
        jobs: {
          'smartlink-redirect': new URL(stack.metricsUrl ?? '').host,
          'smartlink-management': new URL(stack.managementUrl).host,
        },
      });
      try {
        const { problems, figure } = await watch(
          prometheus,
          path.join(stack.dataDir, 'processes.json'),
          context,
        );
        return outcomeOf(problems, `${figure}\n${visitors.count()} visits, Prometheus ${version}`);
      } finally {
        await prometheus.stop();
      }
    } finally {
      await visitors.stop();
      await stack.stop();
    }
  },
};

function startStack(context: CheckContext): Promise<WholeStack> {
  const blocklist = path.join(context.folder, 'blocklist.txt');
  writeFileSync(blocklist, 'blocked.example\n');
  return startWholeStack(context, {
    REDIRECT_PROCESSES: String(WORKERS),
    SAFETY_PROVIDER: 'blocklist',
    SAFETY_BLOCKLIST_FILES: blocklist,
    ROLLUP_INTERVAL_SECONDS: '5',
  });
}

/** Looks at targets, rules and panels, then does harm and waits for what ought to be seen of it. */
async function watch(prometheus: PrometheusServer, processesFile: string, context: CheckContext) {
  const { report, signal } = context;
  const problems: string[] = [];
  const has = async (expr: string) =>
    (await prometheus.query(expr)).some(({ value }) => Number.isFinite(value));
  const mustSee = async (expr: string, what: string) => {
    if (!(await isSoWithin(() => has(expr), DATA_LIMIT_MS, signal))) problems.push(what);
  };
  report('Waiting for both targets');
  await mustSee('count(up{job=~"smartlink-.+"} == 1) == 2', `a target is not up: ${prometheus.output()}`);
  const panels = await lookAtPanels(has, context);
  problems.push(...panels.problems);
  await mustSee('ALERTS{alertname="Watchdog", alertstate="firing"}', 'Watchdog does not fire');

  report(`Killing ${KILLS} workers, then holding ClickHouse for a while`);
  const primary = pidOf(processesFile, 'redirect');
  for (let kill = 0; kill < KILLS; kill++) {
    const [worker = 0] = await childrenOf(primary, signal);
    if (worker !== 0) process.kill(worker, 'SIGKILL');
    const isReplaced = async () => {
      const workers = await childrenOf(primary, signal);
      return workers.length === WORKERS && !workers.includes(worker);
    };
    if (!(await isSoWithin(isReplaced, DATA_LIMIT_MS, signal)))
      problems.push('a killed worker was not replaced');
  }
  await mustSee('ALERTS{alertname="WorkersRestart", alertstate="firing"}', 'WorkersRestart does not fire');
  const clickhouse = pidOf(processesFile, 'clickhouse');
  process.kill(clickhouse, 'SIGSTOP');
  try {
    await mustSee('slo:bad:rate5m{slo="events-fresh"} > 0', 'nothing shows that events wait for ClickHouse');
    await mustSee('smartlink_redirect_insert_seconds > 5', 'nothing shows that an insert takes long');
  } finally {
    process.kill(clickhouse, 'SIGCONT');
  }
  await mustSee(
    'max(smartlink_redirect_spool{measure="oldest_seconds"}) < 5',
    'the spool did not empty again',
  );

  const rules = await prometheus.rules();
  const sick = rules.filter(({ health }) => health !== 'ok');
  problems.push(...sick.map(({ name, health, lastError = '' }) => `rule ${name} is ${health}: ${lastError}`));
  return { problems, figure: `${panels.figure}\n${rules.length} rules evaluated` };
}

/** Asks what every panel asks, until all have data that should have. */
async function lookAtPanels(has: (expr: string) => Promise<boolean>, { report, signal }: CheckContext) {
  const queries = DASHBOARDS.flatMap(({ uid, rows }) =>
    rows.flatMap((row) =>
      row.panels.flatMap(({ title, queries: list }) => list.map((query) => ({ uid, title, ...query }))),
    ),
  );
  report(`Asking for ${queries.length} queries of panels`);
  let missing = queries;
  const isComplete = async () => {
    const still: typeof missing = [];
    for (const query of missing) {
      if (!(await has(withoutVariables(query.expr, WINDOW)))) still.push(query);
    }
    missing = still;
    return missing.every(({ emptyUnless }) => emptyUnless !== undefined);
  };
  await isSoWithin(isComplete, DATA_LIMIT_MS, signal);
  const problems = missing
    .filter(({ emptyUnless }) => emptyUnless === undefined)
    .map(({ uid, title, legend, expr }) => `${uid}, ${title}, ${legend}: no data for ${expr}`);
  const excused = missing.filter(({ emptyUnless }) => emptyUnless !== undefined);
  const reasons = [...new Set(excused.map(({ emptyUnless = '' }) => emptyUnless))].join('; ');
  const rest = excused.length === 0 ? '' : `, ${excused.length} of them empty unless: ${reasons}`;
  return { problems, figure: `${queries.length} queries of panels have data${rest}` };
}
