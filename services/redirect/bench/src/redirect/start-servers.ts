import { get } from 'node:http';
import { missingProgram } from '@smartlink/bench/wrk';
import { evenUrl } from '../many-links.js';
import type { Contender } from './findings.js';
import type { NamedMix } from './mixes.js';
import { startBare, startNginx, startService } from './servers.js';
import type { Place, Target } from './servers.js';

/** All servers of a run. */
export type Servers = {
  /** Those that are compared on visits to one of our services, the floor first. */
  readonly contenders: (service: 'plain' | 'proxied') => ReadonlyMap<Contender, Target>;
  /** Ours, by a name for people. */
  readonly services: ReadonlyMap<string, Target>;
  /** What could not be started, and why. */
  readonly skipped: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Peers on this machine may say where a visitor comes from. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };

/**
 * Starts the bare handlers, nginx and our services, of this build and of the one in `against`. The caller stops them.
 * Rejects with StackError when one does not start, and when the copy of our answer is not the same.
 */
export async function startServers(
  place: Place,
  against: string | null,
  mixes: readonly NamedMix[],
): Promise<Servers> {
  const started: Target[] = [];
  const start = async (starting: Promise<Target>): Promise<Target> => {
    const target = await starting;
    started.push(target);
    return target;
  };
  const stop = async () => {
    for (const target of started.toReversed()) await target.stop();
  };
  try {
    const slug = mixes[0]?.slugs[0] ?? '';
    const plain = await start(startService(place, 'plain'));
    const proxied = await start(startService(place, 'proxied', { env: PROXIED }));
    const answer = await headersOf(`${plain.url}/${slug}`);
    const bare = await start(startBare(place, 'bare', [['Location', evenUrl(0)]]));
    const same = await start(startBare(place, 'same-bytes', answer));
    const copy = await headersOf(`${same.url}/${slug}`);
    if (String(copy) !== String(answer))
      throw new Error(`The copy answers ${String(copy)}, not ${String(answer)}`);
    const noNginx = missingProgram('nginx', 'nginx-light');
    const nginx = noNginx === null ? await start(startNginx(place)) : null;
    const old =
      against === null
        ? null
        : {
            plain: await start(startService(place, 'against-plain', { root: against })),
            proxied: await start(startService(place, 'against-proxied', { root: against, env: PROXIED })),
          };
    const floors: [Contender, Target][] = [
      ['bare', bare],
      ['same bytes', same],
      ...(nginx === null ? [] : [['nginx', nginx] satisfies [Contender, Target]]),
    ];
    const ours = { plain, proxied };
    return {
      contenders: (service) =>
        new Map([
          ...floors,
          ['service', ours[service]],
          ...(old === null ? [] : [['against', old[service]] satisfies [Contender, Target]]),
        ]),
      services: new Map([
        ['service', plain],
        ['service behind a proxy', proxied],
        ...(old === null
          ? []
          : Object.entries(old).map(([name, target]) => [`against, ${name}`, target] as const)),
      ]),
      skipped: noNginx === null ? [] : [noNginx],
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

// What uWebSockets.js writes by itself.
const WRITTEN_BY_SERVER = new Set(['date', 'content-length', 'connection']);

/** Returns the headers of a redirect as they were written. */
async function headersOf(url: string): Promise<readonly (readonly [name: string, value: string])[]> {
  const raw = await new Promise<readonly string[]>((resolve, reject) => {
    get(url, (res) => {
      res.resume();
      if (res.statusCode === 302) resolve(res.rawHeaders);
      else reject(new Error(`${url} was answered with ${res.statusCode ?? 0}`));
    }).once('error', reject);
  });
  const pairs = Array.from(
    { length: raw.length / 2 },
    (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? ''] as const,
  );
  return pairs.filter(([name]) => !WRITTEN_BY_SERVER.has(name.toLowerCase()));
}
