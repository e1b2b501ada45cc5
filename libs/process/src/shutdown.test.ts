import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const LIFECYCLE = path.resolve(import.meta.dirname, '../dist/lifecycle.js');

// A process of its own, since what is tested ends the process.
const PROGRAM = (steps: string, deadlineMs: number) => `
  import { createLogger, installShutdown } from ${JSON.stringify(LIFECYCLE)};
  const hold = setInterval(() => {}, 1000);
  installShutdown({ log: createLogger({ service: 't', level: 'silent' }), deadlineMs: ${deadlineMs}, steps: [${steps}] });
  process.stdout.write('ready\\n');
`;

// The child hangs in process.exit, as in nodejs/node#54918, and its parent is no longer there to kill it.
const PARENT = `require('node:child_process').fork(process.argv[1]).once('message', () => console.log('started'));`;
const HANGING_CHILD = `
  import { killOrphanAtExit } from ${JSON.stringify(LIFECYCLE)};
  killOrphanAtExit();
  process.on('exit', () => { for (const end = Date.now() + 60_000; Date.now() < end; ); });
  process.once('disconnect', () => process.exit(0));
  process.send('started');
`;

async function runUntilSignal(steps: string, deadlineMs = 5_000) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM(steps, deadlineMs)]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output === 'ready\n') child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, output };
}

const step = (name: string, body: string) => `{ name: '${name}', run: async () => { ${body} } }`;
const say = (word: string) => `process.stdout.write('${word} ');`;

test('runs the steps in order after SIGTERM and exits 0', async () => {
  const { code, output } = await runUntilSignal([step('a', say('a')), step('b', say('b'))].join(','));
  expect({ code, output }).toEqual({ code: 0, output: 'ready\na b ' });
});

test('runs the steps after one that fails, and exits 1', async () => {
  const { code, output } = await runUntilSignal(
    [step('a', 'throw new Error()'), step('b', say('b'))].join(','),
  );
  expect({ code, output }).toEqual({ code: 1, output: 'ready\nb ' });
});

test('exits 1 when the deadline is over', async () => {
  const { code } = await runUntilSignal(step('a', 'clearInterval(hold); await new Promise(() => {})'), 50);
  expect(code).toBe(1);
});

test('passes the remaining time to each step', async () => {
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 50));';
  // A timer may fire a millisecond early.
  const report = `{ name: 'b', run: (leftMs) => { process.stdout.write(leftMs > 0 && leftMs <= 4_960 ? 'less' : 'wrong'); } }`;
  const { output } = await runUntilSignal([step('a', wait), report].join(','));
  expect(output).toBe('ready\nless');
});

test('an orphan whose process.exit hangs still ends', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'orphan-'));
  try {
    const program = path.join(folder, 'child.mjs');
    await writeFile(program, HANGING_CHILD);
    const parent = spawn(process.execPath, ['-e', PARENT, program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(parent.stdout, 'data');
    parent.kill('SIGKILL');
    // The child holds the parent's output open until it is gone, after 60 s without killOrphanAtExit.
    await once(parent, 'close');
  } finally {
    await rm(folder, { recursive: true });
  }
}, 30_000);
