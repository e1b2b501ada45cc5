import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Logger } from '@smartlink/process/logger';
import type { RedirectConfig } from './config.js';
import type { MetricsBoard } from './metrics.js';

/**
 * Serves `/-/metrics`, `/-/live` and `/-/ready` (with reasons) to whoever reaches METRICS_HOST. Resolves with the server
 * once it listens; rejects when the port is taken or the address is not this machine's. The caller closes it.
 */
export async function serveMetrics(options: {
  config: Pick<RedirectConfig, 'METRICS_HOST' | 'METRICS_PORT'>;
  board: MetricsBoard;
  /** Returns why this service is not ready; empty when it is. */
  notReadyReasons: () => readonly string[];
  log: Logger;
}): Promise<Server> {
  const { board, log } = options;
  const { METRICS_HOST: host, METRICS_PORT: port } = options.config;
  const server = createServer((req, res) => {
    const path = req.url?.split('?')[0];
    if (path === '/-/live') {
      res.end('live\n');
    } else if (path === '/-/ready') {
      const reasons = options.notReadyReasons();
      res.statusCode = reasons.length === 0 ? 200 : 503;
      res.end(reasons.length === 0 ? 'ready\n' : `${reasons.join('\n')}\n`);
    } else if (path === '/-/metrics') {
      board.render().then(
        (text) => res.setHeader('content-type', board.contentType).end(text),
        (err: unknown) => {
          log.error({ err }, 'the metrics cannot be rendered');
          res.writeHead(500).end();
        },
      );
    } else {
      res.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      const isTaken = err.code === 'EADDRINUSE';
      const problem = isTaken ? 'is taken; set METRICS_PORT to a free port' : err.message;
      const variable = isTaken ? 'METRICS_PORT' : 'METRICS_HOST';
      reject(new Error(`${variable}: ${host}:${port} ${problem}`, { cause: err }));
    });
    server.listen({ host, port }, resolve);
  });
  return server;
}
