import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import {
  createSmartlinkClient,
  type ErrorCode,
  isSmartlinkError,
  type SmartlinkClient,
  type SmartlinkCreate,
} from '@smartlink/client';
import { addOneTimeLink, findPerson } from '@smartlink/smartlink/accounts';
import { writePrivateFile } from './data-folder.js';
import { describeFailure, StackError } from './stack-error.js';

/**
 * The links of a first `npm start`, one of each type, as bodies of API calls; their slugs, which begin with `demo`, identify
 * them. They contain no pictures, so that a visitor's browser contacts no other server.
 */
export function demoLinks(publicBaseUrl: string): readonly SmartlinkCreate[] {
  const json = readFileSync(new URL('../demo-links.json', import.meta.url), 'utf8');
  return JSON.parse(json.replaceAll('{publicBaseUrl}', publicBaseUrl)) as readonly SmartlinkCreate[];
}

type SeedOptions = {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly keyFile: string;
  readonly managementUrl: string;
  /** Those of demoLinks; empty with --no-demo. */
  readonly links: readonly SmartlinkCreate[];
};

const DEMO_EMAIL = 'demo@example.com';
const COMMAND_TIMEOUT_MS = 30_000;

const createdSchema = z.object({ apiKey: z.string().min(1) });

/**
 * Creates the demo user by the admin command and `links` by the API, unless they exist. The key is stored in
 * `keyFile` (mode 600) and returned by later starts; a revoked one is replaced, which `hasNewKey` reports. Throws
 * StackError when the admin command or the API refuses.
 */
export async function seed(options: SeedOptions) {
  const clientWith = (apiKey: string) => createSmartlinkClient({ baseUrl: options.managementUrl, apiKey });
  const stored = existsSync(options.keyFile) ? readFileSync(options.keyFile, 'utf8').trim() : '';
  const isValid = stored !== '' && (await unlessRefused('UNAUTHORIZED', clientWith(stored).validate()));
  const { apiKey, hasNewKey } = isValid ? { apiKey: stored, hasNewKey: false } : await makeKey(options);
  if (!isValid) writePrivateFile(options.keyFile, `${apiKey}\n`);
  return { apiKey, hasNewKey, linksCreated: await createLinks(clientWith(apiKey), options.links) };
}

/**
 * A link that signs the demo user's Owner in, once. Without the demo links, a person without a password is to choose one
 * first. Null when the person has been disabled or removed.
 */
export async function makeSignInLink(options: {
  readonly databaseUrl: string;
  readonly managementBaseUrl: string;
  readonly hasDemo: boolean;
}): Promise<SignInLink | null> {
  const db = new Client({ connectionString: options.databaseUrl });
  await db.connect();
  try {
    const person = await findPerson(db, { email: DEMO_EMAIL });
    if (person === null || person.disabledAt !== null) return null;
    const purpose = options.hasDemo || person.hasPassword ? 'sign-in' : 'setup';
    const { url } = await addOneTimeLink(db, options.managementBaseUrl, { purpose, email: DEMO_EMAIL });
    return { url, purpose };
  } finally {
    await db.end();
  }
}

export type SignInLink = { readonly url: string; readonly purpose: 'sign-in' | 'setup' };

async function createLinks(client: SmartlinkClient, links: SeedOptions['links']): Promise<number> {
  const demoSlugs = new Set(links.map((link) => link.configuration.smartlinkUrl));
  for await (const { configuration } of client.smartlinks.listAll()) {
    if (demoSlugs.has(configuration.smartlinkUrl)) return 0;
  }
  let created = 0;
  for (const link of links) {
    // In an existing database, another user may own the slug.
    if (await unlessRefused('SMARTLINK_URL_TAKEN', client.smartlinks.create(link))) created += 1;
  }
  return created;
}

/** False when the API refuses the call with `code`. Throws StackError for any other failure. */
async function unlessRefused(code: ErrorCode, call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (err) {
    if (!isSmartlinkError(err)) throw err;
    if (err.kind === 'api' && err.code === code) return false;
    throw new StackError(`The API refused a call for the demo links: ${err.message}`);
  }
}

/** A key of a new demo user, or another key of the existing one. */
async function makeKey(options: SeedOptions): Promise<{ apiKey: string; hasNewKey: boolean }> {
  const user = ['--account', DEMO_EMAIL, '--plan', 'Enterprise'];
  try {
    return { apiKey: await runAdmin(options, ['users', 'create', ...user]), hasNewKey: false };
  } catch (refusal) {
    const another = runAdmin(options, ['keys', 'create', DEMO_EMAIL, '--name', 'demo']);
    const apiKey = await another.catch(() => null);
    if (apiKey !== null) return { apiKey, hasNewKey: true };
    // No such user exists, so the first refusal is the reason.
    const stderr = (refusal as { stderr?: string }).stderr?.trim() ?? '';
    throw new StackError(`The demo user could not be created: ${stderr || describeFailure(refusal)}`);
  }
}

async function runAdmin({ root, env }: SeedOptions, args: readonly string[]): Promise<string> {
  const argv = [join(root, 'tools/admin/dist/main.js'), ...args, '--json'];
  const options = { cwd: root, env, timeout: COMMAND_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, argv, options);
  return createdSchema.parse(JSON.parse(stdout)).apiKey;
}
