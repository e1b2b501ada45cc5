// Holds many connections to a server, each of which has made a visit. Told what to do by messages, one at a time:
// `refresh` has every connection visit once more, and then now and again where that is asked for; `end` ends it. Each is
// answered by what was done so far.
import { openConnection, requestHead } from '../visit-client.js';
import type { Connection } from '../visit-client.js';
import type { HolderSettings, Held } from './holder.js';

const AT_ONCE = 250;
const TURN_MS = 20;

const { url, path, connections, everyMs } = JSON.parse(process.argv[2] ?? '{}') as HolderSettings;
const request = `GET ${path} ${requestHead()}`;
const open: Connection[] = [];
const underWay = new Set<number>();
let visits = 0;
let wrong = 0;
let lost = 0;

process.on('message', (message) => {
  if (message === 'refresh') void refresh();
  else end();
});
// Whoever started this is gone.
process.on('disconnect', () => {
  process.exit(0);
});

for (let from = 0; from < connections; from += AT_ONCE)
  await visitAll(from, Math.min(connections, from + AT_ONCE));
tell();

async function refresh(): Promise<void> {
  for (let from = 0; from < connections; from += AT_ONCE)
    await visitAll(from, Math.min(connections, from + AT_ONCE));
  lost = 0;
  tell();
  if (everyMs !== null) visitNowAndAgain(everyMs);
}

function end(): void {
  lost += open.filter((connection) => !connection.isOpen()).length;
  tell(() => process.exit(0));
}

/** Has every connection visit once in `everyMs`, spread over that time. */
function visitNowAndAgain(everyMs: number): void {
  const startedAt = performance.now();
  let due = 0;
  setInterval(() => {
    const reached = ((performance.now() - startedAt) / everyMs) * connections;
    for (; due < reached; due += 1) void visit(due % connections);
  }, TURN_MS);
}

async function visitAll(from: number, to: number): Promise<void> {
  await Promise.all(Array.from({ length: to - from }, (_, i) => visit(from + i)));
}

/** Makes a visit, over a new connection where the server has closed the old one. One that waits for its answer makes none. */
async function visit(index: number): Promise<void> {
  if (underWay.has(index)) return;
  underWay.add(index);
  try {
    let connection = open[index];
    if (connection?.isOpen() === false) lost += 1;
    if (connection?.isOpen() !== true) {
      connection = await openConnection(url);
      open[index] = connection;
    }
    if ((await connection.ask(request)) === 302) visits += 1;
    else wrong += 1;
  } catch {
    // It was closed just now, and counts as lost when it is looked at next.
  } finally {
    underWay.delete(index);
  }
}

function tell(done?: () => void): void {
  const held: Held = { visits, wrong, lost };
  process.send?.(held, undefined, undefined, () => done?.());
}
