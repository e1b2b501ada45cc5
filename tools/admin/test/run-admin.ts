import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { createTestDatabases } from '@smartlink/test-support/test-databases';
import { runAdmin } from '../src/admin-command.js';
import type { Env, Terminal } from '../src/cli/terminal.js';

export type Admin = Awaited<ReturnType<typeof openAdmin>>;

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
export async function openAdmin() {
  const databases = await createTestDatabases(inject('stack'));
  const db = new Client({ connectionString: databases.databaseUrl });
  await db.connect();
  const env = {
    DATABASE_URL: databases.databaseUrl,
    REDIS_URL: databases.redisUrl,
    REDIS_KEY_PREFIX: databases.redisKeyPrefix,
    CLICKHOUSE_URL: databases.clickhouseUrl,
  };
  /** Runs the command with some variables replaced, or left out where undefined, in another terminal, which prints too. */
  const runIn = async (terminal: Partial<Terminal>, variables: Env, args: readonly string[]) => {
    const [command = '', ...others] = args;
    const printed = { stdout: '', stderr: '' };
    const print = (stream: keyof typeof printed) => (text: string) => {
      printed[stream] += text;
      terminal[stream]?.(text);
    };
    const exitCode = await runAdmin({
      argv: ['node', 'main.js', ...command.split(' '), ...others],
      env: { ...env, ...variables },
      stdoutReady: () => Promise.resolve(true),
      isTerminal: false,
      isStdoutTerminal: false,
      isStderrTerminal: false,
      onInterrupt: () => () => undefined,
      columns: 100,
      ...terminal,
      stdout: print('stdout'),
      stderr: print('stderr'),
    });
    return { exitCode, ...printed };
  };
  const runWith = (variables: Env, ...args: string[]) => runIn({}, variables, args);
  /** Runs the command as `npm run admin -- …args` does. The first argument may hold several words. */
  const run = (...args: string[]) => runWith({}, ...args);
  /** Runs it with --json, and returns the object on the one line of output. */
  const json = async <Output>(...args: string[]): Promise<Output> => {
    const { exitCode, stdout, stderr } = await run(...args, '--json');
    // A busy machine may take longer than the 3 s after which a command says that it waits.
    const said = stderr.replace(/^Waiting for ClickHouse.*\n/gm, '');
    expect({ exitCode, stderr: said }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    return JSON.parse(stdout) as Output;
  };
  type User = { userId: string; email: string; apiKey: string };
  return {
    databases,
    db,
    run,
    runWith,
    runIn,
    json,
    /** Runs it, expects exit code 1 and one line on standard error alone, and returns that. */
    refused: async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await run(...args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\.\n$/);
      return stderr;
    },
    createUser: (plan = 'Enterprise') =>
      json<User>('users', 'create', '--account', `${randomUUID()}@example.com`, '--plan', plan),
    createSmartlink: async ({
      userId,
      smartlinkId,
      slug,
    }: Record<'userId' | 'smartlinkId' | 'slug', string>) => {
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
    /** Runs it without waiting for the end; `firstStderr` is its first text on standard error. */
    waitForStderr: (args: readonly string[]) => {
      let stderr: (text: string) => void = () => undefined;
      const firstStderr = new Promise<string>((resolve) => (stderr = resolve));
      return { firstStderr, exit: runIn({ stderr }, {}, args) };
    },
    /** Runs it, with Ctrl-C at once when it listens for that. */
    interrupted: (...args: string[]) => {
      const onInterrupt = (listener: () => void) => {
        listener();
        return () => undefined;
      };
      return runIn({ onInterrupt }, {}, args);
    },
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
