import { readFileSync } from 'node:fs';
import type { ShownMetric } from './metrics-exposition.js';

/** A row of docs/metrics.md. A label without values may hold what nobody knows before. */
export type DocumentedMetric = {
  readonly type: string;
  readonly help: string;
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
};

const PAGE = new URL('../../../docs/metrics.md', import.meta.url);

/** Returns the metrics that docs/metrics.md lists between the marks `<!-- metrics:service -->` and their end. */
export function readDocumentedMetrics(service: string): ReadonlyMap<string, DocumentedMetric> {
  const text = readFileSync(PAGE, 'utf8');
  const begin = text.indexOf(`<!-- metrics:${service} -->`);
  const end = text.indexOf(`<!-- /metrics:${service} -->`);
  if (begin === -1 || end < begin) throw new Error(`docs/metrics.md has no part for ${service}`);
  const rows = text.slice(begin, end).matchAll(/^\| `(\w+)` *\|(.*)\|$/gm);
  return new Map(
    [...rows].map(([, name = '', rest = '']) => {
      const [type = '', labelCell = '', , help = ''] = rest.split('|').map((cell) => cell.trim());
      return [name, { type, help, labels: readLabels(labelCell) }];
    }),
  );
}

function readLabels(cell: string): ReadonlyMap<string, ReadonlySet<string>> {
  const parts = cell.split(';').filter((part) => part.trim() !== '');
  return new Map(
    parts.map((part) => {
      const [, label = '', values = ''] = /^\s*`(\w+)`(?:: (.+))?$/.exec(part.trimEnd()) ?? [];
      return [label, new Set(values.split(', ').filter((value) => value !== ''))];
    }),
  );
}

/** Returns a sentence for each difference between what a service shows and what is documented. */
export function compareMetrics(
  shown: ReadonlyMap<string, ShownMetric>,
  documented: ReadonlyMap<string, DocumentedMetric>,
): readonly string[] {
  const names = new Set([...shown.keys(), ...documented.keys()]);
  return [...names].flatMap((name) => {
    const real = shown.get(name);
    const told = documented.get(name);
    if (told === undefined) return [`${name} is not documented`];
    if (real === undefined) return [`${name} is documented and not shown`];
    const problems: string[] = [];
    if (real.type !== told.type) problems.push(`${name} is a ${real.type}, not a ${told.type}`);
    if (real.help !== told.help) problems.push(`${name} says: ${real.help}`);
    for (const [label, values] of real.labels) {
      if (!told.labels.has(label)) problems.push(`${name} has an undocumented label ${label}`);
      else problems.push(...compareValues(`${name}{${label}}`, values, told.labels.get(label) ?? new Set()));
    }
    for (const label of told.labels.keys()) {
      if (!real.labels.has(label)) problems.push(`${name} has no label ${label}`);
    }
    return problems;
  });
}

function compareValues(
  what: string,
  real: ReadonlySet<string>,
  told: ReadonlySet<string>,
): readonly string[] {
  if (told.size === 0) return [];
  return [
    ...[...real].filter((value) => !told.has(value)).map((value) => `${what} shows ${value} undocumented`),
    ...[...told].filter((value) => !real.has(value)).map((value) => `${what} does not show ${value}`),
  ];
}
