import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ADMIN = path.resolve(import.meta.dirname, '../../admin/dist/main.js');

/** Makes a user of plan Enterprise by the admin command, as an operator would, and returns the key. */
export async function createUser(email: string): Promise<string> {
  const argv = [ADMIN, 'users', 'create', '--email', email, '--plan', 'Enterprise', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  return (JSON.parse(stdout) as { apiKey: string }).apiKey;
}
