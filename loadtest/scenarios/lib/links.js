/** The rules of the launcher's plan-links.ts, seen from outside: what is at a number, and what a visitor gets there. */

export const isApp = (number) => number % 10 === 9;

export function slugOf(number) {
  return `${__ENV.SLUG_PREFIX}${number}`;
}

/** Judges an answer of a Url link. */
export function judgeUrl(number) {
  return (response) => judgeRedirect(response, `https://example.org/${number}`, 'target');
}

/** Judges an answer of an App link; of an agent whose platform is not known any of its answers is right. */
export function judgeApp(number, platform) {
  const places = {
    ios: [`https://apps.apple.com/app/id${1_000_000_000 + number}`, 'target'],
    android: [`https://play.google.com/store/apps/details?id=org.example.a${number}`, 'target'],
    other: [`https://example.org/${number}`, 'fallback'],
  };
  return (response) => {
    // Safari says Macintosh on iPads too: a small page asks, and nothing is recorded until it has.
    if (response.status === 200) {
      return { outcome: 'undecided', isRight: platform === 'mac-safari' || platform === '' };
    }
    if (platform !== '') return judgeRedirect(response, ...(places[platform] ?? places.other));
    const found = Object.values(places).find(([place]) => place === response.headers.Location);
    return found ? judgeRedirect(response, ...found) : { outcome: null, isRight: false };
  };
}

/** Judges an answer of a slug that no smartlink has. */
export function judgeUnknown(response) {
  return { outcome: response.status === 404 ? 'unknown' : null, isRight: response.status === 404 };
}

const ELSEWHERE = { 404: 'unknown', 410: 'deleted', 503: 'unavailable' };

function judgeRedirect(response, place, outcome) {
  // Wrong here, and counted by the stack all the same.
  if (response.status !== 302) return { outcome: ELSEWHERE[response.status] ?? null, isRight: false };
  // A redirect to a wrong place is counted by the stack as well.
  return { outcome, isRight: response.headers.Location === place };
}
