import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@smartlink/embedded/ports';
import { claimDataFolder, startStack } from '@smartlink/embedded/stack';
import { createClosers } from '@smartlink/test-support/closers';
import { findDebian, findTool, MissingTool, reportProgress, runProgram } from './tools.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const UNITS = path.join(ROOT, 'deploy/systemd');
const TRIAL = path.join(ROOT, 'tools/verify-deploy/systemd-trial.sh');
const TRIAL_SECONDS = 180;

/** Boots a minimal Debian in systemd-nspawn and runs the units there, on embedded engines of this machine. */
export async function checkSystemdUnits(): Promise<readonly string[]> {
  const nspawn = findTool('systemd-nspawn');
  if (process.getuid?.() !== 0) throw new MissingTool('systemd-nspawn needs root');
  const debian = findDebian();
  const closers = createClosers();
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-systemd-'));
  closers.add(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    const dataFolder = await claimDataFolder(path.join(folder, 'data'), () => undefined);
    const stack = await startStack({ dataFolder, external: {}, durable: false, report: () => undefined });
    closers.add(async () => {
      await stack.stop();
      for (const dir of stack.dataDirs) rmSync(dir, { recursive: true, force: true });
    });
    const trial = path.join(folder, 'trial');
    await writeTrial(trial, stack);
    reportProgress('booting Debian with the units');
    const { code, stderr } = runProgram(
      [
        ...([
          nspawn,
          '--quiet',
          '--boot',
          `--directory=${debian}`,
          '--volatile=overlay',
          '--console=pipe',
        ] as const),
        ...['--register=no', '--keep-unit', '--link-journal=no', '--machine=smartlink-trial'],
        ...[
          `--bind-ro=${ROOT}:/opt/smartlink`,
          `--bind-ro=${process.execPath}:/usr/bin/node`,
          `--bind=${trial}:/trial`,
        ],
        ...readdirSync(path.join(trial, 'units')).map(
          (unit) => `--bind-ro=${path.join(trial, 'units', unit)}:/etc/systemd/system/${unit}`,
        ),
        'systemd.unit=trial.service',
      ],
      { timeLimitMs: (TRIAL_SECONDS + 60) * 1_000 },
    );
    const output = path.join(trial, 'output');
    if (!existsSync(output)) return [`systemd did not come up: ended with ${code ?? 'a signal'}`, stderr];
    const lines = readFileSync(output, 'utf8').trim().split('\n');
    return lines.at(-1) === 'held' ? [] : lines;
  } finally {
    await closers.close();
  }
}

async function writeTrial(
  folder: string,
  addresses: { readonly databaseUrl: string; readonly redisUrl: string; readonly clickhouseUrl: string },
): Promise<void> {
  const [secrets, units] = [path.join(folder, 'secrets'), path.join(folder, 'units')];
  for (const each of [secrets, units]) mkdirSync(each, { recursive: true });
  const content = {
    ...Object.fromEntries(
      ['owner', 'management', 'redirect'].map((who) => [`database_url_${who}`, addresses.databaseUrl]),
    ),
    ...Object.fromEntries(
      ['migrate', 'management', 'redirect'].map((who) => [`clickhouse_url_${who}`, addresses.clickhouseUrl]),
    ),
    redis_url: addresses.redisUrl,
    cookie_secrets: randomBytes(32).toString('hex'),
  };
  for (const [name, text] of Object.entries(content))
    writeFileSync(path.join(secrets, name), text, { mode: 0o600 });
  const ports = await Promise.all(
    ['MANAGEMENT_PORT', 'REDIRECT_PORT', 'METRICS_PORT', 'MANAGEMENT_METRICS_PORT'].map(
      async (name) => `${name}=${await freePort()}`,
    ),
  );
  const env = ['PUBLIC_BASE_URL=https://go.example.com', ...ports, ''].join('\n');
  for (const service of ['management', 'redirect']) writeFileSync(path.join(folder, `${service}.env`), env);
  cpSync(UNITS, units, { recursive: true });
  cpSync(TRIAL, path.join(folder, 'trial.sh'));
  writeFileSync(
    path.join(units, 'trial.service'),
    `[Unit]
Requires=multi-user.target
After=multi-user.target
SuccessAction=poweroff-immediate
FailureAction=poweroff-immediate
[Service]
Type=oneshot
TimeoutStartSec=${TRIAL_SECONDS}
EnvironmentFile=/trial/redirect.env
ExecStart=/bin/sh /trial/trial.sh
StandardOutput=file:/trial/output
StandardError=file:/trial/output
`,
  );
}
