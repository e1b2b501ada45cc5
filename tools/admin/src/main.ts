import { runAdmin } from './admin-command.js';

// `… | head` closes the pipe before everything is written, which is no failure. Node keeps the stream open.
let isReadable = true;
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  isReadable = false;
  if (err.code === 'EPIPE') return;
  process.stderr.write(`Standard output cannot be written: ${err.message}\n`);
  process.exit(1);
});

async function stdoutReady(): Promise<boolean> {
  const { stdout } = process;
  if (isReadable && stdout.writableNeedDrain) {
    await new Promise<void>((resolve) =>
      stdout.once('drain', resolve).once('error', () => {
        resolve();
      }),
    );
  }
  return isReadable;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

process.exitCode = await runAdmin({
  argv: process.argv,
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stdoutReady,
  isTerminal: process.stdin.isTTY,
  isStdoutTerminal: process.stdout.isTTY,
  isStderrTerminal: process.stderr.isTTY,
  onInterrupt: (listener) => {
    // Once each: a second Ctrl-C ends a process that hangs.
    for (const signal of SIGNALS) process.once(signal, listener);
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    };
  },
  columns: process.stdout.columns,
});
