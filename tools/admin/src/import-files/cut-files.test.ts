import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csvRowReader } from './csv-rows.js';
import type { ImportRow } from './import-row.js';
import { jsonRowReader } from './json-rows.js';
import { recogniseFormat } from './recognise-format.js';

/** Rows of a file that is all in `bytes`; none when it is no longer recognised, cut within its heading. */
function read(bytes: Buffer): ImportRow[] {
  const layout = recogniseFormat(bytes);
  if ('problem' in layout) return [];
  const options = { now: new Date('2026-06-01') };
  const reader = layout.kind === 'csv' ? csvRowReader(layout, options) : jsonRowReader(layout, options);
  return 'problem' in reader ? [] : [...reader.push(bytes), ...reader.end()];
}

const FIXTURES = [
  'own.csv',
  'own-types.csv',
  'own.json',
  'own.ndjson',
  'shlink.csv',
  'kutt.json',
  'yourls.json',
];

test.each(FIXTURES)('reads of %s, cut at any byte, every row before the cut, and never throws', (name) => {
  const bytes = readFileSync(new URL(`fixtures/${name}`, import.meta.url));
  const whole = read(bytes);
  const end = bytes.toString('latin1').trimEnd().length;
  const hasLines = !name.endsWith('.json');
  for (let cut = 1; cut < end; cut += 1) {
    const rows = read(bytes.subarray(0, cut));
    // Where lines are rows, the line that is cut is the last; where they are not, its end is missed.
    const linesBefore = bytes.toString('latin1', 0, cut).split('\n').length - 1;
    const isBefore = ({ line }: ImportRow) => line <= linesBefore;
    const before = hasLines ? rows.filter(isBefore) : rows.slice(0, -1);
    expect(before, `${cut}`).toEqual(hasLines ? whole.filter(isBefore) : whole.slice(0, before.length));
    if (!hasLines && rows.length > 0)
      expect(rows.at(-1), `${cut}`).toMatchObject({ outcome: 'refused', endsHere: true });
  }
});
