// `npm run verify:deploy`: runs the usual tools over what is deployed.
import { parseArgs } from 'node:util';
import { type Check, CHECKS } from './checks.js';
import { MissingTool } from './tools.js';

const ID_WIDTH = 22;
const LIST = CHECKS.map(({ id, title }) => `  ${id.padEnd(ID_WIDTH)}${title}`).join('\n');
const HELP = `npm run verify:deploy [-- --only ID,ID]

Checks the deployment files with the tools of their formats. Go and pip install missing tools into ~/.cache/smartlink;
a check whose tool cannot be installed is skipped with the reason. Exit code 1 when a check fails.

${LIST}

  --only ID,ID  run these checks only
  --list        list the checks`;

process.exitCode = await main();

async function main(): Promise<number> {
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
    const ids = values.only?.split(',').map((id) => id.trim()) ?? CHECKS.map(({ id }) => id);
    const unknown = ids.filter((id) => !CHECKS.some((check) => check.id === id));
    if (unknown.length === 0) return await runAll(CHECKS.filter(({ id }) => ids.includes(id)));
    console.error(`Unknown check: ${unknown.join(', ')}\n${LIST}`);
  } catch (err) {
    console.error(err instanceof Error ? err.message : String(err));
  }
  return 2;
}

async function runAll(checks: readonly Check[]): Promise<number> {
  const counts = { held: 0, failed: 0, skipped: 0 };
  for (const { id, title, findProblems } of checks) {
    const startedAt = performance.now();
    let kind: keyof typeof counts;
    let lines: readonly string[];
    try {
      lines = await findProblems();
      kind = lines.length === 0 ? 'held' : 'failed';
    } catch (err) {
      lines = [err instanceof Error ? err.message : String(err)];
      kind = err instanceof MissingTool ? 'skipped' : 'failed';
    }
    counts[kind] += 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${kind.padEnd(9)}${id.padEnd(ID_WIDTH)}${title} (${seconds} s)`);
    for (const line of lines.flatMap((each) => each.split('\n'))) console.log(`         ${line}`);
  }
  console.log(`\n${counts.held} held, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0 ? 0 : 1;
}
