import type { Check } from '../check.js';
import { runProgram } from '../run-program.js';

type AuditReport = {
  readonly metadata?: {
    readonly vulnerabilities: Readonly<Record<string, number>>;
    readonly dependencies: { readonly prod: number };
  };
};

/** reliability.md, S16: what is shipped has no vulnerability that is known to be high or critical. */
export const dependencyAudit: Check = {
  id: 'dependency-audit',
  title: 'no dependency that is shipped has a high or critical vulnerability (S16)',
  async run({ root, signal, report }) {
    report('Asking the registry');
    const argv = ['npm', 'audit', '--omit=dev', '--json'] as const;
    const { stdout, stderr } = await runProgram([...argv], { cwd: root, signal, limitMs: 60_000 });
    const { metadata } = readReport(stdout);
    if (metadata === undefined) {
      const [reason = 'it said nothing'] = stderr.split('\n').filter((line) => /audit|E[A-Z]{4,}/.test(line));
      return { kind: 'skipped', reason: `No audit service is to be reached: ${reason}` };
    }
    const { high = 0, critical = 0, total = 0 } = metadata.vulnerabilities;
    const figure = `${metadata.dependencies.prod} packages: ${critical} critical, ${high} high, ${total} of any kind`;
    return high + critical === 0
      ? { kind: 'held', figure }
      : { kind: 'failed', problems: [`${figure}: npm audit --omit=dev names them`] };
  },
};

function readReport(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return {};
  }
}
