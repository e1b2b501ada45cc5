import { inTurns } from '@smartlink/bench/pairs';
import { withProgress } from '@smartlink/bench/progress';
import { fillRedis } from '../fill-redis.js';
import { layersBetween, settledLayers } from '../layer-counts.js';
import type { LayerCounts } from '../layer-counts.js';
import { writeLines } from '../line-script.js';
import { HOT_LINKS, URL_LINKS, fillLinks, linkPaths, scatteredSlug } from '../many-links.js';
import type { RedirectProcess } from '../redirect-process.js';
import type { StackRun } from '../stack-bench.js';
import { CONNECTIONS, loadVisits } from '../visit-load.js';
import type { VisitLoad } from '../visit-load.js';
import { EMPTIED_DATABASE, emptyRedis, withServices } from '../visited-services.js';
import type { ServiceSettings } from '../visited-services.js';
import { writeWalkScript } from '../walk-script.js';
import { drawZipf } from './draws.js';

export type ZipfSizes = {
  readonly links: number;
  /** Of L1, the one that is in question and a small one. */
  readonly entries: number;
  readonly fewEntries: number;
  /** Visits that are drawn beforehand, and then made over and over. */
  readonly draws: number;
  /** Of the same load before each measurement: what a process forgot while others were measured. */
  readonly warmUpSeconds: number;
};

export const ZIPF_KINDS = ['hot', 'all', 'usual', 'emptied', 'small'] as const;

export type ZipfKind = (typeof ZIPF_KINDS)[number];

export type ZipfPhase = VisitLoad & { readonly counts: LayerCounts };

export type ZipfFindings = Readonly<Record<ZipfKind, readonly ZipfPhase[]>>;

const BYTES_MAX = String(8 * 2 ** 30);
const SEED = 20_260_101;
// Without a common divisor with round numbers: each phase begins elsewhere among the draws.
const OFFSET_STEP = 611_953;

/** Measures visits to very many links in turns with visits to a few, by processes whose memory has room for more or fewer. */
export async function measureZipf(run: StackRun<ZipfSizes>): Promise<ZipfFindings> {
  const { stack, sizes, signal } = run;
  const { links } = sizes;
  await withProgress('links', 2 * links, async ({ reach }) => {
    await fillLinks(stack.pg, { kind: URL_LINKS, from: 0, to: links, signal, onStored: reach });
    const onStored = (count: number) => {
      reach(links + count);
    };
    await fillRedis(stack, { from: 0, to: links, signal, onStored });
  });
  const paths = pathFiles(run);
  return withServices(run, settingsOf(sizes), (services) =>
    run.saved.part('zipf', () =>
      withProgress('in turns', ZIPF_KINDS.length * sizes.rounds, async ({ step }) => {
        let phase = 0;
        return inTurns(ZIPF_KINDS, { rounds: sizes.rounds, signal, onStep: step }, (kind) => {
          phase += 1;
          const pathsFile = kind === 'hot' ? paths.hot : paths.drawn;
          return measurePhase(run, services[kind], { kind, pathsFile, phase });
        });
      }),
    ),
  );
}

function settingsOf({ links, entries, fewEntries }: ZipfSizes): Readonly<Record<ZipfKind, ServiceSettings>> {
  const room = (count: number) => ({ L1_ENTRIES_MAX: String(count), L1_BYTES_MAX: BYTES_MAX });
  return {
    hot: {},
    all: { env: room(2 * links) },
    usual: { env: room(entries) },
    small: { env: room(fewEntries) },
    emptied: { env: room(entries), redisDatabase: EMPTIED_DATABASE },
  };
}

function pathFiles({ stack, sizes }: StackRun<ZipfSizes>): Readonly<Record<'hot' | 'drawn', string>> {
  const folder = stack.folder('wrk');
  const drawn = Array.from(drawZipf(sizes.links, sizes.draws, SEED), (rank) => `/${scatteredSlug(rank)}`);
  return {
    hot: writeLines(folder, 'hot', linkPaths(0, HOT_LINKS)),
    drawn: writeLines(folder, 'drawn', drawn),
  };
}

async function measurePhase(
  { stack, cores, sizes, signal }: StackRun<ZipfSizes>,
  service: RedirectProcess,
  { kind, pathsFile, phase }: { kind: ZipfKind; pathsFile: string; phase: number },
): Promise<ZipfPhase> {
  const walk = (part: number) =>
    writeWalkScript(stack.folder('wrk'), 'walk', {
      pathsFile,
      offset: ((2 * phase + part) * OFFSET_STEP) % sizes.draws,
    });
  const load = (part: number, seconds: number) =>
    loadVisits(service, {
      ...{ connections: CONNECTIONS, signal, seconds },
      script: walk(part),
      clientCore: cores.others,
    });
  await load(0, kind === 'hot' ? 1 : sizes.warmUpSeconds);
  // What an emptied Redis is filled with by the visits of the warm-up goes too.
  if (kind === 'emptied') await emptyRedis(stack, EMPTIED_DATABASE);
  const before = await settledLayers(service);
  const figures = await load(1, sizes.seconds);
  const after = await settledLayers(service, before.visits + figures.requests);
  return { ...figures, counts: layersBetween(before, after) };
}
