import { expect, it } from 'vitest';
import { findWarnings } from './log-file.js';

it('shortens JSON lines, keeps others, and drops empty lines and messages below a warning', () => {
  const lines = [
    '{"level":"error","time":"2026-01-01","msg":"cannot listen","err":{"type":"Error","message":"EADDRINUSE"}}',
    '{"level":"info","msg":"request answered"}',
    '{"level":"debug"}',
    '',
    '{"level":"warn","msg":"slow","reason":"disk"}',
    '{"level":"fatal","msg":"gone"}',
    '    at main.js:1:1',
    '{"cut off',
  ];
  expect(findWarnings(lines.join('\n'))).toEqual([
    'error: cannot listen (EADDRINUSE)',
    'warn: slow (disk)',
    'fatal: gone',
    '    at main.js:1:1',
    '{"cut off',
  ]);
});
