import type { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import { withTransaction } from '@smartlink/process/database';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import {
  type DomainLook,
  type LookOutcome,
  recordLook,
  removeStaleDomains,
  SYSTEM_ACTOR,
} from '@smartlink/smartlink/domains';
import { gaugesFromQuery } from '../plugins/metrics.js';
import { NO_URL_SAFETY, type UrlSafety } from '../url-safety/url-safety.js';
import {
  clearUnsafe,
  type DueDomain,
  findDomainsWithUrls,
  makeDomainDue,
  measureOverdueLooks,
  takeDueDomains,
  urlsOfDomain,
} from './queries.js';

const INTERVAL_MS = 30_000;
const BATCH_MAX = 100;
// A look takes 5 s where a name server does not answer: a batch then takes 65 s, well within its ten minutes.
const CONCURRENCY = 8;
const QUESTION_MS_MAX = 5_000;
const PAGE_MAX = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type LookDeps = {
  readonly pg: Pool;
  readonly lookUp: (host: string) => Promise<DomainLook>;
  readonly urlSafety: UrlSafety;
  readonly onLook: (outcome: LookOutcome) => void;
};

/**
 * Starts the job that looks at the records of each domain once a day and has its destinations judged. Any number of
 * processes may run one. Each also compares all destinations with every list that its safety provider loads.
 */
export function startDailyLooks(deps: LookDeps & { readonly log: Logger }): Job {
  let comparedVersion: number | undefined;
  return startJob({
    everyMs: INTERVAL_MS,
    jitter: 0.5,
    run: async (signal) => {
      const version = deps.urlSafety.listVersion?.();
      if (version !== comparedVersion) {
        await judgeAllDomains(deps, signal);
        comparedVersion = version;
      }
      await lookAtDue(deps, signal);
    },
    failure: 'domains cannot be looked at',
    log: deps.log,
  });
}

/** Looks at what is due until nothing is, and removes what has stayed Pending too long. Rejects if Postgres fails. */
export async function lookAtDue(deps: LookDeps, signal?: AbortSignal): Promise<void> {
  await removeStaleDomains(deps.pg);
  for (;;) {
    const due = await takeDueDomains(deps.pg, BATCH_MAX);
    if (due.length === 0) return;
    let next = 0;
    const lookOn = async (): Promise<void> => {
      for (let domain = due[next++]; domain !== undefined; domain = due[next++]) {
        if (signal?.aborted === true) return;
        await lookAt(deps, domain);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lookOn));
    if (signal?.aborted === true) return;
  }
}

async function lookAt({ pg, lookUp, urlSafety, onLook }: LookDeps, domain: DueDomain): Promise<void> {
  const look = await lookUp(domain.host);
  const outcome = await withTransaction(pg, (client) =>
    recordLook(client, { id: domain.id, actor: SYSTEM_ACTOR }, look),
  );
  if (outcome === null) return;
  onLook(outcome);
  if (!(await judgeDomains({ pg, urlSafety }, [domain]))) await makeDomainDue(pg, domain.id);
}

async function judgeAllDomains(deps: Pick<LookDeps, 'pg' | 'urlSafety'>, signal: AbortSignal): Promise<void> {
  let lastId = FIRST_ID;
  while (!signal.aborted) {
    const page = await findDomainsWithUrls(deps.pg, lastId, PAGE_MAX);
    const last = page.at(-1);
    if (last === undefined) return;
    lastId = last.id;
    await judgeDomains(deps, page);
  }
}

/** Clears unsafe destinations; whether all of them were judged, or no provider is configured. */
async function judgeDomains(
  { pg, urlSafety }: Pick<LookDeps, 'pg' | 'urlSafety'>,
  domains: readonly DueDomain[],
): Promise<boolean> {
  const urls = domains.flatMap(urlsOfDomain);
  if (urls.length === 0 || urlSafety === NO_URL_SAFETY) return true;
  const { unsafe, isChecked } = await urlSafety.check(urls, { limitMs: QUESTION_MS_MAX, failClosed: false });
  const unsafeUrls = new Set(unsafe.map(({ url }) => url));
  for (const domain of domains) {
    if (!urlsOfDomain(domain).some(({ url }) => unsafeUrls.has(url))) continue;
    await withTransaction(pg, (client) => clearUnsafe(client, domain.id, unsafeUrls));
  }
  return isChecked;
}

const OUTCOMES: readonly LookOutcome[] = ['proven', 'missing', 'unknown', 'taken'];

export function observeLooks(registry: Registry, pg: Pool): LookDeps['onLook'] {
  const looks = new Counter({
    name: 'smartlink_domain_looks_total',
    help: 'Looks at the DNS records of custom domains, by outcome; unknown: the DNS did not say',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) looks.inc({ outcome }, 0);
  gaugesFromQuery(registry, () => measureOverdueLooks(pg), [
    {
      name: 'smartlink_domain_looks_overdue_seconds',
      help: 'How long the first custom domain has been due for its daily look; 0 when none is',
      member: 'seconds',
    },
  ]);
  return (outcome) => {
    looks.inc({ outcome });
  };
}
