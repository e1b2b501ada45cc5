import { freePort } from '@smartlink/embedded/ports';
import { startRedirect } from '../start-redirect.js';
import type { Redirect } from '../start-redirect.js';
import type { Trial } from '../trial.js';

/**
 * Starts the service at the address that visitors' browsers know it by, as forms are taken from there alone and codes lead
 * there. The caller stops it.
 */
export async function startSite(
  databases: Trial['databases'],
  env: Readonly<Record<string, string>> = {},
): Promise<Redirect> {
  const port = await freePort();
  return startRedirect(databases, {
    REDIRECT_PORT: String(port),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    ...env,
  });
}
