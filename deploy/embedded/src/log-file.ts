import { copyFileSync, readFileSync, statSync, truncateSync } from 'node:fs';

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const READ_BYTES_MAX = 64 * 1024;

/** Copies a log above 10 MB to `.old` and empties it. Not renamed, because the process appends to the file it has open. */
export function cutLog(file: string): void {
  try {
    if (statSync(file).size <= LOG_BYTES_MAX) return;
    copyFileSync(file, `${file}.old`);
    truncateSync(file);
  } catch {
    // No log yet, or a full disk: the next check tries again.
  }
}

/** The last `count` lines from byte `start` on, within the last 64 KiB; empty when the file cannot be read. */
export function readLastLines(file: string, count: number, start: number): string {
  try {
    const log = readFileSync(file);
    // A log that has been cut is shorter than at the start.
    const own = log.subarray(start > log.length ? 0 : start);
    const lines = own.subarray(-READ_BYTES_MAX).toString().trimEnd().split('\n');
    const isFirstIncomplete = own.length > READ_BYTES_MAX;
    return lines
      .slice(isFirstIncomplete ? 1 : 0)
      .slice(-count)
      .join('\n');
  } catch {
    return '';
  }
}

const IGNORED_LEVELS = ['trace', 'debug', 'info'];

type LogLine = { level: string; msg?: string; err?: { message: string }; reason?: unknown };

/** Level, message and error or reason of the JSON lines from a warning up; other lines unchanged, without empty ones. */
export function findWarnings(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return line.trim() === '' ? [] : [line];
    try {
      const { level, msg = '', err, reason } = JSON.parse(line) as LogLine;
      const details = [err?.message, reason].filter((detail) => typeof detail === 'string');
      return IGNORED_LEVELS.includes(level)
        ? []
        : [`${level}: ${msg}${details.map((detail) => ` (${detail})`).join('')}`];
    } catch {
      return [line];
    }
  });
}
