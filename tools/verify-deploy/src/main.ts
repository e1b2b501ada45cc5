// `npm run verify:deploy`: every check of what is deployed and operated that this machine allows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Check, Outcome } from './check.js';
import { CHECKS } from './checks.js';
import { keptVariables } from './kept-variables.js';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const ID_WIDTH = 22;

const LIST = CHECKS.map(({ id, title }) => `  ${id.padEnd(ID_WIDTH)}${title}`).join('\n');
const HELP = `npm run verify:deploy [-- --only ID,ID]

Checks what is deployed and operated, as far as this machine allows, and says what it could not check, and why. Tools that
are not in PATH are installed into ~/.cache/smartlink where Go or Python can. Ends with 1 when a check fails.

${LIST}

  --only ID,ID  some checks alone
  --list        the names of all checks`;

// Before anything runs, so that no check and no program of one can forget to.
process.env = keptVariables(process.env);
process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = chooseChecks();
  if (typeof chosen === 'number') return chosen;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort(new Error('interrupted'));
    });
  }
  const counts = { held: 0, failed: 0, skipped: 0 };
  for (const check of chosen) {
    if (stop.signal.aborted) break;
    const startedAt = performance.now();
    const outcome = await runCheck(check, stop.signal);
    counts[outcome.kind] += 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${outcome.kind.padEnd(9)}${check.id.padEnd(ID_WIDTH)}${check.title} (${seconds} s)`);
    for (const line of linesOf(outcome)) console.log(`         ${line}`);
  }
  const notRun = chosen.length - counts.held - counts.failed - counts.skipped;
  if (notRun > 0) console.log(`\nInterrupted: ${notRun} checks were not run`);
  console.log(`\n${counts.held} held, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 && notRun === 0 ? 0 : 1;
}

/** Returns the checks that are asked for, or the exit code when none is to be run. */
function chooseChecks(): readonly Check[] | number {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help || values.list) {
      console.log(values.list ? LIST : HELP);
      return 0;
    }
    if (values.only === undefined) return CHECKS;
    const ids = values.only.split(',').map((id) => id.trim());
    const unknown = ids.filter((id) => !CHECKS.some((check) => check.id === id));
    if (unknown.length > 0) {
      console.error(`There is no check ${unknown.join(', ')}:\n${LIST}`);
      return 2;
    }
    return CHECKS.filter(({ id }) => ids.includes(id));
  } catch (err) {
    console.error(err instanceof Error ? err.message : String(err));
    return 2;
  }
}

async function runCheck(check: Check, signal: AbortSignal): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-verify-'));
  const report = (line: string) => {
    console.error(`  … ${check.id}: ${line}`);
  };
  try {
    return await check.run({ root: ROOT, folder, report, signal });
  } catch (err) {
    return { kind: 'failed', problems: [err instanceof Error ? err.message : String(err)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linesOf(outcome: Outcome): readonly string[] {
  if (outcome.kind === 'held') return outcome.figure.split('\n');
  if (outcome.kind === 'skipped') return [outcome.reason];
  return outcome.problems.flatMap((problem) => problem.split('\n'));
}
