// A process that records events in a loop until it is ended, as a redirect process does. Beside that it writes a
// journal of what it has promised, straight to a file, so that the journal outlives a kill -9:
//   `accepted <number> <ms> <ms>`   every event up to this number was accepted by then; how long a write of a
//                                   byte to another file of that disk has been waiting
//   `written <number>`              strict mode: the event's bytes are in the spool
//   `counters <json>`               at the end of an orderly stop
import { openSync, write, writeSync } from 'node:fs';
import { createLogger } from '@smartlink/process/lifecycle';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import { createEventRecorder } from '../dist/events/event-recorder.js';

const [spoolDir, journalPath, firstNumber, eventsPerTick, mode] = process.argv.slice(2);
const isStrict = mode === 'strict';
const journal = openSync(journalPath, 'a');
const probe = openSync(`${journalPath}.probe`, 'w');
const recorder = createEventRecorder({
  spoolDir,
  writerId: 'w1',
  bytesMax: 2 ** 32,
  strict: isStrict,
  log: createLogger({ service: 'events-writer', level: 'silent' }),
});

let number = Number(firstNumber);
let timer = setTimeout(tick, 1);

let probeStartedMs = 0;

function tick() {
  for (let count = 0; count < Number(eventsPerTick); count++) record(number++);
  const nowMs = Date.now();
  const probeMs = probeStartedMs === 0 ? 0 : nowMs - probeStartedMs;
  writeSync(journal, `accepted ${number - 1} ${nowMs} ${probeMs}\n`);
  if (probeStartedMs === 0) {
    probeStartedMs = nowMs;
    write(probe, '.', 0, () => (probeStartedMs = 0));
  }
  timer = setTimeout(tick, 1);
}

function record(current) {
  const written = recorder.record(makeVisitEvent({ utmContent: String(current) }));
  void written?.then((isWritten) => isWritten && writeSync(journal, `written ${current}\n`));
}

process.once('SIGTERM', async () => {
  clearTimeout(timer);
  await recorder.close();
  writeSync(journal, `counters ${JSON.stringify(recorder.counters)}\n`);
});
