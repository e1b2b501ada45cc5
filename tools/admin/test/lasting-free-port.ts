import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a port that nobody listens on, above those that the system gives to whoever asks for any (up to 60,999 on Linux),
 * so that it stays free.
 */
export async function lastingFreePort(): Promise<string> {
  for (;;) {
    const port = randomInt(61_000, 65_536);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => {
        resolve(false);
      });
      server.listen(port, '127.0.0.1', () => {
        resolve(true);
      });
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return String(port);
  }
}
