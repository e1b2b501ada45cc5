/** The words of one language by room, as in `screens/api-keys`. */
export type Dictionary = Readonly<Record<string, object | undefined>>;

/** `../screens/api-keys/words/en.ts` is of the room `screens/api-keys`. */
export function byRoom(files: Readonly<Record<string, object>>): Dictionary {
  return Object.fromEntries(
    Object.entries(files).map(([file, words]) => [file.replace(/^\.\.\/(.+)\/words\/\w+\.ts$/, '$1'), words]),
  );
}
