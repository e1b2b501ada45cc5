import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What happens to a request on its way: nothing, the connection is cut before or after ClickHouse has it, a 500, or silence. */
export type Fault = 'none' | 'cut before' | 'cut after' | 'error 500' | 'no answer';

export type FaultyGateway = {
  /** The same address for as long as it runs, whatever stands behind it. */
  readonly clickhouseUrl: string;
  /** Where requests go from now on. */
  setUpstream: (clickhouseUrl: string) => void;
  /** Asked for each insert; other requests pass. */
  fault: () => Fault;
  /** Called when ClickHouse has been sent an insert's last byte and has not yet answered. */
  onInsertSent: () => void;
  readonly insertsSeen: () => number;
  readonly close: () => Promise<void>;
};

/** Starts an HTTP proxy before ClickHouse that breaks inserts as it is told. The caller closes it. */
export async function startFaultyGateway(clickhouseUrl: string): Promise<FaultyGateway> {
  let upstream = new URL(clickhouseUrl);
  let insertsSeen = 0;
  const server = createServer((req, res) => {
    const isInsert = (req.url ?? '').includes('insert+into');
    if (isInsert) insertsSeen++;
    const fault = isInsert ? gateway.fault() : 'none';
    if (fault === 'cut before') {
      req.socket.destroy();
    } else if (fault === 'no answer') {
      req.resume();
    } else if (fault === 'error 500') {
      req.resume().on('end', () => {
        res
          .writeHead(500, { 'x-clickhouse-exception-code': '243' })
          .end('Code: 243. DB::Exception: no space');
      });
    } else {
      forward(upstream, req, res, fault === 'cut after', () => {
        if (isInsert) gateway.onInsertSent();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(clickhouseUrl);
  url.port = String(address.port);
  const gateway: FaultyGateway = {
    clickhouseUrl: url.href,
    setUpstream: (next) => (upstream = new URL(next)),
    fault: () => 'none',
    onInsertSent: () => undefined,
    insertsSeen: () => insertsSeen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return gateway;
}

function forward(
  upstream: URL,
  req: IncomingMessage,
  res: ServerResponse,
  cutAfter: boolean,
  onSent: () => void,
): void {
  const onward = request(
    {
      host: upstream.hostname,
      port: upstream.port,
      method: req.method,
      path: req.url,
      headers: req.headers,
      agent: false,
    },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => req.socket.destroy());
      answer.on('end', () => {
        if (cutAfter) {
          req.socket.resetAndDestroy();
          return;
        }
        res.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks));
      });
    },
  );
  onward.on('error', () => req.socket.destroy());
  onward.on('finish', onSent);
  req.pipe(onward);
}
