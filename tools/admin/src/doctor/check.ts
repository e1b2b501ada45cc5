import {
  LOGIN_CODES,
  NAME_CODES,
  NOT_LISTENING_CODES,
  NO_DATABASE_CODES,
  TimeLimitError,
  failureCode,
  failureMessage,
  isTimeout,
  withTimeLimit,
} from '@smartlink/process/database';
import type { Env } from '../cli/terminal.js';

export type Verdict = {
  /** `unknown`: the check could not be done, which is no problem by itself; `seen` is the reason. */
  readonly state: 'ok' | 'warning' | 'problem' | 'unknown';
  readonly seen: string;
  readonly todo: string;
};
export type Finding = { readonly check: string } & Verdict;

export type DoctorCheck = {
  /** Names the finding when the check does not end. */
  readonly name: string;
  /** Resolves to verdicts by title, in the order of the output. A rejection is a problem. Waiting stops when `signal` aborts. */
  readonly run: (context: DoctorContext) => Promise<Readonly<Record<string, Verdict | readonly Verdict[]>>>;
};

export type DoctorContext = {
  /** Variables as the services read them, including those that npm start gives. */
  readonly env: Env;
  /** The addresses and ports are those of the stack of npm start. */
  readonly isEmbedded: boolean;
  readonly publicUrl: string | undefined;
  /** No service runs yet: a free port is ok. */
  readonly isBeforeInstall: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
};

const CHECK_LIMIT_MS = 8_000;
/** For one answer within a check. */
export const ANSWER_LIMIT_MS = 3_000;

const verdict =
  (state: Verdict['state']) =>
  (seen: string, todo = ''): Verdict => ({ state, seen, todo });

export const ok = verdict('ok');
export const warning = verdict('warning');
export const problem = verdict('problem');
export const unknown = verdict('unknown');

/** `todo` is the advice for a warning. */
export const okOrWarning = (isOk: boolean, seen: string, todo: string): Verdict =>
  isOk ? ok(seen) : warning(seen, todo);

/** Runs all checks concurrently, each within its limit. The findings are in the order of the checks. */
export async function runDoctor(
  checks: readonly DoctorCheck[],
  context: Omit<DoctorContext, 'signal'>,
  limitMs = CHECK_LIMIT_MS,
): Promise<readonly Finding[]> {
  const findings = checks.map(async ({ name, run }) => {
    const limit = new AbortController();
    const found = await withTimeLimit(limitMs, run({ ...context, signal: limit.signal })).catch(
      (err: unknown) => {
        limit.abort();
        const isLate = err instanceof TimeLimitError;
        const seen = isLate ? `no answer within ${limitMs / 1_000} s` : failureMessage(err);
        return { [name]: problem(seen, isLate ? 'See why it does not answer.' : '') };
      },
    );
    return Object.entries(found).flatMap(([check, verdicts]) =>
      [verdicts].flat().map((one): Finding => ({ check, ...one })),
    );
  });
  return (await Promise.all(findings)).flat();
}

// A clock that is a second off dates visits and expiries wrongly; the protocol of visitor ids tolerates some seconds.
const CLOCK_APART_MAX_MS = 1_000;

/** Judges another clock, which `read` asks for milliseconds since 1970. */
export async function judgeClock(now: () => number, read: () => Promise<number>): Promise<Verdict> {
  const before = now();
  const theirs = await read();
  // 0 anywhere between question and answer.
  const apart = theirs - Math.min(Math.max(theirs, before), now());
  if (apart === 0) return ok('agrees with this host');
  const seen = `${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'before'} this host's, or less`;
  const todo = 'Have both hosts follow the same time servers (NTP).';
  return okOrWarning(Math.abs(apart) <= CLOCK_APART_MAX_MS, seen, todo);
}

export const notSet = (variable: string): Verdict =>
  unknown(`${variable} (or ${variable}_FILE) is not set`, 'Set it, or run npm start.');

export const mebibytes = (bytes: number): string => {
  const count = bytes / 1024 / 1024;
  return `${count > 0 && count < 10 ? count.toFixed(1) : Math.round(count)} MiB`;
};

/**
 * An HTTP answer, with at most `charactersMax` of its body; `refused` where nothing listens, null for anything that is not
 * HTTP.
 */
export async function fetchAnswer(url: string, signal: AbortSignal, charactersMax = 1_000) {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      redirect: 'manual',
    });
    return { status: response.status, body: (await response.text()).slice(0, charactersMax) };
  } catch (err) {
    return failureCode(err) === 'ECONNREFUSED' ? ('refused' as const) : null;
  }
}

/** The address of a service on this host that listens on `host`. */
export function baseUrlOf(host: string, port: number): string {
  const local: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  return `http://${local[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`;
}

const LOGIN_WORDS =
  /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:invalid password|AUTH))|client password must be a string/;
// From OpenSSL, Node and pg: the server has no TLS, requires it, or shows an untrusted certificate.
const TLS_WORDS = /support SSL|SSL routines|wrong version number|certificate|TLS/;

/** Advice for an engine that cannot be reached. Only where nothing listens may it be stopped. */
export function adviseReaching(variable: string, err: unknown): string {
  const code = failureCode(err);
  const words = err instanceof Error ? err.message : '';
  if (words.includes('pg_hba.conf')) {
    return words.includes('no encryption')
      ? `Ask for TLS in ${variable} (sslmode=require), or let this host in with pg_hba.conf.`
      : `Let this host, user and database in with pg_hba.conf, or correct ${variable}.`;
  }
  if (LOGIN_CODES.has(code) || LOGIN_WORDS.test(words))
    return `Correct the user and password in ${variable}.`;
  if (NO_DATABASE_CODES.has(code)) return `Correct the name of the database in ${variable}.`;
  if (TLS_WORDS.test(words)) {
    return `Correct whether ${variable} asks for TLS; NODE_EXTRA_CA_CERTS names a private authority.`;
  }
  if (NAME_CODES.has(code)) return `Correct the host in ${variable}.`;
  if (NOT_LISTENING_CODES.has(code)) return `Start it, or correct host and port in ${variable}.`;
  return isTimeout(err)
    ? `It may hang, or expect TLS where none is asked for or the reverse: see its log, and ${variable}.`
    : `See its log, and correct ${variable}.`;
}
