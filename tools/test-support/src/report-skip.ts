import { appendFileSync } from 'node:fs';

/**
 * Reports that tests are skipped for lack of a tool: prints the reason, and adds it to the end of an `npm test` run. Throws
 * instead when `SMARTLINK_REQUIRE`, a list separated by commas, names the tool.
 */
export function reportSkip(tool: string, reason: string): void {
  const required = (process.env['SMARTLINK_REQUIRE'] ?? '').split(',').map((name) => name.trim());
  if (required.includes(tool)) throw new Error(`SMARTLINK_REQUIRE names ${tool}: ${reason}`);
  const line = `${tool}: ${reason.replaceAll(/\s+/g, ' ')}\n`;
  process.stdout.write(`Tests skipped without ${line}`);
  const file = process.env['SMARTLINK_SKIPS'];
  if (file !== undefined) appendFileSync(file, line);
}
