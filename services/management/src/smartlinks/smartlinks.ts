// The front file of the feature: what the rest of the service may use.
export { createOutbox } from './outbox.js';
export type { Outbox, OutboxObserver } from './outbox.js';
export { measureOutbox } from './outbox-queries.js';
export { startIdempotencyCleanup } from './idempotency-cleanup.js';
export { startLinkChangesCleanup } from './link-changes-cleanup.js';
export { observeUrlRechecks } from './recheck-metrics.js';
export { createUrlRechecks } from './url-rechecks.js';
