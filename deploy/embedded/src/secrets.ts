import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writePrivateFile } from './data-folder.js';
import { StackError } from './stack-error.js';

const secretsSchema = z.object({
  /** Names this data folder where something of it has to live elsewhere. */
  dataId: z.string().min(8),
  postgresPassword: z.string().min(16),
  redisPassword: z.string().min(16),
  clickhousePassword: z.string().min(16),
  cookieSecret: z.string().min(32),
});

export type Secrets = Readonly<z.infer<typeof secretsSchema>>;

/**
 * Returns the passwords of the embedded engines, made at random on the first start and kept in `file` (mode 600).
 * Throws StackError when the file is damaged: new passwords would not open the old data.
 */
export function loadSecrets(file: string): Secrets {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err;
    const secrets = createSecrets();
    writePrivateFile(file, JSON.stringify(secrets));
    return secrets;
  }
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch {
    throw new StackError(`${file} is damaged and holds the databases' passwords: put it back from a backup.`);
  }
}

function createSecrets(): Secrets {
  // Letters and digits only, because they go into URLs and a configuration file.
  const password = () => randomBytes(24).toString('hex');
  return {
    dataId: randomBytes(8).toString('hex'),
    postgresPassword: password(),
    redisPassword: password(),
    clickhousePassword: password(),
    cookieSecret: randomBytes(32).toString('hex'),
  };
}
