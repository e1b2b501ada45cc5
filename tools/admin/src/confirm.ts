import { createInterface } from 'node:readline/promises';
import { Problem } from './problem.js';
import type { Terminal } from './terminal.js';

/**
 * Returns once the person at the terminal has typed yes. Throws Problem when they have not, and when nobody is there:
 * `what` begins that line.
 */
export async function confirm(
  terminal: Terminal,
  { what, question }: { readonly what: string; readonly question: string },
): Promise<void> {
  if (!terminal.isTerminal) throw new Problem(`${what} cannot be undone: add --yes.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} Type yes: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new Problem('Nothing was deleted.');
  } finally {
    prompt.close();
  }
}
