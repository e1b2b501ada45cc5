import { z } from 'zod';
import { redisAddressProblem } from '@smartlink/links/redis';
import { mediaVariables } from '@smartlink/media/store';
import {
  abuseContactVariable,
  addressSecretProblem,
  baseUrlVariable,
  checkedVariable,
  countryVariables,
  databaseUrlVariable,
  dnsServersVariable,
  flagVariable,
  integerVariable,
  keyPrefixVariable,
  listVariable,
  logLevelVariable,
  metricsHostVariable,
  networksVariable,
  placeholderProblem,
  portVariable,
  RUN_ALWAYS,
  trustedProxiesVariable,
  urlVariable,
} from '@smartlink/process/config';

const RATIO = 'expected a number from 0 to 1';

const variables = z.object({
  DATABASE_URL: databaseUrlVariable('postgres:', 'postgresql:').describe(
    'address of the Postgres database; a non-loopback address requires a password that is not a well-known default',
  ),
  REDIS_URL: checkedVariable(redisProblem).describe(
    'address of Redis, a cluster or sentinels (docs/scale.md); no RDB or AOF, or kept for a day: it holds keys of visitor ids',
  ),
  CLICKHOUSE_URL: databaseUrlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path; on another machine with a password, as above',
  ),
  REDIS_KEY_PREFIX: keyPrefixVariable('smartlink:').describe('first part of every Redis key and channel'),
  MANAGEMENT_PORT: portVariable(3000).describe('port of the API'),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('address the API listens on'),
  MANAGEMENT_PROCESSES: integerVariable(1, 1, 64).describe(
    'processes that share the port of the API; each has POSTGRES_CONNECTIONS_MAX connections',
  ),
  MANAGEMENT_METRICS_PORT: portVariable(9465).describe(
    'port of the metrics of management; 0 takes a free one',
  ),
  METRICS_HOST: metricsHostVariable(),
  PUBLIC_BASE_URL: baseUrlVariable()
    .default('http://127.0.0.1:8080')
    .describe('what every short link begins with'),
  MANAGEMENT_BASE_URL: baseUrlVariable()
    .optional()
    .describe(
      'origin at which browsers reach the API; people sign in over https, on a loopback host, or at the http origin set here; by default http://127.0.0.1 with MANAGEMENT_PORT',
    ),
  DASHBOARD_ENABLED: flagVariable(true).describe(
    'whether the API also serves the dashboard, at /dashboard/; one-time links of people lead there',
  ),
  TRUSTED_PROXIES: trustedProxiesVariable(),
  ...countryVariables,
  ABUSE_CONTACT_URL: abuseContactVariable(),
  ...mediaVariables,
  DOMAIN_VERIFICATION: z
    .enum(['dns', 'trust'], 'expected dns or trust')
    .default('dns')
    .describe(
      'how custom domains are proven: dns, by a TXT record, or trust, not at all, for instances of one team',
    ),
  DOMAIN_DNS_SERVERS: dnsServersVariable().describe(
    "name servers, comma-separated ip[:port], that look up the records of custom domains; the system's by default",
  ),
  CORS_ORIGINS: listVariable().describe(
    'origins, comma-separated, whose pages may call the API; none by default',
  ),
  POSTGRES_CONNECTIONS_MAX: integerVariable(10, 2, 200).describe(
    'maximum number of connections to Postgres of a process; 30 % are for its thread of heavy requests',
  ),
  TOTALS_AGE_MAX_MS: integerVariable(1_000, 0, 5_000).describe(
    'maximum age of the totals in lists and fetches, in ms',
  ),
  EVENTS_KEPT_MONTHS: integerVariable(13, 0, 1_200).describe(
    'months for which single visits are kept; figures by UTC day are kept forever; 0 keeps everything',
  ),
  ROLLUP_INTERVAL_SECONDS: integerVariable(30, 1, 3_600).describe(
    'how often finished days and late visits are rolled up, by one process at a time',
  ),
  SAFETY_RECHECK_INTERVAL_SECONDS: integerVariable(2, 1, 3_600).describe(
    'how often links due for a new URL check are looked up; each is due once a day',
  ),
  SAFETY_PROVIDER: z
    .enum(
      ['none', 'blocklist', 'google-web-risk', 'google-safe-browsing', 'http'],
      'expected none, blocklist, google-web-risk, google-safe-browsing or http',
    )
    .default('none')
    .describe(
      'provider that judges the URLs of smartlinks: none, blocklist, google-web-risk, google-safe-browsing (not for commercial use) or http',
    ),
  SAFETY_BLOCKLIST_FILES: listVariable().describe(
    'for blocklist: files, comma-separated, of hosts and URLs: one a line, hosts files, URLhaus CSV or text',
  ),
  SAFETY_BLOCKLIST_RELOAD_SECONDS: integerVariable(30, 1, 86_400).describe(
    'for blocklist: how often the files are checked for changes; a changed file is loaded without a restart',
  ),
  SAFETY_API_KEY: checkedVariable(placeholderProblem)
    .optional()
    .describe('for google-web-risk and google-safe-browsing: the API key'),
  SAFETY_API_BASE_URL: urlVariable('http:', 'https:')
    .optional()
    .describe("for google-web-risk and google-safe-browsing: replaces Google's address"),
  SAFETY_HTTP_URL: urlVariable('http:', 'https:')
    .optional()
    .describe('for http: gets POST {"urls": […]}, answers {"unsafe": […]}, each URL as it was sent'),
  SAFETY_HTTP_TOKEN: checkedVariable(placeholderProblem)
    .optional()
    .describe('for http: sent as Authorization: Bearer …'),
  SAFETY_LIMIT_MS: integerVariable(1_500, 50, 1_500).describe(
    'maximum time a create or change waits for the provider, in ms',
  ),
  SAFETY_FAIL_CLOSED: flagVariable(false).describe(
    'true refuses URLs with 503 while the provider is unavailable; false stores them, to be checked later',
  ),
  WEBHOOK_ALLOWED_NETWORKS: networksVariable().describe(
    'comma-separated CIDR ranges inside your own network that webhooks may be sent to; none by default',
  ),
  WEBHOOK_VISITS_INTERVAL_SECONDS: integerVariable(60, 1, 3_600).describe(
    'how often visits are collected for the webhooks that receive them',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariable('http:', 'https:')
    .optional()
    .describe(
      'OpenTelemetry collector that takes OTLP over HTTP, as in http://otel:4318; no traces without it',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform(parseHeaders)
    .describe('headers sent to it, comma-separated: authorization=Bearer%20…'),
  OTEL_SERVICE_NAME: z.string().default('smartlink-management').describe('name of this service in traces'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0|1|[01]?\.\d{1,9})$/, RATIO)
    .default('1')
    .transform(Number)
    .pipe(z.number(RATIO).max(1, RATIO))
    .describe('ratio of traced requests, 0 to 1, unless the caller has decided'),
  LOG_LEVEL: logLevelVariable().describe('fatal, error, warn, info, debug, trace or silent'),
});

