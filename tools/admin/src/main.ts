import { runAdmin } from './admin-command.js';

process.exitCode = await runAdmin({
  argv: process.argv,
  env: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal: process.stdin.isTTY,
  columns: process.stdout.columns,
});
