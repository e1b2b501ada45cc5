import { parseArgs } from 'node:util';
import { misspeltNames, readConfigOrExit } from '@smartlink/process/config';
import { addressSecretProblem } from '@smartlink/process/config-secrets';
import { createLogger } from '@smartlink/process/logger';
import { installShutdown } from '@smartlink/process/shutdown';
import { buildApp } from './app.js';
import { configSchema } from './config.js';
import { POSTGRES_WAIT_SECONDS, checkSchemas } from './start-checks.js';
import { SafetyStartError } from './url-safety/url-safety.js';

// Requests under way get 10 s; the relay and the connections need no more than a moment after that.
const SHUTDOWN_DEADLINE_MS = 12_000;

const config = readConfigOrExit(configSchema, process.env);
const log = createLogger({ service: 'management', level: config.LOG_LEVEL });
for (const reason of misspeltNames(configSchema, process.env))
  log.warn({ reason }, 'a variable looks misspelt');
if (addressSecretProblem(config.REDIS_URL) !== null) {
  log.warn('REDIS_URL has no password: whoever can reach that Redis decides where visitors are sent');
}

let onUnknown: (reason: string) => void = refuse;
const schemas = await checkSchemas(config, {
  waitMs: readWaitSeconds() * 1_000,
  log,
  onUnknown: (reason) => {
    onUnknown(reason);
  },
});
if (schemas.kind === 'refused') refuse(schemas.reason);
const app = await buildApp(config, log).catch((err: unknown) => {
  if (!(err instanceof SafetyStartError)) throw err;
  process.stderr.write(`${err.message}\n`);
  process.exit(1);
});

// Fastify's close: no new connections, requests under way to their end, then the plugins, last opened first closed.
const shutdown = installShutdown({
  log,
  deadlineMs: SHUTDOWN_DEADLINE_MS,
  steps: [
    { name: 'schemas', run: schemas.stop },
    { name: 'api', run: () => app.close() },
  ],
});
onUnknown = (reason) => {
  log.fatal({ reason }, 'the schema is not known');
  shutdown('the schema is not known', 1);
};

try {
  await app.listen({ host: config.MANAGEMENT_HOST, port: config.MANAGEMENT_PORT });
} catch (err) {
  const isTaken = err instanceof Error && 'code' in err && err.code === 'EADDRINUSE';
  if (isTaken) {
    process.stderr.write(
      `Port ${config.MANAGEMENT_PORT} on ${config.MANAGEMENT_HOST} is taken: stop what uses it or set MANAGEMENT_PORT.\n`,
    );
  } else log.fatal({ err }, 'the API cannot listen');
  shutdown('cannot listen', 1);
}

function refuse(reason: string): never {
  process.stderr.write(`The management service cannot start.\n  ${reason}\n`);
  process.exit(1);
}

/** Returns for how long Postgres is waited for: `--wait-seconds`, for whoever wants to know at once. */
function readWaitSeconds(): number {
  const { values } = parseArgs({ options: { 'wait-seconds': { type: 'string' } }, strict: false });
  const given = values['wait-seconds'];
  if (given === undefined) return POSTGRES_WAIT_SECONDS;
  if (typeof given === 'string' && /^\d{1,4}$/.test(given)) return Number(given);
  return refuse('--wait-seconds: expected a whole number of seconds, up to 9999');
}
