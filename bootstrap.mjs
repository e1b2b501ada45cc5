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
const KILL_AFTER_MS = 1_500;

const STACK = ['services/management', 'services/redirect', 'tools/admin'];
// With their development packages they are what `npm start` and operators need: half of all packages. The others are for tests
// and checks.
const STACK_WORKSPACES = [
  ...STACK,
  'deploy/embedded',
  'dashboard',
  'tools/test-support',
  'tools/visit-trials',
];
// Before a program its own project is built, and those of `also`; with `hasDashboard` the dashboard too. `isForHosts`: operators run it beside running services,
// whose packages and programs it must not change. `needsAllPackages`: for tests and checks.
const COMMANDS = {
  start: { program: 'deploy/embedded/dist/main.js', also: STACK, hasDashboard: true },
  test: { program: 'tools/checks/run.mjs', needsAllPackages: true },
  admin: { program: 'tools/admin/dist/main.js', isForHosts: true },
  'send-visit': { program: 'tools/visit-trials/dist/send-visit.js', also: ['tools/admin'] },
  'demo-real': { program: 'tools/visit-trials/dist/demo-real.js', also: ['tools/admin'] },
  loadtest: { program: 'loadtest/dist/main.js', also: STACK, needsAllPackages: true },
  chaos: { program: 'tools/chaos/dist/main.js', needsAllPackages: true },
  bench: { program: 'tools/bench/dist/main.js', needsAllPackages: true },
  'verify-deploy': {
    program: 'tools/verify-deploy/dist/main.js',
    also: STACK,
    hasDashboard: true,
    needsAllPackages: true,
  },
  migrate: { program: 'deploy/migrate/dist/main.js', isForHosts: true },
};

await main(process.argv.slice(2));

async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : null;
  if (command === null) fail(`Usage: node bootstrap.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
  requireNode();
  if (printUsage(name, args)) return;
  // File names in arguments are relative to the caller's folder; npm sets this variable itself.
  process.env.INIT_CWD ??= process.cwd();
  process.chdir(ROOT);
  dropInheritedNpmSettings();
  const program = path.join(ROOT, command.program);
  const [project, built] = command.program.split('/dist/');
  if (command.isForHosts && isInstalledInPart()) {
    if (!existsSync(program))
      fail(
        `Only some packages are installed, and ${command.program} is not built: run npx tsc -b ${project}, or npm ci for all packages.`,
      );
  } else {
    await installPackages(command.needsAllPackages === true);
    const compiler = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const build = {
      title: 'Building',
      announceAfterMs: 2_500,
      argv: [process.execPath, compiler, '-b', project, ...(command.also ?? [])],
      hint: 'The build failed; see the errors above.',
    };
    const dashboard = {
      title: 'Building the dashboard',
      announceAfterMs: 5_000,
      argv: [process.execPath, path.join(ROOT, 'dashboard/build.mjs')],
      hint: 'The build of the dashboard failed; see the errors above.',
    };
    await Promise.all([
      ...(built === undefined ? [] : [runQuietly(build)]),
      ...(command.hasDashboard ? [runQuietly(dashboard)] : []),
    ]);
  }
  if (!existsSync(program)) fail(`${command.program} is missing: the checkout is not complete.`);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/**
 * Prints the usage text of a command, if the arguments ask only for that: it needs neither packages nor a build. The files
 * in `usage` are the output of the programs; `npm run docs:usage` updates them.
 */
function printUsage(name, args) {
  const suffix = { '--help': '', '-h': '', '--list': '-list' }[args.length === 1 ? args[0] : ''];
  const file = path.join(ROOT, 'usage', `${name}${suffix}.txt`);
  if (suffix === undefined || !existsSync(file)) return false;
  process.stdout.write(readFileSync(file, 'utf8'));
  return true;
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Smartlink needs Node 20.19 or newer; this is ${process.versions.node}. Install one from https://nodejs.org`,
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

// Where all packages are installed, all are installed again after a change of the lock file.
async function installPackages(isAllNeeded) {
  const lock = readLock();
  const system = `${process.platform} ${process.arch}`;
  const all = createHash('sha256').update(lock).update(system).digest('hex');
  const stack = `${all} stack`;
  const installed = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : null;
  if (installed === all || (installed === stack && !isAllNeeded)) return;
  const isAll = isAllNeeded || installed?.endsWith(' stack') === false;
  const isAddition = installed === stack;
  if (isInstalledByNpm(lock)) {
    writeFileSync(STAMP, all);
    return;
  }
  // Removed first, so that an interrupted installation does not look complete.
  rmSync(STAMP, { force: true });
  // Other package managers set the variable to their own program.
  const npmCli = process.env.npm_execpath ?? '';
  const npm = /npm-cli\.[cm]?js$/.test(npmCli) ? [process.execPath, npmCli] : ['npm'];
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!isAll) flags.push(...STACK_WORKSPACES.flatMap((workspace) => ['-w', workspace]));
  await runQuietly({
    title: isAddition ? 'Installing the packages of tests' : 'Installing packages',
    announceAfterMs: 0,
    // `ci` would remove what is installed, from under a running stack too.
    argv: [...npm, ...(isAddition ? ['install', '--no-save'] : ['ci']), ...flags],
    hint: 'npm could not install the packages; see its output above.',
  });
  writeFileSync(STAMP, isAll ? all : stack);
}

