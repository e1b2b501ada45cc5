import type { Limits } from './plan-queries.js';
import { Problem } from './problem.js';

const SMARTLINKS_MAX = 1_000_000_000;
const REQUESTS_PER_MINUTE_MAX = 1_000_000;
// A hundred years.
const ANALYTICS_DAYS_MAX = 36_500;

/** Limits of a plan as they are typed. */
export type LimitOptions = {
  smartlinks?: string;
  requestsPerMinute?: string;
  analyticsDays?: string;
  advanced?: string;
};

/** Returns the limits that were given. Throws Problem, one line, with every one that is none. */
export function readLimits(options: LimitOptions): Partial<Limits> {
  const faults: string[] = [];
  const take = <Value>(option: string, text: string | undefined, form: Form<Value>): Value | undefined => {
    if (text === undefined) return undefined;
    const value = form.read(text);
    if (value === undefined) faults.push(`${option} ${JSON.stringify(text)}: expected ${form.expected}`);
    return value;
  };
  const { smartlinks, requestsPerMinute, analyticsDays, advanced } = options;
  const limits = {
    smartlinks: take('--smartlinks', smartlinks, orUnlimited(count(0, SMARTLINKS_MAX))),
    requestsPerMinute: take('--requests-per-minute', requestsPerMinute, count(1, REQUESTS_PER_MINUTE_MAX)),
    analyticsDays: take('--analytics-days', analyticsDays, orUnlimited(count(1, ANALYTICS_DAYS_MAX))),
    advanced: take('--advanced', advanced, YES_OR_NO),
  };
  if (faults.length > 0) throw new Problem(`${faults.join('; ')}.`);
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** `read` returns undefined for what is not of this form. */
type Form<Value> = { readonly expected: string; readonly read: (text: string) => Value | undefined };

const YES_OR_NO: Form<boolean> = {
  expected: 'yes or no',
  read: (text) => (text === 'yes' ? true : text === 'no' ? false : undefined),
};

function count(min: number, max: number): Form<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

function orUnlimited(form: Form<number>): Form<number | null> {
  return {
    expected: `${form.expected}, or unlimited`,
    read: (text) => (text === 'unlimited' ? null : form.read(text)),
  };
}
