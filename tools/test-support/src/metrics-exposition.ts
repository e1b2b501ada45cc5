/** What one metric shows: its kind, its help, and for each label the values that were seen. */
export type ShownMetric = {
  readonly type: string;
  readonly help: string;
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
};

type Sample = { readonly name: string; readonly labels: ReadonlyMap<string, string>; readonly value: number };
type Block = { readonly name: string; readonly help: string; readonly type: string; samples: Sample[] };

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/**
 * Reads Prometheus' text format by strict rules, and throws a sentence about the first that is broken: one HELP and one TYPE
 * a metric with its samples behind them, no series twice, of ours only counters that end in `_total`, and histograms whose buckets ascend, hold those below them and end in a count.
 */
export function readExposition(text: string): ReadonlyMap<string, ShownMetric> {
  const blocks = readBlocks(text);
  const shown = new Map<string, ShownMetric>();
  for (const block of blocks) {
    if (shown.has(block.name)) throw new Error(`${block.name} is described twice`);
    if (block.samples.length === 0 && isOurs(block)) throw new Error(`${block.name} shows nothing`);
    if (isOurs(block) && (block.type === 'counter') !== block.name.endsWith('_total')) {
      throw new Error(`${block.name} is a ${block.type}`);
    }
    checkSeries(block);
    if (block.type === 'histogram') checkHistogram(block);
    shown.set(block.name, { type: block.type, help: block.help, labels: collectLabels(block) });
  }
  return shown;
}

// prom-client's own figures have gauges that end in `_total`, and some that show nothing for a while.
const isOurs = ({ name }: Block): boolean => name.startsWith('smartlink_');

function readBlocks(text: string): readonly Block[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  const blocks: Block[] = [];
  let help: readonly [name: string, text: string] | null = null;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, helpName, helpText] = /^# HELP (\S+) (.+)$/.exec(line) ?? [];
    const [, typeName, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (helpName !== undefined && helpText !== undefined) {
      help = [helpName, helpText];
    } else if (typeName !== undefined && type !== undefined) {
      if (help?.[0] !== typeName) throw new Error(`${typeName} has no HELP before its TYPE`);
      blocks.push({ name: typeName, help: help[1], type, samples: [] });
      help = null;
    } else {
      const block = blocks.at(-1);
      const sample = readSample(line);
      if (block === undefined || help !== null || !belongsTo(block, sample.name)) {
        throw new Error(`A sample stands where it does not belong: ${line}`);
      }
      block.samples.push(sample);
    }
  }
  return blocks;
}

function readSample(line: string): Sample {
  const [, name, labelText = '', valueText] = SAMPLE.exec(line) ?? [];
  if (name === undefined || valueText === undefined) throw new Error(`This is no sample: ${line}`);
  const labels = new Map<string, string>();
  for (const [, label = '', value = ''] of labelText.matchAll(LABEL)) {
    if (labels.has(label)) throw new Error(`A label comes twice: ${line}`);
    labels.set(label, value);
  }
  const value = /^[+-]?Inf$|^nan$/i.test(valueText) ? Number.NaN : Number(valueText);
  if (Number.isNaN(value) && !/inf|nan/i.test(valueText)) throw new Error(`This is no number: ${line}`);
  return { name, labels, value };
}

function belongsTo({ name, type }: Block, sampleName: string): boolean {
  if (type !== 'histogram') return sampleName === name;
  return ['_bucket', '_sum', '_count'].some((part) => sampleName === name + part);
}

function checkSeries({ samples }: Block): void {
  const seen = new Set<string>();
  for (const { name, labels } of samples) {
    const series = `${name} ${[...labels].map(String).toSorted().join(' ')}`;
    if (seen.has(series)) throw new Error(`A series comes twice: ${series}`);
    seen.add(series);
  }
}

function checkHistogram({ name, samples }: Block): void {
  const bySeries = new Map<string, Sample[]>();
  for (const sample of samples) {
    const others = [...sample.labels].filter(([label]) => label !== 'le').map(String);
    const series = others.toSorted().join(' ');
    bySeries.set(series, [...(bySeries.get(series) ?? []), sample]);
  }
  for (const [series, parts] of bySeries) {
    const buckets = parts.filter((part) => part.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number((labels.get('le') ?? '').replace('+Inf', 'Infinity')));
    const counts = buckets.map(({ value }) => value);
    const count = parts.find((part) => part.name === `${name}_count`)?.value;
    const ascends = (numbers: readonly number[], isStrict: boolean): boolean =>
      numbers.every((each, index) => {
        const before = numbers[index - 1] ?? -Infinity;
        return isStrict ? each > before : each >= before;
      });
    if (!ascends(bounds, true) || bounds.at(-1) !== Infinity) throw new Error(`Bounds of ${name} ${series}`);
    if (!ascends(counts, false) || counts.at(-1) !== count) throw new Error(`Counts of ${name} ${series}`);
    if (!parts.some((part) => part.name === `${name}_sum`)) throw new Error(`No sum of ${name} ${series}`);
  }
}

function collectLabels({ samples }: Block): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const sample of samples) {
    for (const [label, value] of sample.labels) {
      if (label === 'le') continue;
      const values = labels.get(label) ?? new Set();
      labels.set(label, values.add(value));
    }
  }
  return labels;
}
