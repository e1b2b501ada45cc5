import type { SchemaState } from '@smartlink/process/schema-check';
import { ok, problem, unknown } from './doctor-check.js';
import type { Finding } from './doctor-check.js';

/** Judges a database's schema as a service does at its start. */
export function judgeSchemaState(check: string, state: SchemaState): Finding {
  switch (state.kind) {
    case 'known':
      return ok(check, 'this build runs on it');
    case 'unknown':
      return problem(check, state.reason, 'A service of this build refuses to start on it.');
    case 'unreachable':
      return unknown(check, state.reason);
  }
}
