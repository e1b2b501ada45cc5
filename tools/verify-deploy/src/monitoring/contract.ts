import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Matcher, Parts } from './expression.js';

/** The values a label may have; null where docs/metrics.md lists none. */
type Values = ReadonlySet<string> | null;
/** What docs/metrics.md promises: each series with its labels. */
export type Contract = ReadonlyMap<string, ReadonlyMap<string, Values>>;

/** Of Prometheus' own making, of prom-client's, and of the exporters that rules/hosts.yml is for. */
const NOT_OURS = /^(?:up|ALERTS|(?:scrape|prometheus|process|nodejs|node|probe)_.+)$/;
/** Each series of a target has the first three; rules and `ALERTS` add the others. */
const KNOWN_EVERYWHERE = ['job', 'instance', 'cluster', 'le', 'slo', 'reason', 'alertname', 'severity'];

/** Returns the contract. Each row of a table in docs/metrics.md that begins with a metric's name is a part of it. */
export function readContract(root: string): Contract {
  const text = readFileSync(path.join(root, 'docs/metrics.md'), 'utf8');
  const contract = new Map<string, ReadonlyMap<string, Values>>();
  for (const row of text.matchAll(/^\| `([a-z_:]+)`\s*\| (\w+)\s*\| ([^|]*)\|/gm)) {
    const [, name = '', type = '', cell = ''] = row;
    // A metric of both services has a row in each table, with values of its own.
    const labels = new Map([...(contract.get(name) ?? []), ...readLabels(cell, contract.has(name))]);
    contract.set(name, labels);
    if (type !== 'histogram') continue;
    contract.set(`${name}_bucket`, new Map([...labels, ['le', null]]));
    for (const part of ['_sum', '_count']) contract.set(`${name}${part}`, labels);
  }
  return contract;
}

// As in "`outcome`: redirect, page. `version`, `node`"; "as above" lists nothing.
function readLabels(cell: string, isKnown: boolean): readonly (readonly [string, Values])[] {
  return [...cell.matchAll(/`(\w+)`(?:: ([^.`|]*(?:\.\d+[^.`|]*)*))?/g)].map(([, label = '', list = '']) => {
    const values = list.split(',').map((value) => value.trim());
    const isList = list.trim() !== '' && values.every((value) => /^[\w.]+$/.test(value));
    return [label, isList && !isKnown ? new Set(values) : null];
  });
}

/** Returns a sentence for each metric, label or value of `parts` that is neither of the contract nor recorded by a rule. */
export function breachesOf(
  parts: Parts,
  contract: Contract,
  recorded: ReadonlySet<string>,
): readonly string[] {
  const { selectors, clauseLabels } = parts;
  const everyLabel = new Set([
    ...KNOWN_EVERYWHERE,
    ...[...contract.values()].flatMap((labels) => [...labels.keys()]),
  ]);
  return [
    ...clauseLabels
      .filter((label) => !everyLabel.has(label))
      .map((label) => `no metric has a label ${label}`),
    ...selectors.flatMap(({ metric, matchers }) => {
      if (recorded.has(metric) || NOT_OURS.test(metric)) return [];
      const labels = contract.get(metric);
      if (labels === undefined) return [`docs/metrics.md has no ${metric}`];
      return matchers.flatMap((matcher) => breachOf(matcher, metric, labels));
    }),
  ];
}

function breachOf(matcher: Matcher, metric: string, labels: ReadonlyMap<string, Values>): readonly string[] {
  const { label, operator, value } = matcher;
  if (['job', 'instance', 'cluster'].includes(label)) return [];
  const values = labels.get(label);
  if (values === undefined) return [`docs/metrics.md names no label ${label} of ${metric}`];
  if (values === null) return [];
  const asked = operator.endsWith('~') ? value.split('|') : [value];
  return asked
    .filter((each) => ![...values].some((known) => new RegExp(`^(?:${each})$`).test(known)))
    .map((each) => `docs/metrics.md names no ${metric}{${label}="${each}"}`);
}
