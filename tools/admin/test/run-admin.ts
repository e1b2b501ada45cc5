import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';
import { runAdmin } from '../src/admin-command.js';
import type { Env, Terminal } from '../src/cli/terminal.js';

export type Admin = {
  readonly databases: TestDatabases;
  readonly db: Client;
  /** Runs the command as `npm run admin -- …args` does. The first argument may hold several words. */
  readonly run: (...args: string[]) => Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** The same with some variables replaced, or left out where undefined. */
  readonly runWith: (variables: Env, ...args: string[]) => ReturnType<Admin['run']>;
  /** The same in another terminal; what it prints is told to that one as well. */
  readonly runIn: (
    terminal: Partial<Terminal>,
    variables: Env,
    args: readonly string[],
  ) => ReturnType<Admin['run']>;
  /** Runs it with --json, expects success and one line, and returns what the line says. */
  readonly json: <Output>(...args: string[]) => Promise<Output>;
  readonly createUser: (plan?: string) => Promise<{ userId: string; email: string; apiKey: string }>;
  readonly createSmartlink: (link: { userId: string; smartlinkId: string; slug: string }) => Promise<void>;
  /** Runs it, expects exit code 1 and one line on standard error alone, and returns that. */
  readonly refused: (...args: string[]) => Promise<string>;
  /** Runs it without waiting for the end, and tells what it says first on standard error. */
  readonly waitForStderr: (args: readonly string[]) => {
    readonly firstStderr: Promise<string>;
    readonly exit: ReturnType<Admin['run']>;
  };
  /** Runs it, with Ctrl-C at once when it listens for that. */
  readonly interrupted: Admin['run'];
  readonly close: () => Promise<void>;
};

/** The command on databases of the test file, which are opened before its tests and dropped after them. */
export function useAdmin(): Admin {
  const admin = {} as Admin;
  beforeAll(async () => {
    Object.assign(admin, await openAdmin());
  });
  afterAll(() => admin.close());
  return admin;
}

/** The command on databases of its own. The caller closes it. */
export async function openAdmin(): Promise<Admin> {
  const databases = await createTestDatabases(inject('stack'));
  const db = new Client({ connectionString: databases.databaseUrl });
  await db.connect();
  const runIn = async (
    terminal: Partial<Terminal>,
    variables: Env,
    [command = '', ...args]: readonly string[],
  ) => {
    let stdout = '';
    let stderr = '';
    const exitCode = await runAdmin({
      argv: ['node', 'main.js', ...command.split(' '), ...args],
      env: {
        DATABASE_URL: databases.databaseUrl,
        REDIS_URL: databases.redisUrl,
        REDIS_KEY_PREFIX: databases.redisKeyPrefix,
        CLICKHOUSE_URL: databases.clickhouseUrl,
        ...variables,
      },
      stdoutReady: () => Promise.resolve(true),
      isTerminal: false,
      isStdoutTerminal: false,
      isStderrTerminal: false,
      onInterrupt: () => () => undefined,
      columns: 100,
      ...terminal,
      stdout: (text) => {
        stdout += text;
        terminal.stdout?.(text);
      },
      stderr: (text) => {
        stderr += text;
        terminal.stderr?.(text);
      },
    });
    return { exitCode, stdout, stderr };
  };
  const runWith = (variables: Env, ...args: string[]) => runIn({}, variables, args);
  const run: Admin['run'] = (...args) => runWith({}, ...args);
  const json = async <Output>(...args: string[]): Promise<Output> => {
    const { exitCode, stdout, stderr } = await run(...args, '--json');
    // A busy machine may take longer than the 3 s after which a command says that it waits.
    const said = stderr.replace(/^Waiting for ClickHouse.*\n/gm, '');
    expect({ exitCode, stderr: said }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    return JSON.parse(stdout) as Output;
  };
  const refused: Admin['refused'] = async (...args) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    return stderr;
  };
  return {
    databases,
    db,
    run,
    refused,
    runWith,
    runIn,
    json,
    createUser: (plan = 'Enterprise') =>
      json('users', 'create', '--email', `${randomUUID()}@example.com`, '--plan', plan),
    createSmartlink: async ({ userId, smartlinkId, slug }) => {
      await db.query(
        `insert into smartlinks (id, user_id, status, type, name, slug, content, version)
         values ($1, $2, 'Active', 'Url', 'n', $3, '{"Url":{"shortener":{"url":"https://example.org/","protected":false}}}',
                 nextval('smartlink_version'))`,
        [smartlinkId, userId, slug],
      );
      await db.query(
        `insert into slugs (key, slug, user_id, smartlink_id, is_primary) values (lower($1), $1, $2, $3, true)`,
        [slug, userId, smartlinkId],
      );
    },
    waitForStderr: (args) => {
      let tellStderr: (text: string) => void = () => undefined;
      const firstStderr = new Promise<string>((resolve) => (tellStderr = resolve));
      return { firstStderr, exit: runIn({ stderr: tellStderr }, {}, args) };
    },
    interrupted: (...args) =>
      runIn(
        {
          onInterrupt: (listener) => {
            listener();
            return () => undefined;
          },
        },
        {},
        args,
      ),
    close: async () => {
      await db.end();
      await databases.drop();
    },
  };
}

/** A client that explains queries instead of running them, and the plans. */
export function explainQueries(db: Client): { explaining: Client; plans: string[] } {
  const plans: string[] = [];
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await db.query<Record<string, string>>(`explain ${text}`, values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    return { rows: [] };
  };
  return { explaining: { query } as unknown as Client, plans };
}
