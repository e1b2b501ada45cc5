import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkAlerting } from './alerting.js';
import { CHART, REFUSED_SETS, RENDERED_SETS, type ValueSet } from './chart-values.js';
import { checkKubernetesApi } from './kubernetes-api.js';
import { checkSmartlinkImage } from './smartlink-image.js';
import { checkSystemdUnits } from './systemd-units.js';
import { findCompose, findTool, MissingTool, type ProgramResult, runProgram } from './tools.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DEPLOY = path.join(ROOT, 'deploy');
const PROMETHEUS = 'monitoring/prometheus';
/** The oldest supported version, one between, and the newest known to kubernetes-validate. */
const KUBERNETES_VERSIONS = ['1.30.0', '1.34.0', '1.37.0'] as const;
const AUDIT_TIME_LIMIT_MS = 60_000;

export type Check = {
  /** For `--only`. */
  readonly id: string;
  readonly title: string;
  /** Problems, none when the check holds. Throws MissingTool to be skipped. */
  readonly findProblems: () => readonly string[] | Promise<readonly string[]>;
};

/** In the order of a run. */
export const CHECKS: readonly Check[] = [
  {
    id: 'dependency-audit',
    title: 'no shipped dependency has a high or critical vulnerability (S16)',
    findProblems: auditDependencies,
  },
  {
    id: 'docker-lint',
    title: 'hadolint accepts the Dockerfiles',
    findProblems: () => run([findTool('hadolint'), ...filesIn('docker', 'Dockerfile')], 'docker'),
  },
  {
    id: 'smartlink-image',
    title: 'the image with everything starts, survives SIGKILL and an upgrade, and stops in order',
    findProblems: checkSmartlinkImage,
  },
  {
    id: 'release-workflow',
    title: 'actionlint accepts the workflow of a release',
    findProblems: () => run([findTool('actionlint'), path.join(ROOT, '.github/workflows/release.yml')]),
  },
  {
    id: 'compose-file',
    title: 'docker compose resolves deploy/compose.yaml with the example variables',
    findProblems() {
      const options = ['--env-file', 'compose/.env.example', '--file', 'compose.yaml', '--profile', '*'];
      return run([...findCompose(), ...options, 'config', '--quiet']);
    },
  },
  {
    id: 'systemd-units',
    title: 'a booted systemd runs the units: start before the schema, reload, backup, stop',
    findProblems: checkSystemdUnits,
  },
  {
    id: 'prometheus-rules',
    title: 'promtool accepts the configuration, and alerts fire and stay silent as their tests say',
    findProblems() {
      const promtool = findTool('promtool');
      return [
        ...run([promtool, 'check', 'config', path.join(DEPLOY, PROMETHEUS, 'prometheus.yml')]),
        ...run([promtool, 'test', 'rules', ...filesIn(`${PROMETHEUS}/tests`, '.yml')]),
      ];
    },
  },
  {
    id: 'alerting',
    title: 'alerts of Prometheus go through Alertmanager to a receiver, each on its route',
    findProblems: checkAlerting,
  },
  {
    id: 'kubernetes-chart',
    title: 'Helm lints and renders the chart, and refuses invalid values',
    findProblems: checkChart,
  },
  {
    id: 'kubernetes-schemas',
    title: `the rendered manifests are valid for Kubernetes ${KUBERNETES_VERSIONS.join(', ')}`,
    findProblems: validateManifests,
  },
  {
    id: 'kubernetes-api',
    title: 'an API server takes the chart: install, upgrades, autoscaling, rollback, pods under `restricted`',
    findProblems: checkKubernetesApi,
  },
  {
    id: 'kubernetes-score',
    title: 'kube-score finds nothing critical in the chart',
    findProblems: scoreManifests,
  },
];

/** Skipped where the registry has no audit service or does not answer. */
function auditDependencies(): readonly string[] {
  const argv = ['npm', 'audit', '--omit=dev', '--audit-level=high', '--json'] as const;
  const { code, stdout, stderr } = runProgram(argv, { cwd: ROOT, timeLimitMs: AUDIT_TIME_LIMIT_MS });
  if (code === null) {
    throw new MissingTool(`the registry has not answered within ${AUDIT_TIME_LIMIT_MS / 1_000} s`);
  }
  if (code === 0) return [];
  // Without metadata npm has failed.
  const { metadata, message, statusCode } = JSON.parse(stdout) as {
    metadata?: { vulnerabilities: Readonly<Record<string, number>> };
    message?: string;
    statusCode?: number;
  };
  if (metadata !== undefined) {
    const { high = 0, critical = 0 } = metadata.vulnerabilities;
    return [`${critical} critical and ${high} high vulnerabilities: see npm audit --omit=dev`];
  }
  const reason = message ?? stderr.trim();
  if (statusCode !== undefined || reason.startsWith('request to ')) {
    throw new MissingTool(`no audit service: ${reason}`);
  }
  return [`npm audit ended with ${code}: ${reason}`];
}

