import { redisAddressProblem } from '@smartlink/link-resolver/redis-address';
import { baseUrlVariable, checkedVariable, portVariable, urlVariable } from '@smartlink/process/config';
import { z } from 'zod';

/** What `npm start` itself reads. Every other variable is handed on to the services as it is. */
export const launcherConfigSchema = z.object({
  DATABASE_URL: urlVariable('postgres:', 'postgresql:')
    .optional()
    .describe('address of the Postgres database; embedded when not given'),
  REDIS_URL: checkedVariable(redisAddressProblem)
    .optional()
    .describe('address of Redis; embedded when not given'),
  CLICKHOUSE_URL: urlVariable('http:', 'https:')
    .optional()
    .describe('address of ClickHouse, with the database as its path; embedded when not given'),
  SMARTLINK_DATA_DIR: z
    .string()
    .default('.data')
    .describe('folder of the embedded engines, logs and secrets'),
  SPOOL_DIR: z
    .string()
    .optional()
    .describe('folder of events on their way to ClickHouse; <data>/spool by default'),
  MANAGEMENT_PORT: portVariable(3000).describe('port of the API; 0 takes a free one'),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  REDIRECT_PORT: portVariable(8080).describe('port of the public side; 0 takes a free one'),
  REDIRECT_HOST: z.string().default('127.0.0.1').describe('address the public side listens on'),
  METRICS_PORT: portVariable(9464).describe("port of the redirect service's metrics; 0 takes a free one"),
  PUBLIC_BASE_URL: baseUrlVariable()
    .optional()
    .describe('address visitors see; http://127.0.0.1:$REDIRECT_PORT by default'),
  COOKIE_SECRETS: z
    .string()
    .optional()
    .describe('comma-separated keys of unlock cookies; made once when not given'),
});

export type LauncherConfig = Readonly<z.output<typeof launcherConfigSchema>>;
