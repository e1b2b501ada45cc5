import { pino } from 'pino';
import type { Logger, DestinationStream } from 'pino';

export type { Logger } from 'pino';

// Where a secret could slip into an object that is logged. Values are cut, names stay.
const SECRET_PATHS = ['authorization', 'cookie', 'password', 'apiKey', 'passwordHash'];

// What errors tell beside their message: Postgres the whole row that it refused (detail) or the text that it was reading
// (where), ioredis the arguments of the command.
const ERROR_CONTENT_PATHS = ['err.detail', 'err.where', 'err.command.args'];

/**
 * Returns the process's root logger: JSON lines with ISO times on standard output (or `destination`).
 * Children per component come from `.child({ component })`.
 */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [...SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]), ...ERROR_CONTENT_PATHS],
      censor: '[redacted]',
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
