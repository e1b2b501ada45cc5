import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findMisspeltNames, readLauncherConfig } from './launcher-config.js';
import { launch, type Running } from './launcher.js';
import { describeFailure, StackError } from './stack-error.js';

// The program of `npm start`. Services and engines run in sessions of their own, so Ctrl-C reaches this process only,
// which stops them in order. npm forwards the signal that the terminal has already sent, so a second one within a second
// is the same keystroke.
const SAME_KEYSTROKE_MS = 1_000;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const HELP = `npm start [-- --no-demo]

Starts PostgreSQL, Redis and ClickHouse on this machine, migrates the databases, starts both services, creates a demo user
with a key and a link of each type, and runs until Ctrl-C. Environment variables configure it: docs/configure.md.

  --no-demo  create the user and its key, but no links`;

// Requests a rolling restart of the redirect service; sent to the whole process group, it must not end this process.
process.on('SIGUSR2', () => undefined);

const args = readArguments();
const startedAt = Date.now();
const stopping = new AbortController();
const stopped = once(stopping.signal, 'abort').then(() => '');
let signalledAt = 0;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
// Writing to a closed pipe (`npm start | head`, a closed terminal) must not end this process before the others.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

process.exitCode = await runStack();
process.exit();

/** Ends the process for `--help`, and with code 1 for an argument that does not exist. */
function readArguments() {
  const options = {
    help: { type: 'boolean', short: 'h' },
    'no-demo': { type: 'boolean' },
  } as const;
  try {
    const { values } = parseArgs({ options });
    if (values.help !== true) return values;
    console.log(HELP);
    process.exit();
  } catch (err) {
    console.error(`${describeFailure(err)}\n\n${HELP}`);
    process.exit(1);
  }
}

async function runStack(): Promise<number> {
  let running: Running | undefined;
  try {
    const config = readLauncherConfig(process.env);
    report(`Starting Smartlink, data in ${shortPath(resolve(config.SMARTLINK_DATA_DIR))}`);
    for (const line of findMisspeltNames(process.env)) report(line);
    const hasDemo = args['no-demo'] !== true;
    running = await launch({
      config,
      env: process.env,
      root: ROOT,
      hasDemo,
      report,
      signal: stopping.signal,
    });
    console.log(readyMessage(running, hasDemo));
    const failure = await Promise.race([running.failed, stopped]);
    stopping.signal.throwIfAborted();
    throw new StackError(`${failure}\nStopping everything.`);
  } catch (err) {
    if (stopping.signal.aborted) return 0;
    if (err instanceof StackError) console.error(`\n${err.message}`);
    else console.error(`\nSmartlink could not start: ${describeFailure(err)}\n`, err);
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

function readyMessage(running: Running, hasDemo: boolean): string {
  const { managementUrl, publicBaseUrl, apiKey, signIn, logDir } = running;
  const body = JSON.stringify({
    configuration: { smartlinkName: 'My first link', smartlinkType: 'Url' },
    shortener: { url: 'https://example.com/' },
  });
  return `
Smartlink is ready.
${hasDemo ? `\n  Open this        ${publicBaseUrl}/demolanding` : ''}
  API              ${managementUrl}/api/v1
${signInLines(managementUrl, signIn)}  API reference    ${managementUrl}/docs
  Short links      ${publicBaseUrl}
  Demo key         ${apiKey}
  Logs             ${shortPath(logDir)}

Create a link:
curl -s ${managementUrl}/api/v1/smartlink -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'

Stop with Ctrl-C.`;
}

/** None when the dashboard is left out. */
function signInLines(managementUrl: string, signIn: Running['signIn']): string {
  if (signIn === null) return '';
  const label = { 'sign-in': 'Sign in', setup: 'Set up' }[signIn.purpose];
  const limit = { 'sign-in': '15 minutes', setup: '24 hours' }[signIn.purpose];
  return `  Dashboard        ${managementUrl}/dashboard/\n  ${label.padEnd(15)}  ${signIn.url}  (once, ${limit})\n`;
}
