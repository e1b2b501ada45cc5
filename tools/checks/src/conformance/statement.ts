/** Where a test stands, and its whole name; a name that ends in ` …` means every test that begins so. */
export type TestReference = { readonly file: string; readonly name: string };

/** Why a statement has no test. */
export type NotYet = { readonly notYet: string };

/** What the document says, in our words, and what holds it. */
export type Statement = readonly [says: string, ...heldBy: readonly TestReference[] | readonly [NotYet]];

/** The statements of one section of a document, by id. */
export type Section = { readonly title: string; readonly statements: Readonly<Record<string, Statement>> };

/** One of the two documents. */
export type Part = { readonly title: string; readonly sections: readonly Section[] };

/** Returns what names tests of `file` (a path from the root): `create('is taken')`. */
export function testsIn(file: string): (name: string) => TestReference {
  return (name) => ({ file, name });
}

/** Returns the mark of a statement about what is not built. */
export function notYet(reason: string): NotYet {
  return { notYet: reason };
}

/** Returns the tests that hold a statement, and why there are none when it is not built (else null). */
export function holdersOf([, ...heldBy]: Statement): {
  readonly tests: readonly TestReference[];
  readonly notYet: string | null;
} {
  const tests: TestReference[] = [];
  for (const holder of heldBy) {
    if ('notYet' in holder) return { tests: [], notYet: holder.notYet };
    tests.push(holder);
  }
  return { tests, notYet: null };
}
