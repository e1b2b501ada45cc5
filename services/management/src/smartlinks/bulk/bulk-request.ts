import { isObject } from '@smartlink/smartlink/is-object';
import type { Fault } from '@smartlink/smartlink/validation';
import { fault, faults } from '../../errors.js';

/** Most operations of a bulk call. */
export const OPERATIONS_MAX = 100;

const KINDS = ['create', 'patch', 'delete'] as const;

/** One operation of a bulk call, its body as the single call would have it, which nobody has looked at yet. */
export type BulkOperation = {
  readonly kind: (typeof KINDS)[number];
  readonly body: unknown;
  /** Of a patch: what its If-Match would be. */
  readonly ifMatch?: string;
};

export type BulkRequest = { readonly dryRun: boolean; readonly operations: readonly BulkOperation[] };

/** Returns what a body asks for. Throws VALIDATION_FAILED with every fault of its form; what operations hold is not looked at. */
export function readBulkRequest(body: unknown): BulkRequest {
  if (!isObject(body)) throw fault('', 'Must be an object');
  const { dryRun = false, operations } = body;
  const found: Fault[] = [];
  if (typeof dryRun !== 'boolean') found.push({ path: 'dryRun', message: 'Must be true or false' });
  const problem = problemOf(operations);
  if (problem !== null) found.push({ path: 'operations', message: problem });
  const read =
    problem === null ? (operations as unknown[]).map((each, i) => readOperation(each, i, found)) : [];
  if (found.length > 0) throw faults(found);
  return { dryRun: dryRun === true, operations: read.filter((each) => each !== null) };
}

function problemOf(operations: unknown): string | null {
  if (operations === undefined) return 'Required';
  if (!Array.isArray(operations)) return 'Must be an array';
  if (operations.length === 0) return 'Must have at least 1 element';
  return operations.length > OPERATIONS_MAX ? `Must have at most ${OPERATIONS_MAX} elements` : null;
}

/** Returns an operation; null where it has a fault, which is added to `found`. */
function readOperation(operation: unknown, index: number, found: Fault[]): BulkOperation | null {
  const path = `operations.${index}`;
  if (!isObject(operation)) {
    found.push({ path, message: 'Must be an object' });
    return null;
  }
  const [kind, ...others] = KINDS.filter((each) => Object.hasOwn(operation, each));
  if (kind === undefined || others.length > 0) {
    found.push({ path, message: `Must have exactly one of ${KINDS.join(', ')}` });
    return null;
  }
  const { [kind]: body, ifMatch } = operation;
  if (kind !== 'patch' || ifMatch === undefined) return { kind, body };
  if (typeof ifMatch === 'string') return { kind, body, ifMatch };
  found.push({ path: `${path}.ifMatch`, message: 'Must be a string' });
  return null;
}
