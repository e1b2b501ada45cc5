const isFull = process.env['SMARTLINK_TEST_SIZE'] === 'full';

/** Returns a trial's size: `full` in `npm run verify:full` and `npm run chaos -- --full`, else `short`. */
export function trialSize(short: number, full: number): number {
  return isFull ? full : short;
}
