import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createLogger } from '@smartlink/process/logger';
import { expect, test } from 'vitest';
import type { WorkerMessage } from './messages.js';
import { createWorkerPlace } from './worker-place.js';

test('what a worker said is not believed once it is gone', () => {
  const child = Object.assign(new EventEmitter(), { pid: 1 }) as unknown as ChildProcess;
  const heard: WorkerMessage[] = [];
  const place = createWorkerPlace({
    index: 0,
    spawn: () => child,
    log: createLogger({ service: 'test', level: 'silent' }),
    now: () => 0,
    onMessage: (message) => heard.push(message),
    onExit: () => false,
  });
  place.start();
  child.emit('message', { kind: 'listening' });
  expect(place.state()).toBe('listening');
  child.emit('exit', 1, null);
  child.emit('message', { kind: 'ready' });
  expect(place.state()).toBe('gone');
  expect(heard).toEqual([{ kind: 'listening' }]);
});
