import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import type { Summary } from '../src/import/report.js';
import { useAdmin } from './run-admin.js';

export const PUBLIC_BASE_URL = 'https://sl.example.com';

/** Gives a test file a folder, and the command with an address for short links on databases of its own. */
export function importFrame() {
  const admin = useAdmin();
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'smartlink-import-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const frame = {
    admin,
    /** Runs `work` while `body` (PL/pgSQL) is executed at `event`, such as `before insert on smartlinks for each row`. */
    async withTrigger<T>(event: string, body: string, work: () => Promise<T>): Promise<T> {
      await admin.db.query(`
        create function test_trigger() returns trigger language plpgsql as $$ begin ${body} end $$;
        create trigger test_trigger ${event} execute function test_trigger()`);
      try {
        return await work();
      } finally {
        await admin.db.query('drop function test_trigger cascade');
      }
    },
    /** Runs `work` with the URL of a ClickHouse that is down until `restore`. */
    async withClickhouseDown<T>(
      work: (env: { CLICKHOUSE_URL: string }, restore: () => Promise<void>) => Promise<T>,
    ): Promise<T> {
      const gate = await startBreakableProxy(admin.databases.clickhouseUrl);
      try {
        await gate.kill();
        return await work({ CLICKHOUSE_URL: gate.url }, () => gate.restore());
      } finally {
        await gate.close();
      }
    },
    path: (name: string) => join(folder, name),
    write(name: string, content: string | Buffer): string {
      writeFileSync(frame.path(name), content);
      return frame.path(name);
    },
    run: (...args: string[]) => admin.runWith({ PUBLIC_BASE_URL }, ...args),
    /** Runs it with --json and returns what that says and the exit code. */
    async json(...args: string[]): Promise<Summary & { readonly exitCode: number; readonly stderr: string }> {
      const { exitCode, stdout, stderr } = await frame.run(...args, '--json');
      return { ...(JSON.parse(stdout === '' ? '{}' : stdout) as Summary), exitCode, stderr };
    },
    async createOwner(plan = 'Enterprise'): Promise<{ id: string; email: string }> {
      const id = randomUUID();
      const email = `${id}@example.com`;
      await admin.db.query('insert into users (id, email, plan) values ($1, $2, $3)', [id, email, plan]);
      return { id, email };
    },
    /** A user's addresses with what they lead to, oldest first. */
    async linksOf(userId: string): Promise<readonly { slug: string; status: string; url: string | null }[]> {
      const { rows } = await admin.db.query<{ slug: string; status: string; url: string | null }>(
        `select slug, status, content -> 'Url' -> 'shortener' ->> 'url' as url from smartlinks
         where user_id = $1 order by created_at, lower(slug)`,
        [userId],
      );
      return rows;
    },
    async count(table: string, where: string, ...values: unknown[]): Promise<number> {
      const { rows } = await admin.db.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where ${where}`,
        values,
      );
      return rows[0]?.count ?? 0;
    },
  };
  return frame;
}

export type ImportFrame = ReturnType<typeof importFrame>;

/** A create body of a Url link, with more members beside it. */
export const urlBody = (slug: string, more: object = {}) => ({
  configuration: { smartlinkName: `Link ${slug}`, smartlinkType: 'Url', smartlinkUrl: slug },
  shortener: { url: `https://example.org/${slug}` },
  ...more,
});

const CREATED = '2024-05-06T07:08:09.000Z';

/** An item of an export, with this past. */
export const exportedBody = (slug: string, past: object = {}) =>
  urlBody(slug, {
    export: {
      version: 1,
      status: 'Active',
      createdAt: CREATED,
      updatedAt: CREATED,
      aliases: [],
      totals: { clicks: 0, scans: 0, fallbacks: 0 },
      ...past,
    },
  });

/** `count` create bodies whose slugs begin with `prefix`. */
export const urlBodies = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => urlBody(`${prefix}${i}`));
