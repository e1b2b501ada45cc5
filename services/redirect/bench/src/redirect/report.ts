import { spread } from '@smartlink/bench/figures';
import type { Spread } from '@smartlink/bench/figures';
import { ratios } from '@smartlink/bench/pairs';
import { number, times, timesText } from '@smartlink/bench/tables';
import type { Table } from '@smartlink/bench/tables';
import type { VisitLoad } from '../visit-load.js';
import type { Contender, Findings, LatencyFigures, MixFindings, Rounds } from './findings.js';

export const TITLES: Readonly<Record<Contender, string>> = {
  bare: 'bare uWebSockets.js, constant 302',
  'same bytes': 'the same, answering our bytes',
  nginx: 'nginx, `return 302`',
  service: 'redirect service, everything on',
  against: 'redirect service, the other build',
};

/** Goals: our speed in that of the bare handler, and our p99 in its at half load. */
const BARE_SHARE_MIN = 0.85;
const P99_RATIO_MAX = 1.5;
/** A client that is later than this, one time in a hundred, did not have its core, and measures whoever did. */
const CLIENT_LATE_US_MAX = 500;
/** Below it the client is what is full, and requests a second say less than processor time. */
const FULL_CORE = 0.95;

const medianOf = <Figures>(
  rounds: readonly Figures[] | undefined,
  of: (figures: Figures) => number,
): number => spread((rounds ?? []).map(of)).median;

/**
 * Returns how fast a contender is in units of another one, round by round: by requests a second, or by processor time a
 * request (then its inverse, so that more is faster in both).
 */
export function speedRatio(
  rounds: Rounds<VisitLoad>,
  [ours, base]: readonly [Contender, Contender],
  by: 'perSecond' | 'cpuUs',
): Spread {
  const values = (name: Contender) => (rounds[name] ?? []).map((figures) => figures[by]);
  return by === 'perSecond' ? ratios(values(ours), values(base)) : ratios(values(base), values(ours));
}

/** Returns the table of everything on the same core. */
export function ceilingTable(rounds: Rounds<VisitLoad>): Table {
  return {
    head: [
      '',
      'requests/s',
      'of bare (least–most)',
      'CPU µs',
      'kernel',
      'speed by CPU (least–most)',
      'core busy',
    ],
    rows: contendersOf(rounds).map((name) => [
      TITLES[name],
      number(medianOf(rounds[name], ({ perSecond }) => perSecond)),
      timesText(speedRatio(rounds, [name, 'bare'], 'perSecond')),
      number(medianOf(rounds[name], ({ cpuUs }) => cpuUs)),
      percent(medianOf(rounds[name], ({ systemUs, cpuUs }) => systemUs / cpuUs)),
      timesText(speedRatio(rounds, [name, 'bare'], 'cpuUs')),
      percent(medianOf(rounds[name], ({ coresUsed }) => coresUsed)),
    ]),
  };
}

/** Returns the table of the service's visits of other kinds, each beside the bare handler under the same requests. */
export function mixesTable(mixes: readonly MixFindings[]): Table {
  const hasAgainst = mixes.some(({ rounds }) => rounds.against !== undefined);
  return {
    head: [
      'visits',
      'requests/s',
      'of bare (least–most)',
      'CPU µs',
      'speed by CPU (least–most)',
      'core busy',
      ...(hasAgainst ? ['speed by CPU in that of the other build'] : []),
    ],
    rows: mixes.map(({ title, rounds }) => [
      title,
      number(medianOf(rounds.service, ({ perSecond }) => perSecond)),
      timesText(speedRatio(rounds, ['service', 'bare'], 'perSecond')),
      number(medianOf(rounds.service, ({ cpuUs }) => cpuUs)),
      timesText(speedRatio(rounds, ['service', 'bare'], 'cpuUs')),
      percent(medianOf(rounds.service, ({ coresUsed }) => coresUsed)),
      ...(hasAgainst ? [timesText(speedRatio(rounds, ['service', 'against'], 'cpuUs'))] : []),
    ]),
  };
}

/** Returns the table of one load's latencies. */
export function latencyTable({ rounds }: LatencyFigures['loads'][number]): Table {
  const columns = [
    ['p50 µs', 'p50Us'],
    ['p99 µs', 'p99Us'],
    ['p99.9 µs', 'p999Us'],
  ] as const;
  return {
    head: ['', ...columns.flatMap(([title]) => [title, '× bare (least–most)']), 'client late, p99 µs'],
    rows: contendersOf(rounds).map((name) => [
      TITLES[name],
      ...columns.flatMap(([, measure]) => [
        number(medianOf(rounds[name], (figures) => figures[measure])),
        timesText(latencyRatio(rounds, name, measure)),
      ]),
      number(medianOf(rounds[name], ({ latenessP99Us }) => latenessP99Us)),
    ]),
  };
}

