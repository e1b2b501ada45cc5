import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@smartlink/embedded/ports';
import type { CheckContext } from './check.js';
import type { ComposeDocument } from './compose-document.js';
import type { Container } from './image-container.js';
import { applyRoles, at, RESTORED_DATABASE, startEngines } from './image-engines.js';
import { openEdge } from './image-edge.js';
import type { Edge } from './image-edge.js';
import { countByCountry, countEvents, spoolFolders, waitingBytes } from './image-observations.js';
import { runJob, start, waitUntilHealthy } from './image-services.js';
import type { Images, Trial } from './image-services.js';
import { until } from './until.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
// An address of a country that is known, which nobody is asked for anything: it stands in a header.
const STRANGER = { address: '8.8.8.8', country: 'US' } as const;
// What a killed container was writing counts as abandoned after a minute (services/redirect/src/events).
const ADOPTED_MS = 90_000;

/**
 * Installs and runs what compose.yaml describes, in its order, each program in a container of its image, with the users and
 * rights of the databases. Returns what was seen, a line each; throws at the first thing that is not as it should be.
 */
export async function tryImages(
  context: CheckContext,
  document: ComposeDocument,
  images: Images,
): Promise<readonly string[]> {
  const engines = await startEngines(context);
  const running: Container[] = [];
  let edge: Edge | { missing: string } | null = null;
  try {
    const [spools, backups] = [makeVolume(context, 'spool-volume'), makeVolume(context, 'backup-volume')];
    const ports = { management: await freePort(), redirect1: await freePort(), redirect2: await freePort() };
    const trial: Trial = { context, document, images, engines, ports, spools, backups, running };
    await install(trial);
    const key = await firstKey(trial);
    edge = await openEdge(context, { redirect: ports.redirect1, management: ports.management });
    const lines = [
      await visitEach(trial, key),
      'missing' in edge ? `The edge was not tried: ${edge.missing}` : await visitByEdge(trial, edge, key),
      await killOne(trial),
      await backUpAndRestore(trial),
    ];
    return [...lines, await stopAll(trial)];
  } finally {
    for (const container of running) container.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    if (edge !== null && 'stop' in edge) await edge.stop();
    await engines.stop();
  }
}

/** A folder that takes over the owner of the image's folder, as a new volume does. */
function makeVolume({ folder }: CheckContext, name: string): string {
  const volume = path.join(folder, name);
  mkdirSync(volume, { mode: 0o700 });
  chownSync(volume, 1_000, 1_000);
  return volume;
}

async function install(trial: Trial): Promise<void> {
  const { context, engines } = trial;
  context.report('Applying roles and migrations, starting the services');
  await applyRoles(engines);
  await runJob(trial, 'migrate', 'migrate');
  await applyRoles(engines);
  start(trial, 'management', 'management', { MANAGEMENT_PORT: String(trial.ports.management) });
  startRedirect(trial, 1);
  startRedirect(trial, 2);
  for (const [target, port] of [
    ['management', trial.ports.management],
    ['redirect', trial.ports.redirect1],
    ['redirect', trial.ports.redirect2],
  ] as const)
    await waitUntilHealthy(trial, target, port);
}

function startRedirect(trial: Trial, number: 1 | 2): Container {
  return start(trial, 'redirect', `redirect-${number}`, {
    REDIRECT_PORT: String(trial.ports[`redirect${number}`]),
    REDIRECT_HOST: '127.0.0.1',
    REDIRECT_PROCESSES: '1',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1/32',
  });
}

async function firstKey(trial: Trial): Promise<string> {
  const args = ['users', 'create', '--email', 'first@example.com', '--plan', 'Enterprise', '--json'];
  const { apiKey } = JSON.parse(await runJob(trial, 'admin', 'admin', args)) as { apiKey: string };
  return apiKey;
}

async function visitEach(trial: Trial, key: string): Promise<string> {
  const { management, redirect1, redirect2 } = trial.ports;
  const created = await fetch(`http://127.0.0.1:${management}/api/v1/smartlink`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      configuration: { smartlinkName: 'Docs', smartlinkType: 'Url', smartlinkUrl: 'docs' },
      shortener: { url: 'https://example.org/' },
    }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!created.ok) throw new Error(`the API refuses a smartlink: ${created.status} ${await created.text()}`);
  for (const port of [redirect1, redirect2, redirect1]) await visit(port, '');
  await waitForEvents(trial, 3, 20_000);
  const folders = spoolFolders(trial.spools);
  if (folders !== '1 2') throw new Error(`two replicas have the spools ${folders}, not 1 and 2`);
  return 'migrated, healthy, a user made, a link made and visited on two replicas with a spool each; 3 events arrived';
}

