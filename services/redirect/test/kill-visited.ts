import { readFileSync } from 'node:fs';
import { until } from '@smartlink/test-support/until';
import { parseSocketLine, socketsOf } from '../src/worker/listen-queue.js';

/**
 * Kills one of `workers`, which serve visitors on `port` in this namespace or another, at a moment when a visit waits
 * for it: it is stopped first, until what a visitor has sent lies unread in a connection that it has accepted. So this
 * visit fails for certain. Where the system does not tell of connections (it is not Linux), the first is killed at any
 * moment. Returns whether a visit waited.
 */
export async function killVisited(workers: readonly number[], port: number): Promise<boolean> {
  if (process.platform !== 'linux') {
    process.kill(workers[0]!, 'SIGKILL');
    return false;
  }
  const pid = await until(() => workers.find((one) => connectionsOf(one, port).length > 0), 'one is visited');
  process.kill(pid, 'SIGSTOP');
  try {
    const isAwaited = () => connectionsOf(pid, port).some(({ waiting }) => waiting > 0);
    await until(isAwaited, 'a visit waits for the worker that is stopped');
  } finally {
    process.kill(pid, 'SIGKILL');
  }
  return true;
}

function connectionsOf(pid: number, port: number) {
  const own = socketsOf(pid);
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map(parseSocketLine)
    .filter((socket) => socket !== null)
    .filter((socket) => socket.state === 'connected' && socket.port === port && own.has(socket.inode));
}
