import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { runLoad } from '@smartlink/bench/load';
import type { ServerProcess } from '@smartlink/bench/server-process';
import { readEngineCounters } from '../engine-counters.js';
import type { Scenario } from './scenarios.js';

export type StatementCount = {
  readonly title: string;
  /** Statements of one request, `begin` and `commit` among them. */
  readonly postgres: number;
  readonly clickhouse: number;
};

const REQUESTS = 5;
const SERVICE_NAME = 'smartlink-management';
// What the service does by itself every so often, whoever asks: the outbox relay, the look at a key that it has known for
// half a second, and the note that the key was used.
const BACKGROUND = [/skip locked/, /from publish_outbox/, /(?:from|update) api_keys/];

/**
 * Counts the statements of one request of each scenario, as Postgres' own log and ClickHouse's own counter have them,
 * with the key already known. Each request comes alone.
 */
export async function countStatements(options: {
  stack: BenchStack;
  service: ServerProcess;
  scenarios: readonly Scenario[];
  signal: AbortSignal;
  onScenario: () => void;
}): Promise<readonly StatementCount[]> {
  const { stack, service, scenarios, signal, onScenario } = options;
  const counts: StatementCount[] = [];
  await logStatements(stack, true);
  try {
    for (const scenario of scenarios) {
      const load = (round: number) =>
        runLoad({
          url: service.url,
          connections: 1,
          requestsOf: (connection) => scenario.requestsOf(connection, round),
          expectedStatus: scenario.expectedStatus,
          requests: REQUESTS,
          signal,
        });
      // Totals that differ from the last known ones are saved by whoever reads them first.
      await load(-3);
      const log = stack.logFile('postgres');
      const start = statSync(log).size;
      const selectsBefore = (await readEngineCounters(stack.clickhouse)).selects;
      await load(-4);
      // The counter counts the query that reads it.
      const selects = (await readEngineCounters(stack.clickhouse)).selects - selectsBefore - 1;
      await sleep(200, undefined, { signal });
      const logged = readFileSync(log).subarray(start).toString('utf8');
      counts.push({
        title: scenario.title,
        postgres: Math.round(countForeground(logged) / REQUESTS),
        clickhouse: Math.round(selects / REQUESTS),
      });
      onScenario();
    }
  } finally {
    await logStatements(stack, false);
  }
  return counts;
}

/** Returns how many statements of the service a piece of Postgres' log holds, without those of the outbox relay. */
export function countForeground(log: string): number {
  const transactions = new Map<string, string[]>();
  let count = 0;
  for (const entry of log.split(/^@/m)) {
    const [, session, text] = ENTRY.exec(entry) ?? [];
    if (session === undefined || text === undefined) continue;
    const statement = text.trim();
    const open = transactions.get(session);
    if (statement === 'begin') transactions.set(session, [statement]);
    else if (open === undefined) count += isBackground([statement]) ? 0 : 1;
    else open.push(statement);
    if (open !== undefined && (statement === 'commit' || statement === 'rollback')) {
      count += isBackground(open) ? 0 : open.length;
      transactions.delete(session);
    }
  }
  return count;
}

// The prefix that logStatements sets: program, then session.
const LINE_PREFIX = '@%a %c ';
const ENTRY = new RegExp(`^${SERVICE_NAME} (\\S+) LOG: {2}(?:statement|execute [^:]*): ([\\s\\S]*)$`);

function isBackground(statements: readonly string[]): boolean {
  return statements.some((statement) => BACKGROUND.some((pattern) => pattern.test(statement)));
}

async function logStatements({ pg }: BenchStack, isOn: boolean): Promise<void> {
  await pg.query(isOn ? `alter system set log_statement = 'all'` : 'alter system reset log_statement');
  await pg.query(
    isOn ? `alter system set log_line_prefix = '${LINE_PREFIX}'` : 'alter system reset log_line_prefix',
  );
  await pg.query('select pg_reload_conf()');
  // Sessions take the new setting before their next statement once the postmaster has told them.
  await sleep(200);
}
