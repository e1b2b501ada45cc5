import { globalRegistry, z } from 'zod';

// The schemas of a PATCH and of answers are derived from those of a create, so that no field is described twice.

/**
 * The PATCH form of `schema`: objects with any subset of members, where `null` clears an optional one; arrays and other
 * values whole.
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

/** The answer form of `schema`: defaults filled in, unset members omitted, no write-only and no unknown members. */
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
  /** The schema without optional, nullable and transforms. */
  readonly inner: z.ZodType;
  readonly isOptional: boolean;
  readonly hasDefault: boolean;
};

/** A schema under its wrappers, and what they say of a member. */
export function unwrap(schema: z.ZodType): Unwrapped {
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

/** `to` with the documentation of `from`, except for defaults. */
function withMeta<Schema extends z.ZodType>(from: z.ZodType, to: Schema): Schema {
  const { default: _default, id: _id, ...meta } = globalRegistry.get(from) ?? {};
  return Object.keys(meta).length === 0 ? to : to.meta({ ...globalRegistry.get(to), ...meta });
}
