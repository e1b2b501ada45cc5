import { readRunningStack } from '@smartlink/embedded/running-stack';
import { startOwnStack } from './own-stack.js';
import { UsageError } from './settings.js';
import type { Settings } from './settings.js';
import type { OpenTargetOptions, Target } from './target.js';

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
