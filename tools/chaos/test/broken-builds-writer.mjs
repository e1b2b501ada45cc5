// A process that records events and ends in the worst moment, by its last argument:
//   `kill`   in strict mode it kills itself, as kill -9 does, as soon as the last event is confirmed: there is no later
//            moment in which the bytes could still get into the file
//   `close`  it closes the recorder and ends as soon as that says it is done
// The number of each event that was confirmed, or accepted, is written straight to the journal, which outlives it.
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@smartlink/process/lifecycle';
import { makeVisitEvent } from '@smartlink/test-support/visit-event';

const [redirectDist, spoolDir, journalPath, first, count, mode] = process.argv.slice(2);
const { createEventRecorder } = await import(join(redirectDist, 'events/event-recorder.js'));
const journal = openSync(journalPath, 'a');
const recorder = createEventRecorder({
  spoolDir,
  writerId: 'w1',
  bytesMax: 2 ** 30,
  strict: mode === 'kill',
  log: createLogger({ service: 'events-writer', level: 'silent' }),
});

let unconfirmed = Number(count);
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  const confirmed = recorder.record(makeVisitEvent({ utmContent: String(number) }));
  if (confirmed === undefined) writeSync(journal, `${number}\n`);
  else void confirmed.then((isWritten) => onConfirmed(number, isWritten));
}

function onConfirmed(number, isWritten) {
  if (isWritten) writeSync(journal, `${number}\n`);
  unconfirmed -= 1;
  if (unconfirmed === 0) process.kill(process.pid, 'SIGKILL');
}

if (mode === 'close') {
  await recorder.close();
  process.exit(0);
}
