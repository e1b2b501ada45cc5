import type { EngineName } from './engines.js';
import type { Settings } from './settings.js';

/** In this order: Redis comes back empty, and there is time to fill it before Postgres goes. */
const ENGINES: readonly EngineName[] = ['clickhouse', 'redis', 'postgres'];

// Parts of 90, so that they are seconds of the default duration.
const WHOLE = 90;
const CALM = 10;
const AWAY = 15;
const BACK = 10;

/** What happens to those already on their way when an engine goes is told apart from what is so from then on. */
const FIRST_SECONDS = 1;
/** Half of BACK is then 3.3 s, in which Postgres starts and is found again. */
const DURATION_SECONDS_MIN = 60;

/** Whether Postgres answers in a phase; `either` while it goes or comes. */
export type PostgresIs = 'here' | 'away' | 'either';

export type Phase = { readonly name: string; readonly fromSeconds: number; readonly postgres: PostgresIs };

export type Outage = {
  readonly engine: EngineName;
  readonly stopSeconds: number;
  readonly startSeconds: number;
  /** By then it must have started, for the next one goes or what is expected of visitors changes. */
  readonly backSeconds: number;
};

export type OutagePlan = { readonly outages: readonly Outage[]; readonly phases: readonly Phase[] };

/**
 * Returns which engine is away when, in seconds of the load, and the phases that this makes for visitors: `redis-first`
 * is the first second without Redis, `redis` the rest, `redis-back` the time in which it must be found again, and
 * `refill` that in which each link is visited once, which is what fills it again.
 */
export function planOutages(settings: Settings): OutagePlan {
  const scale = settings.number('DURATION_SECONDS') / WHOLE;
  const outages = ENGINES.map((engine, index) => {
    const stopSeconds = (CALM + index * (AWAY + BACK)) * scale;
    const startSeconds = stopSeconds + AWAY * scale;
    return { engine, stopSeconds, startSeconds, backSeconds: startSeconds + (BACK / 2) * scale };
  });
  return { outages, phases: [phase('calm', 0, 'here'), ...outages.flatMap(phasesOf)] };
}

/** Returns what is wrong with the settings of outages, all of it, each with its cure; nothing when they can be run. */
export function problemsOfOutages(settings: Settings): readonly string[] {
  const problems: string[] = [];
  if (settings.text('TARGET') !== '')
    problems.push('outage stops engines, which it does to a stack of its own only: leave --target out');
  const duration = settings.number('DURATION_SECONDS');
  if (duration < DURATION_SECONDS_MIN)
    problems.push(`--duration-seconds ${duration}: outage needs ${DURATION_SECONDS_MIN} at least`);
  const refillSeconds = ((BACK / 2) * Math.max(duration, DURATION_SECONDS_MIN)) / WHOLE;
  // A tenth more than links, for k6 begins a visit now and then a little late.
  const visits = Math.floor((settings.number('RATE') * refillSeconds) / 1.1);
  const links = settings.number('LINKS');
  if (links > visits)
    problems.push(
      `--links ${links}: use --links ${visits}, for no more can each be visited between Redis and Postgres at --rate ${settings.number('RATE')}; a higher --rate or --duration-seconds allows more`,
    );
  return problems;
}

/**
 * Returns the phase at a time of the load, of phases in order; the first one before all of them. k6 asks
 * scenarios/lib/phases.js, whose test holds both to the same answers.
 */
export function phaseAt(phases: readonly Phase[], seconds: number): Phase | undefined {
  return phases.findLast(({ fromSeconds }) => seconds >= fromSeconds) ?? phases[0];
}

function phasesOf({ engine, stopSeconds, startSeconds, backSeconds }: Outage): readonly Phase[] {
  const isPostgres = engine === 'postgres';
  return [
    phase(`${engine}-first`, stopSeconds, isPostgres ? 'either' : 'here'),
    phase(engine, stopSeconds + FIRST_SECONDS, isPostgres ? 'away' : 'here'),
    phase(`${engine}-back`, startSeconds, isPostgres ? 'either' : 'here'),
    phase(engine === 'redis' ? 'refill' : 'calm', backSeconds, 'here'),
  ];
}

function phase(name: string, fromSeconds: number, postgres: PostgresIs): Phase {
  return { name, fromSeconds, postgres };
}
