/** Returns a function that calls `make` the first time it is called, and returns the same value ever after. */
export function onFirstCall<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
