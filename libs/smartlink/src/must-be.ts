/** Returns zod's message for a value that is not `kind`: one that is missing is called so. */
export function mustBe(kind: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? 'Required' : `Must be ${kind}`) };
}
