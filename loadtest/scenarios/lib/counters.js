import { Counter, Trend } from 'k6/metrics';

/** Begun, and answered in whatever way: where they differ, k6 has not seen what became of a visit. */
export const sent = new Counter('visits_sent');
export const answered = new Counter('visits_answered');
/** Answered otherwise than they should have been, or not at all. */
export const failed = new Counter('visits_failed');

const seen = {};
const COUNTED = ['click', 'scan', 'target', 'page', 'fallback', 'bot', 'head', 'deleted'];
for (const kind of [...COUNTED, 'unknown', 'undecided', 'unavailable']) {
  seen[kind] = new Counter(`seen_${kind}`);
}

const durations = {};
const SHAPES = ['redirect', 'page', 'not_modified', 'cold_page', 'not_found', 'gone', 'unavailable', 'head'];
for (const kind of SHAPES) {
  durations[kind] = new Trend(`duration_${kind}`, true);
}

/** Counts a visit as the stack is to count it: `kinds` are names of `seen_` counters, `shape` is that of the answer. */
export function countVisit(kinds, shape, durationMs) {
  for (const kind of kinds) seen[kind].add(1);
  durations[shape].add(durationMs);
}
