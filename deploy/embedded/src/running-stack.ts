import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { StackAddresses } from './stack.js';
import { StackError } from './stack-error.js';

const stackSchema = z.object({
  databaseUrl: z.string(),
  redisUrl: z.string(),
  clickhouseUrl: z.string(),
  // Written once both services are ready.
  managementUrl: z.string().optional(),
  publicBaseUrl: z.string().optional(),
  metricsUrl: z.string().optional(),
});

/** What `stack.json` says of the stack that `npm start` has brought up. */
export type RunningStack = StackAddresses & {
  readonly managementUrl: string;
  readonly publicBaseUrl: string;
  /** Of the redirect service; absent where the stack is of a version that did not say. */
  readonly metricsUrl?: string | undefined;
  readonly demoKey: string;
};

/**
 * Returns the addresses and the demo key of the running stack in `dataDir`. Throws StackError, in one line, when there
 * is none or when it is still starting.
 */
export function readRunningStack(dataDir: string): RunningStack {
  const file = join(resolve(dataDir), 'stack.json');
  if (!existsSync(file)) {
    throw new StackError(
      `No stack is running on ${resolve(dataDir)}: start it with npm start, or name its folder with SMARTLINK_DATA_DIR.`,
    );
  }
  const { managementUrl, publicBaseUrl, ...others } = stackSchema.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const keyFile = join(resolve(dataDir), 'demo-key');
  if (managementUrl === undefined || publicBaseUrl === undefined || !existsSync(keyFile)) {
    throw new StackError('The stack is still starting: try again when it says that it is ready.');
  }
  return { ...others, managementUrl, publicBaseUrl, demoKey: readFileSync(keyFile, 'utf8').trim() };
}
