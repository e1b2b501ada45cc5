import { relink } from '@smartlink/smartlink/relink';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { NO_TOTALS } from '@smartlink/visit-analytics/totals';
import { failure, success } from '../envelope.js';
import type { ApiError } from '../errors.js';
import { etagOf, toSmartlink } from './smartlink-view.js';

/** An answer in the form in which it is kept for an Idempotency-Key: replayed, it is the same byte for byte. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Returns the answer to a create that made `row`. */
export function createdAnswer(row: SmartlinkRow, publicBaseUrl: string): Answer {
  return {
    status: 201,
    headers: { location: relink(publicBaseUrl, row.slug), etag: etagOf(row) },
    body: JSON.stringify(success('Smartlink created', toSmartlink(row, NO_TOTALS, publicBaseUrl))),
  };
}

/** Returns the answer to a create that was refused. */
export function refusedAnswer(err: ApiError): Answer {
  return { status: err.status, headers: err.headers, body: JSON.stringify(failure(err)) };
}
