import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { trialSize } from '@smartlink/test-support/trial-size';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALL_DEADLINE_MS, findSchemathesis, runSchemathesis } from './schemathesis.js';
import { startService } from './start-service.js';
import type { TestService } from './start-service.js';
import { liftRateLimit } from './stored-rows.js';

// For each operation. What lies at the bounds of each member, some 5,000 requests, is asked for by a full run; an ordinary
// one has fuzz-*.int.test.ts for that.
const EXAMPLES = trialSize(10, 1_000);
const PHASES = trialSize('examples,fuzzing', 'examples,coverage,fuzzing');
const DEADLINE_MS = trialSize(600_000, 1_800_000);
const SEED = 20260310;

const CONFIG = path.join(import.meta.dirname, 'schemathesis.toml');

let program: string | null;
let service: TestService;
let reports: string;

beforeAll(async () => {
  program = await findSchemathesis();
  service = await startService();
  await liftRateLimit(service.app);
  reports = mkdtempSync(path.join(tmpdir(), 'smartlink-schemathesis-'));
}, INSTALL_DEADLINE_MS + 120_000);
afterAll(async () => {
  rmSync(reports, { recursive: true, force: true });
  await service.close();
});

test(
  'schemathesis finds no answer that the OpenAPI document does not promise, and no fault',
  { timeout: DEADLINE_MS + 10_000 },
  async ({ skip }) => {
    if (program === null) return skip('schemathesis cannot be installed');
    const { apiKey } = await service.createUser();
    const origin = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { code, output } = await runSchemathesis(
      program,
      [
        ...['--config-file', CONFIG],
        'run',
        `${origin}/api/v1/openapi.json`,
        ...['--url', origin],
        ...['--header', `Authorization: Bearer ${apiKey}`],
        ...['--phases', PHASES],
        ...['--max-examples', String(EXAMPLES), '--seed', String(SEED), '--no-shrink'],
        ...['--continue-on-failure', '--warnings', 'off'],
      ],
      { folder: reports, deadlineMs: DEADLINE_MS },
    );
    process.stdout.write(`${output.trim().split('\n').slice(-5).join('\n')}\n`);
    expect(code, output).toBe(0);
  },
);
