import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { reportSkip } from './report-skip.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of Chromium for browser tests; null when it is missing, which was reported. */
    chromium: string | null;
  }
}

// In order of preference: a page takes a third of the processor time in the shell without windows.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
// Fonts for the scripts of the sample pages.
const PACKAGES = ['chromium-headless-shell', 'fonts-noto-core'];
const INSTALL_DEADLINE_MS = 240_000;

/** Vitest's global setup of browser tests: finds Chromium, or installs Debian's package as root. */
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
    return skip('not in PATH, and only root on Debian can install it: apt-get install chromium');
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
  return findChromium() ?? skip('the package contains no Chromium');
}

function skip(reason: string): null {
  reportSkip('chromium', reason);
  return null;
}
