import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStackVariables } from './config-stack.js';

test('the spool of a stack is the one that npm start has given its services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  const spoolOf = (stack: object) => {
    writeFileSync(join(folder, 'stack.json'), JSON.stringify(stack));
    return readStackVariables({ SMARTLINK_DATA_DIR: folder })['SPOOL_DIR'];
  };
  try {
    expect(spoolOf({ spoolDir: '/mnt/spool' })).toBe('/mnt/spool');
    expect(spoolOf({})).toBe(join(folder, 'spool'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