type SafetyVariable = 'SAFETY_BLOCKLIST_FILES' | 'SAFETY_API_KEY' | 'SAFETY_HTTP_URL' | 'SAFETY_HTTP_TOKEN';

const NEEDED_BY_PROVIDER: Readonly<Record<string, readonly SafetyVariable[] | undefined>> = {
  blocklist: ['SAFETY_BLOCKLIST_FILES'],
  'google-web-risk': ['SAFETY_API_KEY'],
  'google-safe-browsing': ['SAFETY_API_KEY'],
  http: ['SAFETY_HTTP_URL', 'SAFETY_HTTP_TOKEN'],
};

export const configSchema = variables.superRefine((config, context) => {
  for (const name of NEEDED_BY_PROVIDER[config.SAFETY_PROVIDER] ?? []) {
    const value = config[name];
    if (value !== undefined && value.length > 0) continue;
    context.addIssue({
      code: 'custom',
      path: [name],
      message: `SAFETY_PROVIDER is ${config.SAFETY_PROVIDER}`,
    });
  }
}, RUN_ALWAYS);

function redisProblem(url: string): string | null {
  return redisAddressProblem(url) ?? addressSecretProblem(url, { mayLackPassword: true });
}

/** The origin of the service itself. */
export const managementBaseUrl = (config: Pick<Config, 'MANAGEMENT_BASE_URL' | 'MANAGEMENT_PORT'>): string =>
  config.MANAGEMENT_BASE_URL ?? `http://127.0.0.1:${config.MANAGEMENT_PORT}`;

export type Config = Readonly<z.output<typeof configSchema>>;

/** `name=value,name=value` with percent-encoded values, as in the OpenTelemetry specification. */
function parseHeaders(text: string, context: z.RefinementCtx): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const part of text.split(',').filter((item) => item.trim() !== '')) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*([!-~]*)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined || !isEncoded(value)) {
      context.addIssue({
        code: 'custom',
        message: 'expected name=value, comma-separated, values percent-encoded',
      });
      return z.NEVER;
    }
    headers[name] = decodeURIComponent(value);
  }
  return headers;
}

function isEncoded(value: string): boolean {
  try {
    // The characters that Node accepts in a header.
    return /^[\t\x20-\x7e]*$/.test(decodeURIComponent(value));
  } catch {
    return false;
  }
}
