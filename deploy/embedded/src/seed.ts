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

export type Seeded = {
  readonly apiKey: string;
  readonly linksCreated: number;
  /** The demo user was there and the kept key of no use, so that it has another one now. */
  readonly hasNewKey: boolean;
};

const DEMO_EMAIL = 'demo@example.com';
const COMMAND_TIMEOUT_MS = 30_000;

const createdSchema = z.object({ apiKey: z.string().min(1) });

/**
 * Makes the demo user by the admin command on the first start, and the demo links through the API when the user has
 * none of them. The key is kept in `keyFile` (mode 600), so that every later start returns the same; one that was
 * rotated or revoked meanwhile is replaced. Throws StackError when the admin command or the API refuses.
 */
export async function seed(options: {
  root: string;
  env: NodeJS.ProcessEnv;
  keyFile: string;
  managementUrl: string;
}): Promise<Seeded> {
  const clientWith = (apiKey: string) => createSmartlinkClient({ baseUrl: options.managementUrl, apiKey });
  const kept = existsSync(options.keyFile) ? readFileSync(options.keyFile, 'utf8').trim() : '';
  const made = kept !== '' && (await isAccepted(clientWith(kept))) ? null : await makeKey(options);
  if (made !== null) writePrivateFile(options.keyFile, `${made.apiKey}\n`);
  const apiKey = made?.apiKey ?? kept;
  const linksCreated = await createLinks(clientWith(apiKey));
  return { apiKey, linksCreated, hasNewKey: made?.isOfKnownUser ?? false };
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

type AdminOptions = { readonly root: string; readonly env: NodeJS.ProcessEnv };

/** Makes the demo user with a key, or another key where there is such a user already. */
async function makeKey(options: AdminOptions): Promise<{ apiKey: string; isOfKnownUser: boolean }> {
  try {
    const apiKey = await runAdmin(options, [
      'users',
      'create',
      '--email',
      DEMO_EMAIL,
      '--plan',
      'Enterprise',
    ]);
    return { apiKey, isOfKnownUser: false };
  } catch (refusal) {
    try {
      const apiKey = await runAdmin(options, ['keys', 'create', DEMO_EMAIL, '--name', 'demo']);
      return { apiKey, isOfKnownUser: true };
    } catch {
      // There is no such user, so why none could be made is what counts.
      throw new StackError(`The demo user could not be made: ${adminWords(refusal)}`);
    }
  }
}

async function runAdmin({ root, env }: AdminOptions, args: readonly string[]): Promise<string> {
  const argv = [join(root, 'tools/admin/dist/main.js'), ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    cwd: root,
    env,
    timeout: COMMAND_TIMEOUT_MS,
  });
  return createdSchema.parse(JSON.parse(stdout)).apiKey;
}

function adminWords(err: unknown): string {
  const stderr = (err as { stderr?: string }).stderr?.trim() ?? '';
  return stderr || describeFailure(err);
}
