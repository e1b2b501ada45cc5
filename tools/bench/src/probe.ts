// Loaded into measured processes before their program (node --import, which workers inherit). Listens on the socket
// <pid>.sock in the folder of its query string and answers the name of a question with JSON.
import { Session } from 'node:inspector';
import { createServer } from 'node:net';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

export type CalledFunction = { readonly file: string; readonly name: string; readonly calls: number };

export type Answers = {
  /** Memory after a garbage collection; `usedBytes`: heap and external memory. */
  readonly memory: { readonly rssBytes: number; readonly usedBytes: number };
  /** The project's functions called since the last question. */
  readonly functions: readonly CalledFunction[];
};

const ROOT = new URL('../../../', import.meta.url).href;
const { searchParams } = new URL(import.meta.url);
const session = new Session();

function readMemory(): Answers['memory'] {
  // The second collection frees what the first one found unused, such as the contents of weak references.
  for (let i = 0; i < 2; i += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rssBytes: rss, usedBytes: heapUsed + external };
}

function readFunctions(): Answers['functions'] {
  const called: CalledFunction[] = [];
  // Synchronous: the session belongs to this thread.
  session.post('Profiler.takePreciseCoverage', (_err, { result }) => {
    for (const { url, functions } of result) {
      if (!url.startsWith(ROOT) || url.includes('/node_modules/') || url.includes('/bench/dist/')) continue;
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges;
        const name = `${functionName}:${startOffset}`;
        if (count > 0) called.push({ file: url.slice(ROOT.length), name, calls: count });
      }
    }
  });
  return called;
}

if (isMainThread) {
  if (searchParams.has('coverage')) {
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.once('data', (question) => {
      socket.end(JSON.stringify(String(question) === 'memory' ? readMemory() : readFunctions()));
    });
  });
  server.listen(path.join(searchParams.get('folder') ?? '.', `${process.pid}.sock`)).unref();
}
