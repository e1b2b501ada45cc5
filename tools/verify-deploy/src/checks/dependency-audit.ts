import type { Check } from '../check.js';
import { lastLine } from '../last-line.js';
import { runProgram } from '../run-program.js';

type AuditReport = {
  readonly metadata?: {
    readonly vulnerabilities: Readonly<Record<string, number>>;
    readonly dependencies: { readonly prod: number };
  };
  /** In place of the rest when npm has failed. */
  readonly message?: string;
  /** Of the registry's answer. */
  readonly statusCode?: number;
};

const LIMIT_MS = 60_000;

/** reliability.md, S16: what is shipped has no vulnerability that is known to be high or critical. */
export const dependencyAudit: Check = {
  id: 'dependency-audit',
  title: 'no dependency that is shipped has a high or critical vulnerability (S16)',
  async run({ root, signal, report }) {
    report('Asking the registry');
    const argv = ['npm', 'audit', '--omit=dev', '--json'] as const;
    const { code, stdout, stderr } = await runProgram(argv, { cwd: root, signal, limitMs: LIMIT_MS });
    const { metadata, message, statusCode } = readReport(stdout);
    if (metadata !== undefined) {
      const { high = 0, critical = 0, total = 0 } = metadata.vulnerabilities;
      const figure = `${metadata.dependencies.prod} packages: ${critical} critical, ${high} high, ${total} of any kind`;
      return high + critical === 0
        ? { kind: 'held', figure }
        : { kind: 'failed', problems: [`${figure}: npm audit --omit=dev names them`] };
    }
    // npm waits longer for a registry that does not answer than we do.
    if (code === null)
      return { kind: 'skipped', reason: `The registry has not answered in ${LIMIT_MS / 1_000} s` };
    const words = message ?? lastLine(stderr);
    // It was not reached, or has no audit service. What else npm fails at, a lock file that it cannot read say, is ours.
    return statusCode !== undefined || /^request to \S+ failed/.test(words)
      ? { kind: 'skipped', reason: `No audit service is to be reached: ${words}` }
      : { kind: 'failed', problems: [`npm audit ended with ${code}: ${words}`] };
  },
};

function readReport(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return {};
  }
}
