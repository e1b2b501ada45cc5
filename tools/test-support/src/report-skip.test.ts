import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { reportSkip } from './report-skip.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('a missing tool is printed and recorded, and fails the run where it is required', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-skips-'));
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.stubEnv('SMARTLINK_SKIPS', path.join(folder, 'skips'));
  vi.stubEnv('SMARTLINK_REQUIRE', 'other, chromium');
  try {
    reportSkip('hadolint', 'download failed:\nno network');
    expect(print).toHaveBeenCalledWith('Tests skipped without hadolint: download failed: no network\n');
    expect(readFileSync(path.join(folder, 'skips'), 'utf8')).toBe('hadolint: download failed: no network\n');
    expect(() => {
      reportSkip('chromium', 'not installed');
    }).toThrow('SMARTLINK_REQUIRE names chromium: not installed');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
