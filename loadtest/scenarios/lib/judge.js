// The rule of src/links.ts: the type of the link with a number, and the correct answers to its visits.
export const isApp = (number) => number % 10 === 9;

/** Judges an answer of a Url link. */
export function judgeUrl(number) {
  return (response) => judgeRedirect(response, `https://example.org/${number}`, 'target');
}

/** Judges an answer of an App link; for an unknown platform (empty) any of its answers is correct. */
export function judgeApp(number, platform) {
  const places = {
    ios: [`https://apps.apple.com/app/id${1_000_000_000 + number}`, 'target'],
    android: [`https://play.google.com/store/apps/details?id=org.example.a${number}`, 'target'],
    other: [`https://example.org/${number}`, 'fallback'],
  };
  return (response) => {
    // Safari says Macintosh on iPads too: a page asks the browser, and no event is recorded before.
    if (response.status === 200)
      return { outcome: 'undecided', isRight: platform === 'mac-safari' || platform === '' };
    if (platform !== '') return judgeRedirect(response, ...(places[platform] ?? places.other));
    const found = Object.values(places).find(([place]) => place === response.headers.Location);
    return found ? judgeRedirect(response, ...found) : { outcome: null, isRight: false };
  };
}

/** Judges an answer to an unknown slug. */
export function judgeUnknown({ status }) {
  return { outcome: status === 404 ? 'unknown' : null, isRight: status === 404 };
}

const FAILED_OUTCOMES = { 404: 'unknown', 410: 'deleted', 503: 'unavailable' };

// Incorrect answers are counted by the stack too.
function judgeRedirect({ status, headers }, place, outcome) {
  if (status !== 302) return { outcome: FAILED_OUTCOMES[status] ?? null, isRight: false };
  return { outcome, isRight: headers.Location === place };
}

/**
 * The kinds under which a visit is counted: source and outcome, or the reason of its exclusion. Visits without an event have
 * a kind too. A visit by a bot counts as bot whatever it requests.
 */
export function kindsOf({ outcome, isBot, isHead, isScan }) {
  if (['unknown', 'undecided', 'unavailable'].includes(outcome)) return [outcome];
  if (isBot) return ['bot'];
  if (isHead) return ['head'];
  if (outcome === 'deleted') return ['deleted'];
  return [isScan ? 'scan' : 'click', outcome];
}

/** The phase of an outage at a second of the load. */
export function phaseAt(phases, seconds) {
  return phases.findLast(({ fromSeconds }) => fromSeconds <= seconds) ?? phases[0];
}

/**
 * Judges an answer to an unknown slug, which only Postgres can confirm: 404, or 503 without Postgres. `before` and `after`
 * are the phases in which the visit began and ended.
 */
export function judgeUnknownIn(before, after, status) {
  const isRight = statusesOf(before, after, 404).includes(status);
  return { outcome: FAILED_OUTCOMES[status] ?? null, isRight };
}

/** The correct statuses of a request that needs Postgres; `normal` is the one with Postgres. */
export function statusesOf(before, after, normal) {
  const statuses = { here: [normal], away: [503], either: [normal, 503] };
  return [...new Set([before, after].flatMap(({ postgres }) => statuses[postgres]))];
}
