import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the Chromium that browser tests drive; null where there is none, for which the reason was printed. */
    chromium: string | null;
  }
}

// The first is Chromium without its windows, for which a page takes a third of the processor time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
// The second one has the letters that samples of pages are written in.
const PACKAGES = ['chromium-headless-shell', 'fonts-noto-core'];
const INSTALL_DEADLINE_MS = 240_000;

/** Vitest's global setup of the browser tests: finds Chromium, and installs Debian's package where it may. */
export function setup(project: TestProject): void {
  project.provide('chromium', findChromium() ?? installChromium());
}

function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const programs = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return programs.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installChromium(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return skip('there is no Chromium, and only root on Debian may install one: apt-get install chromium');
  }
  process.stdout.write('installing Chromium for the browser tests …\n');
  for (const argv of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]]) {
    const { status, stderr, error } = spawnSync('apt-get', ['-qq', ...argv], {
      encoding: 'utf8',
      timeout: INSTALL_DEADLINE_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0) return skip(`apt-get ${argv.join(' ')}: ${error?.message ?? stderr.trim()}`);
  }
  return findChromium() ?? skip('the package brought no Chromium');
}

function skip(reason: string): null {
  process.stdout.write(`Browser tests are skipped: ${reason}\n`);
  return null;
}
