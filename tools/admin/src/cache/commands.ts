import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { publishSnapshots } from '@smartlink/links/publish';
import { failureMessage } from '@smartlink/process/database';
import { readCount } from '../cli/options.js';
import { print, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { withSession } from '../engines/session.js';
import { readSmartlinkId } from '../visits/scope.js';
import { estimateRows, listKeys, pickReadable, readTruth, withRedis } from './redis.js';
import { verifyCache, type VerifyOptions } from './verify.js';

const COUNT_MAX = 999_999_999;

export function addCacheCommands(program: Command, terminal: Terminal): void {
  const cache = program.command('cache').description('check and fill the snapshots in Redis');
  cache
    .command('warm')
    .description('publish smartlinks from Postgres to Redis, newest first')
    .option('-n, --limit <n>', 'maximum number of smartlinks to publish', countOf('--limit'))
    .option('--rate <n>', 'maximum number of addresses per second', countOf('--rate'), 5_000)
    .option(
      '--after <id>',
      'continue after this smartlink, as printed by an interrupted run',
      readSmartlinkId('--after'),
    )
    .option('-j, --json', 'print {"smartlinks","addresses","unreadable"}')
    .addHelpText(
      'after',
      `
Visits to links that are missing from Redis read Postgres; this command saves that load. Newer or equal entries in Redis are
kept, so it may run beside live traffic. Snapshots stay in Redis for 24 hours.
${examples('cache warm', 'cache warm --limit 100000 --rate 2000')}`,
    )
    .action((options: WarmOptions) => warmCache(terminal, options));
  cache
    .command('verify')
    .description('compare Redis with Postgres and print the differences')
    .option('--sample <n>', 'compare a random sample of this many addresses', countOf('--sample'))
    .option('--repair', 'correct the differences')
    .option(
      '-j, --json',
      'print {"checked","right","missing","changing","older","newer","different","damaged","unknown","unreadable","repaired"}',
    )
    .addHelpText(
      'after',
      `
A missing entry is not a fault, because visits fill it in. Differences are compared again a moment later, so changes under way
are not reported. Without --sample, addresses that only Redis knows are found too, as after a restore. The exit code is 1 if
faults remain.
${examples('cache verify', 'cache verify --sample 10000', 'cache verify --repair')}`,
    )
    .action((options: VerifyOptions) => verifyCache(terminal, options));
}

const countOf = (option: string) => (text: string) => readCount(option, text, 1, COUNT_MAX);

/** `rate`: addresses a second at most. Without a `limit` all smartlinks are published. */
type WarmOptions = {
  readonly limit?: number;
  readonly rate: number;
  readonly after?: string;
  readonly json?: true;
};

const SMARTLINKS_PER_QUERY = 500;

// Ids follow the time of creation, so the primary key has the newest first.
const LIST_NEWEST = `
select id as key from smartlinks
where status <> 'Deleted' and ($1::uuid is null or id < $1)
order by id desc limit $2`;

/**
 * Publishes smartlinks, newest first, so that Redis has them before visitors ask. Throws Problem with the place to continue
 * at when it is interrupted or an engine fails.
 */
async function warmCache(terminal: Terminal, options: WarmOptions): Promise<void> {
  const done = { smartlinks: 0, addresses: 0, unreadable: 0 };
  let last = options.after ?? null;
  const startedAt = performance.now();
  const soFar = () => {
    const goOn = last === null ? '' : `; cache warm --after ${last} continues`;
    return ` after ${plural(done.smartlinks, 'smartlink')}${goOn}.`;
  };
  await withSession(terminal.env, (session) =>
    withRedis(session, ({ redis, keyPrefix }) =>
      whileListening(terminal, soFar, async (signal) => {
        const { db } = session;
        const { limit = Infinity, rate } = options;
        const total = Math.min(limit, await estimateRows(db, 'smartlinks'));
        try {
          await withProgress(terminal, { doing: 'Publishing', total, unit: 'smartlinks' }, async (add) => {
            const beganAt = performance.now();
            while (done.smartlinks < limit) {
              const count = Math.min(limit - done.smartlinks, SMARTLINKS_PER_QUERY);
              const ids = await listKeys(db, LIST_NEWEST, last, count);
              if (ids.length === 0) return;
              const ofThem = 'select key from slugs where smartlink_id = any($1::uuid[])';
              for await (const { snapshots } of readTruth(db, await listKeys(db, ofThem, ids))) {
                signal.throwIfAborted();
                const readable = pickReadable(snapshots);
                await publishSnapshots(redis, keyPrefix, readable);
                done.addresses += readable.size;
                done.unreadable += snapshots.size - readable.size;
                const aheadMs = (done.addresses / rate) * 1_000 - (performance.now() - beganAt);
                if (aheadMs > 0) await wait(aheadMs, undefined, { signal });
              }
              done.smartlinks += ids.length;
              last = ids.at(-1) ?? null;
              add(ids.length);
            }
          });
        } catch (err) {
          throw signal.aborted ? err : new Problem(`It broke off: ${failureMessage(err)}${soFar()}`);
        }
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const { smartlinks, addresses, unreadable } = done;
  const rate = `${seconds.toFixed(1)} s (${Math.round(addresses / seconds)} a second)`;
  print(
    terminal,
    options.json,
    done,
    `Published ${plural(smartlinks, 'smartlink')} under ${addresses} addresses in ${rate}.\n`,
  );
  if (unreadable > 0) {
    const rows = plural(unreadable, 'row');
    throw new Problem(`No snapshot can be made of ${rows} of Postgres: cache verify names them.`);
  }
}
