import { expect, test } from 'vitest';
import { printSummary } from './import-summary.js';
import type { Terminal } from './terminal.js';

test('nothing in a summary steers the terminal, and as JSON it reads back the same', () => {
  const summary = {
    dryRun: false,
    rows: 1,
    created: 0,
    refused: 1,
    readdressed: 0,
    refusedBy: { 'no \u001b[31m\u009b31m \u202esuch member': 1 },
    report: 'links\u009b.csv',
    totalsWaiting: 0,
    resumedAfter: 0,
    seconds: 1,
  };
  for (const json of [true, false]) {
    let printed = '';
    const terminal = { stdout: (text: string) => (printed += text) } as unknown as Terminal;
    printSummary(terminal, { file: 'links\u009b.csv', owner: 'ann@example.com', json }, summary);
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    if (json) expect(JSON.parse(printed)).toEqual(summary);
  }
});