async function visit(port: number, forwardedFor: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/docs`, {
    redirect: 'manual',
    headers: {
      'User-Agent': BROWSER,
      ...(forwardedFor === '' ? {} : { 'X-Forwarded-For': forwardedFor }),
    },
    signal: AbortSignal.timeout(5_000),
  });
  await answer.arrayBuffer();
  if (answer.status !== 302 || answer.headers.get('location') !== 'https://example.org/')
    throw new Error(`a visit is answered ${answer.status}`);
}

/** A visitor who claims to come from elsewhere is believed by the service when the edge says so, and never by the edge. */
async function visitByEdge(trial: Trial, edge: Edge, key: string): Promise<string> {
  await visit(trial.ports.redirect1, STRANGER.address);
  await waitForEvents(trial, 4, 20_000);
  const claimed = { 'x-forwarded-for': STRANGER.address, forwarded: `for=${STRANGER.address}` };
  const answer = await edge.get('link', '/docs', { 'user-agent': BROWSER, ...claimed });
  if (answer !== 302) throw new Error(`a visit by the edge is answered ${answer}`);
  await waitForEvents(trial, 5, 20_000);
  const countries = await countByCountry(trial.engines.clickhouseUrl);
  const seen = countries.get(STRANGER.country) ?? 0;
  if (seen !== 1) throw new Error(`${seen} visits, not 1, are taken to come from ${STRANGER.country}`);
  const statuses = await Promise.all([
    edge.get('api', '/api/v1/validate', { authorization: `Bearer ${key}` }),
    edge.get('api', '/-/metrics', {}),
    edge.get('api', '/-/ready', {}),
    edge.get('link', '/-/ready', {}),
    edge.get('link', '/-/live', {}),
  ]);
  if (statuses.join(' ') !== '200 404 404 404 404')
    throw new Error(`the edge's answers are ${statuses.join(' ')}`);
  return 'the edge ends TLS for both hosts, hides metrics and health, and drops the X-Forwarded-For of visitors';
}

/** A replica that is killed leaves its spool to the next one that starts, which loses nothing that was written. */
async function killOne(trial: Trial): Promise<string> {
  trial.context.report('Killing a replica; what it was writing is adopted after a minute');
  const before = await countEvents(trial.engines.clickhouseUrl);
  await trial.engines.refuseEvents(true);
  for (let count = 0; count < 20; count += 1) await visit(trial.ports.redirect1, '');
  await until(
    () => waitingBytes(trial.spools) > 0,
    'the visits are in the spool',
    10_000,
    trial.context.signal,
  );
  // A worker's buffer goes to the disk within 10 ms, and fdatasync within 100: what is there has stopped growing.
  let bytes = -1;
  await until(
    async () => {
      const last = bytes;
      await sleep(200);
      bytes = waitingBytes(trial.spools);
      return bytes === last;
    },
    'the spool is written',
    10_000,
    trial.context.signal,
  );
  const killed = trial.running.find((container) => container.name === 'redirect-1');
  killed?.kill('SIGKILL');
  await killed?.ended;
  await trial.engines.refuseEvents(false);
  startRedirect(trial, 1);
  await waitUntilHealthy(trial, 'redirect', trial.ports.redirect1);
  await waitForEvents(trial, before + 20, ADOPTED_MS);
  const folders = spoolFolders(trial.spools);
  if (folders !== '1 2') throw new Error(`after a kill there are the spools ${folders}, not 1 and 2`);
  return 'a replica was killed with 20 events in its spool: its successor took the same spool over, and all 20 arrived';
}

/** As docs/backup.md has it: saved with management's logins, restored with the owners', read with management's again. */
async function backUpAndRestore(trial: Trial): Promise<string> {
  const { context, engines } = trial;
  context.report('Backing up, and restoring into databases of another name');
  const events = await countEvents(engines.clickhouseUrl);
  await runJob(trial, 'admin', 'backup', ['backup', '--out', '/backup/one']);
  const database = RESTORED_DATABASE;
  const there = { ...engines, superuserUrl: at(engines.superuserUrl, database) };
  await applyRoles(there);
  await runJob(trial, 'migrate', 'migrate-restored', undefined, { database });
  const pending = await runJob(trial, 'migrate', 'migrate-check', ['--check'], { database });
  await runJob(trial, 'admin', 'restore', ['restore', '/backup/one'], { service: 'admin-owner', database });
  await applyRoles(there);
  const users = await runJob(trial, 'admin', 'restored-users', ['users', 'list', '--json'], { database });
  if (!users.includes('first@example.com')) throw new Error(`the restored users are ${users}`);
  const restored = await countEvents(at(engines.clickhouseUrl, database));
  if (restored !== events) throw new Error(`${restored} events, not ${events}, were restored`);
  return `backed up as management, restored as the owners into other databases: the user and ${restored} events; migrate --check says: ${pending.trim().split('\n').at(-1) ?? ''}`;
}

async function stopAll(trial: Trial): Promise<string> {
  const alive = trial.running.filter((container) => !container.hasEnded());
  for (const container of alive) container.kill('SIGTERM');
  const ends = await Promise.all(alive.map(({ ended }) => ended));
  const bad = ends.filter(({ code }) => code !== 0);
  if (bad.length > 0)
    throw new Error(`a service did not end in order: ${bad[0]?.output.slice(-1_500) ?? ''}`);
  return `${ends.length} services ended with 0 after SIGTERM`;
}

async function waitForEvents({ engines, context }: Trial, count: number, limitMs: number): Promise<void> {
  let seen = 0;
  await until(
    async () => {
      seen = await countEvents(engines.clickhouseUrl);
      return seen === count;
    },
    () => `${count} events have arrived; there are ${seen}`,
    limitMs,
    context.signal,
  );
}
