/** By room, as in `screens/api-keys`. */
export type ByRoom<Value> = Readonly<Record<string, Value | undefined>>;

/** `../screens/api-keys/words/en.ts` is of the room `screens/api-keys`. */
export function byRoom<Value>(files: Readonly<Record<string, Value>>): ByRoom<Value> {
  return Object.fromEntries(
    Object.entries(files).map(([file, words]) => [file.replace(/^\.\.\/(.+)\/words\/\w+\.ts$/, '$1'), words]),
  );
}
