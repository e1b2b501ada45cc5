// What a program of this bench and the one that started it say to each other, over the channel of `fork`.

/** How many events are done, or, as the last message, what the program found. */
export type ProgramMessage = { readonly reached: number } | { readonly result: unknown };

/** Returns the settings that the program was started with: its one argument, as JSON. */
export function readSettings(): unknown {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Tells how many events are done. */
export function tellReached(reached: number): void {
  process.send?.({ reached } satisfies ProgramMessage);
}

/** Tells what was found and lets the program end. */
export function tellResult(result: unknown): void {
  process.send?.({ result } satisfies ProgramMessage, undefined, undefined, () => {
    process.disconnect();
  });
}
