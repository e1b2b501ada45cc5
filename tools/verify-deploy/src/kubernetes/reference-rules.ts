import { portOf, selects, when, workloadsOf } from './manifests.js';
import type { Manifest, Workload } from './manifests.js';

/** Returns each name in the manifests that leads nowhere, and each selector that selects nothing, a sentence each. */
export function referenceProblems(manifests: readonly Manifest[]): readonly string[] {
  const workloads = workloadsOf(manifests);
  return [
    ...duplicateProblems(manifests),
    ...workloads.flatMap((workload) => workloadProblems(workload, manifests)),
    ...manifests.flatMap((manifest) => {
      const find = PROBLEMS_OF[manifest.kind];
      const problems = find === undefined ? [] : find(manifest, manifests, workloads);
      return problems.map((problem) => `${manifest.kind} ${manifest.metadata.name}: ${problem}`);
    }),
  ];
}

type FindProblems = (
  manifest: Manifest,
  all: readonly Manifest[],
  workloads: readonly Workload[],
) => readonly string[];

const PROBLEMS_OF: Readonly<Record<string, FindProblems>> = {
  Service: serviceProblems,
  Ingress: ingressProblems,
  HorizontalPodAutoscaler: autoscalerProblems,
  PodDisruptionBudget: selectorProblems,
  ServiceMonitor: monitorProblems,
};

function duplicateProblems(manifests: readonly Manifest[]): readonly string[] {
  const seen = new Set<string>();
  return manifests.flatMap(({ kind, metadata }) => {
    const id = `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
    if (seen.has(id)) return [`${id} is there twice`];
    seen.add(id);
    return when(metadata.name.length > 63, `${id} has a name of more than 63 characters`);
  });
}

function workloadProblems(workload: Workload, all: readonly Manifest[]): readonly string[] {
  const { kind, name, labels, pod, manifest } = workload;
  const { selector, serviceName } = manifest.spec ?? {};
  const account = pod.serviceAccountName ?? 'default';
  const isThere = (of: string, called: string) =>
    all.some((other) => other.kind === of && other.metadata.name === called);
  const others = workloadsOf(all).filter((other) => other.manifest !== manifest);
  const needsSelector = kind === 'Deployment' || kind === 'StatefulSet';
  return [
    ...when(!isThere('ServiceAccount', account), `its service account ${account} is not there`),
    ...when(needsSelector && !selects(selector, labels), 'its selector does not select its own pods'),
    ...when(
      needsSelector && others.some((other) => selects(selector, other.labels)),
      'its selector also selects pods of another',
    ),
    ...when(
      kind === 'StatefulSet' && !isThere('Service', serviceName ?? ''),
      `its Service ${serviceName ?? ''} is not there`,
    ),
  ].map((problem) => `${kind} ${name}: ${problem}`);
}

function serviceProblems(
  service: Manifest,
  _all: readonly Manifest[],
  workloads: readonly Workload[],
): readonly string[] {
  const { selector = {}, ports = [] } = service.spec ?? {};
  const pods = workloads.filter(({ labels }) => selects({ matchLabels: selector }, labels));
  if (pods.length !== 1) return [`its selector selects the pods of ${pods.length} workloads`];
  return ports.flatMap(({ name = '', port, targetPort = port }) =>
    when(
      pods.some(({ pod }) => portOf(pod, targetPort) === undefined),
      `its port ${name} leads to ${targetPort}, which is no port of its pods`,
    ),
  );
}

function ingressProblems(ingress: Manifest, all: readonly Manifest[]): readonly string[] {
  const { rules = [], tls = [] } = ingress.spec ?? {};
  const encrypted = tls
    .filter(({ secretName }) => secretName !== undefined)
    .flatMap(({ hosts = [] }) => hosts);
  return rules.flatMap(({ host = '', http }) => [
    ...when(host === '' || !encrypted.includes(host), `its host ${host} has no certificate`),
    ...(http?.paths ?? []).flatMap(({ path, backend: { service } }) => {
      const target = all.find(({ kind, metadata }) => kind === 'Service' && metadata.name === service.name);
      const isPort = target?.spec?.ports?.some(
        ({ name, port }) => name === service.port.name || port === service.port.number,
      );
      return [
        ...when(isPort !== true, `${path} leads to ${service.name}, which has no such port`),
        ...when(path.startsWith('/-/'), `${path} is nobody's business outside`),
      ];
    }),
    // The API's metrics are on the port of the API, so its Ingress must not pass on everything.
    ...when(
      (http?.paths ?? []).some(
        ({ path, backend }) => path === '/' && backend.service.name.endsWith('-management'),
      ),
      'it passes on everything of management, its metrics too',
    ),
  ]);
}

function autoscalerProblems(scaler: Manifest, all: readonly Manifest[]): readonly string[] {
  const target = scaler.spec?.scaleTargetRef;
  const found = all.find(({ kind, metadata }) => kind === target?.kind && metadata.name === target.name);
  return [
    ...when(found === undefined, `what it scales, ${target?.name ?? ''}, is not there`),
    ...when(found?.spec?.replicas !== undefined, 'what it scales also says how many there are'),
  ];
}

function selectorProblems(
  { spec }: Manifest,
  _all: readonly Manifest[],
  workloads: readonly Workload[],
): readonly string[] {
  const count = workloads.filter(({ labels }) => selects(spec?.selector, labels)).length;
  return when(count !== 1, `its selector selects the pods of ${count} workloads`);
}

function monitorProblems({ spec }: Manifest, all: readonly Manifest[]): readonly string[] {
  const services = all.filter(
    ({ kind, metadata }) => kind === 'Service' && selects(spec?.selector, metadata.labels ?? {}),
  );
  if (services.length !== 1) return [`its selector selects ${services.length} Services`];
  return (spec?.endpoints ?? []).flatMap(({ port = '' }) =>
    when(
      services.some((service) => service.spec?.ports?.every(({ name }) => name !== port) ?? true),
      `it asks on ${port}, which is no port of its Service`,
    ),
  );
}
