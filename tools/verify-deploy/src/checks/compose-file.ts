import { existsSync } from 'node:fs';
import { outcomeOf } from '../check.js';
import type { Check } from '../check.js';
import { clickhouseGrantProblems } from '../clickhouse-grants.js';
import { resolveCompose } from '../compose-document.js';
import { composeProblems } from '../compose-rules.js';
import { readVariables } from '../configuration-table.js';

export const composeFile: Check = {
  id: 'compose-file',
  title:
    'docker compose takes deploy/compose.yaml, and every service of it is pinned, bounded, hardened and granted what it uses',
  async run(context) {
    const resolved = await resolveCompose(context);
    if ('missing' in resolved) return { kind: 'skipped', reason: resolved.missing };
    const { document } = resolved;
    const problems = [
      ...composeProblems(document, {
        variables: readVariables(context.root),
        isThere: (file) => existsSync(file),
      }),
      ...clickhouseGrantProblems(context.root),
    ];
    const count = (of: object) => Object.keys(of).length;
    return outcomeOf(
      problems,
      `${count(document.services)} services, ${count(document.networks)} networks, ${count(document.volumes)} volumes, ${count(document.secrets)} secrets`,
    );
  },
};
