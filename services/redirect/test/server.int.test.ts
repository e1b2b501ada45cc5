import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '@smartlink/test-support/raw-request';
import { probePort } from '../src/port-probe.js';
import { createHead, textReply } from '../src/reply.js';
import type { Reply } from '../src/reply.js';
import { createTrustedProxies } from '../src/client-address.js';
import { createServer } from '../src/server.js';
import type { Server } from '../src/server.js';

/** An answer that breaks while it is written. */
const BROKEN: Reply = {
  head: createHead(200, []),
  get headers(): never {
    throw new Error('broken answer');
  },
  body: Buffer.alloc(0),
};

const faults: unknown[] = [];
let server: Server;
let port: number;

beforeAll(async () => {
  port = await probePort({ host: '127.0.0.1', port: 0, variable: 'PORT' });
  server = createServer({
    host: '127.0.0.1',
    port,
    dispatch: {
      page: ({ req }) => {
        const path = req.getUrl();
        return path === '/later'
          ? Promise.resolve(BROKEN)
          : path === '/now'
            ? BROKEN
            : textReply(200, 'well\n');
      },
      takesForm: () => false,
      form: () => Promise.resolve(BROKEN),
      methodNotAllowed: () => BROKEN,
    },
    proxies: createTrustedProxies([]),
    everyHeader: [],
    onFault: (err) => faults.push(err),
  });
  await server.listen();
});

afterAll(() => server.close({ deadlineMs: 1_000 }));

test.each(['/now', '/later'])(
  'an answer to %s that cannot be written is a fault of its own',
  async (path) => {
    faults.length = 0;
    expect((await request(port, [`GET ${path} HTTP/1.1`, 'Host: a'])).status).toBe(0);
    expect(faults).toEqual([new Error('broken answer')]);
    expect((await request(port, ['GET /well HTTP/1.1', 'Host: a'])).status).toBe(200);
  },
);
