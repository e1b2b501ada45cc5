import { expect, it } from 'vitest';
import { readableLog, withoutInfo } from './readable-log.js';

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

it('leaves out what says how the work goes, and keeps warnings and what is no JSON', () => {
  const kept = ['{"level":"warn","msg":"slow"}', '{"level":60,"msg":"gone"}', '    at main.js:1:1'];
  const lines = ['{"level":"info","msg":"request answered"}', '{"level":20}', '', ...kept];
  expect(withoutInfo(lines)).toEqual(kept);
});
