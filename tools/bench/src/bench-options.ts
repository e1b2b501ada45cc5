/** A line that says what is wrong with the arguments. */
export type Problem = { readonly problem: string };

/** Returns the values that `parse`, a call of node's parseArgs, has found, or what it did not like. */
export function readValues<Values extends object>(
  parse: () => { readonly values: Values },
): Values | Problem {
  try {
    return parse().values;
  } catch (err) {
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

/** Returns which of `parts` are named by --only; null, for all of them, when it was not given. */
export function readParts<Part extends string>(
  parts: readonly Part[],
  named: readonly string[] | undefined,
): readonly Part[] | null | Problem {
  const isPart = (name: string): name is Part => parts.some((part) => part === name);
  const unknown = named?.find((name) => !isPart(name));
  if (unknown !== undefined) return { problem: `There is no part ${unknown}: ${parts.join(', ')}.` };
  return named?.filter(isPart) ?? null;
}
