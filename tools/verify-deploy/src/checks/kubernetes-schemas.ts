import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { outcomeOf } from '../check.js';
import type { Check, CheckContext } from '../check.js';
import { findTool } from '../find-tool.js';
import { KUBERNETES_VERSIONS, findHelm, renderAll } from '../kubernetes/helm.js';
import { readManifests } from '../kubernetes/manifests.js';
import { runProgram } from '../run-program.js';

/** Kinds of the Prometheus Operator, of which Kubernetes has no schema. Our own rules look at them. */
const WITHOUT_SCHEMA = new Set(['PrometheusRule', 'ServiceMonitor']);

/** What the chart renders is valid by the schemas of several versions of Kubernetes, with no field that they do not know. */
export const kubernetesSchemas: Check = {
  id: 'kubernetes-schemas',
  title: `the chart's manifests fit the schemas of Kubernetes ${KUBERNETES_VERSIONS.join(', ')}`,
  async run(context) {
    const helm = await findHelm(context);
    if ('missing' in helm) return { kind: 'skipped', reason: helm.missing };
    const from = { pypi: 'kubernetes-validate' };
    const validator = await findTool({ name: 'kubernetes-validate', version: '1.37.0', from }, context);
    if ('missing' in validator) return { kind: 'skipped', reason: validator.missing };
    const problems: string[] = [];
    let count = 0;
    for (const version of KUBERNETES_VERSIONS) {
      context.report(`Validating for Kubernetes ${version}`);
      const rendered = await renderAll(helm.file, context, version);
      for (const [name, text] of rendered) {
        const found = await validate(validator.file, context, { version, name, text });
        problems.push(...found);
        count += readManifests(text).length;
      }
    }
    return outcomeOf(
      problems,
      `${count} manifests, strictly; Prometheus Operator kinds have no schema there`,
    );
  },
};

async function validate(
  validator: string,
  { folder, signal }: CheckContext,
  { version, name, text }: { readonly version: string; readonly name: string; readonly text: string },
): Promise<readonly string[]> {
  const file = path.join(folder, 'rendered.yaml');
  writeFileSync(file, text);
  const argv = [validator, '--strict', '--quiet', '-k', version, file] as const;
  const { code, stdout, stderr } = await runProgram(argv, { signal, limitMs: 120_000 });
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  // It warns of a kind or a version that it has no schema for, and then has not looked.
  const unseen = lines.filter((line) => {
    const kind = /find schema for kind (\w+)/.exec(line)?.[1];
    return kind !== undefined && !WITHOUT_SCHEMA.has(kind);
  });
  const failed = code === 0 ? unseen : lines.filter((line) => !line.startsWith('WARN'));
  return failed.map((line) => `${name}, Kubernetes ${version}: ${line.replace(file, '')}`);
}
