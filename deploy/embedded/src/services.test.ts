import { expect, it } from 'vitest';
import { warningsIn } from './services.js';

it('shortens JSON lines, keeps others, and drops empty lines and messages below a warning', () => {
  const lines = [
    '{"level":50,"time":"2026-01-01","msg":"cannot listen","err":{"type":"Error","message":"EADDRINUSE"}}',
    '{"level":"info","msg":"request answered"}',
    '{"level":20}',
    '',
    '{"level":"warn","msg":"slow"}',
    '{"level":60,"msg":"gone"}',
    '    at main.js:1:1',
    '{"cut off',
  ];
  expect(warningsIn(lines.join('\n'))).toEqual([
    'error: cannot listen (EADDRINUSE)',
    'warn: slow',
    'fatal: gone',
    '    at main.js:1:1',
    '{"cut off',
  ]);
});
