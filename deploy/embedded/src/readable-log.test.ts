import { expect, it } from 'vitest';
import { readableLog } from './readable-log.js';

it('shows level, message and error of JSON lines, and other lines as they are', () => {
  const lines = [
    '{"level":50,"time":"2026-01-01","msg":"cannot listen","err":{"type":"Error","message":"EADDRINUSE"}}',
    '{"level":"info","msg":"listening"}',
    'TypeError: x is not a function',
    '{"cut off',
  ];
  expect(readableLog(lines.join('\n'))).toBe(
    '  error: cannot listen (EADDRINUSE)\n  info: listening\n  TypeError: x is not a function\n  {"cut off',
  );
});
