// Loaded into each server before its program (node --import): tells the bench, over the channel it was started with,
// what the process has used. The service itself needs no door for that.
import type { Usage } from './server-process.js';

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('probe' in message)) return;
  // Twice: the first collection frees what the second finds unused, such as the contents of weak references.
  if (message.probe === 'after collection') for (let i = 0; i < 2; i += 1) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const usage: Usage = { rssBytes: rss, heapUsedBytes: heapUsed, cpuMs: (user + system) / 1000 };
  process.send?.(usage);
});
// Listening for messages must not keep a process that would end.
process.channel?.unref();
