import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A fixed port of the loopback address that leads to an engine, whose own port is another one after each start. */
export type Gate = {
  readonly port: number;
  /** Resets all connections and refuses new ones, as the port of a process that has ended. */
  readonly shut: () => void;
  /** Leads to `target` from now on. Rejects when the port was taken by somebody else meanwhile. */
  readonly leadTo: (target: URL) => Promise<void>;
};

/** Returns a gate to `target`. The caller shuts it. */
export async function openGate(target: URL): Promise<Gate> {
  const sockets = new Set<Socket>();
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;

  function listen(wanted: number): Promise<Server> {
    const opened = createServer({ noDelay: true }, (inward) => {
      const outward = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
      join(inward, outward);
      join(outward, inward);
    });
    return new Promise((resolve, reject) => {
      opened.once('error', reject);
      opened.listen({ host: '127.0.0.1', port: wanted }, () => {
        resolve(opened);
      });
    });
  }

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.pipe(to);
    // A reset connection is what a gate is for.
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  return {
    port,
    shut() {
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async leadTo(next) {
      target = next;
      if (!server.listening) server = await listen(port);
    },
  };
}
