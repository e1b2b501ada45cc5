import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Problem } from '../cli/terminal.js';
import { withClickhouse } from './clickhouse.js';
import { findAddresses } from './session.js';

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
    managementBaseUrl: 'http://127.0.0.1:3000',
    isEmbedded: false,
  };
  try {
    const asked = withClickhouse({ addresses }, () => Promise.resolve('answered'), 20);
    await expect(asked).rejects.toEqual(new Problem('ClickHouse does not answer within 0.02 s.'));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test.each([
  ['DATABASE_URL', 'localhost/db:hunter2'],
  ['REDIS_URL', 'http://:hunter2@localhost'],
  ['CLICKHOUSE_URL', 'hunter2'],
  ['DATABASE_URL_FILE', '/nonexistent'],
])('a wrong %s is refused before anything is done, without the value', (name, value) => {
  const env = { DATABASE_URL: 'postgres://localhost/db', [name]: value };
  expect(() => findAddresses(env)).toThrow(new RegExp(`^${name}(?!.*hunter2)[^\\n]+\\.$`));
});
