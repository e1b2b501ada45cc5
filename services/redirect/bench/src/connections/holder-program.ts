// Holds many connections to a server, each of which has made a visit. Told what to do by messages, one at a time:
// `refresh` has every connection visit once more, and then now and again where that is asked for; `end` ends it. Each is
// answered by what was done so far.
import { openConnection, requestHead } from '../visit-client.js';
import type { HolderSettings, Held } from './holder.js';

const CONNECT_AT_ONCE = 100;
const TURN_MS = 20;

const { url, path, connections, everyMs } = JSON.parse(process.argv[2] ?? '{}') as HolderSettings;
const request = `GET ${path} ${requestHead()}`;
type Connection = Awaited<ReturnType<typeof openConnection>>;

const open: Connection[] = [];
const waiting = new Set<Connection>();
let visits = 0;
let failures = 0;

process.on('message', (message) => {
  if (message === 'refresh') void refresh();
  else tell(() => process.exit(0));
});
// Whoever started this is gone.
process.on('disconnect', () => {
  process.exit(0);
});

for (let i = 0; i < connections; i += CONNECT_AT_ONCE) {
  const some = Math.min(CONNECT_AT_ONCE, connections - i);
  const opened = await Promise.all(Array.from({ length: some }, () => openConnection(url)));
  open.push(...opened);
  await Promise.all(opened.map(visit));
}
tell();

async function refresh(): Promise<void> {
  await visitAll();
  tell();
  if (everyMs !== null) visitNowAndAgain(everyMs);
}

/** Has every connection visit once in `everyMs`, spread over that time. */
function visitNowAndAgain(everyMs: number): void {
  const startedAt = performance.now();
  let due = 0;
  setInterval(() => {
    const reached = ((performance.now() - startedAt) / everyMs) * open.length;
    for (; due < reached; due += 1) {
      const connection = open[due % open.length];
      // One that waits for its answer has a visit under way, as it should.
      if (connection !== undefined && !waiting.has(connection)) void visit(connection);
    }
  }, TURN_MS);
}

async function visitAll(): Promise<void> {
  for (let i = 0; i < open.length; i += CONNECT_AT_ONCE)
    await Promise.all(open.slice(i, i + CONNECT_AT_ONCE).map(visit));
}

async function visit(connection: Connection): Promise<void> {
  waiting.add(connection);
  try {
    if ((await connection.ask(request)) === 302) visits += 1;
    else failures += 1;
  } catch {
    failures += 1;
  } finally {
    waiting.delete(connection);
  }
}

function tell(done?: () => void): void {
  const held: Held = { visits, failures };
  process.send?.(held, undefined, undefined, () => done?.());
}
