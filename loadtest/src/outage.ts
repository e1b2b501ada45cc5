import { StackError } from '@smartlink/embedded/stack-error';
import { countPendingEvents, readRedirectMetrics } from './account.js';
import type { Settings } from './settings.js';
import type { EngineName, RunningLoad } from './target.js';

/** In this order: Redis comes back empty, and is filled again before Postgres stops. */
const ENGINES: readonly (readonly [EngineName, name: string])[] = [
  ['clickhouse', 'ClickHouse'],
  ['redis', 'Redis'],
  ['postgres', 'Postgres'],
];

// In parts of 90: seconds of the default duration.
const WHOLE = 90;
const CALM = 10;
const AWAY = 15;
const BACK = 10;
/** Visits in progress when an engine stops are judged separately. */
const FIRST_SECONDS = 1;
/** Half of BACK is then 3.3 s, in which Postgres starts and connections are restored. */
const DURATION_SECONDS_MIN = 60;

export type Phase = {
  readonly name: string;
  readonly fromSeconds: number;
  /** Whether Postgres answers; `either` while it stops or starts. */
  readonly postgres: 'here' | 'away' | 'either';
};

/**
 * The outages of a run, in seconds of the load, and the phases for visitors: `redis-first` is the first second without Redis,
 * `redis` the rest, `redis-back` its restart, `refill` a visit to each link, which fills the empty Redis.
 */
export function planOutages({ DURATION_SECONDS }: Settings) {
  const scale = DURATION_SECONDS / WHOLE;
  const outages = ENGINES.map(([engine, name], index) => {
    const stopSeconds = (CALM + index * (AWAY + BACK)) * scale;
    const startSeconds = stopSeconds + AWAY * scale;
    // The deadline of the start: from then on visitors get the normal answers.
    const backSeconds = startSeconds + (BACK / 2) * scale;
    return { engine, name, stopSeconds, startSeconds, backSeconds };
  });
  const phases = outages.flatMap(({ engine, stopSeconds, startSeconds, backSeconds }): Phase[] => {
    const [changing, down] =
      engine === 'postgres' ? (['either', 'away'] as const) : (['here', 'here'] as const);
    return [
      { name: `${engine}-first`, fromSeconds: stopSeconds, postgres: changing },
      { name: engine, fromSeconds: stopSeconds + FIRST_SECONDS, postgres: down },
      { name: `${engine}-back`, fromSeconds: startSeconds, postgres: changing },
      { name: engine === 'redis' ? 'refill' : 'calm', fromSeconds: backSeconds, postgres: 'here' },
    ];
  });
  const calm: Phase = { name: 'calm', fromSeconds: 0, postgres: 'here' };
  return { outages, phases: [calm, ...phases] };
}

/** All faults of the settings of an outage, each with a remedy. */
export function findOutageFaults(settings: Settings): readonly string[] {
  const { TARGET, DURATION_SECONDS: duration, RATE: rate, LINKS: links } = settings;
  const refillSeconds = ((BACK / 2) * Math.max(duration, DURATION_SECONDS_MIN)) / WHOLE;
  // A tenth fewer links than visits: k6 starts some visits late.
  const linksMax = Math.floor((rate * refillSeconds) / 1.1);
  const faults: string[] = [];
  if (TARGET !== undefined) faults.push('outage stops the engines of its own stack: omit --target');
  if (duration < DURATION_SECONDS_MIN)
    faults.push(`--duration-seconds ${duration}: outage needs at least ${DURATION_SECONDS_MIN}`);
  if (links > linksMax)
    faults.push(
      `--links ${links}: --rate ${rate} can fill Redis with at most ${linksMax} links before Postgres stops; decrease --links, or increase --rate or --duration-seconds`,
    );
  return faults;
}

/**
 * Stops the engines of the own stack one after the other and starts each again. Rejects if one does not start, or not in
 * time.
 */
export async function runOutages({ at, report, target, settings }: RunningLoad): Promise<void> {
  for (const outage of planOutages(settings).outages) {
    const { name, stopSeconds, startSeconds, backSeconds } = outage;
    const engine = target.own?.engines[outage.engine];
    if (engine === undefined) throw new Error('outages need a stack of their own');
    await at(stopSeconds);
    report(`Stopping ${name}`);
    await engine.stop();
    await at(startSeconds);
    if (outage.engine === 'clickhouse' && target.metricsUrl !== undefined)
      report(`${countPendingEvents(await readRedirectMetrics(target.metricsUrl))} events wait for ${name}`);
    const startedAt = performance.now();
    await engine.start();
    const seconds = (performance.now() - startedAt) / 1000;
    report(`${name} answers again, ${seconds.toFixed(1)} s after its start`);
    if (seconds > backSeconds - startSeconds)
      throw new StackError(
        `${name} took ${seconds.toFixed(1)} s to start, but has ${(backSeconds - startSeconds).toFixed(1)} s: use a longer --duration-seconds`,
      );
  }
}
