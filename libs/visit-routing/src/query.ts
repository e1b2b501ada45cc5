/** Parameters that speak to us and not to the target: `qr` marks a scan (decisions.md, Visits). */
const INTERNAL_PARAMETERS: ReadonlySet<string> = new Set(['qr']);

// As nearly all queries are: parts of letters that need no encoding and none of which stands for another. Taking a query
// apart and putting it together again takes ten times as long.
const NOTHING_TO_CLEAN = /^[\w\-.~!$()*,;=:@/?[\]|^`{}\\]+(?:&[\w\-.~!$()*,;=:@/?[\]|^`{}\\]+)*$/;
const HAS_INTERNAL = new RegExp(`(?:^|&)(?:${[...INTERNAL_PARAMETERS].join('|')})(?:[=&]|$)`);

/**
 * Returns the visitor's query as it may stand in an address: internal markers and empty parts gone, and everything
 * encoded that could end a query, a header line or a word. '' when nothing is left.
 */
export function cleanVisitorQuery(query: string): string {
  if (query === '' || (NOTHING_TO_CLEAN.test(query) && !HAS_INTERNAL.test(query))) return query;
  return splitQuery(query)
    .filter((part) => !INTERNAL_PARAMETERS.has(parameterName(part)))
    .map(encodePart)
    .join('&');
}

/**
 * Returns `target` with the parameters of `visitorQuery` (as cleanVisitorQuery leaves it, not empty) behind its own.
 * A parameter of the target that the visitor names too is dropped: the visitor's value wins. Nothing before the `?`
 * and nothing from the `#` on can change, for the visitor's part holds neither.
 */
export function addVisitorQuery(target: TargetParts, visitorQuery: string): string {
  if (target.query === '') return `${target.beforeQuery}?${visitorQuery}${target.fragment}`;
  const visitorNames = new Set(splitQuery(visitorQuery).map(parameterName));
  const kept = splitQuery(target.query).filter((part) => !visitorNames.has(parameterName(part)));
  kept.push(visitorQuery);
  return `${target.beforeQuery}?${kept.join('&')}${target.fragment}`;
}

export type TargetParts = {
  readonly beforeQuery: string;
  /** Without `?`. */
  readonly query: string;
  /** With `#`, or ''. */
  readonly fragment: string;
};

/** Returns a normalised href cut in three. */
export function splitTarget(href: string): TargetParts {
  const hash = href.indexOf('#');
  const fragment = hash === -1 ? '' : href.slice(hash);
  const address = hash === -1 ? href : href.slice(0, hash);
  const mark = address.indexOf('?');
  if (mark === -1) return { beforeQuery: address, query: '', fragment };
  return { beforeQuery: address.slice(0, mark), query: address.slice(mark + 1), fragment };
}

function splitQuery(query: string): string[] {
  return query.split('&').filter((part) => part !== '');
}

// Compared as the target's server would read it: `%75tm_source` is utm_source.
function parameterName(part: string): string {
  const equals = part.indexOf('=');
  const name = equals === -1 ? part : part.slice(0, equals);
  if (!name.includes('%') && !name.includes('+')) return name;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

// What may stand in a query unencoded (RFC 3986, with the characters browsers leave alone); `#` ends a query, quotes
// and angle brackets end attributes, everything beyond ASCII has no place in a header.
const SAFE_PART = /^[\w\-.~!$&()*+,;=:@/?%[\]|^`{}\\]*$/;
const UNSAFE_CHARACTERS = /[^\w\-.~!$&()*+,;=:@/?%[\]|^`{}\\]+/g;

function encodePart(part: string): string {
  if (SAFE_PART.test(part)) return part;
  return part
    .toWellFormed()
    .replace(UNSAFE_CHARACTERS, (text) => encodeURIComponent(text).replaceAll("'", '%27'));
}
