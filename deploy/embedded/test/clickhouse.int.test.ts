import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';

// Other test files use the same engine.
const POLL_LIMIT_MS = 30_000;
// The client prints every error it throws.
const SILENT = { log: { level: ClickHouseLogLevel.OFF } };

let databases: TestDatabases;
let client: ClickHouseClient;

beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'));
  client = createClient({ ...SILENT, url: databases.clickhouseUrl });
  await client.command({
    query: 'create table numbers (n UInt32, text String) engine = MergeTree order by n',
  });
});

afterAll(async () => {
  await client.close();
  await databases.drop();
});

/** Sends rows in a format that `insert` does not take. */
async function insertBytes(query: string, bytes: Buffer): Promise<void> {
  const { stream } = await client.exec({
    query,
    values: Readable.from([bytes], { objectMode: false }),
    clickhouse_settings: { async_insert: 0 },
  });
  for await (const _chunk of stream) {
    // Reading to the end gives the connection back.
  }
}

async function rows<T>(query: string, query_params: Record<string, unknown> = {}): Promise<T[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<T>();
}

describe('inserts', () => {
  it('keeps RowBinary rows whose bytes hold a blank line', async () => {
    await client.command({
      query: 'create table binary (n UInt32, text String) engine = MergeTree order by n',
    });
    const row = (n: number, text: string) => {
      const bytes = Buffer.from(text);
      const head = Buffer.alloc(5);
      head.writeUInt32LE(n);
      head.writeUInt8(bytes.length, 4);
      return Buffer.concat([head, bytes]);
    };
    // 0x0a0a0a0a is the number itself, and the text holds a blank line with a statement after it.
    const bytes = Buffer.concat([
      row(0x0a0a_0a0a, 'a\n\nb'),
      row(1, '\n\ndrop table binary\n\n'),
      row(2, 'c'),
    ]);
    await insertBytes('insert into binary (n, text) format RowBinary', bytes);
    expect(await rows('select n, text from binary order by n')).toEqual([
      { n: 1, text: '\n\ndrop table binary\n\n' },
      { n: 2, text: 'c' },
      { n: 0x0a0a_0a0a, text: 'a\n\nb' },
    ]);
  });

  it('never executes what follows a blank line in the rows', async () => {
    await client.command({ query: 'create table victim (a UInt8) engine = MergeTree order by a' });
    await expect(
      insertBytes('insert into victim format JSONEachRow', Buffer.from('{"a":1}\n\nDROP TABLE victim')),
    ).rejects.toThrow();
    await expect(
      client.command({ query: 'insert into victim format JSONEachRow {"a":1}\n\nDROP TABLE victim' }),
    ).rejects.toThrow();
    expect(await rows('exists table victim')).toEqual([{ result: 1 }]);
  });

  it('accepts rows as objects, with settings, and an empty insert, and refuses compressed ones', async () => {
    const values = Array.from({ length: 1_000 }, (_, n) => ({ n: 10_000 + n, text: `row ${n}` }));
    await client.insert({ table: 'numbers', columns: ['n', 'text'], values, format: 'JSONEachRow' });
    await client.insert({ table: 'numbers', values: [], format: 'JSONEachRow' });
    await insertBytes(
      'insert into numbers settings async_insert = 0 format TSV',
      Buffer.from('20000\tlast\n'),
    );
    const compressed = createClient({
      ...SILENT,
      url: databases.clickhouseUrl,
      compression: { request: true, response: true },
    });
    const packed = compressed.insert({ table: 'numbers', values, format: 'JSONEachRow' });
    await expect(packed).rejects.toThrow();
    const count = {
      query: 'select count() as total from numbers where n >= 10000',
      format: 'JSONEachRow',
    } as const;
    expect(await (await compressed.query(count)).json()).toEqual([{ total: 1_001 }]);
    await compressed.close();
  });

  it('takes rows in the statement itself', async () => {
    await client.command({
      query: 'insert into numbers values ({n:UInt32}, {text:String})',
      query_params: { n: 7, text: "it's" },
    });
    expect(await rows('select text from numbers where n = 7')).toEqual([{ text: "it's" }]);
  });
});

