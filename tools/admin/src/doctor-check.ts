import type { Env } from './addresses.js';
import { describe } from './session.js';

/** What a check saw. `unknown`: it could not be done, and `seen` says why; that is no problem by itself. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem' | 'unknown';
  readonly seen: string;
  /** What to do; empty when there is nothing to do. */
  readonly todo: string;
};

export type DoctorCheck = {
  /** What a finding is named by when the check does not come to an end. */
  readonly name: string;
  /** What it throws is a problem. It stops waiting when `signal` aborts. */
  readonly run: (context: DoctorContext) => Promise<readonly Finding[]>;
};

export type DoctorContext = {
  /** Variables as the services read them, those that npm start gives among them. */
  readonly env: Env;
  /** The addresses and ports are those of the stack of npm start. */
  readonly isEmbedded: boolean;
  /** Address visitors see; undefined when none is known. */
  readonly publicUrl: string | undefined;
  /** No service is to run yet, so a port at which nothing answers is as it should be. */
  readonly isBeforeInstall: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/** Of one check, all it does together. */
export const CHECK_LIMIT_MS = 8_000;
/** Of one answer within a check. */
export const ANSWER_LIMIT_MS = 3_000;

export const ok = (check: string, seen: string): Finding => ({ check, state: 'ok', seen, todo: '' });
export const warning = (check: string, seen: string, todo: string): Finding => ({
  check,
  state: 'warning',
  seen,
  todo,
});
export const problem = (check: string, seen: string, todo: string): Finding => ({
  check,
  state: 'problem',
  seen,
  todo,
});
export const unknown = (check: string, seen: string, todo = ''): Finding => ({
  check,
  state: 'unknown',
  seen,
  todo,
});

/** Runs all checks side by side, each within its limit, and returns what they saw in the order of the checks. */
export async function runDoctor(
  checks: readonly DoctorCheck[],
  context: Omit<DoctorContext, 'signal'>,
  limitMs = CHECK_LIMIT_MS,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(checks.map((check) => runOne(check, context, limitMs)));
  return findings.flat();
}

async function runOne(
  check: DoctorCheck,
  context: Omit<DoctorContext, 'signal'>,
  limitMs: number,
): Promise<readonly Finding[]> {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      limit.abort();
      resolve([problem(check.name, `no answer within ${limitMs / 1_000} s`, 'See why it does not answer.')]);
    }, limitMs);
  });
  try {
    return await Promise.race([check.run({ ...context, signal: limit.signal }), late]);
  } catch (err) {
    return [problem(check.name, describe(err), '')];
  } finally {
    clearTimeout(timer);
  }
}

// A clock that is a second off dates visits and expiries wrongly; the protocol of visitor ids bears some seconds.
const CLOCK_APART_MAX_MS = 1_000;

/** Judges another clock, asked between `before` and `after` of ours; its answer is as of some moment in between. */
export function judgeClock(check: string, theirs: number, before: number, after: number): Finding {
  const apart = theirs < before ? theirs - before : theirs > after ? theirs - after : 0;
  const seen = `${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'before'} this host's, or less`;
  return Math.abs(apart) <= CLOCK_APART_MAX_MS
    ? ok(check, apart === 0 ? 'agrees with this host' : seen)
    : warning(check, seen, 'Have both hosts follow the same time servers (NTP).');
}

/** Returns what a variable holds, null when it has no value. */
export function given(env: Env, name: string): string | null {
  const value = env[name] ?? '';
  return value === '' ? null : value;
}
