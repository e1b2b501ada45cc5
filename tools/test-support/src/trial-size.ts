const isFull = process.env['SMARTLINK_TEST_SIZE'] === 'full';

/** `full` in `npm run verify:full` and `npm run chaos -- --full`, else `short`. */
export function trialSize<Size>(short: Size, full: Size): Size {
  return isFull ? full : short;
}
