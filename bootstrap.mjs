// Entry of the npm scripts: checks the Node version, installs missing packages, builds changed projects and runs the
// command's program in this process, which therefore receives signals directly. It runs before node_modules exists, so it
// is plain JavaScript without packages. It prints to standard error; standard output belongs to the program.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clearInterval, setInterval, setTimeout } from 'node:timers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = path.dirname(fileURLToPath(import.meta.url));
const STAMP = path.join(ROOT, 'node_modules', '.smartlink-installed');
const INSTALLED_LIST = path.join(ROOT, 'node_modules', '.package-lock.json');
const NODE_OLDEST = [20, 19];
const KILL_AFTER_MS = 1_500;

// `isForHosts`: operators run it beside running services, whose packages and programs it must not change.
const COMMANDS = {
  start: {
    program: 'deploy/embedded/dist/main.js',
    build: ['deploy/embedded', 'services/management', 'services/redirect', 'tools/admin'],
  },
  test: { program: 'tools/checks/run.mjs', build: [] },
  admin: { program: 'tools/admin/dist/main.js', build: ['tools/admin'], isForHosts: true },
  'send-visit': {
    program: 'tools/visit-trials/dist/send-visit.js',
    build: ['tools/visit-trials', 'tools/admin'],
  },
  'demo-real': {
    program: 'tools/visit-trials/dist/demo-real.js',
    build: ['tools/visit-trials', 'tools/admin'],
  },
  loadtest: {
    program: 'loadtest/dist/main.js',
    build: ['loadtest', 'services/management', 'services/redirect', 'tools/admin'],
  },
  chaos: { program: 'tools/chaos/dist/main.js', build: ['tools/chaos'] },
  bench: { program: 'tools/bench/dist/main.js', build: ['tools/bench'] },
  'verify-deploy': {
    program: 'tools/verify-deploy/dist/main.js',
    build: ['tools/verify-deploy'],
  },
  migrate: { program: 'deploy/migrate/dist/main.js', build: ['deploy/migrate'], isForHosts: true },
};

await main(process.argv.slice(2));

async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : null;
  if (command === null) fail(`Usage: node bootstrap.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
  requireNode();
  process.chdir(ROOT);
  dropInheritedNpmSettings();
  const program = path.join(ROOT, command.program);
  if (command.isForHosts && isInstalledInPart()) requireBuilt(command, program);
  else {
    await installPackages();
    if (command.build.length > 0) await build(command.build);
  }
  if (!existsSync(program)) fail(`${command.program} is missing: the checkout is not complete.`);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = NODE_OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Smartlink needs Node ${NODE_OLDEST.join('.')} or newer; this is ${process.versions.node}. Install one from https://nodejs.org`,
  );
}

// npm passes its settings to scripts. Those of the outer call (`npm --prefix`, `--omit=dev`) must not affect this
// installation; cache, registry and proxies must.
function dropInheritedNpmSettings() {
  const kept =
    /^npm_(execpath$|config_(cache|registry|.*proxy|cafile|ca|strict_ssl|userconfig|globalconfig|offline|prefer_offline|fetch_.*|@.*|\/\/.*)$)/i;
  for (const name of Object.keys(process.env)) {
    if (/^npm_/i.test(name) && !kept.test(name)) delete process.env[name];
  }
}

async function installPackages() {
  const lock = readLock();
  const wanted = createHash('sha256')
    .update(lock)
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  if (!isInstalledByNpm(lock)) {
    // Removed first, so that an interrupted installation does not look complete.
    rmSync(STAMP, { force: true });
    const [command, ...npm] = npmCommand();
    const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    await runQuietly({
      title: 'Installing packages',
      announceAfterMs: 0,
      argv: [command, ...npm, 'ci', ...flags],
      hint: 'npm could not install the packages; see its output above.',
    });
  }
  writeFileSync(STAMP, wanted);
}

