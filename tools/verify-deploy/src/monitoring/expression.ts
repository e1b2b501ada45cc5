export type Matcher = { readonly label: string; readonly operator: string; readonly value: string };

/** One selection of series in a PromQL expression: `metric{matchers}`. */
export type Selector = { readonly metric: string; readonly matchers: readonly Matcher[] };

export type Parts = {
  readonly selectors: readonly Selector[];
  /** What `by`, `on` and the like name. */
  readonly clauseLabels: readonly string[];
};

const KEYWORDS = new Set(
  'and or unless bool offset group_left group_right inf nan start end atan2'.split(' '),
);
const CLAUSE = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"(\d+)"/g;

/** Returns which series an expression selects. It is no parser: Prometheus says whether the expression is PromQL at all. */
export function partsOf(expr: string): Parts {
  const strings: string[] = [];
  const clauseLabels: string[] = [];
  const selectors: Selector[] = [];
  // What stands in strings is taken out first: it may hold any character.
  const rest = expr
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_all, text: string) => `"${strings.push(text) - 1}"`)
    .replaceAll(CLAUSE, (_all, labels: string) => {
      clauseLabels.push(...labels.split(/[\s,]+/).filter((label) => label !== ''));
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\boffset\s+\S+/g, ' ');
  for (const [, metric = '', after = ''] of rest.matchAll(
    /(?<![\w."])([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\()?/g,
  )) {
    if (after === '(' || KEYWORDS.has(metric.toLowerCase())) continue;
    const matchers = [...after.matchAll(MATCHER)].map(([, label = '', operator = '', index = '']) => ({
      label,
      operator,
      value: strings[Number(index)] ?? '',
    }));
    selectors.push({ metric, matchers });
  }
  return { selectors, clauseLabels };
}

/** Returns the expression as Prometheus takes it, with Grafana's variables replaced: all instances, this window. */
export function withoutVariables(expr: string, window: string): string {
  return expr.replaceAll('$__rate_interval', window).replaceAll('$instance', '.*');
}
