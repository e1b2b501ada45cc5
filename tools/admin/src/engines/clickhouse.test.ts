import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Problem } from '../cli/terminal.js';
import { answerWithin, withClickhouse } from './clickhouse.js';

test('a ClickHouse that hangs is one line that names it and the time', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clickhouseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = {
    databaseUrl: '',
    redisUrl: undefined,
    redisKeyPrefix: '',
    clickhouseUrl,
    publicBaseUrl: undefined,
    isEmbedded: false,
  };
  try {
    const asked = withClickhouse({ addresses }, () => Promise.resolve('answered'), 20);
    await expect(asked).rejects.toEqual(new Problem('ClickHouse did not answer within 0.02 seconds.'));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('another failure stays what it is', async () => {
  await expect(answerWithin(10, Promise.reject(new Error('no such column')))).rejects.toThrow(
    'no such column',
  );
});
