// Loaded into every process of the service (NODE_OPTIONS=--import): writes what memory each of them takes, a line of
// JSON every quarter of a second, to `<MEMORY_PROBE_DIR>/<pid>.jsonl`.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MS = 250;

if (isMainThread) {
  const file = path.join(process.env.MEMORY_PROBE_DIR, `${process.pid}.jsonl`);
  setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage();
    appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), rss, heapUsed })}\n`);
  }, INTERVAL_MS).unref();
}
