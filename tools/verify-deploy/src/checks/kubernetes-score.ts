import { outcomeOf } from '../check.js';
import type { Check } from '../check.js';
import { findTool } from '../find-tool.js';
import { KUBERNETES_VERSIONS, findHelm, renderAll } from '../kubernetes/helm.js';
import { OPTION_SETS } from '../kubernetes/option-sets.js';
import { runProgram } from '../run-program.js';

/** What kube-score asks for and we have decided against. */
const DECLINED: Readonly<Record<string, string>> = {
  'container-image-pull-policy':
    'images are pinned, and a node that has one need not ask the registry to start a pod',
  'container-security-context-user-group-id': 'the images run as 1000; it wants above 10000',
};

type Scored = {
  readonly object_name: string;
  readonly type_meta: { readonly kind: string };
  readonly checks: readonly {
    readonly check: { readonly id: string; readonly name: string };
    /** 10 is well, 7 and above nearly so, 5 a warning, 1 critical. */
    readonly grade: number;
    readonly skipped: boolean;
    readonly comments: readonly { readonly summary: string }[] | null;
  }[];
};

const GRADE_CRITICAL = 1;

/** A second opinion: kube-score finds nothing critical that we have not decided against. */
export const kubernetesScore: Check = {
  id: 'kubernetes-score',
  title: 'kube-score finds nothing critical in the chart',
  async run(context) {
    const helm = await findHelm(context);
    if ('missing' in helm) return { kind: 'skipped', reason: helm.missing };
    const from = { go: 'github.com/zegl/kube-score/cmd/kube-score' };
    const scorer = await findTool({ name: 'kube-score', version: 'v1.20.0', from }, context);
    if ('missing' in scorer) return { kind: 'skipped', reason: scorer.missing };
    const problems: string[] = [];
    // It wants a network policy for each pod, and a set without them is there to show that they can be left out.
    const judged = OPTION_SETS.filter(({ expected }) => expected['NetworkPolicy'] !== 0).map(
      ({ name }) => name,
    );
    const rendered = await renderAll(helm.file, context, KUBERNETES_VERSIONS[1]);
    let looks = 0;
    for (const name of judged) {
      const argv = [
        scorer.file,
        'score',
        ...['--output-format', 'json', '--kubernetes-version', 'v1.34'],
        // Why there is none: values.yaml.
        '--ignore-container-cpu-limit',
        '-',
      ] as const;
      const { stdout } = await runProgram(argv, {
        input: rendered.get(name) ?? '',
        signal: context.signal,
        limitMs: 60_000,
      });
      const seen = (JSON.parse(stdout) as readonly Scored[]).flatMap((scored) =>
        scored.checks.filter((check) => !check.skipped).map((check) => ({ scored, ...check })),
      );
      looks += seen.length;
      problems.push(
        ...seen
          .filter(({ grade, check }) => grade <= GRADE_CRITICAL && !(check.id in DECLINED))
          .map(({ scored, check, comments }) => {
            const said = (comments ?? []).map(({ summary }) => summary).join('; ');
            return `${name}: ${scored.type_meta.kind} ${scored.object_name}: ${check.name}: ${said}`;
          }),
      );
    }
    const declined = Object.entries(DECLINED).map(([id, reason]) => `declined ${id}: ${reason}`);
    return outcomeOf(problems, [`${looks} looks`, ...declined].join('\n'));
  },
};