function checkChart(): readonly string[] {
  return withHelm((helm) => {
    const [oldest] = KUBERNETES_VERSIONS;
    const problems = RENDERED_SETS.flatMap((set) =>
      problemsOf(helm(['lint', '--strict', '--kube-version', oldest, CHART], set)).map(
        (problem) => `${set.name}: ${problem}`,
      ),
    );
    const rendered = renderSets(helm, oldest);
    for (const set of REFUSED_SETS) {
      const { code, stderr } = helm(templateArguments(oldest), set);
      if (code === 0) problems.push(`${set.name}: not refused`);
      else if (!set.says.test(stderr)) problems.push(`${set.name}: refused for another reason: ${stderr}`);
    }
    // They are symbolic links to deploy/monitoring, which Helm leaves out silently when it does not follow them.
    const production = rendered.get('production') ?? '';
    const missing = filesIn('monitoring/grafana/dashboards', '.json').filter(
      (file) => !production.includes(path.basename(file)),
    );
    return [...problems, ...missing.map((file) => `production: does not contain ${file}`)];
  });
}

function validateManifests(): readonly string[] {
  return withHelm((helm, folder) => {
    const validator = findTool('kubernetes-validate');
    const file = path.join(folder, 'rendered.yaml');
    return KUBERNETES_VERSIONS.flatMap((version) =>
      [...renderSets(helm, version)].flatMap(([name, text]) => {
        writeFileSync(file, text);
        const { code, stdout, stderr } = runProgram([validator, '--strict', '--quiet', '-k', version, file]);
        // Kinds of the Prometheus Operator have no schema there, which is a warning.
        const errors = `${stdout}\n${stderr}`
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('WARN'));
        return code === 0 ? [] : errors.map((line) => `${name}, Kubernetes ${version}: ${line}`);
      }),
    );
  });
}

const IGNORED_SCORES = [
  // Images are pinned: a node that has one need not ask the registry.
  'container-image-pull-policy',
  // The images run as 1000, and it requires a number above 10000.
  'container-security-context-user-group-id',
];

function scoreManifests(): readonly string[] {
  return withHelm((helm) => {
    const scorer = findTool('kube-score');
    const ignored = IGNORED_SCORES.flatMap((id) => ['--ignore-test', id]);
    // values.yaml says why there is no CPU limit.
    const options = '--ignore-container-cpu-limit --kubernetes-version v1.34 --output-format ci'.split(' ');
    return [...renderSets(helm, KUBERNETES_VERSIONS[1])]
      .filter(([, text]) => text.includes('kind: NetworkPolicy'))
      .flatMap(([name, input]) => {
        const { stdout } = runProgram([scorer, 'score', ...options, ...ignored, '-'], { input });
        const lines = stdout.split('\n').filter((line) => line.startsWith('[CRITICAL]'));
        return lines.map((line) => `${name}: ${line}`);
      });
  });
}

type RunHelm = (args: readonly string[], set: Pick<ValueSet, 'files' | 'values'>) => ProgramResult;

/** Helm with the values of a set, without the user's configuration and clusters. */
function withHelm<Result>(work: (runHelm: RunHelm, folder: string) => Result): Result {
  const helm = findTool('helm');
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-verify-'));
  const env = {
    HELM_CONFIG_HOME: folder,
    HELM_CACHE_HOME: folder,
    HELM_DATA_HOME: folder,
    KUBECONFIG: path.join(folder, 'none'),
  };
  const last = path.join(folder, 'values.json');
  const runHelm: RunHelm = (args, { files, values = {} }) => {
    writeFileSync(last, JSON.stringify(values));
    return runProgram([helm, ...args, ...[...files, last].flatMap((file) => ['-f', file])], { env });
  };
  try {
    return work(runHelm, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifests of each set, by its name. Throws when a set is not rendered. */
function renderSets(helm: RunHelm, kubernetesVersion: string): ReadonlyMap<string, string> {
  return new Map(
    RENDERED_SETS.map((set) => {
      const { code, stdout, stderr } = helm(templateArguments(kubernetesVersion), set);
      if (code !== 0 || !stdout.includes('kind:')) {
        throw new Error(`${set.name}: not rendered: ${stderr.trim()}`);
      }
      return [set.name, stdout];
    }),
  );
}

const templateArguments = (kubernetesVersion: string): readonly string[] => [
  ...['template', 'smartlink', CHART, '--namespace', 'smartlink'],
  ...['--kube-version', kubernetesVersion],
];

function problemsOf({ code, stdout, stderr }: ProgramResult): readonly string[] {
  return code === 0 ? [] : [`${stdout}${stderr}`.trim() || `ended with ${code ?? 'a signal'}`];
}

/** Problems of a program run in a folder below `deploy`. */
function run(argv: readonly [string, ...string[]], folder = ''): readonly string[] {
  return problemsOf(runProgram(argv, { cwd: path.join(DEPLOY, folder) }));
}

/** Paths of the files in a folder below `deploy` that end in `ending`. Throws when there is none. */
function filesIn(folder: string, ending: string): readonly string[] {
  const files = readdirSync(path.join(DEPLOY, folder))
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => path.join(DEPLOY, folder, name));
  if (files.length === 0) throw new Error(`${folder} has no file *${ending}`);
  return files;
}
