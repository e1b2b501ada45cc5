// Loaded into measured processes before their program (node --import, which workers inherit). Listens on the socket
// <pid>.sock in the folder of its query string; answers the name of a question with JSON. The services need no door for that.
import { Session } from 'node:inspector';
import { createServer } from 'node:net';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** What a process uses now, and its processor time since its start. */
export type Usage = Readonly<Record<'rssBytes' | 'heapBytes' | 'externalBytes' | 'cpuMs', number>>;

export type CalledFunction = { readonly file: string; readonly name: string; readonly calls: number };

/** What a probe answers; `functions`: the project's functions called since the last question. */
export type Answers = {
  readonly usage: Usage;
  readonly 'usage after collection': Usage;
  readonly functions: readonly CalledFunction[];
};

const ROOT = new URL('../../../', import.meta.url).href;
const { searchParams } = new URL(import.meta.url);
const session = new Session();

function usage(): Usage {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rssBytes: rss, heapBytes: heapUsed, externalBytes: external, cpuMs: (user + system) / 1000 };
}

function calledFunctions(): readonly CalledFunction[] {
  const called: CalledFunction[] = [];
  // Synchronous: the session is of this thread.
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

const QUESTIONS: Readonly<Record<keyof Answers, () => unknown>> = {
  usage,
  'usage after collection': () => {
    // Twice: the first collection frees what the second finds unused, such as the contents of weak references.
    for (let i = 0; i < 2; i += 1) globalThis.gc?.();
    return usage();
  },
  functions: calledFunctions,
};

if (isMainThread) {
  if (searchParams.has('coverage')) {
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  const server = createServer((socket) => {
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.once('data', (question) => {
      socket.end(JSON.stringify(QUESTIONS[String(question) as keyof Answers]()));
    });
  });
  server.listen(path.join(searchParams.get('folder') ?? '.', `${process.pid}.sock`)).unref();
}
