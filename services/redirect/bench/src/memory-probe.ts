// Loaded into the processes of a redirect service before their program (node --import, which workers inherit): whoever
// connects to the socket <pid>.sock in the folder that its address names is told what the process holds. The service
// itself needs no door for that.
import { createServer } from 'node:net';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** After garbage was collected, in bytes. */
export type Usage = { readonly rssBytes: number; readonly heapBytes: number; readonly externalBytes: number };

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '.';
const server = createServer((socket) => {
  // Twice: the first collection frees what the second finds unused, such as the contents of weak references.
  for (let i = 0; i < 2; i += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const usage: Usage = { rssBytes: rss, heapBytes: heapUsed, externalBytes: external };
  socket.on('error', () => undefined);
  socket.end(JSON.stringify(usage));
});
// Threads of a process load this too. Nobody must wait for it to end.
if (isMainThread) server.listen(path.join(folder, `${process.pid}.sock`)).unref();
