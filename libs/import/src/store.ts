export { countWaitingTotals, moveCarriedTotals } from './store/carried-totals.js';
export { createRowChecker } from './store/check-row.js';
export type { Candidate, RowChecker } from './store/check-row.js';
export { isAboutAddress, isAssignable, NO_ROOM } from './store/place-addresses.js';
export {
  addRemarks,
  beginImport,
  findImport,
  finishImport,
  listRemarks,
  reopenImport,
} from './store/queries.js';
export type { Counts, ImportState, Remark } from './store/queries.js';
export { createRehearsal } from './store/rehearse.js';
export { REPORT_HEADING, toReportRow } from './store/report.js';
export {
  type Batch,
  ImportConflict,
  NOTHING_DONE,
  readBatches,
  shownAt,
  storeBatch,
  storeWithin,
} from './store/store-batch.js';
