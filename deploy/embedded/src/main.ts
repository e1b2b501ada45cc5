import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMisspeltNames, type LauncherConfig, readLauncherConfig } from './launcher-config.js';
import { launch, type Running } from './launcher.js';
import { describeFailure, StackError } from './stack-error.js';

// The program of `npm start`. Services and engines run in sessions of their own, so Ctrl-C reaches this process only,
// which stops them in order. npm forwards the signal that the terminal has already sent, so a second one within a second
// is the same keystroke.
const SAME_KEYSTROKE_MS = 1_000;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const HELP = `npm start

Starts PostgreSQL, Redis and ClickHouse on this machine, migrates the databases, starts both services, creates demo data
and runs until Ctrl-C. Environment variables configure it: docs/configure.md.`;

// Requests a rolling restart of the redirect service; sent to the whole process group, it must not end this process.
process.on('SIGUSR2', () => undefined);

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(HELP);
  process.exit();
}
const config = readConfigOrFail();
const startedAt = Date.now();
const stopping = new AbortController();
const stopped = once(stopping.signal, 'abort').then(() => null);
let signalledAt = 0;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// Writing to a closed pipe (`npm start | head`, a closed terminal) must not end this process before the others.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runStack();
process.exit();

function readConfigOrFail(): LauncherConfig {
  try {
    return readLauncherConfig(process.env);
  } catch (err) {
    if (!(err instanceof StackError)) throw err;
    console.error(err.message);
    process.exit(1);
  }
}

async function runStack(): Promise<number> {
  let running: Running | null = null;
  try {
    report(`Starting Smartlink, data in ${shortPath(resolve(config.SMARTLINK_DATA_DIR))}`);
    for (const line of findMisspeltNames(process.env)) report(line);
    running = await launch({ config, env: process.env, root: ROOT, report, signal: stopping.signal });
    console.log(readyMessage(running));
    const failure = await Promise.race([running.failed, stopped]);
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
  report(signalledAt === 0 ? 'Stopping the services, then the engines' : 'Still stopping; please wait');
  signalledAt = now;
  stopping.abort(new Error('stopped by a signal'));
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
