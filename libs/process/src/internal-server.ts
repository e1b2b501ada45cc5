import { createServer, type Server } from 'node:http';
import type { Logger } from './lifecycle.js';

export type InternalAnswer = { readonly status?: number; readonly type?: string; readonly text: string };

/**
 * Serves plain texts by path to the internal network, without a key: metrics and probes. `variables` name the host and the
 * port in messages. Rejects when the port is taken or the address is not this machine's. The caller closes it.
 */
export async function serveInternally(options: {
  readonly host: string;
  readonly port: number;
  readonly variables: { readonly host: string; readonly port: string };
  readonly routes: Readonly<Record<string, () => InternalAnswer | Promise<InternalAnswer>>>;
  readonly log: Logger;
}): Promise<Server> {
  const { host, port, variables, log } = options;
  const routes = new Map(Object.entries(options.routes));
  const server = createServer((req, res) => {
    const answer = async () => {
      const route = routes.get(req.url?.split('?')[0] ?? '');
      const { status = 200, type = 'text/plain', text } = (await route?.()) ?? { status: 404, text: '' };
      res.writeHead(status, { 'content-type': type }).end(text);
    };
    answer().catch((err: unknown) => {
      log.error({ err, path: req.url }, 'internal request failed');
      res.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      const isTaken = err.code === 'EADDRINUSE';
      const problem = isTaken ? `is taken; set ${variables.port} to a free port` : err.message;
      const variable = isTaken ? variables.port : variables.host;
      reject(new Error(`${variable}: ${host}:${port} ${problem}`, { cause: err }));
    });
    server.listen({ host, port }, resolve);
  });
  return server;
}

/** Closes a server with its open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
