// `npm run verify:full`: what `npm test` runs, with every trial at its full size instead of a sample.

// Tests that take samples read this one; FUZZ_CASES and the like still say another size.
process.env.SMARTLINK_TEST_SIZE ??= 'full';
// Kills and stops of processes, each a trial of its own.
process.env.EVENTS_ROUNDS ??= '50';

await import('./run.mjs');
