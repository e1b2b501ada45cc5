import { request } from 'node:http';
import { writeLines } from '../line-script.js';
import { HOT_LINKS, linkPaths, scatteredSlug } from '../many-links.js';
import type { StackRun } from '../stack-bench.js';
import { CONNECTIONS, WIDE, loadEach, loadVisits } from '../visit-load.js';
import type { VisitLoad } from '../visit-load.js';
import { writeWalkScript } from '../walk-script.js';
import type { ColdServices, ColdSizes } from './cold-run.js';

export type LoadKindName =
  | 'hot'
  | 'redis'
  | 'postgres'
  | 'postgres wide'
  | 'unknown'
  | 'unknown again'
  | 'page identity'
  | 'page gzip'
  | 'page br'
  | 'hot, counted'
  | 'page 304';

/** Bytes of the page as it travels. */
export type PageBytes = Readonly<Record<'identity' | 'gzip' | 'br', number>>;

/** A kind of visits under full load. */
export type LoadKind = {
  readonly name: LoadKindName;
  readonly service: keyof ColdServices;
  /** Asks for one phase. */
  readonly load: () => Promise<VisitLoad>;
};

const UNKNOWN_AGAIN = 1_000;
// More than a phase can ask for; behind all numbers of links.
const UNKNOWN_A_PHASE = 300_000;
const UNKNOWN_FROM = 100_000_000;

/** Returns all kinds of visits, redirects from memory first, and how long the page is in each encoding. */
export async function loadKinds(
  { stack, cores, sizes, signal }: StackRun<ColdSizes>,
  services: ColdServices,
): Promise<{ readonly kinds: readonly LoadKind[]; readonly pageBytes: PageBytes }> {
  const folder = stack.folder('wrk');
  const byWrk = (service: keyof ColdServices, script: string, connections: number) =>
    loadVisits(services[service], {
      ...{ script, connections, signal },
      seconds: sizes.seconds,
      clientCore: cores.others,
    });
  const fixed = (
    name: LoadKindName,
    service: keyof ColdServices,
    paths: readonly string[],
    more: Partial<Parameters<typeof writeWalkScript>[2]> & { connections?: number } = {},
  ): LoadKind => {
    const fileName = name.replaceAll(' ', '-');
    const pathsFile = writeLines(folder, fileName, paths);
    const { connections = CONNECTIONS, ...walk } = more;
    const script = writeWalkScript(folder, fileName, { pathsFile, offset: 0, ...walk });
    return { name, service, load: () => byWrk(service, script, connections) };
  };
  const page = `/${scatteredSlug(sizes.storedLinks)}`;
  const inEncoding = async (encoding: string) => {
    const headers = { 'Accept-Encoding': encoding };
    return { headers, ...(await get(`${services.pages.url}${page}`, headers)) };
  };
  const identity = await inEncoding('identity');
  const gzip = await inEncoding('gzip');
  const br = await inEncoding('gzip, deflate, br');
  const stored = linkPaths(0, sizes.storedLinks);
  const counted = (
    name: LoadKindName,
    service: keyof ColdServices,
    path: string,
    status: number,
    headers: Readonly<Record<string, string>> = {},
  ): LoadKind => ({
    name,
    service,
    load: () => {
      const paths = Array.from({ length: sizes.countedVisits }, () => path);
      return loadEach(services[service], { paths, connections: CONNECTIONS, status, headers, signal });
    },
  });
  const kinds = [
    fixed('hot', 'hot', linkPaths(0, HOT_LINKS)),
    fixed('redis', 'redis', linkPaths(0, sizes.redisLinks)),
    fixed('postgres', 'postgres', stored),
    fixed('postgres wide', 'postgres', stored, { connections: WIDE }),
    unknownKind(folder, (script) => byWrk('unknown', script, WIDE)),
    fixed('unknown again', 'hot', linkPaths(UNKNOWN_FROM - UNKNOWN_AGAIN, UNKNOWN_AGAIN), {
      isRefused: true,
    }),
    fixed('page identity', 'pages', [page], { headers: identity.headers }),
    fixed('page gzip', 'pages', [page], { headers: gzip.headers }),
    fixed('page br', 'pages', [page], { headers: br.headers }),
    counted('hot, counted', 'hot', `/${scatteredSlug(0)}`, 302),
    counted('page 304', 'pages', page, 304, { ...br.headers, 'If-None-Match': br.etag }),
  ];
  return { kinds, pageBytes: { identity: identity.bytes, gzip: gzip.bytes, br: br.bytes } };
}

function unknownKind(folder: string, load: (script: string) => Promise<VisitLoad>): LoadKind {
  let from = UNKNOWN_FROM;
  return {
    name: 'unknown',
    service: 'unknown',
    // Nobody has ever asked for these.
    load: () => {
      from += UNKNOWN_A_PHASE;
      const pathsFile = writeLines(folder, 'unknown', linkPaths(from, UNKNOWN_A_PHASE));
      return load(writeWalkScript(folder, 'unknown', { pathsFile, offset: 0, isRefused: true }));
    },
  };
}

/** Returns the bytes of an answer's body as it travels, and its ETag. */
function get(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly bytes: number; readonly etag: string }> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { ...headers, 'Accept-Language': 'en' } }, (res) => {
      let bytes = 0;
      res.on('data', (chunk: Buffer) => (bytes += chunk.length));
      res.on('end', () => {
        if (res.statusCode === 200) resolve({ bytes, etag: res.headers.etag ?? '' });
        else reject(new Error(`${url} was answered with ${res.statusCode ?? 0}`));
      });
    })
      .once('error', reject)
      .end();
  });
}
