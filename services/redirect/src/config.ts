import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { redisAddressProblem } from '@smartlink/links/redis';
import { mediaVariables } from '@smartlink/media/store';
import { LANGUAGES } from '@smartlink/pages/site';
import {
  RUN_ALWAYS,
  abuseContactVariable,
  addressSecretProblem,
  baseUrlVariable,
  checkedVariable,
  countryVariables,
  databaseUrlVariable,
  flagVariable,
  integerVariable,
  isLoopback,
  keyPrefixVariable,
  listVariable,
  logLevelVariable,
  metricsHostVariable,
  portVariable,
  secretProblem,
  trustedProxiesVariable,
  urlVariable,
} from '@smartlink/process/config';
import {
  APPLE_APP_SITE_ASSOCIATION_SHAPE,
  appleAppSiteAssociation,
  ASSET_LINKS_SHAPE,
  assetLinks,
} from '@smartlink/smartlink/document';

const MEBIBYTE = 1024 * 1024;

const variables = z.object({
  REDIRECT_PORT: portVariable(8080).describe('port of the public side; 0 takes a free one'),
  REDIRECT_HOST: z.string().default('127.0.0.1').describe('address the public side listens on'),
  REDIRECT_PROCESSES: integerVariable(availableParallelism(), 1, 256).describe(
    'number of processes that answer visitors; one per core by default',
  ),
  PUBLIC_BASE_URL: baseUrlVariable()
    .optional()
    .describe('public base address of links; http://127.0.0.1:$REDIRECT_PORT by default'),
  DATABASE_URL: databaseUrlVariable('postgres:', 'postgresql:').describe(
    'address of the Postgres database; a non-loopback address requires a password that is not a well-known default',
  ),
  DATABASE_REPLICA_URL: postgresUrlsVariable().describe(
    'comma-separated addresses of streaming replicas, read before DATABASE_URL (docs/scale.md); none by default',
  ),
  FOLLOW_CHANGES: flagVariable(false).describe(
    'publish every committed change to REDIS_URL, for a region with its own Redis (docs/scale.md)',
  ),
  REDIS_URL: checkedVariable(redisProblem).describe(
    'address of Redis, a cluster or sentinels (docs/scale.md); no RDB or AOF, or kept for a day: it holds visitor salts',
  ),
  CLICKHOUSE_URL: databaseUrlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path; a non-loopback address requires a password, as above',
  ),
  REDIS_KEY_PREFIX: keyPrefixVariable('smartlink:').describe('first part of every Redis key and channel'),
  SPOOL_DIR: z
    .string()
    .default('.data/spool')
    .describe('folder where events wait for ClickHouse; on a disk that survives a restart'),
  SPOOL_BYTES_MAX: integerVariable(4096 * MEBIBYTE, MEBIBYTE, Number.MAX_SAFE_INTEGER).describe(
    'maximum bytes of the spool, which each process may exceed by 8 MiB; further events are dropped, counted by reason',
  ),
  EVENTS_STRICT: flagVariable(false).describe(
    'delay each response until the event is written to the spool, for at most 1 s',
  ),
  COOKIE_SECRETS: listVariable()
    .superRefine((secrets, context) => {
      const message = secrets.map(secretProblem).find((problem) => problem !== null);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .describe(
      'comma-separated keys of unlock cookies, 32 bytes or more each: the first signs, all verify; generated on loopback by default',
    ),
  METRICS_PORT: portVariable(9464).describe('port of the metrics of redirect; 0 takes a free one'),
  METRICS_HOST: metricsHostVariable(),
  ROOT_REDIRECT_URL: urlVariable('http:', 'https:')
    .transform((value) => new URL(value).href)
    .optional()
    .describe('target of /; a small page by default'),
  STRICT_HOSTS: flagVariable(false).describe(
    'answer 421 under host names other than that of PUBLIC_BASE_URL and custom domains, but for /-/live and /-/ready',
  ),
  TLS_ASK_PORT: portVariable(0)
    .optional()
    .describe(
      'port, on METRICS_HOST, where an edge asks whether to get a certificate for a host (docs/install.md); none by default',
    ),
  REDIRECT_STATUS: z
    .enum(['301', '302', '307', '308'], 'expected 301, 302, 307 or 308')
    .default('302')
    .transform(Number)
    .describe(
      'status of redirects; browsers cache 301 and 308, and visits answered from that cache are not counted',
    ),
  FORWARD_QUERY: flagVariable(true).describe("add the visitor's parameters to the target of Url links"),
  TRUSTED_PROXIES: trustedProxiesVariable(),
  ...countryVariables,
  L1_ENTRIES_MAX: integerVariable(100_000, 100, 10_000_000).describe(
    'maximum number of links in the memory of each process',
  ),
  L1_BYTES_MAX: integerVariable(64 * MEBIBYTE, MEBIBYTE, 64 * 1024 * MEBIBYTE).describe(
    'maximum bytes of links in the memory of each process, roughly',
  ),
  PAGES_BYTES_MAX: integerVariable(64 * MEBIBYTE, MEBIBYTE, 64 * 1024 * MEBIBYTE).describe(
    'maximum bytes of rendered pages in the memory of each process, compressed; roughly',
  ),
  ...mediaVariables,
  MEDIA_BYTES_MAX: integerVariable(32 * MEBIBYTE, MEBIBYTE, 64 * 1024 * MEBIBYTE).describe(
    'maximum bytes of uploaded pictures in the memory of each process, roughly',
  ),
  DEFAULT_LANGUAGE: z
    .enum(LANGUAGES, `expected one of ${LANGUAGES.join(', ')}`)
    .default('en')
    .describe('language of pages for visitors who accept none of en, az, ru, tr'),
  ABUSE_CONTACT_URL: abuseContactVariable(),
  APPLE_APP_SITE_ASSOCIATION: jsonVariable(appleAppSiteAssociation, APPLE_APP_SITE_ASSOCIATION_SHAPE)
    .optional()
    .describe('JSON served as /.well-known/apple-app-site-association, for universal links'),
  ASSET_LINKS: jsonVariable(assetLinks, ASSET_LINKS_SHAPE)
    .optional()
    .describe('JSON served as /.well-known/assetlinks.json, for Android app links'),
  LOG_LEVEL: logLevelVariable().describe('fatal, error, warn, info, debug, trace or silent'),
});

/** Read once by the primary and each worker, in main.ts. */
export const redirectConfigSchema = variables.superRefine((config, context) => {
  const { REDIRECT_HOST: host, COOKIE_SECRETS: secrets }: Record<string, unknown> = config;
  // Invalid values have their own messages.
  const isMissing = Array.isArray(secrets) && secrets.length === 0;
  if (!isMissing || typeof host !== 'string' || isLoopback(host)) return;
  context.addIssue({
    code: 'custom',
    path: ['COOKIE_SECRETS'],
    message:
      'required unless REDIRECT_HOST is loopback, because replicas and restarts must share them; openssl rand -hex 32 makes one',
  });
}, RUN_ALWAYS);

function redisProblem(url: string): string | null {
  return redisAddressProblem(url) ?? addressSecretProblem(url, { mayLackPassword: true });
}

function postgresUrlsVariable() {
  const one = databaseUrlVariable('postgres:', 'postgresql:');
  return listVariable().superRefine((urls, context) => {
    const issue = urls.flatMap((url) => one.safeParse(url).error?.issues ?? [])[0];
    if (issue !== undefined) context.addIssue({ code: 'custom', message: issue.message });
  });
}

/** JSON that matches `schema`, which `shape` describes; its value is the minified text. */
function jsonVariable(schema: z.ZodType, shape: string) {
  return z.string().transform((text, context) => {
    try {
      return JSON.stringify(schema.parse(JSON.parse(text)));
    } catch {
      context.addIssue({ code: 'custom', message: `expected the JSON text of the file: ${shape}` });
      return z.NEVER;
    }
  });
}

/** Start of the instance's addresses. */
export function publicBaseUrlOf(config: {
  PUBLIC_BASE_URL?: string | undefined;
  REDIRECT_PORT: number;
}): string {
  return config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.REDIRECT_PORT}`;
}

export type RedirectConfig = Readonly<z.output<typeof redirectConfigSchema>>;
