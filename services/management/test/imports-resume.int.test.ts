import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { listeningPort, type ManagementProcess, processEnv, startProcess } from './start-process.js';
import {
  createPerson,
  sessionHeaders,
  signIn,
  startService,
  type TestService,
  urlSmartlink,
} from './start-service.js';
import { openPool } from './stored-state.js';

const ROWS = 3_000;
const SLOW_MS = 120_000;

let service: TestService;
let pg: Pool;
const started: ManagementProcess[] = [];
beforeAll(async () => {
  service = await startService();
  pg = openPool(service.databases.databaseUrl);
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await pg.end();
  await service.databases.drop();
});

async function start(): Promise<{ management: ManagementProcess; port: number }> {
  const management = startProcess(processEnv(service.databases));
  started.push(management);
  return { management, port: await listeningPort(management) };
}

test(
  'an import whose process is killed goes on in another one, and no row is lost or doubled',
  async () => {
    const { userId } = await service.createUser();
    const person = await createPerson(service.app, { roles: { [userId]: 'Editor' } });
    const { token } = await signIn(service.app, person, userId);
    // Only the processes below run it.
    await service.app.close();
    const rows = Array.from({ length: ROWS }, (_, i) =>
      i % 100 === 7
        ? urlSmartlink({}, { url: 'nowhere' })
        : urlSmartlink({ smartlinkUrl: `kill${i}` }, {}, { tags: [`t${i % 5}`] }),
    );
    const first = await start();
    const headers = { ...sessionHeaders(token), origin: `http://127.0.0.1:${first.port}` };
    const api = `http://127.0.0.1:${first.port}/api/v1/imports`;
    const call = async (path: string, type: string, body: string) => {
      const res = await fetch(`${api}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      });
      return ((await res.json()) as { data: { id: string; ready: number } }).data;
    };
    const { id, ready } = await call('', 'application/json', JSON.stringify(rows));
    expect(ready).toBe(ROWS - ROWS / 100);
    await call('/start', 'application/json', JSON.stringify({ id }));
    const readImport = async () => {
      const { rows: found } = await pg.query<{ state: string; done: number; created: number }>(
        `select state, rows_done::integer as done, created_count::integer as created from imports where id = $1`,
        [id],
      );
      return found[0];
    };
    await until(async () => ((await readImport())?.done ?? 0) >= 300, 'some rows are stored');
    first.management.child.kill('SIGKILL');
    await first.management.ended;
    expect((await readImport())?.state).toBe('running');

    await start();
    await until(async () => (await readImport())?.state === 'done', 'the import is done', SLOW_MS);
    expect(await readImport()).toEqual({ state: 'done', done: ROWS, created: ready });
    const { rows: counts } = await pg.query(
      `select (select count(*) from smartlinks where user_id = $1)::integer as links,
              (select count(distinct lower(slug)) from smartlinks where user_id = $1)::integer as slugs,
              (select count(*) from audit_entries where user_id = $1 and action = 'smartlink.import')::integer as entries,
              (select count(*) from import_remarks where import_id = $2)::integer as remarks,
              (select count(*) from import_rows where import_id = $2)::integer as rows`,
      [userId, id],
    );
    expect(counts).toEqual([{ links: ready, slugs: ready, entries: ready, remarks: ROWS / 100, rows: 0 }]);
  },
  SLOW_MS,
);
