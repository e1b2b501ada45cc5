// `npm run verify:full`: what `npm test` runs, with every trial at its full size instead of a sample.

// Tests that take samples read it; FUZZ_CASES and the like still say another size.
process.env.SMARTLINK_TEST_SIZE ??= 'full';

await import('./run.mjs');
