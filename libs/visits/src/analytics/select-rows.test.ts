import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { selectRows } from './clickhouse.js';

test('a query fails if ClickHouse does not answer in time', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clickhouse = createClient({ url, log: { level: ClickHouseLogLevel.OFF } });
  try {
    await expect(selectRows(clickhouse, 'select 1', {}, 20)).rejects.toThrow(
      'ClickHouse does not answer within 0.02 s',
    );
  } finally {
    await clickhouse.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
