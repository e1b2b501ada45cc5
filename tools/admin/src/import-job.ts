import type { RowChecker } from './import-check-row.js';
import type { InputFile } from './import-input.js';
import type { Report } from './import-report.js';
import type { ImportTarget } from './import-store-batch.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

/** What an import works with. */
export type ImportJob = {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly input: InputFile;
  readonly owner: { readonly id: string; readonly email: string };
  readonly target: ImportTarget;
  readonly check: RowChecker;
  readonly report: Report;
  readonly signal: AbortSignal;
};
