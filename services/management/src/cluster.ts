import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { AggregatorRegistry, Registry } from 'prom-client';
import { withTimeLimit } from '@smartlink/process/database';
import type { InternalAnswer, Logger } from '@smartlink/process/lifecycle';
import type { MetricValues } from './fairness/heavy-requests.js';

type Probe = '/-/live' | '/-/ready';
type Question = { readonly id: number; readonly path: Probe | '/-/metrics' };
type Reply = { readonly id: number; readonly answer: InternalAnswer | readonly MetricValues[] };

/** Answers of a process of the service to its primary. */
export type Internals = {
  readonly probe: (path: Probe) => Promise<InternalAnswer>;
  readonly readMetrics: () => Promise<readonly MetricValues[]>;
};

const ANSWER_MS_MAX = 3_000;
const RESTART_PAUSE_MS = 1_000;

/** In a process started by `startProcesses`: answers its primary. Node ends the process with its primary. */
export function answerPrimary({ probe, readMetrics }: Internals): void {
  process.on('message', ({ id, path }: Question) => {
    const answered: Promise<Reply['answer']> = path === '/-/metrics' ? readMetrics() : probe(path);
    answered.then(
      (answer) => process.send?.({ id, answer } satisfies Reply),
      // The primary stops waiting after 3 s.
      () => undefined,
    );
  });
}

/**
 * Starts `count` processes of this program that share its port, and restarts those that end. `onRefused` is called when one
 * ends before any has listened: its configuration or the schema is at fault.
 */
export function startProcesses(
  count: number,
  { log, onRefused }: { readonly log: Logger; readonly onRefused: (exitCode: number) => void },
) {
  // Each accepts connections by itself: those that the primary had just given to one that ends would stay open, unanswered.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let isStopping = false;
  let hasListened = false;
  let lastId = 0;

  function start(): void {
    const worker = cluster.fork();
    worker.once('listening', () => (hasListened = true));
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      if (!hasListened) {
        onRefused(code);
        return;
      }
      log.error({ exitCode: code, signal, worker: worker.id }, 'process ended and is restarted');
      void pause(RESTART_PAUSE_MS).then(() => {
        if (!isStopping) start();
      });
    });
  }
  for (let i = 0; i < count; i += 1) start();

  const workers = (): readonly Worker[] =>
    Object.values(cluster.workers ?? {}).filter((each) => each !== undefined);

  async function request(worker: Worker, path: Question['path']): Promise<Reply['answer']> {
    lastId += 1;
    const id = lastId;
    let onMessage: (reply: Reply) => void = () => undefined;
    const answered = new Promise<Reply['answer']>((resolve, reject) => {
      onMessage = (reply) => {
        if (reply.id === id) resolve(reply.answer);
      };
      worker.on('message', onMessage);
      // Without this callback, a process that has just ended would end the primary by an error event.
      worker.send({ id, path } satisfies Question, (err) => {
        if (err !== null) reject(err);
      });
    });
    return withTimeLimit(ANSWER_MS_MAX, answered).finally(() => worker.off('message', onMessage));
  }

  return {
    /** The answer of the first process that gives one; ready if one is. */
    async probe(path: Probe): Promise<InternalAnswer> {
      const answers = await Promise.allSettled(workers().map((each) => request(each, path)));
      const given = answers.flatMap((each) =>
        each.status === 'fulfilled' ? [each.value as InternalAnswer] : [],
      );
      return (
        given.find(({ status }) => status === 200) ?? given[0] ?? { status: 503, text: 'no process answers' }
      );
    },
    /** The metrics of all processes, added up; those of a process that does not answer are missing. */
    async readMetrics(): Promise<readonly MetricValues[]> {
      const answers = await Promise.allSettled(workers().map((each) => request(each, '/-/metrics')));
      return answers.flatMap((each) => (each.status === 'fulfilled' ? (each.value as MetricValues[]) : []));
    },
    /** Ends the processes as SIGTERM does, and waits for them. */
    async stop(): Promise<void> {
      isStopping = true;
      const running = workers();
      for (const worker of running) worker.process.kill('SIGTERM');
      await Promise.all(running.filter((each) => !each.isDead()).map((each) => once(each, 'exit')));
    },
  };
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of processes and threads together, in the text format. */
export function formatMetrics(metrics: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...metrics]).metrics();
}
