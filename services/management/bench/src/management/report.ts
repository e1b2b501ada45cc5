import type { Comparison, Measure } from '@smartlink/bench/figures';
import { number, times } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import { FLAT_SLOPE_MAX } from './memory.js';
import type { MemoryFigures } from './memory.js';
import type { StatementCount } from './statements.js';

export type Row = { readonly title: string; readonly comparison: Comparison };

/** All that a run found; what `--only` left out is missing. */
export type Findings = {
  readonly machine: string;
  readonly cores: string;
  readonly date: string;
  readonly againstBare: readonly Row[];
  readonly skipped: readonly string[];
  readonly bigList: { readonly bigUserLinks: number; readonly comparison: Comparison } | null;
  readonly statements: readonly StatementCount[];
  readonly memory: MemoryFigures | null;
};

/** Goal: the same page costs a user with many links at most this much more than one with a hundred. */
const BIG_LIST_RATIO_MAX = 1.5;
/** Goals: statements of a fetch and of a list of 10,000. */
const FETCH_STATEMENTS_MAX = 2;
const LIST_STATEMENTS_MAX = 3;

/** Returns the table of the scenarios: every figure beside that of the bare route and their ratio. */
export function againstBareTable(rows: readonly Row[]): Table {
  return {
    head: [
      'request',
      'service/s',
      'bare/s',
      'share (least–most)',
      'p50 ms',
      '× bare',
      'p99 ms',
      '× bare',
      'CPU ms',
      '× bare',
    ],
    rows: rows.map(({ title, comparison }) => [
      title,
      number(comparison.a.perSecond),
      number(comparison.b.perSecond),
      `${percent(comparison.ratio.perSecond.median)} (${percent(comparison.ratio.perSecond.least)}–${percent(comparison.ratio.perSecond.most)})`,
      ...(['p50Ms', 'p99Ms', 'cpuMs'] as const).flatMap((measure) => withRatio(comparison, measure)),
    ]),
  };
}

/** Returns the table of the same page of two users. */
export function bigListTable({ bigUserLinks, comparison }: NonNullable<Findings['bigList']>): Table {
  const measures = [
    ['p50 ms', 'p50Ms'],
    ['p99 ms', 'p99Ms'],
    ['CPU ms of the service', 'cpuMs'],
  ] as const;
  return {
    head: [
      'limit=100',
      `of ${bigUserLinks.toLocaleString('en')} links`,
      'of 100 links',
      'ratio (least–most)',
    ],
    rows: measures.map(([title, measure]) => {
      const { median, least, most } = comparison.ratio[measure];
      return [
        title,
        number(comparison.a[measure]),
        number(comparison.b[measure]),
        `${times(median)} (${times(least)}–${times(most)})`,
      ];
    }),
  };
}

/** Returns the table of statements. */
export function statementTable(counts: readonly StatementCount[]): Table {
  return {
    head: ['request', 'Postgres', 'ClickHouse'],
    rows: counts.map(({ title, postgres, clickhouse }) => [title, String(postgres), String(clickhouse)]),
  };
}

/** Returns the table of what the process weighed. */
export function memoryTable({ samples }: MemoryFigures): Table {
  return {
    head: ['creates', 'heap MiB', 'RSS MiB'],
    rows: samples.map(({ creates, heapMib, rssMib }) => [
      creates.toLocaleString('en'),
      heapMib.toFixed(1),
      rssMib.toFixed(1),
    ]),
  };
}

/** Returns one line a goal that the run has looked at: whether it is met, and the figure. */
export function verdicts(findings: Findings): readonly string[] {
  const { bigList, memory, statements } = findings;
  const lines: string[] = [];
  const add = (isMet: boolean, line: string) => lines.push(`${isMet ? '✓' : '✗'} ${line}`);
  const statementGoal = (title: string, max: number) => {
    const counted = statements.find((count) => count.title === title);
    if (counted === undefined) return;
    const total = counted.postgres + counted.clickhouse;
    add(total <= max, `${title}: ${total} statements, Postgres and ClickHouse together (at most ${max})`);
  };
  statementGoal('GET by id', FETCH_STATEMENTS_MAX);
  statementGoal('GET list of 10,000', LIST_STATEMENTS_MAX);
  if (bigList !== null) {
    const { median, least, most } = bigList.comparison.ratio.p50Ms;
    add(
      median <= BIG_LIST_RATIO_MAX,
      `a page of a user with ${bigList.bigUserLinks.toLocaleString('en')} links takes ${times(median)} the time of one of a user with 100, pairs between ${times(least)} and ${times(most)} (at most ×${BIG_LIST_RATIO_MAX})`,
    );
  }
  if (memory !== null) {
    lines.push(memoryVerdict(memory));
    add(memory.outboxRows === 0, `the outbox ends with ${memory.outboxRows} rows`);
  }
  return lines;
}

function memoryVerdict({ samples, plannedCreates, heapSlope, rssSlope, isFlat }: MemoryFigures): string {
  const creates = samples.at(-1)?.creates ?? 0;
  if (Number.isNaN(heapSlope)) return '– memory: no time was left to create enough links';
  const over = `over ${creates.toLocaleString('en')} creates`;
  const slopes = `heap ${signed(heapSlope)} MiB, RSS ${signed(rssSlope)} MiB per 10,000 (heap at most +${FLAT_SLOPE_MAX})`;
  if (isFlat === null) return `– memory ${over}: ${slopes}; too short a run to call it flat or not`;
  if (!isFlat) return `✗ memory is not flat ${over}: ${slopes}`;
  if (creates === plannedCreates) return `✓ memory is flat ${over}: ${slopes}`;
  return `– memory is flat ${over}, where time was up before ${plannedCreates.toLocaleString('en')}: ${slopes}`;
}

function withRatio({ a, ratio }: Comparison, measure: Measure): [figure: string, ratio: string] {
  return [number(a[measure]), times(ratio[measure].median)];
}

const percent = (share: number) => `${(100 * share).toPrecision(2)} %`;
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
