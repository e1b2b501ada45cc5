import { appendFileSync } from 'node:fs';

/**
 * Prints why tests are skipped without a tool, also at the end of `npm test`. Throws instead if the comma-separated
 * `SMARTLINK_REQUIRE` names the tool.
 */
export function reportSkip(tool: string, reason: string): void {
  const required = (process.env['SMARTLINK_REQUIRE'] ?? '').split(',').map((name) => name.trim());
  if (required.includes(tool)) throw new Error(`SMARTLINK_REQUIRE names ${tool}: ${reason}`);
  const line = `${tool}: ${reason.replaceAll(/\s+/g, ' ')}\n`;
  process.stdout.write(`Tests skipped without ${line}`);
  const file = process.env['SMARTLINK_SKIPS'];
  if (file !== undefined) appendFileSync(file, line);
}
