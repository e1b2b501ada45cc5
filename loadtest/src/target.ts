import { readRunningStack } from '@smartlink/embedded/data-folder';
import { StackError } from '@smartlink/embedded/stack-error';
import { type Settings, UsageError } from './settings.js';

export type EngineName = 'postgres' | 'redis' | 'clickhouse';

export type Engine = {
  readonly url: string;
  /** Ends the process; connections to its address are then refused. */
  readonly stop: () => Promise<void>;
  /** Starts it again with its data at the same address, and waits until it answers. */
  readonly start: () => Promise<void>;
};

/** The stack under load. */
export type Target = {
  /** Public address of the smartlinks, without a slash at its end. */
  readonly publicUrl: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Null where only visits and the API are known. */
  readonly clickhouseUrl: string | null;
  readonly metricsUrl: string | null;
  /** Null for a stack that was running before. */
  readonly own: OwnParts | null;
  /** Resolves with the reason when a part of its own stack ends by itself. */
  readonly failed: Promise<string>;
  /** Stops and removes its own stack. Safe to call again. */
  readonly stop: () => Promise<void>;
};

export type OwnParts = {
  readonly engines: Readonly<Record<EngineName, Engine>>;
  /** Runs the admin command and returns its output. Rejects when it fails. */
  readonly runAdmin: (argv: readonly string[]) => Promise<string>;
  readonly email: string;
};

/** What a scenario's own part of the launcher gets. */
export type RunningLoad = {
  readonly target: Target;
  readonly settings: Settings;
  /** Resolves at a second of the load; rejects when the run is over or is stopped before. */
  readonly at: (seconds: number) => Promise<void>;
  /** Prints a line above the progress. */
  readonly say: (line: string) => void;
};

/**
 * The stack that TARGET names, null for one of its own. Connects to nothing. Throws UsageError for a wrong address, and
 * StackError when the stack of this checkout does not run.
 */
export function readTarget(settings: Settings): Target | null {
  const given = settings.text('TARGET');
  if (given === '') {
    for (const name of ['API_URL', 'API_KEY', 'CLICKHOUSE_URL', 'METRICS_URL'])
      if (settings.text(name) !== '') throw new UsageError(`${name} is for a run with TARGET`);
    return null;
  }
  const running = given === 'local' ? readLocal() : null;
  const apiUrl = settings.text('API_URL') || (running?.managementUrl ?? '');
  const apiKey = settings.text('API_KEY') || (running?.demoKey ?? '');
  const publicUrl = requireAddress('--target', running?.publicBaseUrl ?? given, ', or local');
  // A slug follows it, as it stands.
  if (publicUrl.pathname !== '/')
    throw new UsageError(`--target ${given}: expected an address without a path, for slugs follow it`);
  if (apiUrl === '' || apiKey === '')
    throw new UsageError('--target needs --api-url and --api-key, for the links and for the account');
  requireAddress('--api-url', apiUrl);
  const clickhouseUrl = settings.text('CLICKHOUSE_URL') || (running?.clickhouseUrl ?? null);
  const metricsUrl = settings.text('METRICS_URL') || (running?.metricsUrl ?? null);
  if (clickhouseUrl !== null) requireHttp('--clickhouse-url', clickhouseUrl);
  if (metricsUrl !== null) requireHttp('--metrics-url', metricsUrl);
  return {
    ...{ publicUrl: publicUrl.origin, apiUrl, apiKey, clickhouseUrl, metricsUrl },
    own: null,
    failed: new Promise<string>(() => undefined),
    stop: () => Promise.resolve(),
  };
}

function readLocal() {
  try {
    return readRunningStack(process.env['SMARTLINK_DATA_DIR'] ?? '.data');
  } catch (err) {
    if (!(err instanceof StackError)) throw err;
    throw new StackError(
      `--target local: ${err.message} Where npm start had a SMARTLINK_DATA_DIR, this command needs the same.`,
    );
  }
}

function requireAddress(option: string, text: string, orElse = ''): URL {
  const url = requireHttp(option, text, orElse);
  // Not repeated: the user's part may be a password.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${option}: expected an address without a user or a password`);
  if (/[?#]/.test(text))
    throw new UsageError(`${option} ${text}: expected an address without a query or a fragment`);
  return url;
}

function requireHttp(option: string, text: string, orElse = ''): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`${option}: expected an address that begins with http:// or https://${orElse}`);
}
