import { z } from 'zod';
import type { DestinationRules } from './destination-url.js';
import { documentSchemas } from './document.js';
import type { SmartlinkDocument } from './document.js';
import { commonShape } from './documents/every-type.js';
import { FAULTS_MAX } from './fields.js';
import { SMARTLINK_TYPES } from './smartlink-type.js';
import type { SmartlinkType } from './smartlink-type.js';

/** One fault of a document: where, as a dotted path with array indexes, and what. */
export type Fault = { readonly path: string; readonly message: string };

export type Validation<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly faults: readonly Fault[] };

export type SmartlinkValidator = {
  /**
   * Checks a whole document, as POST sends it or as a PATCH leaves it. `hasStoredPassword`: the hash of an earlier
   * password is kept, so a protected link need not bring one.
   */
  readonly validate: (
    document: unknown,
    context: { hasStoredPassword: boolean },
  ) => Validation<SmartlinkDocument>;
};

/** Returns the checks of management-api.md, for links that must not lead back to `publicBaseUrl`. */
export function createSmartlinkValidator(rules: DestinationRules): SmartlinkValidator {
  const withoutStoredPassword = documentSchemas({ ...rules, passwordRequired: true });
  const withStoredPassword = documentSchemas({ ...rules, passwordRequired: false });
  // Without a type it is not known which objects the document needs, so only what every type has can be checked.
  const common = z.object(commonShape(rules, SMARTLINK_TYPES));
  return {
    validate(document, { hasStoredPassword }) {
      const schemas = hasStoredPassword ? withStoredPassword : withoutStoredPassword;
      const type = readType(document);
      if (type !== null && Object.hasOwn(schemas, type))
        return check(schemas[type as SmartlinkType], document);
      const result = check(common, document);
      // It allows the seven types and no other.
      if (result.ok) throw new Error(`There is no schema for type ${String(type)}`);
      return result;
    },
  };
}

/** Returns `value` parsed by `schema`, or every fault at once (the first 1,000 of them). */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Validation<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: faultsOf(parsed.error) };
}

/** Returns an error's issues as the API lists them. */
function faultsOf(error: z.core.$ZodError): Fault[] {
  return error.issues
    .slice(0, FAULTS_MAX)
    .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
}

function readType(document: unknown): string | null {
  if (typeof document !== 'object' || document === null || !('configuration' in document)) return null;
  const { configuration } = document;
  if (typeof configuration !== 'object' || configuration === null || !('smartlinkType' in configuration))
    return null;
  return typeof configuration.smartlinkType === 'string' ? configuration.smartlinkType : null;
}
