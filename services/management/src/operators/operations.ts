import { z } from 'zod';
import { type AddressPage, isEmailAddress } from '@smartlink/smartlink/accounts';
import { pageParameters } from '../collections/collection.js';
import { EXAMPLE_TIME, onFirstCall, type Operation, timestamp } from '../operation.js';
import { filledTextField, unknownCursor } from '../requests.js';

// The lists by address, and the parts that the operations of operators share.

const SEARCH_LENGTH_MAX = 128;

export const listQuerySchema = z.object({
  q: filledTextField(SEARCH_LENGTH_MAX).meta({
    description: 'Only those whose e-mail address or name contains this, in any case.',
  }),
  ...pageParameters,
});

/** Of a list by address. Throws VALIDATION_FAILED for a malformed cursor. */
export function pageOf({ q, cursor }: z.output<typeof listQuerySchema>, limit: number): AddressPage {
  const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
  if (after !== null && !isEmailAddress(after)) throw unknownCursor();
  return { after, search: q ?? null, limit };
}

export const addressCursor = ({ email }: { readonly email: string }): string =>
  Buffer.from(email).toString('base64url');

export const linkSchema = onFirstCall(() =>
  z
    .strictObject({
      url: z.string().meta({ description: 'Works once.', format: 'uri' }),
      expiresAt: timestamp('When the link expires, in UTC.'),
    })
    .meta({ id: 'OneTimeLink', description: 'Only in the answer that made it.' }),
);

export const EXAMPLE_LINK = { url: 'https://manage.example.com/welcome#…', expiresAt: EXAMPLE_TIME };
export const COMMON = { tag: 'Operators' } as const;
export const FOR_OPERATORS = 'For signed-in operators.';

export const oneDetail = (summary: string, path: string, message: string) => ({
  summary,
  details: [{ path, message }],
});

/** The operation of a list by address. `nouns`: in lower case. */
export function listOperation(
  nouns: 'people' | 'accounts',
  { description, object, example }: { description: string; object: z.ZodType; example: object },
): Operation {
  const Nouns = nouns.charAt(0).toUpperCase() + nouns.slice(1);
  return {
    ...COMMON,
    operationId: `list${Nouns}`,
    summary: `List ${nouns}`,
    description: `${description} In pages: follow \`Link: rel="next"\`, or send \`X-Next-Cursor\` as \`cursor\`. ${FOR_OPERATORS}`,
    query: listQuerySchema,
    success: {
      status: 200,
      description: `A page of ${nouns}.`,
      headers: ['Link', 'X-Next-Cursor'],
      data: {
        schema: z.array(object),
        examples: { list: { summary: 'One on the page', message: `${Nouns} retrieved`, data: [example] } },
      },
    },
    errors: {
      VALIDATION_FAILED: {
        cursor: oneDetail('A malformed cursor', 'cursor', 'Must be a cursor from an earlier answer'),
      },
    },
  };
}