describe('queries', () => {
  it('keeps every character of parameters', async () => {
    const text = "it's 'quoted' \\ back\nline\ttab 😀 \u0000 {n:UInt8}; drop table numbers";
    const answer = await rows(
      'select {text:String} as text, {list:Array(String)} as list, {when:Date} as day',
      {
        text,
        list: ["a'b", 'c\\d', ''],
        when: '2026-01-31',
      },
    );
    expect(answer).toEqual([{ text, list: ["a'b", 'c\\d', ''], day: '2026-01-31' }]);
  });

  it('takes parameters of a multipart body', async () => {
    const list = Array.from({ length: 3_000 }, (_, n) => `value ${n}`);
    const result = await client.query({
      query: 'select length({list:Array(String)}) as total',
      query_params: { list },
      format: 'JSONEachRow',
      use_multipart_params: true,
    });
    expect(await result.json()).toEqual([{ total: 3_000 }]);
  });

  it('keeps fifty queries at once apart', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        rows<{ n: number; sum: string }>(
          'select {n:UInt32} as n, sum(number) + {n:UInt32} as sum from numbers(100000)',
          { n },
        ),
      ),
    );
    expect(answers.map(([row]) => [row?.n, Number(row?.sum)])).toEqual(
      Array.from({ length: 50 }, (_, n) => [n, 4_999_950_000 + n]),
    );
  });

  it('does not carry settings or results of one request over to the next', async () => {
    await expect(
      client.query({
        query: "select number, throwIf(number = 3000000, 'stop') from numbers(4000000)",
        clickhouse_settings: { max_block_size: '1000' },
      }),
    ).rejects.toThrow('stop');
    expect(await rows("select value from system.settings where name = 'max_block_size'")).not.toEqual([
      { value: '1000' },
    ]);
  });

  it('refuses two statements in one request', async () => {
    await expect(client.command({ query: 'select 1; drop table numbers' })).rejects.toMatchObject({
      code: '62',
    });
    expect(await rows('exists table numbers')).toEqual([{ result: 1 }]);
  });

  it('answers errors with the code and name of the engine', async () => {
    await expect(rows('select nothing_like_this')).rejects.toMatchObject({
      code: '47',
      type: 'UNKNOWN_IDENTIFIER',
    });
    await expect(rows('select * from missing')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
    await expect(rows('selec 1')).rejects.toMatchObject({ code: '62', type: 'SYNTAX_ERROR' });
    await expect(
      client.query({ query: 'select 1', clickhouse_settings: { no_such_setting: 1 } }),
    ).rejects.toMatchObject({ code: '115' });
  });

  it('ends a query at its time limit', async () => {
    await expect(
      client.query({
        query: 'select count() from numbers(1000000000000) where not ignore(sipHash64(number))',
        clickhouse_settings: { max_execution_time: 1 },
      }),
    ).rejects.toMatchObject({ code: '159' });
  });

  it('kills the query of a client that has disconnected', async () => {
    const gone = new AbortController();
    const query_id = `gone-${databases.redisKeyPrefix.replaceAll(':', '-')}`;
    const running =
      "select count() as total from system.processes where Settings['log_comment'] = {query_id:String}";
    const endless = client.query({
      query: 'select count() from numbers(1000000000000) where not ignore(sipHash64(number))',
      query_id,
      abort_signal: gone.signal,
    });
    await expect.poll(() => rows(running, { query_id }), { timeout: POLL_LIMIT_MS }).toEqual([{ total: 1 }]);
    gone.abort();
    await expect(endless).rejects.toThrow();
    await expect.poll(() => rows(running, { query_id }), { timeout: POLL_LIMIT_MS }).toEqual([{ total: 0 }]);
  });
});

describe('access', () => {
  it('refuses a wrong password with 516, and needs none for /ping', async () => {
    const url = new URL(databases.clickhouseUrl);
    url.password = 'wrong';
    const stranger = createClient({ ...SILENT, url: url.href });
    await expect(stranger.query({ query: 'select 1' })).rejects.toMatchObject({ code: '516' });
    expect((await stranger.ping()).success).toBe(true);
    await stranger.close();
  });
});