/** Returns the two tables of a profile: whose code, and which functions. */
export function profileTables({ groups, functions }: NonNullable<Findings['profile']>): {
  readonly groups: Table;
  readonly functions: Table;
} {
  return {
    groups: {
      head: ['whose code', 'share'],
      rows: groups.map(({ group, share }) => [group, percent(share)]),
    },
    functions: {
      head: ['function', 'in', 'itself'],
      rows: functions.map(({ name, object, isKernel, share }) => [
        `\`${name.replaceAll('|', '\\|')}\``,
        isKernel ? 'kernel' : object.replace(/^(?:perf-\d+\.map|\[JIT\].*)$/, 'JavaScript'),
        percent(share),
      ]),
    },
  };
}

/** Returns one line a goal that the run has looked at. */
export function verdicts({ ceiling, latency, accounts }: Findings): readonly string[] {
  const lines: string[] = [];
  const add = (isMet: boolean, line: string) => lines.push(`${isMet ? '✓' : '✗'} ${line}`);
  if (ceiling?.nginx !== undefined) {
    const both = bothSpeeds(ceiling, 'nginx');
    add(both.least > 1, `${both.text} the speed of nginx's constant redirect (more than ×1)`);
  }
  if (ceiling !== null) {
    const both = bothSpeeds(ceiling, 'bare');
    add(
      both.least >= BARE_SHARE_MIN,
      `${both.text} the speed of a bare handler (at least ×${BARE_SHARE_MIN})`,
    );
  }
  for (const { title, rounds } of latency?.loads ?? []) {
    const { median, least, most } = latencyRatio(rounds, 'service', 'p99Us');
    const lateUs = medianOf(rounds.bare, ({ latenessP99Us }) => latenessP99Us);
    if (lateUs > CLIENT_LATE_US_MAX) {
      lines.push(
        `– p99 at ${title}: not judged, the client was ${number(lateUs / 1_000)} ms late itself: something else had its core`,
      );
      continue;
    }
    add(
      median <= P99_RATIO_MAX,
      `p99 at ${title} is ${times(median)} that of the bare handler, pairs between ${times(least)} and ${times(most)} (at most ×${P99_RATIO_MAX})`,
    );
  }
  const visits = accounts.reduce((sum, { redirects }) => sum + redirects, 0);
  lines.push(
    `✓ every one of ${visits.toLocaleString('en')} visits has its event on the disk, none was dropped`,
  );
  return lines;
}

/** Returns what to say of who was full in a comparison. */
export function describeFullness(rounds: Rounds<VisitLoad>): string {
  const idle = contendersOf(rounds).filter(
    (name) => medianOf(rounds[name], ({ coresUsed }) => coresUsed) < FULL_CORE,
  );
  return idle.length === 0
    ? 'Every server had its core full.'
    : `Not full was the core of: ${idle.map((name) => TITLES[name]).join('; ')}. There the client, or other work on the machine, was what could do no more, and processor time is the better measure.`;
}

/** Contenders that were measured, in the order of the tables. */
export const contendersOf = (rounds: Rounds<unknown>): readonly Contender[] =>
  (Object.keys(TITLES) as Contender[]).filter((name) => rounds[name] !== undefined);

/** Returns a contender's latency in units of the bare handler's, round by round. */
export function latencyRatio(
  rounds: LatencyFigures['loads'][number]['rounds'],
  name: Contender,
  measure: 'p50Us' | 'p99Us' | 'p999Us',
): Spread {
  const values = (of: Contender) => (rounds[of] ?? []).map((figures) => figures[measure]);
  return ratios(values(name), values('bare'));
}

function bothSpeeds(rounds: Rounds<VisitLoad>, base: Contender): { least: number; text: string } {
  const perSecond = speedRatio(rounds, ['service', base], 'perSecond').median;
  const cpu = speedRatio(rounds, ['service', base], 'cpuUs').median;
  return {
    least: Math.min(perSecond, cpu),
    text: `a redirect has, by requests a second, ${times(perSecond)}, and by processor time ${times(cpu)}`,
  };
}

const percent = (share: number) => `${(100 * share).toPrecision(3)} %`;
