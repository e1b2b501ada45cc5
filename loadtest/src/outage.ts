import { StackError } from '@smartlink/embedded/stack-error';
import { eventsOnTheirWay, readRedirectMetrics } from './account.js';
import type { Settings } from './settings.js';
import type { EngineName, RunningLoad, Target } from './target.js';

/** In this order: Redis comes back empty, and there is time to fill it before Postgres goes. */
const ENGINES: readonly EngineName[] = ['clickhouse', 'redis', 'postgres'];
const NAMES = { clickhouse: 'ClickHouse', redis: 'Redis', postgres: 'Postgres' };

// Parts of 90, so that they are seconds of the default duration.
const WHOLE = 90;
const CALM = 10;
const AWAY = 15;
const BACK = 10;
/** Visits under way when an engine goes are judged apart. */
const FIRST_SECONDS = 1;
/** Half of BACK is then 3.3 s, in which Postgres starts and is found again. */
const DURATION_SECONDS_MIN = 60;

export type Phase = {
  readonly name: string;
  readonly fromSeconds: number;
  /** Whether Postgres answers; `either` while it goes or comes. */
  readonly postgres: 'here' | 'away' | 'either';
};

export type Outage = {
  readonly engine: EngineName;
  readonly stopSeconds: number;
  readonly startSeconds: number;
  /** It must have started by then: the next one goes, or what is expected of visitors changes. */
  readonly backSeconds: number;
};

/**
 * Which engine is away when, in seconds of the load, and the phases of visitors: `redis-first` is the first second without
 * Redis, `redis` the rest, `redis-back` the time in which it must be found again, `refill` that in which each link is
 * visited once, which fills it again.
 */
export function planOutages(settings: Settings): {
  readonly outages: readonly Outage[];
  readonly phases: readonly Phase[];
} {
  const scale = settings.number('DURATION_SECONDS') / WHOLE;
  const outages = ENGINES.map((engine, index) => {
    const stopSeconds = (CALM + index * (AWAY + BACK)) * scale;
    const startSeconds = stopSeconds + AWAY * scale;
    return { engine, stopSeconds, startSeconds, backSeconds: startSeconds + (BACK / 2) * scale };
  });
  const calm: Phase = { name: 'calm', fromSeconds: 0, postgres: 'here' };
  return { outages, phases: [calm, ...outages.flatMap(phasesOf)] };
}

function phasesOf({ engine, stopSeconds, startSeconds, backSeconds }: Outage): readonly Phase[] {
  const isPostgres = engine === 'postgres';
  const changing = isPostgres ? 'either' : 'here';
  return [
    { name: `${engine}-first`, fromSeconds: stopSeconds, postgres: changing },
    { name: engine, fromSeconds: stopSeconds + FIRST_SECONDS, postgres: isPostgres ? 'away' : 'here' },
    { name: `${engine}-back`, fromSeconds: startSeconds, postgres: changing },
    { name: engine === 'redis' ? 'refill' : 'calm', fromSeconds: backSeconds, postgres: 'here' },
  ];
}

/** All that is wrong with the settings of outages, each with its cure. */
export function problemsOfOutages(settings: Settings): readonly string[] {
  const problems: string[] = [];
  if (settings.text('TARGET') !== '')
    problems.push('outage stops engines, which it does to a stack of its own only: leave --target out');
  const duration = settings.number('DURATION_SECONDS');
  if (duration < DURATION_SECONDS_MIN)
    problems.push(`--duration-seconds ${duration}: outage needs ${DURATION_SECONDS_MIN} at least`);
  const refillSeconds = ((BACK / 2) * Math.max(duration, DURATION_SECONDS_MIN)) / WHOLE;
  const rate = settings.number('RATE');
  // A tenth more than links: k6 begins some visits late.
  const visits = Math.floor((rate * refillSeconds) / 1.1);
  const links = settings.number('LINKS');
  if (links > visits)
    problems.push(
      `--links ${links}: use --links ${visits}, for no more can each be visited between Redis and Postgres at --rate ${rate}; a higher --rate or --duration-seconds allows more`,
    );
  return problems;
}

/**
 * Stops the engines of the load's own stack one after the other and starts each again. Rejects when one does not come
 * back, or too late for the plan.
 */
export async function runOutages(load: RunningLoad): Promise<void> {
  for (const outage of planOutages(load.settings).outages) await runOutage(load, outage);
}

async function runOutage({ at, say, target }: RunningLoad, outage: Outage): Promise<void> {
  const name = NAMES[outage.engine];
  const engine = target.own?.engines[outage.engine];
  if (engine === undefined) throw new Error('outages need a stack of their own');
  await at(outage.stopSeconds);
  say(`${name} is stopped`);
  const stopped = engine.stop();
  const restart = async () => {
    await stopped;
    const startedAt = performance.now();
    await engine.start();
    return (performance.now() - startedAt) / 1000;
  };
  try {
    await at(outage.startSeconds);
    if (outage.engine === 'clickhouse') say(`${name} has been away: ${await describeSpool(target)}`);
  } catch (err) {
    await restart();
    throw err;
  }
  const seconds = await restart();
  say(`${name} answers again, ${seconds.toFixed(1)} s after it was started`);
  const limitSeconds = outage.backSeconds - outage.startSeconds;
  if (seconds > limitSeconds)
    throw new StackError(
      `${name} took ${seconds.toFixed(1)} s to start, and the plan gives it ${limitSeconds.toFixed(1)} s: use a longer --duration-seconds`,
    );
}

async function describeSpool({ metricsUrl }: Target): Promise<string> {
  if (metricsUrl === null) return 'the waiting events are unknown';
  return eventsOnTheirWay(await readRedirectMetrics(metricsUrl), new Map()) ?? 'no event waits for it';
}
