import {
  LOGIN_CODES,
  NAME_CODES,
  NOT_LISTENING_CODES,
  NO_DATABASE_CODES,
  failureCode,
  failureMessage,
  isTimeout,
} from '@smartlink/process/database';
import type { Env } from '../cli/terminal.js';

export type Finding = {
  readonly check: string;
  /** `unknown`: the check could not be done, which is no problem by itself; `seen` is the reason. */
  readonly state: 'ok' | 'warning' | 'problem' | 'unknown';
  readonly seen: string;
  readonly todo: string;
};

export type DoctorCheck = {
  /** Names the finding when the check does not end. */
  readonly name: string;
  /** An exception is a problem. Waiting stops when `signal` aborts. */
  readonly run: (context: DoctorContext) => Promise<readonly Finding[]>;
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

const finding =
  (state: Finding['state']) =>
  (check: string, seen: string, todo = ''): Finding => ({ check, state, seen, todo });

export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');
export const unknown = finding('unknown');

/** Runs all checks concurrently, each within its limit. The findings are in the order of the checks. */
export async function runDoctor(
  checks: readonly DoctorCheck[],
  context: Omit<DoctorContext, 'signal'>,
  limitMs = CHECK_LIMIT_MS,
): Promise<readonly Finding[]> {
  const findings = checks.map(async ({ name, run }) => {
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<readonly Finding[]>((resolve) => {
      timer = setTimeout(() => {
        limit.abort();
        resolve([problem(name, `no answer within ${limitMs / 1_000} s`, 'See why it does not answer.')]);
      }, limitMs);
    });
    try {
      return await Promise.race([run({ ...context, signal: limit.signal }), late]);
    } catch (err) {
      return [problem(name, failureMessage(err))];
    } finally {
      clearTimeout(timer);
    }
  });
  return (await Promise.all(findings)).flat();
}

// A clock that is a second off dates visits and expiries wrongly; the protocol of visitor ids tolerates some seconds.
const CLOCK_APART_MAX_MS = 1_000;

/** Judges another clock, which `read` asks for milliseconds since 1970. */
export async function judgeClock(
  check: string,
  now: () => number,
  read: () => Promise<number>,
): Promise<Finding> {
  const before = now();
  const theirs = await read();
  const after = now();
  const apart = theirs < before ? theirs - before : theirs > after ? theirs - after : 0;
  const seen = `${Math.abs(apart)} ms ${apart < 0 ? 'behind' : 'before'} this host's, or less`;
  return Math.abs(apart) <= CLOCK_APART_MAX_MS
    ? ok(check, apart === 0 ? 'agrees with this host' : seen)
    : warning(check, seen, 'Have both hosts follow the same time servers (NTP).');
}

export const notSet = (engine: string, variable: string): readonly Finding[] => [
  unknown(engine, `${variable} (or ${variable}_FILE) is not set`, 'Set it, or run npm start.'),
];

export function isAtLeast(version: string, [majorMin, minorMin]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

export const mebibytes = (bytes: number): string => {
  const count = bytes / 1024 / 1024;
  return `${count > 0 && count < 10 ? count.toFixed(1) : Math.round(count)} MiB`;
};

type Answer = { readonly status: number; readonly body: string };

/**
 * An HTTP answer, with at most `charactersMax` of its body; `refused` where nothing listens, null for anything that is not
 * HTTP.
 */
export async function ask(
  url: string,
  signal: AbortSignal,
  charactersMax = 1_000,
): Promise<Answer | 'refused' | null> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
      redirect: 'manual',
    });
    return { status: response.status, body: (await response.text()).slice(0, charactersMax) };
  } catch (err) {
    return failureCode(err) === 'ECONNREFUSED' ? 'refused' : null;
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
