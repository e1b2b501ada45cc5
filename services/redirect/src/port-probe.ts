import { createServer } from 'node:net';

/**
 * Returns the port that is free to listen on at `host`: `port`, or any when it is 0. Rejects when it is taken; the
 * message names `variable`. uWebSockets.js listens with SO_REUSEPORT and would silently share a taken port with
 * whoever has it, so an ordinary bind asks first.
 */
export async function probePort(options: { host: string; port: number; variable: string }): Promise<number> {
  const { host, port, variable } = options;
  const server = createServer();
  const address = await new Promise<ReturnType<typeof server.address>>((resolve, reject) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      reject(new Error(explain(err, options), { cause: err }));
    });
    server.listen({ host, port, exclusive: true }, () => {
      resolve(server.address());
    });
  });
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  if (address === null || typeof address === 'string') throw new Error(`${variable}: no port to listen on`);
  return address.port;
}

function explain(err: NodeJS.ErrnoException, at: { host: string; port: number; variable: string }): string {
  const place = `${at.host}:${at.port}`;
  if (err.code === 'EADDRINUSE') {
    return `${at.variable}: ${place} is taken by another program; set ${at.variable} to a free port`;
  }
  if (err.code === 'EACCES') return `${at.variable}: this user may not listen on ${place}`;
  if (err.code === 'EADDRNOTAVAIL') return `REDIRECT_HOST: ${at.host} is no address of this machine`;
  return `${at.variable}: cannot listen on ${place}: ${err.message}`;
}
