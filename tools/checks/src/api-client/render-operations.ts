import type { ApiDocument, DocumentedOperation } from './read-document.js';

/**
 * Returns TypeScript that holds what a client needs at run time of every operation, and every error code: types alone
 * are gone by then.
 */
export function renderOperations(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(path, method, operation)),
  );
  const errors = Object.entries(document.components.schemas)
    .filter(([name]) => name.endsWith('Failure'))
    .map(([, schema]) => renderError(schema as FailureSchema));
  return (
    `/** Method and path of every operation, and whether it takes an Idempotency-Key. */\n` +
    `export const OPERATIONS = {\n${operations.join('')}} as const;\n\n` +
    `/** Every code that a failure may have, and whether it lists faults. */\n` +
    `export const ERRORS = {\n${errors.join('')}} as const;\n`
  );
}

function renderOperation(path: string, method: string, operation: DocumentedOperation): string {
  const isKeyed = (operation.parameters ?? []).some(({ name }) => name.toLowerCase() === 'idempotency-key');
  return (
    `  ${operation.operationId}: { method: '${method.toUpperCase()}', path: '${path}', ` +
    `takesIdempotencyKey: ${String(isKeyed)} },\n`
  );
}

type FailureSchema = {
  readonly properties: {
    readonly error: {
      readonly properties: { readonly code: { readonly const: string }; readonly details?: object };
    };
  };
};

function renderError(schema: FailureSchema): string {
  const { code, details } = schema.properties.error.properties;
  return `  ${code.const}: { hasDetails: ${String(details !== undefined)} },\n`;
}
