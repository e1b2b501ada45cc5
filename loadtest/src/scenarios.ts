import { readRedirectMetrics } from './account.js';
import { brokenThresholds, countOf, type K6Summary } from './k6.js';
import { appAndUrlLinks, pageLinks, type PlanLinks, urlLinks } from './links.js';
import { findOutageFaults, planOutages, runOutages } from './outage.js';
import type { NumberName, Settings } from './settings.js';
import type { RunningLoad } from './target.js';

export type Scenario = {
  readonly name: string;
  readonly question: string;
  /** The script in `scenarios/`. */
  readonly script: 'visits.js' | 'pages.js' | 'management.js' | 'outage.js';
  /** The numbers that it has, with its defaults. */
  readonly defaults: Readonly<Partial<Record<NumberName, number>>>;
  readonly links: PlanLinks;
  /** For a scenario that seeks a limit: the result. A broken threshold is then no failure. */
  readonly describeLimit?: (summary: K6Summary, settings: Settings) => string;
  /** Runs beside k6; the load ends if it rejects. */
  readonly during?: (load: RunningLoad) => Promise<void>;
  /** Faults of settings that are each in range. */
  readonly faults?: (settings: Settings) => readonly string[];
  /** Settings of the script that depend on others. */
  readonly derived?: (settings: Settings) => object;
};

const EVERY = { SEED: 1, VUS_MAX: 200, P99_MS: 50 };
const STEADY = { ...EVERY, DROPPED_PERCENT: 0 };

/** In the order of the help. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'hot',
    question: 'How fast are visits to a few hot links at a steady rate?',
    script: 'visits.js',
    defaults: { RATE: 500, DURATION_SECONDS: 10, LINKS: 10, ...STEADY },
    links: urlLinks,
  },
  {
    name: 'mixed',
    question: 'How fast is a realistic mix: popular and rare links, browsers and bots, scans, unknown slugs?',
    script: 'visits.js',
    defaults: { RATE: 500, DURATION_SECONDS: 60, LINKS: 100_000, ZIPF_EXPONENT: 1, ...STEADY },
    links: appAndUrlLinks,
  },
  {
    name: 'pages',
    question: 'How fast are hosted pages of each type, in each encoding and with If-None-Match?',
    script: 'pages.js',
    defaults: { RATE: 300, DURATION_SECONDS: 30, LINKS: 20, ...STEADY },
    links: pageLinks,
  },
  {
    name: 'spike',
    question: 'What do visitors see when the rate multiplies within a second?',
    script: 'visits.js',
    defaults: {
      ...{ RATE: 100, PEAK_RATE: 1_500, PEAK_SECONDS: 10, DURATION_SECONDS: 40, LINKS: 1_000 },
      ...{ ZIPF_EXPONENT: 1, ...EVERY, DROPPED_PERCENT: 5 },
    },
    links: appAndUrlLinks,
  },
  {
    name: 'soak',
    question: 'Does anything grow or slow down over hours of the mix?',
    script: 'visits.js',
    defaults: { RATE: 300, DURATION_SECONDS: 3_600, LINKS: 10_000, ZIPF_EXPONENT: 1, ...STEADY },
    links: appAndUrlLinks,
    during: reportMemory,
  },
  {
    name: 'breakpoint',
    question: 'At which rate do answers become slow or wrong?',
    script: 'visits.js',
    defaults: {
      ...{ RATE: 500, STEP_RATE: 500, STEP_SECONDS: 10, STEPS_MAX: 40, LINKS: 1_000 },
      ...{ ZIPF_EXPONENT: 1, ...EVERY, VUS_MAX: 500 },
    },
    links: appAndUrlLinks,
    derived: (settings) => ({ STEP_RATES: stepRates(settings) }),
    describeLimit: (summary, settings) => describeSteps(summary, stepRates(settings)),
  },
  {
    name: 'management',
    question: 'How fast are the calls of the API, and how soon do visitors see a change?',
    script: 'management.js',
    defaults: { RATE: 12, DURATION_SECONDS: 60, LINKS: 1_000, ...STEADY, API_P95_MS: 250 },
    links: urlLinks,
  },
  {
    name: 'outage',
    question: 'What do visitors see while ClickHouse, then Redis, then Postgres is down?',
    script: 'outage.js',
    defaults: {
      ...{ RATE: 300, UNKNOWN_RATE: 10, DURATION_SECONDS: 90, LINKS: 1_000, ZIPF_EXPONENT: 1 },
      ...{ ...STEADY, P99_MS: 100, DROPPED_PERCENT: 1 },
    },
    links: appAndUrlLinks,
    during: runOutages,
    faults: findOutageFaults,
    derived: (settings) => ({ PHASES: planOutages(settings).phases }),
  },
];

function stepRates({ RATE, STEP_RATE, STEPS_MAX }: Settings): readonly number[] {
  return Array.from({ length: STEPS_MAX }, (_, step) => RATE + step * STEP_RATE);
}

/** The rate at which a breakpoint broke, and the last one that held. */
export function describeSteps(summary: K6Summary, rates: readonly number[]): string {
  const metricOf = (rate: number) => `http_req_duration{rate:${rate}}`;
  const reached = rates.filter((rate) => countOf(summary, metricOf(rate)) > 0);
  const last = reached.at(-1);
  if (last === undefined) return 'No step was reached.';
  const broken = brokenThresholds(summary).map((line) => line.replace(/: .*/, ''));
  const causes = [metricOf(last), 'visits_failed', 'dropped_iterations'].filter((each) =>
    broken.includes(each),
  );
  if (causes.length === 0) return `Nothing broke up to ${last} per second.`;
  const held = reached.at(-2);
  const before = held === undefined ? '' : `; ${held} per second held`;
  return `It broke at ${last} per second (${causes.join(', ').replace(metricOf(last), 'p99')})${before}.`;
}

const MEMORY_READINGS = 12;

async function reportMemory({ target, settings, at, report }: RunningLoad): Promise<void> {
  if (target.metricsUrl === undefined) return;
  const seconds = settings.DURATION_SECONDS;
  for (let reading = 1; reading <= MEMORY_READINGS; reading += 1) {
    await at((seconds * reading) / (MEMORY_READINGS + 1));
    const { resident_memory_bytes: bytes = 0 } = await readRedirectMetrics(target.metricsUrl);
    report(`Memory of the redirect processes: ${(bytes / 2 ** 20).toFixed(0)} MiB`);
  }
}
