import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type DomainTable, readDomainTable, type ServedDomain } from '@smartlink/links/domains';
import { failureMessage } from '@smartlink/process/database';
import { syncFolder } from '@smartlink/process/files';
import {
  closeServer,
  type InternalAnswer,
  type Job,
  type Logger,
  serveInternally,
  startJob,
} from '@smartlink/process/lifecycle';
import type { RedirectConfig } from '../config.js';
import { SEGMENT_FILE_MODE, SPOOL_FOLDER_MODE } from '../events/spool-files.js';
import type { DomainChanges } from '../http/served-host.js';
import { openDomainDatabase } from '../links/postgres.js';

// A change is seen within 10 s: this, and a database that hangs for 2.5 s.
const READ_EVERY_MS = 5_000;
/** A start waits no longer for Postgres; then the file counts until it answers. */
const START_WAIT_MS = 1_000;
const FILE_NAME = 'domains.json';

const fileSchema = z.object({
  version: z.number(),
  domains: z.array(
    z.object({
      number: z.number(),
      host: z.string(),
      isServed: z.boolean(),
      rootUrl: z.string().nullable(),
      notFoundUrl: z.string().nullable(),
      expiredUrl: z.string().nullable(),
      appleAppSiteAssociation: z.string().nullable(),
      assetLinks: z.string().nullable(),
    }),
  ),
}) satisfies z.ZodType<DomainTable>;

type Addresses = Pick<RedirectConfig, 'DATABASE_URL' | 'DATABASE_REPLICA_URL'>;

export type Domains = ReturnType<typeof createDomains>;

/**
 * The custom domains as Postgres last had them, read again every 5 s. The table is kept in a file beside the spool, so that a
 * restart without Postgres serves the same hosts. `onChange` gets what a worker must be sent. The caller stops it.
 */
export function createDomains(options: {
  readonly addresses: Addresses;
  readonly spoolDir: string;
  /** Also has a certificate; null: none. */
  readonly ownHost: string | null;
  readonly log: Logger;
  readonly onChange: (changes: DomainChanges) => void;
}) {
  const { log } = options;
  const file = createDomainFile(join(options.spoolDir, FILE_NAME), log);
  let databases = openDatabases(options.addresses);
  let domains: ReadonlyMap<number, ServedDomain> | null = null;
  let certified: ReadonlySet<string> = certifiedOf([], options.ownHost);
  /** As read from Postgres; null before that, since a database restored from a backup may count from an older one. */
  let version: number | null = null;
  let readAtSeconds = 0;
  let job: Job | null = null;

  function take(table: DomainTable): void {
    const next = new Map(table.domains.map((domain) => [domain.number, domain]));
    const changes = changesBetween(domains ?? new Map(), next);
    const isFirst = domains === null;
    domains = next;
    certified = certifiedOf(table.domains, options.ownHost);
    if (isFirst || changes.changed.length + changes.gone.length > 0) options.onChange(changes);
  }

  /**
   * The primary first: a replica that stands still would hide a suspension for hours. While it does not answer, a replica's newer
   * table counts.
   */
  async function read(): Promise<void> {
    let failure: unknown = null;
    for (const [index, database] of databases.entries()) {
      try {
        const table = await readDomainTable(database, version);
        readAtSeconds = Date.now() / 1_000;
        if (table === null || (index > 0 && version !== null && table.version < version)) return;
        version = table.version;
        take(table);
        await file.write(table);
        return;
      } catch (err) {
        failure = err;
      }
    }
    throw failure;
  }

  return {
    /** Resolves when the domains are known from Postgres or the file, or neither answers; reading goes on. */
    async start(): Promise<void> {
      const first = read().catch((err: unknown) => {
        log.warn({ reason: failureMessage(err) }, 'domains cannot be read');
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, START_WAIT_MS)));
      await Promise.race([first, late]);
      clearTimeout(timer);
      const kept = domains === null ? await file.read() : null;
      // Postgres may have answered while the file was read.
      if (kept !== null && domains === null) take(kept);
      job = startJob({ everyMs: READ_EVERY_MS, run: read, failure: 'domains cannot be read', log });
    },
    /** The whole table for a new worker; null while none is known. */
    all: (): DomainChanges | null => (domains === null ? null : { changed: [...domains.values()], gone: [] }),
    /** Whether the edge may get a certificate: the public base's host, and proven domains, exactly as written. */
    isCertified: (host: string): boolean => certified.has(host),
    figures: () => ({ domains: domains?.size ?? 0, domains_read_timestamp_seconds: readAtSeconds }),
    /** Reads from these addresses from now on. */
    renew(next: Addresses): void {
      const before = databases;
      databases = openDatabases(next);
      endAll(before);
    },
    async stop(): Promise<void> {
      await job?.stop();
      endAll(databases);
    },
  };
}

