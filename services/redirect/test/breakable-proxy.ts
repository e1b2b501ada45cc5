import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type BreakableProxy = {
  /** `url` with the proxy's address in place of the engine's. */
  readonly url: string;
  /** As when the engine is killed: connections are reset, new ones refused. */
  readonly kill: () => Promise<void>;
  /** As when the network is cut: connections stay open, and nothing comes through any more. */
  readonly freeze: () => void;
  /** As when the way to the engine was lost: connections that are open carry nothing any more, new ones work. */
  readonly freezeOpen: () => void;
  /** The engine is back at its address. Frozen connections are closed. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Stands between a service and its engine at `url` and breaks the connection as told. The caller closes it. */
export async function startBreakableProxy(url: string): Promise<BreakableProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const lost = new Set<Socket>();
  let server = createServer(accept);
  const port = await listen(0);

  function accept(inward: Socket): void {
    const outward = connect({ host: target.hostname, port: Number(target.port) });
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!isFrozen && !lost.has(from)) to.write(chunk);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }

  function listen(wanted: number): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: wanted }, () => {
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  async function kill(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  }

  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String(port);
  return {
    url: own.href,
    kill,
    freeze() {
      isFrozen = true;
    },
    freezeOpen() {
      for (const socket of sockets) lost.add(socket);
    },
    async restore() {
      isFrozen = false;
      for (const socket of sockets) socket.destroy();
      if (server.listening) return;
      server = createServer(accept);
      await listen(port);
    },
    async close() {
      if (server.listening) await kill();
    },
  };
}
