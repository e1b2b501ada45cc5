import type { SmartlinkValidator } from '@smartlink/smartlink/validation';
import { toParts } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import { ApiError } from '../../errors.js';
import type { Slices } from '../../event-loop-slices.js';
import { parseBody } from '../../parse-body.js';
import { isSmartlinkId } from '../../smartlink-id.js';
import { checkDocument } from '../create-smartlink.js';
import type { Patch } from '../plan-patch.js';
import { deleteBodySchema, patchBodySchema } from '../request-schemas.js';
import type { BulkOperation } from './bulk-request.js';

/** An operation whose body has the form of its kind, or why it is refused. */
export type ReadOperation =
  | { readonly kind: 'create'; readonly parts: DocumentParts }
  | { readonly kind: 'patch'; readonly patch: Patch; readonly ifMatch: string | undefined }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'refused'; readonly refusal: ApiError };

/** Returns operations checked as far as that needs no database. */
export async function readOperations(
  validator: SmartlinkValidator,
  operations: readonly BulkOperation[],
  slices: Slices,
): Promise<readonly ReadOperation[]> {
  const read: ReadOperation[] = [];
  for (const operation of operations) {
    read.push(readOperation(validator, operation));
    await slices.nextIfOver();
  }
  return read;
}

function readOperation(validator: SmartlinkValidator, operation: BulkOperation): ReadOperation {
  try {
    if (operation.kind === 'create') {
      return { kind: 'create', parts: toParts(checkDocument(validator, operation.body)) };
    }
    if (operation.kind === 'patch') {
      const patch = parseBody(patchBodySchema, operation.body);
      return isSmartlinkId(patch.id) ? { kind: 'patch', patch, ifMatch: operation.ifMatch } : notFound();
    }
    const { smartlinkId } = parseBody(deleteBodySchema, operation.body);
    return isSmartlinkId(smartlinkId) ? { kind: 'delete', id: smartlinkId } : notFound();
  } catch (err) {
    if (err instanceof ApiError) return { kind: 'refused', refusal: err };
    throw err;
  }
}

function notFound(): ReadOperation {
  return { kind: 'refused', refusal: new ApiError('NOT_FOUND') };
}
