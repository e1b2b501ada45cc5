import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSmartlinkClient, isSmartlinkError } from '@smartlink/client';
import type { ErrorCode, SmartlinkClient } from '@smartlink/client';
import { z } from 'zod';
import { writePrivateFile } from './data-folder.js';
import { DEMO_LINKS } from './demo-links.js';
import { describeFailure, StackError } from './stack-error.js';

export type Seeded = { readonly apiKey: string; readonly linksCreated: number };

const DEMO_EMAIL = 'demo@example.com';
const COMMAND_TIMEOUT_MS = 30_000;

const createdSchema = z.object({ apiKey: z.string().min(1) });

/**
 * Makes the demo user by the admin command on the first start, and the demo links through the API when the user has
 * none of them. The key is kept in `keyFile` (mode 600), so that every later start returns the same. Throws
 * StackError when the admin command or the API refuses.
 */
export async function seed(options: {
  root: string;
  env: NodeJS.ProcessEnv;
  keyFile: string;
  managementUrl: string;
}): Promise<Seeded> {
  const clientWith = (apiKey: string) => createSmartlinkClient({ baseUrl: options.managementUrl, apiKey });
  let apiKey = existsSync(options.keyFile) ? readFileSync(options.keyFile, 'utf8').trim() : '';
  if (apiKey === '' || !(await isAccepted(clientWith(apiKey)))) {
    apiKey = await createKey(options);
    writePrivateFile(options.keyFile, `${apiKey}\n`);
  }
  return { apiKey, linksCreated: await createLinks(clientWith(apiKey)) };
}

/** Whether the key is valid. A key of another database, or a revoked one, is not. */
function isAccepted(client: SmartlinkClient): Promise<boolean> {
  return unlessRefused('UNAUTHORIZED', client.validate());
}

async function createLinks(client: SmartlinkClient): Promise<number> {
  const demoSlugs = new Set(DEMO_LINKS.map((link) => link.configuration.smartlinkUrl));
  for await (const { configuration } of client.smartlinks.listAll()) {
    if (demoSlugs.has(configuration.smartlinkUrl)) return 0;
  }
  let created = 0;
  for (const link of DEMO_LINKS) {
    // The slug is somebody else's already, as it may be in a database that is not new.
    created += (await unlessRefused('SMARTLINK_URL_TAKEN', client.smartlinks.create(link))) ? 1 : 0;
  }
  return created;
}

/** Returns true when the call succeeds, false when the API refuses it with `code`. Throws StackError on anything else. */
async function unlessRefused(code: ErrorCode, call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (err) {
    if (!isSmartlinkError(err)) throw err;
    if (err.kind === 'api' && err.code === code) return false;
    throw new StackError(`The API does not take a demo call: ${err.message}`);
  }
}

async function createKey(options: { root: string; env: NodeJS.ProcessEnv }): Promise<string> {
  const argv = [
    join(options.root, 'tools/admin/dist/main.js'),
    ...['users', 'create', '--email', DEMO_EMAIL, '--plan', 'Enterprise', '--json'],
  ];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, argv, {
      cwd: options.root,
      env: options.env,
      timeout: COMMAND_TIMEOUT_MS,
    });
    return createdSchema.parse(JSON.parse(stdout)).apiKey;
  } catch (err) {
    const stderr = (err as { stderr?: string }).stderr?.trim() ?? '';
    throw new StackError(`The demo user could not be made: ${stderr || describeFailure(err)}`);
  }
}