// For an installation by hand: npm's list of installed packages has all versions of the lock file, apart from optional
// packages, which may be for other systems.
function isInstalledByNpm(lock) {
  try {
    const installed = JSON.parse(readFileSync(INSTALLED_LIST, 'utf8')).packages;
    return Object.entries(JSON.parse(lock).packages).every(([name, { optional, link, version }]) => {
      if (optional || !name.includes('node_modules')) return true;
      return link ? existsSync(path.join(ROOT, name)) : installed[name]?.version === version;
    });
  } catch {
    return false;
  }
}

// A complete installation by hand of some packages, as docs/install.md describes for hosts. To add the others, npm would
// first remove all packages, from under the running services.
function isInstalledInPart() {
  return existsSync(INSTALLED_LIST) && !existsSync(STAMP) && !isInstalledByNpm(readLock());
}

function readLock() {
  return readFileSync(path.join(ROOT, 'package-lock.json'));
}

/**
 * Runs a program and shows its output only if it fails; after `announceAfterMs` a line shows the title and elapsed time.
 * A signal is forwarded, and ends this process after the program.
 */
async function runQuietly({ title, announceAfterMs, argv: [command, ...args], hint }) {
  const progress = showProgress(title, announceAfterMs);
  // Its own process group, so that Ctrl-C reaches this process only.
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  let stoppedBy = null;
  const stop = (signal) => {
    if (stoppedBy !== null) return;
    stoppedBy = signal;
    child.kill('SIGTERM');
    // npm may take half a minute. An interrupted installation has no stamp and is repeated.
    setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    }, KILL_AFTER_MS).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const failure = await new Promise((resolve) => {
    child.once('error', (err) => resolve(`${command}: ${err.message}`));
    child.once('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
  for (const signal of signals) process.off(signal, stop);
  if (stoppedBy !== null) {
    progress.end(`stopped by ${stoppedBy}`);
    process.exit(stoppedBy === 'SIGINT' ? 130 : 143);
  }
  progress.end(failure === null ? 'done' : `failed (${failure})`);
  if (failure === null) return;
  process.stderr.write(Buffer.concat(output));
  fail(hint);
}

/** A counting line in a terminal, a line every 15 s in a log file. */
function showProgress(title, announceAfterMs) {
  const startedAt = Date.now();
  const [before, after] = process.stderr.isTTY ? ['\r', ''] : ['', '\n'];
  let shownAt = -Infinity;
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const show = () => {
    const now = Date.now();
    const isDue = process.stderr.isTTY || now - shownAt >= 15_000;
    if (now - startedAt < announceAfterMs || !isDue) return;
    process.stderr.write(`${before}${title} … ${seconds()}${after}`);
    shownAt = now;
  };
  show();
  const timer = setInterval(show, 1_000);
  return {
    end: (word) => {
      clearInterval(timer);
      if (shownAt > 0 || word !== 'done') process.stderr.write(`${before}${title} … ${word}, ${seconds()}\n`);
    },
  };
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
