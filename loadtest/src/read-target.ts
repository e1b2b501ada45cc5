import { readRunningStack } from '@smartlink/embedded/running-stack';
import type { RunningStack } from '@smartlink/embedded/running-stack';
import { StackError } from '@smartlink/embedded/stack-error';
import { UsageError } from './settings.js';
import type { Settings } from './settings.js';
import type { Target } from './target.js';

/**
 * Returns the stack that TARGET names, null where the load test is to start its own. Connects to nothing. Throws UsageError
 * when the addresses cannot be meant, and StackError when that of this checkout does not run.
 */
export function readTarget(settings: Settings): Target | null {
  const given = settings.text('TARGET');
  if (given === '') {
    for (const name of ['API_URL', 'API_KEY', 'CLICKHOUSE_URL', 'METRICS_URL']) {
      if (settings.text(name) !== '') throw new UsageError(`${name} is for a run with TARGET`);
    }
    return null;
  }
  const running = given === 'local' ? readLocal() : null;
  const apiUrl = settings.text('API_URL') || (running?.managementUrl ?? '');
  const apiKey = settings.text('API_KEY') || (running?.demoKey ?? '');
  requireOrigin(running?.publicBaseUrl ?? given);
  if (apiUrl === '' || apiKey === '') {
    throw new UsageError('--target needs --api-url and --api-key, for the links and for the account');
  }
  requireAddress('--api-url', apiUrl);
  const clickhouseUrl = settings.text('CLICKHOUSE_URL') || (running?.clickhouseUrl ?? null);
  const metricsUrl = settings.text('METRICS_URL') || (running?.metricsUrl ?? null);
  if (clickhouseUrl !== null) requireHttp('--clickhouse-url', clickhouseUrl);
  if (metricsUrl !== null) requireHttp('--metrics-url', metricsUrl);
  return {
    publicUrl: new URL(running?.publicBaseUrl ?? given).origin,
    ...{ apiUrl, apiKey, clickhouseUrl, metricsUrl },
    own: null,
    failed: new Promise<string>(() => undefined),
    stop: () => Promise.resolve(),
  };
}

function readLocal(): RunningStack {
  try {
    return readRunningStack(process.env['SMARTLINK_DATA_DIR'] ?? '.data');
  } catch (err) {
    if (!(err instanceof StackError)) throw err;
    throw new StackError(
      `--target local: ${err.message} Where npm start had a SMARTLINK_DATA_DIR, this command needs the same.`,
    );
  }
}

function requireOrigin(text: string): void {
  const url = requireAddress('--target', text, ', or local');
  // A slug follows it, as it stands.
  if (url.pathname !== '/')
    throw new UsageError(`--target ${text}: expected an address without a path, for slugs follow it`);
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
