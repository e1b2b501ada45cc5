import { globalRegistry, z } from 'zod';

// The schemas that check a document say what a create takes. What a PATCH takes and what answers hold differ from that
// by rules, so both are made from the same schemas and no field is described twice.

/**
 * Returns what a PATCH may send in place of a value of `schema`: objects with any of their members, where `null` clears
 * the optional ones; arrays and everything else whole (decisions.md, PATCH).
 */
export function patchShape(schema: z.ZodType): z.ZodType {
  const { inner } = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) return inner;
  return withMeta(
    inner,
    z.object(
      mapMembers(inner, (member) => {
        const shape = patchShape(member);
        return unwrap(member).isOptional ? shape.nullable().optional() : shape.optional();
      }),
    ),
  );
}

/**
 * Returns what answers hold in place of a value of `schema`: defaults filled in, unset members left out, nothing that
 * is only written, and no member that is not named.
 */
export function answerShape(schema: z.ZodType): z.ZodType {
  const { inner } = unwrap(schema);
  if (inner instanceof z.ZodArray) return withMeta(inner, z.array(answerShape(inner.element as z.ZodType)));
  if (!(inner instanceof z.ZodObject)) return inner;
  return withMeta(
    inner,
    z.strictObject(
      mapMembers(inner, (member) => {
        const { inner: value, isOptional, hasDefault } = unwrap(member);
        if (globalRegistry.get(value)?.['writeOnly'] === true) return null;
        return isOptional && !hasDefault ? answerShape(member).optional() : answerShape(member);
      }),
    ),
  );
}

type Unwrapped = {
  /** The schema without what stands around it: absence, null, repair of the value. */
  readonly inner: z.ZodType;
  readonly isOptional: boolean;
  readonly hasDefault: boolean;
};

function unwrap(schema: z.ZodType): Unwrapped {
  const hasDefault = globalRegistry.get(schema)?.['default'] !== undefined;
  if (schema instanceof z.ZodPipe) {
    // z.preprocess has its transform before the schema, .transform() behind it.
    const step = (schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType;
    const { inner, isOptional } = unwrap(step);
    return { inner: withMeta(schema, inner), isOptional, hasDefault };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return { inner: unwrap(schema.unwrap() as z.ZodType).inner, isOptional: true, hasDefault };
  }
  return { inner: schema, isOptional: false, hasDefault };
}

function mapMembers(
  object: z.ZodObject,
  map: (member: z.ZodType) => z.ZodType | null,
): Record<string, z.ZodType> {
  const members: Record<string, z.ZodType> = {};
  for (const [name, member] of Object.entries(object.shape)) {
    const mapped = map(member as z.ZodType);
    if (mapped !== null) members[name] = mapped;
  }
  return members;
}

/** Returns `to` with what `from` says of itself; a default is not said of what may be left as it is. */
function withMeta<Schema extends z.ZodType>(from: z.ZodType, to: Schema): Schema {
  const { default: _default, id: _id, ...meta } = globalRegistry.get(from) ?? {};
  return Object.keys(meta).length === 0 ? to : to.meta({ ...globalRegistry.get(to), ...meta });
}
