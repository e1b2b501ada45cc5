/** Returns the name of `names` that fewest typing mistakes lead to, null when none is near: whatever the case. */
export function nearestName(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase();
  // Beyond a third of the letters it is another word.
  let nearest: string | null = null;
  let mistakesMax = Math.floor(Math.min(typed.length, 64) / 3) + 1;
  if (typed.length > 64) return null;
  for (const name of names) {
    const mistakes = countMistakes(typed, name.toLowerCase());
    if (mistakes >= mistakesMax) continue;
    nearest = name;
    mistakesMax = mistakes;
  }
  return nearest;
}

/** Letters to add, drop, change or swap with the next (optimal string alignment). */
function countMistakes(one: string, other: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let mistakes = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + same,
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        mistakes = Math.min(mistakes, (before[j - 2] ?? 0) + 1);
      current.push(mistakes);
    }
    before = previous;
    previous = current;
  }
  return previous[other.length] ?? one.length;
}
