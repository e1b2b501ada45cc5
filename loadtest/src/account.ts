/** How many visits of a kind there were: by source, by outcome, by reason of exclusion. */
export type Tally = Readonly<Record<string, number>>;

export type AccountLine = {
  readonly kind: string;
  /** What k6 saw answered so. */
  readonly seen: number;
  /** What the stack has counted. */
  readonly counted: number;
  readonly holds: boolean;
};

/**
 * Holds what k6 saw against what was counted, kind by kind of `counted`. A visit whose answer k6 never saw may have been
 * counted or not: so many may be there beyond those seen, in each kind; the kind `all` holds them together.
 */
export function compareTallies(seen: Tally, counted: Tally, unanswered: number): readonly AccountLine[] {
  return Object.entries(counted).map(([kind, count]) => {
    const saw = seen[kind] ?? 0;
    return { kind, seen: saw, counted: count, holds: count >= saw && count <= saw + unanswered };
  });
}

/** Returns `after` less `before`, kind by kind. */
export function difference(after: Tally, before: Tally): Tally {
  return Object.fromEntries(
    Object.entries(after).map(([kind, count]) => [kind, count - (before[kind] ?? 0)]),
  );
}
