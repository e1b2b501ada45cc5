import { z } from 'zod';

const lineSchema = z.object({
  level: z.union([z.number(), z.string()]),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).optional(),
  reason: z.string().optional().catch(undefined),
});

/** Returns log lines for a person: of pino's JSON the level, the message and the error or reason; other lines as they are. */
export function readableLog(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${readableLine(line)}`)
    .join('\n');
}

/** Returns the lines without empty ones and those of pino's below a warning. */
export function withoutInfo(lines: readonly string[]): readonly string[] {
  return lines.filter(
    (line) => line.trim() !== '' && !/^\{"level":(?:[123]0|"(?:trace|debug|info)")[,}]/.test(line),
  );
}

function readableLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { level, msg, err, reason } = lineSchema.parse(JSON.parse(line));
    const name = LEVELS[level] ?? String(level);
    return [`${name}:`, msg, err && `(${err.message})`, reason && `(${reason})`].filter(Boolean).join(' ');
  } catch {
    return line;
  }
}

const LEVELS: Readonly<Record<number | string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
