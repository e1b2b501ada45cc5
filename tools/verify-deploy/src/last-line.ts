/** Returns the last line of what a program has printed, or an empty text when it has printed nothing. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
