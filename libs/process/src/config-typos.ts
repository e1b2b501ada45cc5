/**
 * Returns a line for each variable of the environment that nobody reads and that is one slip of the fingers from one in
 * `names`: a letter too many, too few or wrong, two letters changed over, other case, a missing underscore. The variables
 * of other programs are left alone. Never names a value.
 */
export function misspeltVariables(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  const lines: string[] = [];
  for (const given of Object.keys(env)) {
    if (known.has(given) || (env[given] ?? '') === '') continue;
    const meant = [...known].find((name) => isSlipOf(given, name));
    if (meant !== undefined) lines.push(`${given} is set and nothing reads it: is ${meant} meant?`);
  }
  return lines;
}

function isSlipOf(given: string, name: string): boolean {
  const [a, b] = [plain(given), plain(name)];
  if (a === b) return true;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) &&
      restA.charAt(0) + restA.charAt(1) === restB.charAt(1) + restB.charAt(0))
  );
}

const plain = (name: string): string => name.toUpperCase().replace(/[_-]/g, '');
