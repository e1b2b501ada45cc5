import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@smartlink/test-support/until';

export type Received = {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came: signatures are over these very bytes. */
  readonly body: string;
};

/** Answers a message; its body has been read. */
export type Answerer = (res: ServerResponse, message: Received) => void;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver of requests on this machine. It answers with `otherwise` unless `answers` has the path. */
export async function startReceiver(otherwise: Answerer = status(204)) {
  const received: Received[] = [];
  const answers = new Map<string, Answerer>();
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', () => undefined);
    req.on('end', () => {
      const path = req.url ?? '';
      const message = {
        path,
        method: req.method ?? '',
        headers: req.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(message);
      (answers.get(path) ?? otherwise)(res, message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => received.filter((one) => one.path === path);
  return {
    port,
    answers,
    /** What has come so far. */
    received: received as readonly Received[],
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    /** What has come to a path so far. */
    at,
    /** Waits until `count` have come to a path, and returns them. */
    untilAt: async (path: string, count: number): Promise<Received[]> => {
      await until(() => at(path).length >= count, `${path} has got ${count} messages`);
      return at(path);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a status and nothing else. */
export function status(code: number, headers: Record<string, string> = {}): Answerer {
  return (res) => {
    res.writeHead(code, headers).end();
  };
}
