/** Something the person at the terminal can put right; the message is one line and is all that is shown. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
