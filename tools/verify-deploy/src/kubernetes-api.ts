import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClosers } from '@smartlink/test-support/closers';
import { CHART, RENDERED_SETS, type Values, type ValueSet } from './chart-values.js';
import { type Api, startApi } from './kube-apiserver.js';
import { reportProgress } from './tools.js';

// Objects are admitted, defaulted and patched as in a cluster, but no controller runs. So there are no pods, and hooks, which
// wait for Jobs, are left out.

export async function checkKubernetesApi(): Promise<readonly string[]> {
  const closers = createClosers();
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-kubernetes-'));
  closers.add(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    const api = await startApi(folder, (child) => {
      closers.add(() => child.stop());
    });
    await addOthersObjects(api);
    const problems = [...(await checkAutoscaling(api)), ...(await checkChanges(api))];
    for (const set of RENDERED_SETS) problems.push(...(await checkInstallation(api, set)));
    return problems;
  } finally {
    await closers.close();
  }
}

/** What the chart refers to and does not make: kinds of the Prometheus Operator, and the priority class of all-options.yaml. */
async function addOthersObjects(api: Api): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  for (const kind of ['ServiceMonitor', 'PrometheusRule']) {
    const plural = `${kind.toLowerCase()}s`;
    await api.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.monitoring.coreos.com` },
      spec: {
        ...{ group: 'monitoring.coreos.com', scope: 'Namespaced', names: { kind, plural } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
  }
  const metadata = { name: 'visitors' };
  await api.request('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata, value: 1 });
}

async function addNamespace(api: Api, name: string): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await api.request('POST', '/api/v1/namespaces', { metadata: { name, labels } });
}

const APPS = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}`;

/** Installs a set of values, and asks the API for each pod that it leads to under the Pod Security Standard `restricted`. */
async function checkInstallation(api: Api, set: ValueSet): Promise<readonly string[]> {
  const namespace = set.name.replaceAll(' ', '-');
  reportProgress(`installing ${set.name}`);
  await addNamespace(api, namespace);
  // `restricted` refuses this sysctl, as values.yaml says.
  const redirect = { ...set.values?.redirect, tcpMigrateRequests: false };
  const values = { ...set.values, redirect };
  const { code, stderr } = api.helm(namespace, ['install', 'trial', CHART, '--no-hooks'], { ...set, values });
  if (code !== 0) return [`${set.name}: not installed: ${stderr.trim()}`];
  const problems: string[] = [];
  const lists = [
    `${APPS(namespace)}/statefulsets`,
    `${APPS(namespace)}/deployments`,
    `/apis/batch/v1/namespaces/${namespace}/cronjobs`,
  ];
  for (const list of lists) {
    for (const { metadata, spec } of (await api.request('GET', list)).items) {
      const template = spec.template ?? spec.jobTemplate?.spec.template;
      const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata: { name } }) => ({
        ...{ name, persistentVolumeClaim: { claimName: `${name}-${metadata.name}-0` } },
      }));
      const pod = {
        metadata: { ...template?.metadata, name: metadata.name },
        spec: { ...template?.spec, volumes: [...(template?.spec.volumes ?? []), ...claims] },
      };
      await api
        .request('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All&fieldValidation=Strict`, pod)
        .catch((err: unknown) => {
          problems.push(`${set.name}: ${String(err)}`);
        });
    }
  }
  return problems;
}

/** A release in a namespace of its own, and what has been found wrong with it. */
async function openRelease(api: Api, name: string) {
  await addNamespace(api, name);
  const file = `${APPS(name)}/statefulsets/smartlink-redirect`;
  const problems: string[] = [];
  const expectThat = (isSo: boolean, problem: string) => {
    if (!isSo) problems.push(`${name}: ${problem}`);
  };
  const tryHelm = (verb: string, set?: ValueSet, values: Values = {}) => {
    reportProgress(`${name}: helm ${verb} ${set?.name ?? ''}`);
    const args = [verb, 'smartlink', ...(set === undefined ? [] : [CHART]), '--no-hooks'];
    return api.helm(name, args, set && { ...set, values });
  };
  return {
    file,
    problems,
    expectThat,
    tryHelm,
    helm: (verb: string, set?: ValueSet, values?: Values) => {
      const { code, stderr } = tryHelm(verb, set, values);
      if (code !== 0) throw new Error(`${name}: helm ${verb}: ${stderr.trim()}`);
    },
    readSpec: async () => (await api.request('GET', file)).spec,
  };
}

const setOf = (name: string): ValueSet => {
  const found = RENDERED_SETS.find((set) => set.name === name);
  if (found === undefined) throw new Error(`no values ${name}`);
  return found;
};

async function checkAutoscaling(api: Api): Promise<readonly string[]> {
  const { file, problems, expectThat, helm, readSpec } = await openRelease(api, 'autoscaling');
  const expectReplicas = async (expected: number, step: string) => {
    const { replicas } = await readSpec();
    expectThat(replicas === expected, `${step} has made ${replicas} pods of ${expected}`);
  };
  const small = setOf('small');
  const autoscaling = { enabled: true };
  helm('install', small, { redirect: { replicas: 6 } });
  helm('upgrade', small, { redirect: { autoscaling } });
  await expectReplicas(6, 'turning it on');
  await api.request('PATCH', `${file}/scale`, { spec: { replicas: 9 } });
  helm('upgrade', small, { redirect: { autoscaling }, image: { tag: '0.1.1' } });
  await expectReplicas(9, 'an upgrade');
  helm('upgrade', small, { redirect: { replicas: 9 } });
  await expectReplicas(9, 'turning it off');
  return problems;
}

async function checkChanges(api: Api): Promise<readonly string[]> {
  const { file, problems, expectThat, helm, tryHelm, readSpec } = await openRelease(api, 'changes');
  const [small, production] = [setOf('small'), setOf('production')];
  helm('install', small);
  const before = JSON.stringify(await readSpec());
  for (const refused of [
    tryHelm('upgrade', production),
    tryHelm('upgrade', small, { redirect: { spool: { storageClass: 'fast' } } }),
  ]) {
    const isRefused = refused.code !== 0 && refused.stderr.includes('which Kubernetes does not change');
    expectThat(isRefused, `another spool was not refused: ${refused.stderr.trim()}`);
  }
  expectThat(JSON.stringify(await readSpec()) === before, 'a refused upgrade has changed something');
  helm('upgrade', small, { redirect: { spool: { size: '3072Mi' } } });

  // As docs/kubernetes.md says; without controllers nothing would orphan the pods.
  await api.request('DELETE', `${file}?propagationPolicy=Background`);
  helm('upgrade', production);
  helm('upgrade', production, { image: { tag: '0.2.0' } });
  helm('rollback');
  const { template, volumeClaimTemplates } = await readSpec();
  const image = template?.spec.containers[0]?.image ?? '';
  expectThat(image.endsWith(':0.1.0'), `a rollback has left the image ${image}`);
  expectThat(JSON.stringify(volumeClaimTemplates).includes('50Gi'), 'the new spool is not larger');
  helm('uninstall');
  const { items } = await api.request('GET', path.dirname(file));
  expectThat(items.length === 0, 'uninstall has left a StatefulSet');
  return problems;
}
