import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '@smartlink/process/lifecycle';
import type { PrimaryMessage, WorkerMessage } from '../worker/protocol.js';
import { createWorkerPlace } from './supervisor.js';

class FakeWorker extends EventEmitter {
  readonly told: PrimaryMessage['kind'][] = [];
  readonly connected = true;

  readonly pid: number;
  readonly isReplacement: boolean;

  constructor(pid: number, isReplacement: boolean) {
    super();
    this.pid = pid;
    this.isReplacement = isReplacement;
  }

  send(message: PrimaryMessage): void {
    this.told.push(message.kind);
  }

  says(kind: 'listening' | 'ready'): void {
    this.emit('message', { kind });
  }

  /** Ends on the signal when there is one, else with code 1. */
  ends(signal: string | null = null): void {
    this.emit('exit', signal === null ? 1 : null, signal);
  }

  kill(signal: string): void {
    this.ends(signal);
  }
}

function openPlace({ replacementDeadlineMs = 10_000, isRestarted = false } = {}) {
  const workers: FakeWorker[] = [];
  const heard: WorkerMessage[] = [];
  const gone: number[] = [];
  const place = createWorkerPlace({
    index: 0,
    spawn: ({ isReplacement }) => {
      const worker = new FakeWorker(workers.length + 1, isReplacement);
      workers.push(worker);
      return worker as unknown as ChildProcess;
    },
    log: createLogger({ service: 'test', level: 'silent' }),
    now: () => 0,
    onMessage: (_pid, message) => heard.push(message),
    onGone: (pid) => gone.push(pid),
    onExit: () => isRestarted,
    replacementDeadlineMs,
  });
  const worker = (pid: number): FakeWorker => {
    const found = workers[pid - 1];
    if (!found) throw new Error(`worker ${pid} was never started`);
    return found;
  };
  return { place, worker, workers, heard, gone };
}

test('messages of a worker that has ended are ignored', () => {
  const { place, worker, heard } = openPlace();
  place.start();
  worker(1).says('listening');
  expect(place.state()).toBe('listening');
  worker(1).ends();
  worker(1).says('ready');
  expect(place.state()).toBe('gone');
  expect(heard).toEqual([{ kind: 'listening' }]);
});

test('a worker drains only once its replacement can serve', async () => {
  const { place, worker, gone } = openPlace();
  place.start();
  worker(1).says('ready');
  const replaced = place.replace();
  worker(2).says('listening');
  expect([worker(2).isReplacement, worker(1).told, place.draining()]).toEqual([true, [], 0]);
  worker(2).says('ready');
  await new Promise(setImmediate);
  expect([worker(1).told, place.draining(), place.state()]).toEqual([['drain'], 1, 'ready']);
  worker(1).ends('0');
  expect(await replaced).toBeNull();
  expect([place.draining(), gone]).toEqual([0, [1]]);
});

test('a replacement that ends before it can serve leaves the worker in its place', async () => {
  const { place, worker, workers } = openPlace();
  place.start();
  worker(1).says('ready');
  const replaced = place.replace();
  worker(2).emit('message', { kind: 'failed', reason: 'no such folder' });
  worker(2).ends();
  expect(await replaced).toBe('no such folder');
  expect([worker(1).told, place.state(), workers.length]).toEqual([[], 'ready', 2]);
});

test('a replacement that is not ready in time is stopped, and the worker stays', async () => {
  const { place, worker } = openPlace({ replacementDeadlineMs: 1 });
  place.start();
  worker(1).says('ready');
  const replaced = place.replace();
  worker(2).send = () => {
    worker(2).ends('stopped');
  };
  expect(await replaced).toBe('it was not ready within 1 ms');
  expect([worker(1).told, place.state()]).toEqual([[], 'ready']);
});

test('a worker that dies while its replacement starts is followed by that, and by no third', async () => {
  const { place, worker, workers } = openPlace({ isRestarted: true });
  place.start();
  worker(1).says('ready');
  const replaced = place.replace();
  worker(1).ends('SIGKILL');
  worker(2).says('ready');
  expect(await replaced).toBeNull();
  expect([workers.length, place.state()]).toEqual([2, 'ready']);
});

test('a replacement that dies while the old worker drains is said to have failed', async () => {
  const { place, worker } = openPlace();
  place.start();
  worker(1).says('ready');
  const replaced = place.replace();
  worker(2).says('ready');
  await new Promise(setImmediate);
  worker(2).ends('SIGSEGV');
  worker(1).ends('0');
  expect(await replaced).toBe('it ended soon after it had taken over');
});

test('a stop during a replacement ends both processes and starts no other', async () => {
  const { place, worker, workers } = openPlace({ isRestarted: true });
  place.start();
  worker(1).says('ready');
  const replaced = place.replace();
  const stopped = place.stop(1_000);
  expect([worker(1).told, worker(2).told]).toEqual([['stop'], ['stop']]);
  worker(2).ends('0');
  worker(1).ends('0');
  await stopped;
  expect(await replaced).toBe('it ended (0)');
  expect(workers).toHaveLength(2);
});
