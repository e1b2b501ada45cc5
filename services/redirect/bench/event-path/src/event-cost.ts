// Processor time of one event in the process that answers visitors, from the answered visit to bytes in the spool.
// Loops in turns, the same but for what they do with a visit: nothing, describe it, describe and record it; and that once
// more with visitors whose country and id are not remembered.
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@smartlink/process/logger';
import { createEventRecorder } from '../../../dist/events/event-recorder.js';
import type { EventRecorder } from '../../../dist/events/event-recorder.js';
import { readSettings, tellReached, tellResult } from './parent.js';
import { KNOWN_VISITORS, UNKNOWN_VISITORS, createDescriber, makeAnsweredVisits } from './visits.js';
import type { AnsweredVisit } from './visits.js';

export type CostSettings = {
  readonly spoolDir: string;
  readonly eventsPerRound: number;
  readonly rounds: number;
};

/** Microseconds of processor time an event, one figure a round. */
export type CostResult = {
  readonly nothing: readonly number[];
  readonly described: readonly number[];
  readonly recorded: readonly number[];
  readonly recordedUnknown: readonly number[];
  readonly dropped: number;
};

const SLICE = 1_000;
/** A half of the recorder's buffer holds some 30,000. */
const BUFFERED_MAX = 15_000;
const SPOOL_BYTES_MAX = 8 * 2 ** 30;
const WARM_UP_SHARE = 0.2;

tellResult(await measureCost(readSettings() as CostSettings));

async function measureCost({ spoolDir, eventsPerRound, rounds }: CostSettings): Promise<CostResult> {
  const known = makeAnsweredVisits(KNOWN_VISITORS);
  const unknown = makeAnsweredVisits(UNKNOWN_VISITORS);
  const recordEvents = createRecordLoop(spoolDir);
  const describe = createDescriber();
  let seen = 0;
  const doNothing = (visit: AnsweredVisit, timeMs: number) => {
    seen += visit.request.query.length + (timeMs & 1);
  };
  const describeOnly = (visit: AnsweredVisit, timeMs: number) => {
    seen += describe(visit, timeMs).slug.length;
  };
  const loops = [
    (events: number) => goThrough(known, events, doNothing, null),
    (events: number) => goThrough(known, events, describeOnly, null),
    (events: number) => recordEvents.run(known, events),
    (events: number) => recordEvents.run(unknown, events),
  ];

  for (const loop of loops) await loop(WARM_UP_SHARE * eventsPerRound);
  const costs: number[][] = loops.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, loop] of loops.entries()) costs[i]?.push(await costOf(loop, eventsPerRound));
    tellReached(round + 1);
  }
  if (seen === 0) throw new Error('Nothing was done');
  const [nothing = [], described = [], recorded = [], recordedUnknown = []] = costs;
  return { nothing, described, recorded, recordedUnknown, dropped: recordEvents.dropped() };
}

/** Describes and records; the recorder's making and closing count too. */
function createRecordLoop(spoolDir: string) {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const describe = createDescriber();
  let dropped = 0;
  return {
    dropped: () => dropped,
    run: async (visits: readonly AnsweredVisit[], events: number): Promise<void> => {
      const recorder = createEventRecorder({
        spoolDir,
        writerId: 'bench',
        bytesMax: SPOOL_BYTES_MAX,
        strict: false,
        log,
      });
      const take = (visit: AnsweredVisit, timeMs: number) => {
        void recorder.record(describe(visit, timeMs));
      };
      await goThrough(visits, events, take, recorder);
      await recorder.close();
      dropped += Object.values(recorder.counters.droppedEvents).reduce((sum, count) => sum + count, 0);
    },
  };
}

async function costOf(loop: (events: number) => Promise<void>, events: number): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await loop(events);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / events;
}

/** Paced by the recorder's buffer, so that nothing is dropped; every loop comes back to the event loop as often. */
async function goThrough(
  visits: readonly AnsweredVisit[],
  events: number,
  take: (visit: AnsweredVisit, timeMs: number) => void,
  recorder: EventRecorder | null,
): Promise<void> {
  for (let number = 0; number < events; number += 1) {
    const visit = visits[number % visits.length];
    if (visit !== undefined) take(visit, Date.now());
    if (number % SLICE !== 0) continue;
    do await sleep(0);
    while (recorder !== null && recorder.counters.bufferedEvents > BUFFERED_MAX);
  }
}
