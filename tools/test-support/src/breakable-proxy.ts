import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type BreakableProxy = {
  /** `url` with the proxy's address in place of the engine's. */
  readonly url: string;
  /** As when the engine is killed: connections are reset, new ones refused. */
  readonly kill: () => Promise<void>;
  /** Kills after this number of chunks from the client; the next one is not passed on. */
  readonly killAfter: (pieces: number) => void;
  /** As when the network is cut: connections stay open, new ones are accepted, and nothing passes. */
  readonly freeze: () => void;
  /** As on a bad line: chunks are cut into `sliceBytes`, each delayed by `delayMs`. */
  readonly slow: (line: SlowLine) => void;
  /** The engine is reachable again at full speed. Frozen connections stay dead. */
  readonly restore: () => Promise<void>;
  /** Closes frozen connections, as when the other end has forgotten them. */
  readonly closeFrozen: () => void;
  readonly close: () => Promise<void>;
};

export type SlowLine = { readonly delayMs: number; readonly sliceBytes?: number };

/** A proxy between a service and its engine at `url` that breaks connections on command. The caller closes it. */
export async function startBreakableProxy(url: string): Promise<BreakableProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let isFrozen = false;
  let line: SlowLine | null = null;
  let piecesLeft = Infinity;
  let server = createServer(accept);
  const port = await listen(server, 0);

  function accept(inward: Socket): void {
    const outward = connect({ host: target.hostname, port: Number(target.port) });
    if (isFrozen) for (const socket of [inward, outward]) frozen.add(socket);
    // Called before the chunk is passed on, to a connection that is closed by then.
    inward.on('data', () => (piecesLeft -= 1) < 0 && void kill());
    pass(inward, outward);
    pass(outward, inward);
  }

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (frozen.has(from)) return;
      if (line === null) {
        to.write(chunk);
        return;
      }
      // Back pressure: nothing is read during the delay.
      from.pause();
      void trickle(chunk, to, line).then(() => from.resume());
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      frozen.delete(from);
      to.destroy();
    });
  }

  async function kill(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  }

  return {
    url: atPort(url, port),
    kill,
    killAfter(pieces) {
      piecesLeft = pieces;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) frozen.add(socket);
    },
    slow(slowLine) {
      line = slowLine;
    },
    async restore() {
      isFrozen = false;
      line = null;
      piecesLeft = Infinity;
      if (server.listening) return;
      server = createServer(accept);
      await listen(server, port);
    },
    closeFrozen() {
      for (const socket of frozen) socket.destroy();
    },
    async close() {
      if (server.listening) await kill();
    },
  };
}

function listen(server: Server, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: wanted }, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function atPort(url: string, port: number): string {
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String(port);
  return own.href;
}

async function trickle(chunk: Buffer, to: Socket, { delayMs, sliceBytes }: SlowLine): Promise<void> {
  const step = sliceBytes ?? chunk.length;
  for (let at = 0; at < chunk.length && !to.destroyed; at += step) {
    await sleep(delayMs, undefined, { ref: false });
    to.write(chunk.subarray(at, at + step));
  }
}
