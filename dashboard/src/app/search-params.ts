/** Query parameters as text. The last value of a repeated parameter wins. */
export type Search = Readonly<Record<string, string | undefined>>;

/** For the router, whose default encodes values as JSON. */
export function parseSearch(query: string): Search {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Parameters without a value are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(given).toString();
  return query === '' ? '' : `?${query}`;
}

// Readers of single parameters for `validateSearch`. Invalid values are dropped.

export function textParam(value: unknown, lengthMax = 200): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, lengthMax) : undefined;
}

export function choiceParam<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** An integer in the range. */
export function numberParam(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
    ? number
    : undefined;
}

/** `2026-11-27` */
export function dateParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}

/** A dashboard path to return to after sign-in. Other targets are dropped, as a hostile link may carry them. */
export function nextParam(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/dashboard/')) return undefined;
  // Parsed by the browser, because `\`, tabs and dots may lead elsewhere.
  const url = new URL(value, location.origin);
  const isOwn = url.origin === location.origin && url.pathname.startsWith('/dashboard/');
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : undefined;
}
