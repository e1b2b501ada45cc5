import path from 'node:path';
import { watchMemory } from './account.js';
import { appAndUrlLinks, pageLinks, type PlanLinks, urlLinks } from './links.js';
import { planOutages, problemsOfOutages, runOutages } from './outage.js';
import { brokenThresholds, figureOf, type K6Summary } from './run-k6.js';
import type { Settings } from './settings.js';
import type { RunningLoad } from './target.js';

export type Scenario = {
  readonly name: string;
  readonly question: string;
  /** The script in `scenarios/`. */
  readonly script: 'visits.js' | 'pages.js' | 'management.js' | 'outage.js';
  /** The settings that it takes, with its defaults. */
  readonly defaults: Readonly<Record<string, number>>;
  readonly links: PlanLinks;
  /** A broken threshold is the answer, not a failure. */
  readonly seeksLimit?: true;
  /** Lines after k6's summary. */
  readonly explain?: (summary: K6Summary, settings: Settings) => readonly string[];
  /** Runs beside k6. It starts again what it has stopped, also when `at` rejects. */
  readonly during?: (load: RunningLoad) => Promise<void>;
  /** What is wrong with settings that are in range each by itself. */
  readonly problems?: (settings: Settings) => readonly string[];
  /** Variables of the script beyond the settings. */
  readonly env?: (settings: Settings) => Readonly<Record<string, string>>;
};

/** Folder of the k6 scripts. */
export const SCRIPTS = path.resolve(import.meta.dirname, '../scenarios');

const EVERY = { SEED: 1, VUS_MAX: 200, P99_MS: 50 };
const STEADY = { ...EVERY, DROPPED_PERCENT: 0 };

function stepRates(settings: Settings): readonly number[] {
  const rate = (_: unknown, step: number) => settings.number('RATE') + step * settings.number('STEP_RATE');
  return Array.from({ length: settings.number('STEPS_MAX') }, rate);
}

/** The rate at which a breakpoint broke, and the last one that held. */
export function describeSteps(summary: K6Summary, rates: readonly number[]): readonly string[] {
  const metricOf = (rate: number) => `http_req_duration{rate:${rate}}`;
  const reached = rates.filter((rate) => figureOf(summary, metricOf(rate)) > 0);
  const last = reached.at(-1);
  if (last === undefined) return ['', 'No step was reached.'];
  const isBroken = (metric: string) => brokenThresholds(summary, metric).length > 0;
  const broken = ['visits_failed', 'dropped_iterations'].filter(isBroken);
  if (isBroken(metricOf(last))) broken.unshift('p99');
  if (broken.length === 0) return ['', `Nothing broke up to ${last} a second.`];
  const held = reached.at(-2);
  const before = held === undefined ? '' : `; ${held} a second held`;
  return ['', `It broke at ${last} a second (${broken.join(', ')})${before}.`];
}

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
    question: 'How fast is a realistic mix: links by Zipf, browsers and bots, scans, wrong addresses?',
    script: 'visits.js',
    defaults: { RATE: 500, DURATION_SECONDS: 60, LINKS: 100_000, ZIPF_EXPONENT: 1, ...STEADY },
    links: appAndUrlLinks,
  },
  {
    name: 'pages',
    question: 'How fast are hosted pages, in each type and encoding, and with If-None-Match?',
    script: 'pages.js',
    defaults: { RATE: 300, DURATION_SECONDS: 30, LINKS: 20, ...STEADY },
    links: pageLinks,
  },
  {
    name: 'spike',
    question: 'What do visitors see when the rate rises many times over within a second?',
    script: 'visits.js',
    defaults: {
      ...{ RATE: 100, PEAK_RATE: 1_500, PEAK_SECONDS: 10, DURATION_SECONDS: 40, LINKS: 1_000 },
      ...{ ZIPF_EXPONENT: 1, ...EVERY, DROPPED_PERCENT: 5 },
    },
    links: appAndUrlLinks,
  },
  {
    name: 'soak',
    question: 'Does anything grow or slow down when the mix goes on for hours?',
    script: 'visits.js',
    defaults: { RATE: 300, DURATION_SECONDS: 3_600, LINKS: 10_000, ZIPF_EXPONENT: 1, ...STEADY },
    links: appAndUrlLinks,
    during: watchMemory,
  },
  {
    name: 'breakpoint',
    question: 'At which rate do answers become slow or wrong, when it rises step by step?',
    script: 'visits.js',
    defaults: {
      ...{ RATE: 500, STEP_RATE: 500, STEP_SECONDS: 10, STEPS_MAX: 40, LINKS: 1_000 },
      ...{ ZIPF_EXPONENT: 1, ...EVERY, VUS_MAX: 500 },
    },
    links: appAndUrlLinks,
    seeksLimit: true,
    env: (settings) => ({ STEP_RATES: JSON.stringify(stepRates(settings)) }),
    explain: (summary, settings) => describeSteps(summary, stepRates(settings)),
  },
  {
    name: 'management',
    question:
      'How fast are calls that create, read, list, change and delete, and how soon do visitors see it?',
    script: 'management.js',
    defaults: { RATE: 12, DURATION_SECONDS: 60, LINKS: 1_000, ...STEADY, API_P95_MS: 250 },
    links: urlLinks,
  },
  {
    name: 'outage',
    question: 'What do visitors see while ClickHouse, then Redis, then Postgres is away?',
    script: 'outage.js',
    defaults: {
      ...{ RATE: 300, UNKNOWN_RATE: 10, DURATION_SECONDS: 90, LINKS: 1_000, ZIPF_EXPONENT: 1 },
      ...{ ...STEADY, P99_MS: 100, DROPPED_PERCENT: 1 },
    },
    links: appAndUrlLinks,
    during: runOutages,
    problems: problemsOfOutages,
    env: (settings) => ({ PHASES: JSON.stringify(planOutages(settings).phases) }),
  },
];
