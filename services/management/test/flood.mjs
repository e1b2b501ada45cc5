// node flood.mjs: sends the requests of one account, read from standard input as a line of JSON, in turn and `concurrency` at a
// time, until standard input is closed. Then prints how many got which status, and the times of each request by its name, in
// ms. A process of its own: what it does delays neither the service nor other clients.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

const lines = createInterface({ input: process.stdin });
const [text] = await once(lines, 'line');
const { requests, concurrency, pauseMs, keys } = JSON.parse(text);
const dispatcher = new Agent({ connections: concurrency, headersTimeout: 120_000, bodyTimeout: 120_000 });
const statuses = {};
const times = Object.fromEntries(requests.map(({ name }) => [name, []]));
const turns = { requests: 0, keys: 0 };
let isOver = false;
lines.once('close', () => (isOver = true));

function next(list, of) {
  turns[of] += 1;
  return list[turns[of] % list.length];
}

async function sendUntilOver() {
  while (!isOver) {
    const { name, url, method, body } = next(requests, 'requests');
    const headers = { authorization: `Bearer ${next(keys, 'keys')}`, 'content-type': 'application/json' };
    const startedAt = performance.now();
    const answer = await request(url, { dispatcher, method, headers, body });
    for await (const _chunk of answer.body);
    times[name].push(performance.now() - startedAt);
    statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    await pause(pauseMs);
  }
}
await Promise.all(Array.from({ length: concurrency }, sendUntilOver));
// At once, and only when the pipe has taken it all.
process.stdout.write(`${JSON.stringify({ statuses, times })}\n`, () => process.exit(0));
