import { randomUUID } from 'node:crypto';
import { createTestDatabases } from '@smartlink/embedded/test-databases';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import type { Env } from '../src/addresses.js';
import { runAdmin } from '../src/admin-command.js';

export type Admin = {
  readonly databases: TestDatabases;
  readonly db: Client;
  /** Runs the command as `npm run admin -- …args` does. */
  readonly run: (...args: string[]) => Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** The same with some variables replaced, or left out where undefined. */
  readonly runWith: (variables: Env, ...args: string[]) => ReturnType<Admin['run']>;
  /** Runs it with --json, expects success and one line, and returns what the line says. */
  readonly json: <Output>(...args: string[]) => Promise<Output>;
  readonly createUser: (plan?: string) => Promise<{ userId: string; email: string; apiKey: string }>;
  readonly close: () => Promise<void>;
};

/** Returns the command on databases of its own. The caller closes it. */
export async function openAdmin(): Promise<Admin> {
  const databases = await createTestDatabases(inject('stack'));
  const db = new Client({ connectionString: databases.databaseUrl });
  await db.connect();
  const runWith = async (variables: Env, ...args: string[]) => {
    let stdout = '';
    let stderr = '';
    const exitCode = await runAdmin({
      argv: ['node', 'main.js', ...args],
      env: {
        DATABASE_URL: databases.databaseUrl,
        REDIS_URL: databases.redisUrl,
        REDIS_KEY_PREFIX: databases.redisKeyPrefix,
        CLICKHOUSE_URL: databases.clickhouseUrl,
        ...variables,
      },
      stdout: (text) => (stdout += text),
      stderr: (text) => (stderr += text),
      isTerminal: false,
      columns: 100,
    });
    return { exitCode, stdout, stderr };
  };
  const run: Admin['run'] = (...args) => runWith({}, ...args);
  const json = async <Output>(...args: string[]): Promise<Output> => {
    const { exitCode, stdout, stderr } = await run(...args, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    return JSON.parse(stdout) as Output;
  };
  return {
    databases,
    db,
    run,
    runWith,
    json,
    createUser: (plan = 'Enterprise') =>
      json('users', 'create', '--email', `${randomUUID()}@example.com`, '--plan', plan),
    close: async () => {
      await db.end();
      await databases.drop();
    },
  };
}
