import { NO_TOTALS } from '@smartlink/visit-analytics/totals';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { ApiError } from '../../errors.js';
import type { Slices } from '../../event-loop-slices.js';
import type { Answer } from '../answer.js';
import { etagOf, toSmartlink } from '../smartlink-view.js';
import type { Outcome } from './write-runs.js';

// A hundred operations of ten kilobytes can have a thousand faults each, and would be told of in as many megabytes.
const FAULTS_TOLD_MAX = 5_000;

type AnswerOptions = {
  readonly totals: ReadonlyMap<string, Totals>;
  readonly publicBaseUrl: string;
  readonly dryRun: boolean;
  readonly slices: Slices;
};

/** Returns the answer to a bulk call: of each operation what the single call would answer, and its status. */
export async function bulkAnswer(outcomes: readonly Outcome[], options: AnswerOptions): Promise<Answer> {
  let faultsLeft = FAULTS_TOLD_MAX;
  const results: string[] = [];
  for (const outcome of outcomes) {
    if (outcome instanceof ApiError) {
      // Everyone is told of one fault at least.
      const details = outcome.details?.slice(0, Math.max(1, faultsLeft));
      faultsLeft -= details?.length ?? 0;
      results.push(JSON.stringify(refused(outcome, details)));
    } else results.push(JSON.stringify(done(outcome, options)));
    await options.slices.nextIfOver();
  }
  const failed = outcomes.filter((outcome) => outcome instanceof ApiError).length;
  const [head, tail] = envelope(bulkMessage(outcomes.length - failed, failed, options.dryRun));
  return { status: 200, headers: {}, body: `${head}${results.join(',')}${tail}` };
}

/** Returns what was done, for people. */
export function bulkMessage(succeeded: number, failed: number, dryRun: boolean): string {
  return dryRun
    ? `Dry run done: ${succeeded} would succeed, ${failed} would fail`
    : `Bulk done: ${succeeded} succeeded, ${failed} failed`;
}

function done(outcome: Exclude<Outcome, ApiError>, { totals, publicBaseUrl }: AnswerOptions): object {
  if (outcome.kind === 'deleted') {
    return { status: 200, success: true, message: 'Smartlink deleted', data: null };
  }
  const { kind, row } = outcome;
  const [status, message] = kind === 'created' ? [201, 'Smartlink created'] : [200, 'Smartlink updated'];
  const data = toSmartlink(row, totals.get(row.id) ?? NO_TOTALS, publicBaseUrl);
  return { status, success: true, message, data, etag: etagOf(row) };
}

function refused({ status, code, message }: ApiError, details: ApiError['details']): object {
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return { status, success: false, error };
}

/** The success envelope around an array whose elements are text already. */
function envelope(message: string): readonly [string, string] {
  const timestamp = new Date().toISOString();
  return [`{"success":true,"message":${JSON.stringify(message)},"data":[`, `],"timestamp":"${timestamp}"}`];
}