/** The table in a file, replaced as a whole. Faults are logged. */
function createDomainFile(path: string, log: Logger) {
  return {
    async write(table: DomainTable): Promise<void> {
      const folder = dirname(path);
      const unfinished = `${path}.${process.pid}`;
      try {
        await mkdir(folder, { recursive: true, mode: SPOOL_FOLDER_MODE });
        const handle = await open(unfinished, 'w', SEGMENT_FILE_MODE);
        try {
          await handle.writeFile(JSON.stringify(table));
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(unfinished, path);
        await syncFolder(folder);
      } catch (err) {
        log.warn({ err, path }, 'domains cannot be kept for a restart without Postgres');
      }
    },
    async read(): Promise<DomainTable | null> {
      try {
        return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
      } catch (err) {
        log.warn({ path, reason: failureMessage(err) }, 'domains are not known until Postgres answers');
        return null;
      }
    },
  };
}

const openDatabases = ({ DATABASE_URL, DATABASE_REPLICA_URL }: Addresses) =>
  [DATABASE_URL, ...DATABASE_REPLICA_URL].map(openDomainDatabase);

function endAll(databases: ReturnType<typeof openDatabases>): void {
  for (const database of databases) void database.end().catch(() => undefined);
}

function certifiedOf(domains: readonly ServedDomain[], ownHost: string | null): ReadonlySet<string> {
  const hosts = new Set(domains.filter(({ isServed }) => isServed).map(({ host }) => host));
  return ownHost === null ? hosts : hosts.add(ownHost);
}

/** Workers get changes only: files of many domains are megabytes, and parsing them would delay visits. */
function changesBetween(
  before: ReadonlyMap<number, ServedDomain>,
  after: ReadonlyMap<number, ServedDomain>,
): DomainChanges {
  const isSame = (domain: ServedDomain): boolean =>
    JSON.stringify(before.get(domain.number)) === JSON.stringify(domain);
  return {
    changed: [...after.values()].filter((domain) => !isSame(domain)),
    gone: [...before.keys()].filter((number) => !after.has(number)),
  };
}

/** Serves `/-/tls-ask?domain=<host>` and nothing else to the edge; null without TLS_ASK_PORT. The caller closes it. */
export async function serveTlsAsk(
  { METRICS_HOST: host, TLS_ASK_PORT: port }: RedirectConfig,
  domains: Pick<Domains, 'isCertified'>,
  log: Logger,
) {
  if (port === undefined) return null;
  const answer = (query: string): InternalAnswer => {
    const [asked, ...more] = new URLSearchParams(query).getAll('domain');
    const isGranted = asked !== undefined && more.length === 0 && domains.isCertified(asked);
    return isGranted ? { text: 'yes\n' } : { status: 404, text: 'no\n' };
  };
  const variables = { host: 'METRICS_HOST', port: 'TLS_ASK_PORT' };
  const server = await serveInternally({ host, port, variables, routes: { '/-/tls-ask': answer }, log });
  return { close: () => closeServer(server) };
}
