import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Addresses of a stack that `npm start` runs; only those of the databases are there while it is starting. */
const stackSchema = z.object({
  databaseUrl: z.string(),
  redisUrl: z.string(),
  clickhouseUrl: z.string(),
  managementUrl: z.string().optional(),
  publicBaseUrl: z.string().optional(),
  metricsUrl: z.string().optional(),
  spoolDir: z.string().optional(),
});

export type StackFile = Readonly<z.infer<typeof stackSchema>>;

export const stackFilePath = (dataDir: string): string => join(dataDir, 'stack.json');

/** Addresses of the stack on a data folder; null when none runs. */
export function readStackFile(dataDir: string): StackFile | null {
  const file = stackFilePath(dataDir);
  if (!existsSync(file)) return null;
  return stackSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
}
