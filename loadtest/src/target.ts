import { readRunningStack } from '@smartlink/embedded/running-stack';
import { startOwnStack } from './own-stack.js';
import type { Engines } from './engines.js';
import { UsageError } from './settings.js';
import type { Progress } from './progress.js';
import type { Settings } from './settings.js';

/** The stack that is put under load. */
export type Target = {
  /** Public address of the smartlinks, without a slash at its end. */
  readonly publicUrl: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Null where only visits and the API are known. */
  readonly clickhouseUrl: string | null;
  readonly metricsUrl: string | null;
  /** Null for a stack that runs by itself. */
  readonly own: OwnParts | null;
  /** Resolves with what to say when a part of it ends by itself; never for a stack that runs by itself. */
  readonly failed: Promise<string>;
  /** Stops and removes what was started for it. Safe to call again. */
  readonly stop: () => Promise<void>;
};

export type OwnParts = {
  readonly engines: Engines;
  /** For the admin command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly email: string;
};

export type OpenTargetOptions = {
  readonly settings: Settings;
  /** Whether engines are to be stopped and started one by one. */
  readonly hasGates: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
};

/** Returns the stack that TARGET names, its own where it names none. The caller stops it. Throws UsageError or StackError. */
export async function openTarget(options: OpenTargetOptions): Promise<Target> {
  const { settings } = options;
  if (settings.text('TARGET') === '') {
    for (const name of ['API_URL', 'API_KEY', 'CLICKHOUSE_URL', 'METRICS_URL']) {
      if (settings.text(name) !== '') throw new UsageError(`${name} is for a run with TARGET`);
    }
    return startOwnStack(options);
  }
  return givenTarget(settings);
}

function givenTarget(settings: Settings): Target {
  const isLocal = settings.text('TARGET') === 'local';
  const running = isLocal ? readRunningStack(process.env['SMARTLINK_DATA_DIR'] ?? '.data') : null;
  const publicUrl = running?.publicBaseUrl ?? settings.text('TARGET');
  const target = {
    publicUrl: publicUrl.replace(/\/$/, ''),
    apiUrl: settings.text('API_URL') || (running?.managementUrl ?? ''),
    apiKey: settings.text('API_KEY') || (running?.demoKey ?? ''),
    clickhouseUrl: settings.text('CLICKHOUSE_URL') || (running?.clickhouseUrl ?? null),
    metricsUrl: settings.text('METRICS_URL') || (running?.metricsUrl ?? null),
    own: null,
    failed: new Promise<string>(() => undefined),
    stop: () => Promise.resolve(),
  };
  if (!URL.canParse(target.publicUrl))
    throw new UsageError(`--target ${publicUrl}: expected an address, or local`);
  if (target.apiUrl === '' || target.apiKey === '') {
    throw new UsageError('--target needs --api-url and --api-key, for the links and for the account');
  }
  return target;
}
