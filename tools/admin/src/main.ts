import { runAdmin } from './admin-command.js';

// `… | head` closes the pipe before everything is written; that is no failure.
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code !== 'EPIPE') throw err;
});
process.exitCode = await runAdmin({
  argv: process.argv,
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdin.isTTY,
  columns: process.stdout.columns,
});
