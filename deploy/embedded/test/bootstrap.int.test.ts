import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// The real script on a folder that looks like a host's: packages installed by hand, and not all of them.
const SCRIPT = fileURLToPath(new URL('../../../bootstrap.mjs', import.meta.url));
const LISTED =
  '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"},"node_modules/b":{"version":"1.0.0"}}}';
const INSTALLED = '{"packages":{"node_modules/a":{"version":"1.0.0"}}}';

let folder: string;
const put = (file: string, content: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
};
const run = (...args: readonly string[]) => {
  // An npm that only records its call.
  put('bin/npm', '#!/bin/sh\necho "npm $*" >> called\nexit 1\n');
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
  spawnSync('chmod', ['+x', join(folder, 'bin/npm')]);
  return spawnSync(process.execPath, [join(folder, 'bootstrap.mjs'), ...args], { env, encoding: 'utf8' });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smartlink-bootstrap-'));
  copyFileSync(SCRIPT, join(folder, 'bootstrap.mjs'));
  put('package.json', '{"type":"module"}');
  put('package-lock.json', LISTED);
  put('node_modules/.package-lock.json', INSTALLED);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('runs what is built, and installs nothing, for an operator on a host with some packages', () => {
  put('tools/admin/dist/main.js', 'console.log(process.argv.slice(2).join(" "))');
  expect(run('admin', 'users', 'list')).toMatchObject({ status: 0, stdout: 'users list\n', stderr: '' });
  const refused = run('migrate');
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/^Only some packages are installed.*npx tsc -b deploy\/migrate.*\n$/);
  expect(() => readFileSync(join(folder, 'called'))).toThrow('ENOENT');
});

it('installs the packages of the stack for npm start, and adds those of tests without removing any', () => {
  const stamp = join(folder, 'node_modules/.smartlink-installed');
  const npmCall = (command: string) => {
    rmSync(join(folder, 'called'), { force: true });
    expect(run(command).status).toBe(1);
    return readFileSync(join(folder, 'called'), 'utf8').trim();
  };
  expect(npmCall('start')).toMatch(/^npm ci --include=dev .* -w services\/management .*-w dashboard /);
  expect(npmCall('test')).toMatch(/^npm ci --include=dev [^w]*$/);

  const system = `${process.platform} ${process.arch}`;
  const all = createHash('sha256').update(LISTED).update(system).digest('hex');
  writeFileSync(stamp, `${all} stack`);
  expect(npmCall('bench')).toMatch(/^npm install --no-save --include=dev [^w]*$/);
  // Of another lock file.
  writeFileSync(stamp, 'other stack');
  expect(npmCall('start')).toMatch(/^npm ci .* -w dashboard /);
  writeFileSync(stamp, 'other');
  expect(npmCall('start')).toMatch(/^npm ci --include=dev [^w]*$/);
});

it.each([
  ['start', ' stack'],
  ['start', ''],
  ['test', ''],
])('installs nothing for npm run %s after a whole installation%s', (command, suffix) => {
  const system = `${process.platform} ${process.arch}`;
  const all = createHash('sha256').update(LISTED).update(system).digest('hex');
  put('node_modules/.smartlink-installed', `${all}${suffix}`);
  put('tools/checks/run.mjs', '');
  expect(run(command).status).toBe(command === 'test' ? 0 : 1);
  expect(existsSync(join(folder, 'called'))).toBe(false);
});

const USAGE = fileURLToPath(new URL('../../../usage/', import.meta.url));

it.each(readdirSync(USAGE))('usage/%s is what the program prints', async (file) => {
  const [, command, list] = /^(.+?)(-list)?\.txt$/.exec(file) ?? [];
  const flag = list === undefined ? '--help' : '--list';
  // Given twice, the arguments reach the program.
  const argv = [SCRIPT, command ?? '', flag, flag];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot(join(USAGE, file));
});

it.each(['--help', '-h', '--list'])('prints the usage text for %s alone without an installation', (flag) => {
  put('usage/bench.txt', 'usage\n');
  put('usage/bench-list.txt', 'list\n');
  const stdout = flag === '--list' ? 'list\n' : 'usage\n';
  expect(run('bench', flag)).toMatchObject({ status: 0, stdout, stderr: '' });
  expect(existsSync(join(folder, 'called'))).toBe(false);
  expect(run('bench', flag, 'redirect').status).toBe(1);
  expect(readFileSync(join(folder, 'called'), 'utf8')).toMatch(/^npm ci /);
});