// For an installation by hand: npm's list of installed packages has all versions of the lock file, apart from optional
// packages, which may be for other systems.
function isInstalledByNpm(lock) {
  try {
    const installed = JSON.parse(readFileSync(INSTALLED_LIST, 'utf8')).packages;
    return Object.entries(JSON.parse(lock).packages)
      .filter(([name, entry]) => name !== '' && !entry.optional)
      .every(
        ([name, entry]) =>
          !name.includes('node_modules') ||
          (entry.link ? existsSync(path.join(ROOT, name)) : installed[name]?.version === entry.version),
      );
  } catch {
    return false;
  }
}

// A complete installation by hand of some packages, as docs/install.md describes for hosts. To add the others, npm would
// first remove all packages, from under the running services.
function isInstalledInPart() {
  return existsSync(INSTALLED_LIST) && !existsSync(STAMP) && !isInstalledByNpm(readLock());
}

function requireBuilt({ build: projects }, program) {
  if (existsSync(program)) return;
  fail(
    `Only some packages are installed, and ${path.relative(ROOT, program)} is not built: run npx tsc -b ${projects.join(' ')}, or npm ci for all packages.`,
  );
}

function readLock() {
  return readFileSync(path.join(ROOT, 'package-lock.json'));
}

function npmCommand() {
  // Other package managers set the variable to their own program.
  const running = process.env.npm_execpath;
  if (running !== undefined && /npm-cli\.[cm]?js$/.test(running)) return [process.execPath, running];
  return ['npm'];
}

async function build(projects) {
  await runQuietly({
    title: 'Building',
    announceAfterMs: 2_500,
    argv: [process.execPath, path.join(ROOT, 'node_modules/typescript-native/bin/tsc'), '-b', ...projects],
    hint: 'The build failed; see the errors above.',
  });
}

/**
 * Runs a program and shows its output only if it fails; after `announceAfterMs` a line shows the title and elapsed time.
 * A signal is forwarded, and ends this process after the program.
 */
async function runQuietly({ title, announceAfterMs, argv: [command, ...args], hint }) {
  const progress = showProgress(title, announceAfterMs);
  // Its own process group, so that Ctrl-C reaches this process only. npm may take half a minute to react to a signal; an
  // interrupted installation has no stamp and is repeated.
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  let stoppedBy = null;
  const stop = (signal) => {
    if (stoppedBy !== null) return;
    stoppedBy = signal;
    child.kill('SIGTERM');
    setTimeout(() => killGroup(child), KILL_AFTER_MS).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const ended = await new Promise((resolve) => {
    child.once('error', (err) => resolve(`${command}: ${err.message}`));
    child.once('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
  for (const signal of signals) process.off(signal, stop);
  if (stoppedBy !== null) {
    progress.end(`stopped by ${stoppedBy}`);
    process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
  }
  if (ended !== null) {
    progress.end(`failed (${ended})`);
    process.stderr.write(Buffer.concat(output));
    fail(hint);
  }
  progress.end('done');
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function showProgress(title, announceAfterMs) {
  const startedAt = Date.now();
  const terminal = process.stderr.isTTY;
  let shownAt = null;
  const line = (word) => `${title} … ${word}${Math.round((Date.now() - startedAt) / 1000)} s`;
  const show = () => {
    const now = Date.now();
    if (now - startedAt < announceAfterMs) return;
    // A counting line in a terminal, a line every 15 s in a log file.
    if (terminal) process.stderr.write(`\r${line('')}`);
    else if (shownAt === null || now - shownAt >= 15_000) process.stderr.write(`${line('')}\n`);
    else return;
    shownAt = now;
  };
  show();
  const timer = setInterval(show, 1_000);
  return {
    end: (word) => {
      clearInterval(timer);
      if (shownAt !== null || word !== 'done')
        process.stderr.write(`${terminal ? '\r' : ''}${line(`${word}, `)}\n`);
    },
  };
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
