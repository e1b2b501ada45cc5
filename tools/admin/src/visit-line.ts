import { createColors } from 'picocolors';
import { toPrintable } from './printable.js';

/** One visit as it is shown, counted or not. */
export type ShownVisit = {
  readonly eventId: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly smartlinkId: string;
  readonly slug: string;
  readonly source: 'click' | 'scan';
  readonly outcome: 'target' | 'page' | 'fallback' | 'excluded';
  readonly exclusion: string;
  readonly country: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly referrerHost: string;
};

const SLUG_WIDTH = 16;
const OUTCOME_WIDTH = 19;

/** Returns one line about a visit for people: the time in UTC, what was visited and how, and by whom. */
export function formatVisit(visit: ShownVisit, isColoured: boolean): string {
  const colours = createColors(isColoured);
  const colourOf = {
    target: colours.green,
    page: colours.cyan,
    fallback: colours.yellow,
    excluded: colours.dim,
  };
  const outcome = visit.exclusion === '' ? visit.outcome : `${visit.outcome} (${visit.exclusion})`;
  const pad = (text: string, width: number) => toPrintable(text).padEnd(width);
  return [
    colours.dim(new Date(visit.timeMs).toISOString().slice(11, 23)),
    colours.bold(pad(visit.slug, SLUG_WIDTH)),
    pad(visit.source, 5),
    colourOf[visit.outcome](pad(outcome, OUTCOME_WIDTH)),
    pad(visit.country, 2),
    pad(visit.device, 8),
    pad(visit.browser, 16),
    colours.dim(toPrintable(visit.referrerHost === '' ? 'direct' : visit.referrerHost)),
  ].join('  ');
}
