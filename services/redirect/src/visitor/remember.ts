/**
 * Returns `read` with a memory of at least the `entriesMax` texts asked for last (and at most twice as many), in two
 * generations: a full one becomes the old one, whose entries move over when they are asked for again. Texts of more than
 * `lengthMax` are not kept, so that the memory has a bound in bytes too.
 */
export function remember<Value>(
  read: (text: string) => Value,
  { entriesMax, lengthMax }: { readonly entriesMax: number; readonly lengthMax: number },
): (text: string) => Value {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const value = old.get(text) ?? read(text);
    if (text.length > lengthMax) return value;
    if (young.size >= entriesMax) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
}
