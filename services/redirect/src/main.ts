import { fileURLToPath } from 'node:url';
import { takeRollSignal } from './primary/rolling-restart.js';

// Before anything else is loaded, so that an early signal cannot end the process.
const rollSignal = takeRollSignal();

const [
  { addressSecretProblem, misspeltNames, readConfigOrExit },
  { createLogger, killOrphanAtExit },
  { redirectConfigSchema },
] = await Promise.all([
  import('@smartlink/process/config'),
  import('@smartlink/process/lifecycle'),
  import('./config.js'),
]);

// One program in two parts: the primary, which starts it again for each worker. Each part loads only its own modules,
// because a crashed worker must be back within a second.
const config = readConfigOrExit(redirectConfigSchema, process.env);
const [part, place, primary, kind] = process.argv.slice(2);
const log = createLogger({ service: 'redirect', level: config.LOG_LEVEL });

if (part === '--worker') {
  killOrphanAtExit();
  try {
    const { runWorker } = await import('./worker/worker.js');
    const worker = { place: Number(place), primary: primary ?? '', isReplacement: kind === 'replacement' };
    await runWorker(config, worker, log.child({ worker: worker.place }));
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    log.fatal({ err }, 'worker cannot start');
    process.send?.({ kind: 'failed', reason }, undefined, undefined, () => process.exit(1));
  }
} else {
  for (const reason of misspeltNames(redirectConfigSchema, process.env)) {
    log.warn({ reason }, 'environment variable looks misspelt');
  }
  if (addressSecretProblem(config.REDIS_URL) !== null) {
    log.warn('REDIS_URL has no password: anyone with access to this Redis can change where links lead');
  }
  try {
    const { runPrimary } = await import('./primary/primary.js');
    await runPrimary({ config, env: process.env, log, entry: fileURLToPath(import.meta.url), rollSignal });
  } catch (err) {
    process.stderr.write(
      `The redirect service cannot start.\n  ${err instanceof Error ? err.message : String(err)}\n`,
    );
    process.exit(1);
  }
}
