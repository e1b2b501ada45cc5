import type { ExclusionReason, VisitOutcome, VisitSource } from '@smartlink/visit-events/visit-event';
import { isPrefetch } from './classify.js';
import type { Agent, PrefetchHeaders } from './classify.js';
import type { Decision } from './decide.js';

/** What a visit counts as (decisions.md, Visits). */
export type VisitCount = {
  readonly source: VisitSource;
  readonly outcome: VisitOutcome;
  /** '' unless the outcome is `excluded`. */
  readonly exclusion: ExclusionReason | '';
};

/** What counting looks at in a visit. */
export type CountedRequest = {
  readonly isHead: boolean;
  /** Came by the address of a QR code, `/q/<slug>`. */
  readonly isScan: boolean;
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly headers: PrefetchHeaders;
};

/**
 * Returns what a visit that ended in `decision` counts as, null where there is nothing to record: the visitor is still
 * to say where to go, or the fault was ours. Makes no object.
 */
export function countVisit(
  decision: Decision,
  request: CountedRequest,
  agent: Pick<Agent, 'isBot'>,
): VisitCount | null {
  if (decision.kind === 'unreadable' || decision.kind === 'ipad-or-mac') return null;
  const counts = request.isScan || isMarkedScan(request.query) ? SCANS : CLICKS;
  return counts[findExclusion(decision, request, agent) ?? outcomeOf(decision)];
}

/** Returns why a visit does not count, undefined when it does: who asked comes before what there was to see. */
function findExclusion(
  decision: Decision,
  request: CountedRequest,
  agent: Pick<Agent, 'isBot'>,
): ExclusionReason | undefined {
  // Tags for previews are for bots alone.
  if (agent.isBot || decision.kind === 'share') return 'bot';
  if (request.isHead) return 'head';
  if (isPrefetch(request.headers)) return 'prefetch';
  if (decision.kind === 'gone') return 'deleted';
  if (decision.kind === 'paused') return 'paused';
  return decision.kind === 'locked' ? 'form' : undefined;
}

type CountedOutcome = Exclude<VisitOutcome, 'excluded'>;

function outcomeOf(decision: Decision): CountedOutcome {
  if (decision.kind === 'redirect') return decision.outcome;
  // Who is shown the list of stores had no store of their own.
  return decision.kind === 'chooser' ? 'fallback' : 'page';
}

const SCAN_MARK = /(?:^|&)qr=1(?:&|$)/;

function isMarkedScan(query: string): boolean {
  return query !== '' && SCAN_MARK.test(query);
}

const CLICKS = countsOf('click');
const SCANS = countsOf('scan');

function countsOf(source: VisitSource): Readonly<Record<CountedOutcome | ExclusionReason, VisitCount>> {
  const counted = (outcome: CountedOutcome): VisitCount => ({ source, outcome, exclusion: '' });
  const excluded = (exclusion: ExclusionReason): VisitCount => ({ source, outcome: 'excluded', exclusion });
  return {
    target: counted('target'),
    page: counted('page'),
    fallback: counted('fallback'),
    bot: excluded('bot'),
    head: excluded('head'),
    prefetch: excluded('prefetch'),
    form: excluded('form'),
    paused: excluded('paused'),
    deleted: excluded('deleted'),
  };
}
