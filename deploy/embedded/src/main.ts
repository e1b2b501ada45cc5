import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './launcher.js';
import type { Running } from './launcher.js';
import type { LauncherConfig } from './launcher-config.js';
import { misspeltInAll, readAllConfig } from './read-all-config.js';
import { describeFailure, StackError } from './stack-error.js';

// The program of `npm start`. Ctrl-C reaches this process alone, because services and engines have sessions of their
// own; it stops them in order. npm passes on a signal that the terminal has sent already, so one that follows at once
// is the same keystroke.
const SAME_KEYSTROKE_MS = 1_000;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const HELP = `npm start

Brings up PostgreSQL, Redis and ClickHouse, the migrations, both services and demo data on this machine, and keeps them
running until Ctrl-C. It is configured by variables of the environment: docs/configure.md.`;

// It asks the redirect service for a rolling restart, and may reach us with the whole group of processes.
process.on('SIGUSR2', () => undefined);

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(HELP);
  process.exit();
}
const config = readConfigOrFail();
const startedAt = Date.now();
const stopping = new AbortController();
let signalledAt = 0;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// A reader that has gone away (`npm start | head`, a closed terminal) must not end us before everything is stopped.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await run();
process.exit();

function readConfigOrFail(): LauncherConfig {
  try {
    return readAllConfig(process.env);
  } catch (err) {
    if (!(err instanceof StackError)) throw err;
    console.error(err.message);
    process.exit(1);
  }
}

async function run(): Promise<number> {
  let running: Running | null = null;
  try {
    report(`Starting Smartlink, data in ${shortPath(resolve(config.SMARTLINK_DATA_DIR))}`);
    for (const line of misspeltInAll(process.env)) report(line);
    running = await launch({ config, env: process.env, root: ROOT, report, signal: stopping.signal });
    console.log(readyMessage(running));
    const failure = await Promise.race([running.failed, untilStopped()]);
    if (failure === null) return 0;
    console.error(`\n${failure}\nStopping everything.`);
    return 1;
  } catch (err) {
    if (stopping.signal.aborted) return 0;
    console.error(
      err instanceof StackError ? `\n${err.message}` : `\nSmartlink could not start: ${describeFailure(err)}`,
    );
    if (!(err instanceof StackError) && err instanceof Error) console.error(err.stack);
    return 1;
  } finally {
    await running?.stop();
    if (stopping.signal.aborted) report('Stopped');
  }
}

function onSignal(): void {
  const now = Date.now();
  if (now - signalledAt < SAME_KEYSTROKE_MS) return;
  report(
    signalledAt === 0 ? 'Stopping: services first, then the engines' : 'Still stopping, it takes a moment',
  );
  signalledAt = now;
  stopping.abort(new Error('stopped by a signal'));
}

function untilStopped(): Promise<null> {
  return new Promise((done) => {
    if (stopping.signal.aborted) done(null);
    stopping.signal.addEventListener('abort', () => {
      done(null);
    });
  });
}

function report(line: string): void {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${`${seconds} s`.padStart(8)}  ${line}`);
}

function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

function readyMessage(running: Running): string {
  const body = JSON.stringify({
    configuration: { smartlinkName: 'My first link', smartlinkType: 'Url' },
    shortener: { url: 'https://example.com/' },
  });
  const curl = [
    `curl -s ${running.managementUrl}/api/v1/smartlink`,
    `-H 'Authorization: Bearer ${running.apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' ');
  return `
Smartlink is ready.

  Open this        ${running.publicBaseUrl}/menu
  API              ${running.managementUrl}/api/v1
  API reference    ${running.managementUrl}/docs
  Short links      ${running.publicBaseUrl}
  Demo key         ${running.apiKey}
  Logs             ${shortPath(running.logDir)}

Create a link:
${curl}

Stop with Ctrl-C.`;
}
