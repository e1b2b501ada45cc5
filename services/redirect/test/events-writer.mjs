// A process that records events in a loop until SIGTERM, as a redirect process does. It writes a journal:
//   `accepted <number>`   every event up to this number was accepted
//   `counters <json>`     at the end
import { openSync, writeSync } from 'node:fs';
import { createLogger } from '@smartlink/process/lifecycle';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';
import { createEventRecorder } from '../dist/events/event-recorder.js';

const EVENTS_PER_TICK = 20;

const [spoolDir, journalPath, firstNumber] = process.argv.slice(2);
const journal = openSync(journalPath, 'a');
const recorder = createEventRecorder({
  spoolDir,
  writerId: 'w1',
  bytesMax: 2 ** 32,
  strict: false,
  log: createLogger({ service: 'events-writer', level: 'silent' }),
});

let number = Number(firstNumber);
let timer = setTimeout(tick, 1);

function tick() {
  for (let count = 0; count < EVENTS_PER_TICK; count++) {
    void recorder.record(makeVisitEvent({ utmContent: String(number++) }));
  }
  writeSync(journal, `accepted ${number - 1}\n`);
  timer = setTimeout(tick, 1);
}

process.once('SIGTERM', async () => {
  clearTimeout(timer);
  await recorder.close();
  writeSync(journal, `counters ${JSON.stringify(recorder.counters)}\n`);
});
