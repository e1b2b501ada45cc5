/** Returns a number with its word: `1 event`, `2 events`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
