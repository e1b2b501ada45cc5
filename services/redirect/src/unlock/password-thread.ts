import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@smartlink/process/thread';
import { verifyPasswordHere } from '@smartlink/smartlink/credentials';
import type { PasswordJob, PasswordResult } from './password-checker.js';

// The thread in which passwords are checked. A pool of libuv does it as well, but at the priority of visits: with 200
// tries at once the slowest percent of visits took more than twice as long.
const port = parentPort;
if (port === null) throw new Error('This is a thread of the redirect service');
lowerThreadPriority();

port.on('message', ({ id, phc, password }: PasswordJob) => {
  const result: PasswordResult = { id, isRight: verifyPasswordHere(phc, password) };
  port.postMessage(result);
});
