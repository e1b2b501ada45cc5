import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFaultyGateway } from '../../../services/redirect/test/events-faulty-gateway.js';
import type { FaultyGateway } from '../../../services/redirect/test/events-faulty-gateway.js';
import { openTrial } from '../../../services/redirect/test/trial.js';
import type { Trial } from '../../../services/redirect/test/trial.js';
import {
  countBurst,
  countClosed,
  countConfirmed,
  countShipped,
  findStaleLinks,
} from './broken-builds-checkers.js';
import type { EventTrial, Findings } from './broken-builds-checkers.js';
import { copyBuild } from './broken-builds-copy.js';
import type { Build } from './broken-builds-copy.js';
import { BROKEN_BUILDS } from './broken-builds-list.js';
import type { BrokenBuild } from './broken-builds-list.js';

const RACES = trialSize(20, 500);
const EVENTS = trialSize(3_000, 50_000);
const PROCESSES = trialSize(2, 20);
const TRIED = BROKEN_BUILDS.filter(({ isTriedAlways }) => trialSize(isTriedAlways, true));

let trial: Trial;
let gateway: FaultyGateway;
let events: EventTrial;

beforeAll(async () => {
  trial = await openTrial();
  gateway = await startFaultyGateway(trial.databases.clickhouseUrl);
  events = { gateway, clickhouseUrl: trial.databases.clickhouseUrl };
});
afterAll(async () => {
  await gateway.close();
  await trial.close();
});

const CHECKERS: Record<BrokenBuild['checker'], (build: Build) => Promise<Findings>> = {
  races: (build) => findStaleLinks(build, trial, RACES),
  shipping: (build) => countShipped(build, events, EVENTS),
  burst: (build) => countBurst(build, events, EVENTS),
  kill: (build) => countConfirmed(build, events, PROCESSES),
  stop: (build) => countClosed(build, events, PROCESSES),
};

async function check(edit: BrokenBuild['edit'] | null, checker: BrokenBuild['checker']): Promise<Findings> {
  const build = copyBuild(edit);
  try {
    return await CHECKERS[checker](build);
  } finally {
    build.remove();
  }
}

test('every checker finds nothing in the build as it is, and notices each that was broken on purpose', async () => {
  for (const checker of new Set(TRIED.map((broken) => broken.checker))) {
    const { tried, ...found } = await check(null, checker);
    expect(tried, checker).toBeGreaterThan(0);
    expect({ checker, ...found }).toEqual({ checker, stale: 0, lost: 0, doubled: 0, waiting: 0 });
  }
  const caught: string[] = [];
  for (const { name, checker, finds, edit } of TRIED) {
    const found = await check(edit, checker);
    expect(found[finds], `${name}: ${JSON.stringify(found)}`).toBeGreaterThan(0);
    caught.push(`${name}: ${found[finds]} of ${found.tried} ${finds}`);
  }
  recordFigure({
    promise: 'F1',
    trial: `${TRIED.length} builds broken on purpose`,
    measured: `${caught.length} caught (${caught.join('; ')}); the build as it is: nothing found`,
    holds: true,
  });
}, 300_000);

test('a breakage whose place is no longer there is told, and not taken for one that was caught', () => {
  const edit = { package: 'redirect', file: 'main.js', find: 'no such text', replace: '' } as const;
  expect(() => copyBuild(edit)).toThrow('redirect/dist/main.js has 0 places');
});
