import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that is not ours: every path is a page that shows its own address. */
export type Elsewhere = {
  readonly origin: string;
  readonly close: () => Promise<void>;
};

/** Starts a site of another origin. The caller closes it. */
export async function startElsewhere(): Promise<Elsewhere> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Elsewhere</title><p id="path">${encodeURI(request.url ?? '')}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
