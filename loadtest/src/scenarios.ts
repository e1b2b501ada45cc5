import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeChanges } from './describe-changes.js';
import { describePhases } from './describe-phases.js';
import { describeSteps } from './describe-steps.js';
import { describeThirds } from './describe-thirds.js';
import type { During } from './during.js';
import { phaseAt, planOutages, problemsOfOutages } from './outage-plan.js';
import { appAndUrlLinks, pageLinks, urlLinks } from './plan-links.js';
import type { PlanLinks } from './plan-links.js';
import { runOutages } from './run-outages.js';
import type { Settings } from './settings.js';
import type { K6Summary } from './k6-summary.js';
import { watchMemory } from './watch-memory.js';

export type Scenario = {
  readonly name: string;
  /** The settings that it takes, with its defaults. */
  readonly defaults: Readonly<Record<string, number>>;
  readonly links: PlanLinks;
  /** A broken threshold is what it looks for, and no failure. */
  readonly seeksLimit?: true;
  /** What the summary says beyond what all of them do. */
  readonly explain?: (summary: K6Summary, settings: Settings) => readonly string[];
  /** What the launcher does while k6 runs. */
  readonly during?: During;
  /** Its `during` stops engines: they stand behind gates, so that they can be started again. */
  readonly stopsEngines?: true;
  /** What is wrong with settings that are in range each by itself. */
  readonly problems?: (settings: Settings) => readonly string[];
  /** What the script reads beyond the settings. */
  readonly env?: (settings: Settings) => Readonly<Record<string, string>>;
  /** What is going on at a second of the load, for the progress. */
  readonly moment?: (seconds: number, settings: Settings) => string;
};

const EVERY = { SEED: 1, VUS_MAX: 200, P99_MS: 50 };
const STEADY = { ...EVERY, DROPPED_PERCENT: 0 };

/** The scenarios by name, in the order of the help. Each has a script of its name, whose first line is its question. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'hot',
    defaults: { RATE: 500, DURATION_SECONDS: 10, LINKS: 10, ...STEADY },
    links: urlLinks,
  },
  {
    name: 'mixed',
    defaults: { RATE: 500, DURATION_SECONDS: 60, LINKS: 100_000, ZIPF_EXPONENT: 1, ...STEADY },
    links: appAndUrlLinks,
  },
  {
    name: 'pages',
    defaults: { RATE: 300, DURATION_SECONDS: 30, LINKS: 20, ...STEADY },
    links: pageLinks,
  },
  {
    name: 'spike',
    defaults: {
      ...{ RATE: 100, PEAK_RATE: 1_500, PEAK_SECONDS: 10, DURATION_SECONDS: 40, LINKS: 1_000 },
      ...{ ZIPF_EXPONENT: 1, ...EVERY, DROPPED_PERCENT: 5 },
    },
    links: appAndUrlLinks,
  },
  {
    name: 'soak',
    defaults: { RATE: 300, DURATION_SECONDS: 3_600, LINKS: 10_000, ZIPF_EXPONENT: 1, ...STEADY },
    links: appAndUrlLinks,
    explain: describeThirds,
    during: watchMemory,
  },
  {
    name: 'breakpoint',
    defaults: {
      ...{ RATE: 500, STEP_RATE: 500, STEP_SECONDS: 10, STEPS_MAX: 40, LINKS: 1_000 },
      ...{ ZIPF_EXPONENT: 1, ...EVERY, VUS_MAX: 500 },
    },
    links: appAndUrlLinks,
    seeksLimit: true,
    explain: describeSteps,
  },
  {
    name: 'management',
    defaults: { RATE: 12, DURATION_SECONDS: 60, LINKS: 1_000, ...STEADY, API_P95_MS: 250 },
    links: urlLinks,
    explain: describeChanges,
  },
  {
    name: 'outage',
    defaults: {
      ...{ RATE: 300, UNKNOWN_RATE: 10, DURATION_SECONDS: 90, LINKS: 1_000, ZIPF_EXPONENT: 1 },
      ...{ ...STEADY, P99_MS: 100, DROPPED_PERCENT: 1 },
    },
    links: appAndUrlLinks,
    stopsEngines: true,
    during: runOutages,
    problems: problemsOfOutages,
    env: (settings) => ({ PHASES: JSON.stringify(planOutages(settings).phases) }),
    moment: (seconds, settings) => phaseAt(planOutages(settings).phases, seconds)?.name ?? '',
    explain: describePhases,
  },
];

/** Folder of the k6 scripts. */
export const SCRIPTS = path.resolve(import.meta.dirname, '../scenarios');

/** Returns the question that a scenario's script begins with. */
export function questionOf(scenario: Scenario): string {
  const [first = ''] = readFileSync(scriptOf(scenario), 'utf8').split('\n');
  return first.replace(/^\/\/ Question: /, '');
}

/** Returns the file of a scenario's k6 script. */
export function scriptOf({ name }: Scenario): string {
  return path.join(SCRIPTS, `${name}.js`);
}
