import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Summary } from '../src/import-summary.js';
import { openAdmin } from './run-admin.js';
import type { Admin } from './run-admin.js';

export const PUBLIC_BASE_URL = 'https://sl.example.com';

/** Gives a test file a folder, and the command with an address for short links on databases of its own. */
export function importFrame() {
  let admin: Admin;
  let folder: string;
  beforeAll(async () => {
    admin = await openAdmin();
    folder = mkdtempSync(join(tmpdir(), 'smartlink-import-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await admin.close();
  });
  const frame = {
    get admin() {
      return admin;
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

/** Returns a create body of a Url link, with more members beside it. */
export const urlBody = (slug: string, more: object = {}) => ({
  configuration: { smartlinkName: `Link ${slug}`, smartlinkType: 'Url', smartlinkUrl: slug },
  shortener: { url: `https://example.org/${slug}` },
  ...more,
});

/** Returns `count` create bodies whose slugs begin with `prefix`. */
export const urlBodies = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => urlBody(`${prefix}${i}`));
