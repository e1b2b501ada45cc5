import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventTable, type EventTable } from './event-table.js';

const CLIENT_SECONDS = 60;

let clickhouse: Server;
let table: EventTable;
let asked: URLSearchParams[];
let failure: { code: string; text: string } | null;

// Answers as ClickHouse does, with the error that is wanted of it.
beforeEach(async () => {
  asked = [];
  failure = null;
  clickhouse = createServer((req, res) => {
    asked.push(new URL(req.url ?? '', 'http://a').searchParams);
    req.resume().on('end', () => {
      if (failure !== null) res.writeHead(500, { 'x-clickhouse-exception-code': failure.code });
      res.end(failure?.text ?? '');
    });
  });
  await new Promise<void>((resolve) => clickhouse.listen(0, '127.0.0.1', resolve));
  const { port } = clickhouse.address() as AddressInfo;
  table = createEventTable(`http://127.0.0.1:${port}/smartlink`);
});

afterEach(async () => {
  await table.close();
  clickhouse.closeAllConnections();
  await new Promise((resolve) => clickhouse.close(resolve));
});

const insert = () => table.insert(['slug'], [Buffer.from([0])], new AbortController().signal);

test('ClickHouse gives an insert up before the client does', async () => {
  expect(await insert()).toEqual({ kind: 'acknowledged' });
  const seconds = Number(asked[0]?.get('max_execution_time'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(CLIENT_SECONDS);
});

test('an insert that is aborted before it begins sends nothing and does not wait for an answer', async () => {
  clickhouse.removeAllListeners('request');
  await expect(table.insert(['slug'], [Buffer.from([0])], AbortSignal.abort())).rejects.toThrow('aborted');
});

test('an insert that took too long is one to be tried again, not one of wrong data', async () => {
  failure = { code: '159', text: 'Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)' };
  await expect(insert()).rejects.toThrow('Timeout exceeded');
  failure = { code: '33', text: 'Code: 33. DB::Exception: Cannot read all data. (CANNOT_READ_ALL_DATA)' };
  expect(await insert()).toMatchObject({ kind: 'refused', code: '33' });
});
