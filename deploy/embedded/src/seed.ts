import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { writePrivateFile } from './data-folder.js';
import { DEMO_LINKS } from './demo-links.js';
import { describeFailure, StackError } from './stack-error.js';

export type Seeded = { readonly apiKey: string; readonly linksCreated: number };

const DEMO_EMAIL = 'demo@example.com';
const COMMAND_TIMEOUT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 10_000;

const createdSchema = z.object({ apiKey: z.string().min(1) });
const listSchema = z.object({
  data: z.array(z.object({ configuration: z.object({ smartlinkUrl: z.string() }) })),
});

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
  const api = createApi(options.managementUrl);
  let apiKey = existsSync(options.keyFile) ? readFileSync(options.keyFile, 'utf8').trim() : '';
  if (apiKey === '' || !(await api.accepts(apiKey))) {
    apiKey = await createKey(options);
    writePrivateFile(options.keyFile, `${apiKey}\n`);
  }
  return { apiKey, linksCreated: await createLinks(api, apiKey) };
}

async function createLinks(api: Api, apiKey: string): Promise<number> {
  const demoSlugs = new Set(DEMO_LINKS.map((link) => link.configuration.smartlinkUrl));
  const slugs = await api.listSlugs(apiKey);
  if (slugs.some((slug) => demoSlugs.has(slug))) return 0;
  let created = 0;
  for (const link of DEMO_LINKS) created += (await api.create(apiKey, link)) ? 1 : 0;
  return created;
}

type Api = ReturnType<typeof createApi>;

function createApi(managementUrl: string) {
  const call = async (apiKey: string, path: string, init: RequestInit = {}) =>
    fetch(`${managementUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  return {
    /** Whether the key is valid. A key of another database, or a revoked one, is not. */
    accepts: async (apiKey: string) => {
      const response = await call(apiKey, '/api/v1/validate');
      await response.body?.cancel();
      return response.ok;
    },
    listSlugs: async (apiKey: string) => {
      const response = await call(apiKey, '/api/v1/smartlink');
      if (!response.ok) throw new StackError(`The API does not list links: it answers ${response.status}.`);
      return listSchema.parse(await response.json()).data.map((link) => link.configuration.smartlinkUrl);
    },
    /** Returns false when the slug belongs to somebody else already, as it may in a database that is not new. */
    create: async (apiKey: string, link: unknown) => {
      const response = await call(apiKey, '/api/v1/smartlink', {
        method: 'POST',
        body: JSON.stringify(link),
      });
      const text = await response.text();
      if (response.ok) return true;
      if (response.status === 409) return false;
      throw new StackError(`The API does not create a demo link: ${response.status} ${text}`);
    },
  };
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
