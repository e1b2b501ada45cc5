import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { outcomeOf } from '../check.js';
import type { Check, CheckContext } from '../check.js';
import { KUBERNETES_VERSIONS, findHelm, lintChart, renderAll, renderChart } from '../kubernetes/helm.js';
import { readManifests } from '../kubernetes/manifests.js';
import type { Manifest } from '../kubernetes/manifests.js';
import { networkProblems } from '../kubernetes/network-rules.js';
import { OPTION_SETS, REFUSED_SETS } from '../kubernetes/option-sets.js';
import type { OptionSet } from '../kubernetes/option-sets.js';
import { podProblems } from '../kubernetes/pod-rules.js';
import type { DrainSeconds } from '../kubernetes/pod-rules.js';
import { referenceProblems } from '../kubernetes/reference-rules.js';
import { variableReaders } from '../kubernetes/variable-readers.js';
import { variableProblems } from '../kubernetes/variable-rules.js';
import { lastLine } from '../last-line.js';

/** The chart renders with every overlay, refuses what it must, and what it renders is as an SRE would have it. */
export const kubernetesChart: Check = {
  id: 'kubernetes-chart',
  title: 'the Helm chart renders, refuses bad values, and holds to our rules',
  async run(context) {
    const helm = await findHelm(context);
    if ('missing' in helm) return { kind: 'skipped', reason: helm.missing };
    context.report(`Rendering ${OPTION_SETS.length} sets of values`);
    const rendered = await renderAll(helm.file, context, KUBERNETES_VERSIONS[0]);
    const readers = variableReaders();
    const drain = readDrainSeconds(context.root);
    let manifestCount = 0;
    const problems: string[] = [];
    for (const set of OPTION_SETS) {
      const manifests = readManifests(rendered.get(set.name) ?? '');
      manifestCount += manifests.length;
      const found = [
        ...countProblems(manifests, set),
        ...podProblems(manifests, drain),
        ...referenceProblems(manifests),
        ...variableProblems(manifests, readers),
        ...(set.expected['NetworkPolicy'] === 0 ? [] : networkProblems(manifests)),
        ...monitoringProblems(manifests, set, context.root),
        ...hookProblems(manifests),
      ];
      problems.push(...found.map((problem) => `${set.name}: ${problem}`));
    }
    problems.push(
      ...(await lintProblems(helm.file, context)),
      ...(await refusalProblems(helm.file, context)),
    );
    const figure = `${manifestCount} manifests of ${OPTION_SETS.length} sets of values; ${REFUSED_SETS.length} sets refused`;
    return outcomeOf(problems, figure);
  },
};

function countProblems(manifests: readonly Manifest[], { expected }: OptionSet): readonly string[] {
  return Object.entries(expected).flatMap(([kind, count]) => {
    const found = manifests.filter((manifest) => manifest.kind === kind).length;
    return found === count ? [] : [`${found} of kind ${kind}, and not ${count}`];
  });
}

async function lintProblems(helm: string, context: CheckContext): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const set of OPTION_SETS) {
    const { code, stdout } = await lintChart(helm, context, set);
    if (code !== 0) problems.push(`${set.name}: helm lint says ${stdout.trim()}`);
  }
  return problems;
}

async function refusalProblems(helm: string, context: CheckContext): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const set of REFUSED_SETS) {
    const result = await renderChart(helm, context, { set, kubernetesVersion: KUBERNETES_VERSIONS[0] });
    if (result.code === 0) problems.push(`${set.name} is not refused`);
    else if (!set.says.test(result.stderr)) {
      problems.push(`${set.name} is refused for another reason: ${lastLine(result.stderr)}`);
    }
  }
  return problems;
}

/** The rules and dashboards are links into deploy/monitoring, which not every tool follows: they must have arrived whole. */
function monitoringProblems(manifests: readonly Manifest[], set: OptionSet, root: string): readonly string[] {
  if (set.overlay !== 'production') return [];
  const rules = path.join(root, 'deploy/monitoring/prometheus/rules');
  const dashboards = path.join(root, 'deploy/monitoring/grafana/dashboards');
  const hasRules = (file: string) => {
    const { groups } = parse(readFileSync(path.join(rules, file), 'utf8')) as { groups: unknown };
    return manifests.some(
      ({ kind, spec }) => kind === 'PrometheusRule' && isDeepStrictEqual(spec?.groups, groups),
    );
  };
  const hasDashboard = (file: string) => {
    const model: unknown = JSON.parse(readFileSync(path.join(dashboards, file), 'utf8'));
    return manifests.some(({ kind, data }) => {
      const text = kind === 'ConfigMap' ? data?.[file] : undefined;
      return text !== undefined && isDeepStrictEqual(JSON.parse(text), model);
    });
  };
  // Without it its alert would page for ever.
  const hasManagement = set.values['management'] === undefined || (set.expected['Deployment'] ?? 0) > 0;
  const ruleFiles = readdirSync(rules).filter((file) => file.endsWith('.yml'));
  const dashboardFiles = readdirSync(dashboards).filter((file) => file.endsWith('.json'));
  return [
    ...(ruleFiles.length === 0 ? ['deploy/monitoring has no rules'] : []),
    ...(dashboardFiles.length === 0 ? ['deploy/monitoring has no dashboards'] : []),
    ...ruleFiles
      .filter((file) => !hasRules(file) && (file !== 'management.yml' || hasManagement))
      .map((file) => `the rules of ${file} are not in it whole`),
    ...dashboardFiles
      .filter((file) => !hasDashboard(file))
      .map((file) => `the dashboard ${file} is not in it whole`),
  ];
}

/** The schema comes first: the Job is a hook before install and upgrade, and what it needs is one before it. */
function hookProblems(manifests: readonly Manifest[]): readonly string[] {
  return manifests
    .filter(({ kind }) => kind === 'Job')
    .flatMap((job) => {
      const account = job.spec?.template?.spec.serviceAccountName;
      const needed = manifests.find(
        ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account,
      );
      const isFirst = [job, needed].every(
        (manifest) => manifest?.metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade',
      );
      const weight = (manifest: Manifest | undefined) =>
        Number(manifest?.metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
      return isFirst && weight(needed) < weight(job) ? [] : [`Job ${job.metadata.name} does not come first`];
    });
}

/** How long each service may take to end, from its own source. Throws when it is not to be found there. */
function readDrainSeconds(root: string): DrainSeconds {
  const read = (file: string) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const [, digits] = /^const SHUTDOWN_DEADLINE_MS = ([\d_]+);$/m.exec(text) ?? [];
    if (digits === undefined) throw new Error(`${file} has no SHUTDOWN_DEADLINE_MS`);
    return Number(digits.replaceAll('_', '')) / 1_000;
  };
  return {
    redirect: read('services/redirect/src/primary.ts'),
    management: read('services/management/src/main.ts'),
  };
}
