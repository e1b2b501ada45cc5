import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckContext } from '../check.js';
import { findTool } from '../find-tool.js';
import type { FoundTool } from '../find-tool.js';
import { lastLine } from '../last-line.js';
import { runProgram } from '../run-program.js';
import type { ProgramResult } from '../run-program.js';
import { OPTION_SETS } from './option-sets.js';
import type { OptionSet } from './option-sets.js';

/** The oldest version that the chart takes, one between, and the newest that there was when this was written. */
export const KUBERNETES_VERSIONS = ['1.30.0', '1.34.0', '1.37.0'] as const;

const RELEASE = 'smartlink';

/** Returns where Helm is, installed by Go where it is not in PATH. */
export function findHelm(context: CheckContext): Promise<FoundTool> {
  return findTool({ name: 'helm', version: 'v3.22.0', from: { go: 'helm.sh/helm/v3/cmd/helm' } }, context);
}

/** Returns the folder of the chart. */
export function chartOf(root: string): string {
  return path.join(root, 'deploy/kubernetes/smartlink');
}

/** Renders the chart as a release would be installed, and returns what Helm printed; it contacts no cluster. */
export function renderChart(
  helm: string,
  context: CheckContext,
  options: { readonly set: OptionSet; readonly kubernetesVersion: string },
): Promise<ProgramResult> {
  const { set, kubernetesVersion } = options;
  return runHelm(helm, context, [
    ...['template', RELEASE, chartOf(context.root), '--namespace', RELEASE],
    ...['--kube-version', kubernetesVersion],
    ...valueArguments(set, context),
  ]);
}

/** Returns what Helm's own lint says, with the values of a set. */
export function lintChart(helm: string, context: CheckContext, set: OptionSet): Promise<ProgramResult> {
  return runHelm(helm, context, [
    ...['lint', '--strict', '--kube-version', KUBERNETES_VERSIONS[0], chartOf(context.root)],
    ...valueArguments(set, context),
  ]);
}

/** Returns each set of values rendered for the version, by the set's name. Throws when one cannot be rendered. */
export async function renderAll(
  helm: string,
  context: CheckContext,
  kubernetesVersion: string,
): Promise<ReadonlyMap<string, string>> {
  const rendered = new Map<string, string>();
  for (const set of OPTION_SETS) {
    const { code, stdout, stderr } = await renderChart(helm, context, { set, kubernetesVersion });
    if (code !== 0) throw new Error(`${set.name} cannot be rendered: ${lastLine(stderr)}`);
    rendered.set(set.name, stdout);
  }
  return rendered;
}

// A later file wins over an earlier one: the overlay, then what the site's example says, then the options.
function valueArguments(set: OptionSet, { root, folder }: CheckContext): readonly string[] {
  const file = path.join(folder, `${set.name.replaceAll(/\W+/g, '-')}.json`);
  writeFileSync(file, JSON.stringify(set.values));
  return [
    ...(set.overlay === undefined ? [] : ['-f', path.join(chartOf(root), `values-${set.overlay}.yaml`)]),
    ...(set.hasNoSite === true ? [] : ['-f', path.join(root, 'deploy/kubernetes/site.example.yaml')]),
    ...['-f', file],
  ];
}

function runHelm(
  helm: string,
  { folder, signal }: CheckContext,
  args: readonly string[],
): Promise<ProgramResult> {
  // Nothing of the person's own Helm, and no cluster that a kubeconfig of theirs leads to.
  const env = {
    HELM_CONFIG_HOME: folder,
    HELM_CACHE_HOME: folder,
    HELM_DATA_HOME: folder,
    KUBECONFIG: path.join(folder, 'none'),
  };
  return runProgram([helm, ...args], { env, signal, limitMs: 60_000 });
}
