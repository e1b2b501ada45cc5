import { globalRegistry } from 'zod';
import type { CreateDocumentOptions } from 'zod-openapi';

const HAS_SCHEME = '^[A-Za-z][A-Za-z0-9+.-]*:';

/**
 * Touches up a rendered schema: the default comes back that zod leaves out where a transform stands behind it, and a
 * limit that no number reaches goes. An address is one with a scheme: `format: uri` means RFC 3986, and what a browser
 * makes of an address may hold a `|` or a lone `%`, on which the URI types of generated clients throw.
 */
export const touchUp: NonNullable<CreateDocumentOptions['override']> = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.maximum === Number.MAX_VALUE) delete jsonSchema.maximum;
  if (jsonSchema.format === 'uri') {
    delete jsonSchema.format;
    jsonSchema.pattern = HAS_SCHEME;
  }
  const fallback = globalRegistry.get(zodSchema)?.['default'];
  if (fallback !== undefined) Object.assign(jsonSchema, { default: fallback });
};

/**
 * Makes `null` one more type of a field, in place, wherever it is a branch of its own: `anyOf: [{type: 'string', …},
 * {type: 'null'}]` says no more than `type: ['string', 'null']`, and is hard to read a hundred times.
 */
export function inlineNulls(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (!NOT_SCHEMAS.has(key)) inlineNulls(value);
  }
  const { anyOf, ...rest } = node as { anyOf?: readonly Branch[] };
  const [value, none, ...others] = anyOf ?? [];
  if (typeof value?.type !== 'string' || none?.type !== 'null' || others.length > 0) return;
  delete (node as { anyOf?: unknown }).anyOf;
  Object.assign(node, value, rest, {
    type: [value.type, 'null'],
    ...(value.enum === undefined ? {} : { enum: [...value.enum, null] }),
  });
}

type Branch = { readonly type?: unknown; readonly enum?: readonly unknown[] };

// What people wrote, which may look like anything.
const NOT_SCHEMAS = new Set(['example', 'examples', 'default', 'value']);
