// The rule of src/links.ts: the link of a number, and what a visitor gets there.
export const isApp = (number) => number % 10 === 9;

export function slugOf(number) {
  return `${__ENV.SLUG_PREFIX}${number}`;
}

/** Judges an answer of a Url link. */
export function judgeUrl(number) {
  return (response) => judgeRedirect(response, `https://example.org/${number}`, 'target');
}

/** Judges an answer of an App link; for an unknown platform each of its answers is right. */
export function judgeApp(number, platform) {
  const places = {
    ios: [`https://apps.apple.com/app/id${1_000_000_000 + number}`, 'target'],
    android: [`https://play.google.com/store/apps/details?id=org.example.a${number}`, 'target'],
    other: [`https://example.org/${number}`, 'fallback'],
  };
  return (response) => {
    // Safari says Macintosh on iPads too: a small page finds out, and nothing is recorded before.
    if (response.status === 200) {
      return { outcome: 'undecided', isRight: platform === 'mac-safari' || platform === '' };
    }
    if (platform !== '') return judgeRedirect(response, ...(places[platform] ?? places.other));
    const found = Object.values(places).find(([place]) => place === response.headers.Location);
    return found ? judgeRedirect(response, ...found) : { outcome: null, isRight: false };
  };
}

/** Judges an answer to an unknown slug. */
export function judgeUnknown(response) {
  return { outcome: response.status === 404 ? 'unknown' : null, isRight: response.status === 404 };
}

const ELSEWHERE = { 404: 'unknown', 410: 'deleted', 503: 'unavailable' };

function judgeRedirect(response, place, outcome) {
  // Wrong, but counted by the stack.
  if (response.status !== 302) return { outcome: ELSEWHERE[response.status] ?? null, isRight: false };
  // A redirect to a wrong place is counted too.
  return { outcome, isRight: response.headers.Location === place };
}

/**
 * The kinds under which a visit is counted: source and outcome, or the reason of its exclusion. A bot is a bot whatever it
 * requests. Visits that the stack does not record have a kind too.
 */
export function kindsOf({ outcome, isBot, isHead, isScan }) {
  if (['unknown', 'undecided', 'unavailable'].includes(outcome)) return [outcome];
  if (isBot) return ['bot'];
  if (isHead) return ['head'];
  if (outcome === 'deleted') return ['deleted'];
  return [isScan ? 'scan' : 'click', outcome];
}

/** The phase at a second of the load. */
export function phaseAt(phases, seconds) {
  let found = phases[0];
  for (const phase of phases) if (phase.fromSeconds <= seconds) found = phase;
  return found;
}

/**
 * Judges an answer to an unknown slug, which only Postgres can confirm: 404 while it is there, 503 while it is away, either
 * when a visit begins or ends while it goes or comes. `before` and `after` are the phases of both ends.
 */
export function judgeUnknownIn(before, after, status) {
  const isRight = statusesOf(before, after, 404).includes(status);
  const outcomes = { 404: 'unknown', 503: 'unavailable' };
  return { outcome: outcomes[status] ?? null, isRight };
}

/** The right statuses of a request that needs Postgres and gets `there` while it is there. */
export function statusesOf(before, after, there) {
  const statuses = new Set([before, after].flatMap(({ postgres }) => byPostgres(postgres, there)));
  return [...statuses];
}

function byPostgres(postgres, there) {
  if (postgres === 'here') return [there];
  return postgres === 'away' ? [503] : [there, 503];
}
