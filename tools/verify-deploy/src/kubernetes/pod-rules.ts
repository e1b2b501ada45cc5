import { componentOf, isServed, quantity, selects, when, workloadsOf } from './manifests.js';
import type { Container, Manifest, PodSpec, Probe, Workload } from './manifests.js';

/** Seconds in which a service ends after SIGTERM, by component. */
export type DrainSeconds = Readonly<Record<string, number>>;

/** Room that a spool's volume needs beside SPOOL_BYTES_MAX: 512 MiB of what was sent, as much for what is refused. */
const SPOOL_ROOM_BYTES = 2 ** 30;
const SECRET_NAME = /_URL$|SECRET|PASSWORD|TOKEN|API_KEY|HEADERS$/;
const HARMLESS = new Set(['PUBLIC_BASE_URL', 'ROOT_REDIRECT_URL', 'ABUSE_CONTACT_URL', 'COUNTRY_HEADER']);
const SECRET_VALUE = /:\/\/[^/\s]*:[^/\s]*@|[0-9a-f]{32,}/i;

/** Returns what is wrong with the pods of a release, a sentence each: hardening, resources, probes, drain, placement. */
export function podProblems(manifests: readonly Manifest[], drain: DrainSeconds): readonly string[] {
  return workloadsOf(manifests).flatMap((workload) =>
    [
      ...hardeningProblems(workload.pod),
      ...workload.pod.containers.flatMap((container) => containerProblems(container, workload)),
      ...(isServed(workload) ? servedProblems(workload, manifests, drain) : []),
      ...spoolProblems(workload),
    ].map((problem) => `${workload.kind} ${workload.name}: ${problem}`),
  );
}

/** What the Pod Security Standard "restricted" asks of a pod, and what we ask beyond it. */
function hardeningProblems(pod: PodSpec): readonly string[] {
  const { securityContext: security } = pod;
  return [
    ...when(security?.runAsNonRoot !== true || !(Number(security.runAsUser) > 0), 'it may run as root'),
    ...when(security?.seccompProfile?.type !== 'RuntimeDefault', 'it has no seccomp profile'),
    ...when(pod.automountServiceAccountToken !== false, 'it is given a token of the API server'),
    ...when(pod.enableServiceLinks !== false, 'names of Services become variables in it'),
    ...when(pod.hostNetwork === true, 'it is in the network of its node'),
    ...when(
      (pod.volumes ?? []).some((volume) => volume.hostPath !== undefined),
      'it mounts a path of its node',
    ),
  ];
}

function containerProblems(container: Container, workload: Workload): readonly string[] {
  const { image = '', resources, securityContext: security } = container;
  const tag = /:([^:/@]+)(?:@sha256:[0-9a-f]{64})?$/.exec(image)?.[1];
  const { requests = {}, limits = {} } = resources ?? {};
  const volumes = [
    ...(workload.pod.volumes ?? []).map(({ name }) => name),
    ...(workload.manifest.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
  ];
  return [
    ...when(tag === undefined || tag === 'latest', `its image ${image} is not pinned`),
    ...when(security?.readOnlyRootFilesystem !== true, 'its root file system can be written to'),
    ...when(security?.allowPrivilegeEscalation !== false, 'it may gain privileges'),
    ...when(security?.privileged === true, 'it is privileged'),
    ...when(security?.capabilities?.drop?.includes('ALL') !== true, 'it keeps capabilities'),
    ...when((security?.capabilities?.add ?? []).length > 0, 'it is given capabilities'),
    ...when(!(quantity(requests['cpu'] ?? '') > 0), 'it asks for no CPU'),
    ...when(!(quantity(requests['memory'] ?? '') > 0), 'it asks for no memory'),
    ...when(
      !(quantity(limits['memory'] ?? '') >= quantity(requests['memory'] ?? '')),
      'its limit of memory is missing, or below what it asks for',
    ),
    ...(container.volumeMounts ?? [])
      .filter(({ name }) => !volumes.includes(name))
      .map(({ name }) => `it mounts ${name}, which is no volume of its pod`),
    ...secretProblems(container),
  ];
}

/** A secret in a variable is read by whoever may read the pod, and stays what it was until the pod is replaced. */
function secretProblems({ env = [] }: Container): readonly string[] {
  return env
    .filter(
      ({ name, value = '', valueFrom }) =>
        valueFrom?.secretKeyRef !== undefined ||
        SECRET_VALUE.test(value) ||
        (SECRET_NAME.test(name) && !name.endsWith('_FILE') && !HARMLESS.has(name) && value !== ''),
    )
    .map(({ name }) => `${name} stands in a variable, and not in a file`);
}

function servedProblems(
  workload: Workload,
  manifests: readonly Manifest[],
  drain: DrainSeconds,
): readonly string[] {
  const { pod, labels } = workload;
  const [container] = pod.containers;
  if (container === undefined) return ['it has no container'];
  const component = componentOf(workload);
  const drainSeconds = drain[component];
  const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const grace = pod.terminationGracePeriodSeconds ?? 30;
  const budgets = manifests.filter(
    ({ kind, spec }) => kind === 'PodDisruptionBudget' && selects(spec?.selector, labels),
  );
  const antiAffinity = pod.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...probeProblems('startup', container.startupProbe, '/-/live', container),
    ...probeProblems('liveness', container.livenessProbe, '/-/live', container),
    ...probeProblems('readiness', container.readinessProbe, '/-/ready', container),
    ...when(preStop < 1, 'balancers are not told before it ends'),
    ...when(drainSeconds === undefined, `nothing is known of how long ${component} drains`),
    ...when(
      grace < preStop + (drainSeconds ?? 0) + 1,
      `it is killed after ${grace} s, before ${preStop} s of preStop and its drain are over`,
    ),
    ...when(budgets.length !== 1, `${budgets.length} disruption budgets select its pods`),
    ...['topology.kubernetes.io/zone', 'kubernetes.io/hostname']
      .filter(
        (key) =>
          !(pod.topologySpreadConstraints ?? []).some(
            (constraint) => constraint.topologyKey === key && selects(constraint.labelSelector, labels),
          ),
      )
      .map((key) => `its pods are not spread by ${key}`),
    ...when(
      !antiAffinity.some(({ podAffinityTerm }) => selects(podAffinityTerm.labelSelector, labels)),
      'its pods do not keep away from each other',
    ),
  ];
}

function probeProblems(
  kind: string,
  probe: Probe | undefined,
  path: string,
  { ports = [] }: Container,
): readonly string[] {
  if (probe?.httpGet === undefined) return [`it has no ${kind} probe`];
  const { port } = probe.httpGet;
  return [
    ...when(probe.httpGet.path !== path, `its ${kind} probe asks for ${probe.httpGet.path ?? '/'}`),
    ...when(
      !ports.some(({ name, containerPort }) => name === port || containerPort === port),
      `its ${kind} probe asks on ${port}, which is no port of it`,
    ),
  ];
}

/** Where there is a spool, it is on a volume of the pod's own, which is larger than what may wait there. */
function spoolProblems({ pod, manifest }: Workload): readonly string[] {
  return pod.containers.flatMap(({ env = [], volumeMounts = [] }) => {
    const valueOf = (name: string) => env.find((variable) => variable.name === name)?.value;
    const folder = valueOf('SPOOL_DIR');
    if (folder === undefined) return [];
    const mount = volumeMounts.find(({ mountPath }) => folder.startsWith(`${mountPath}/`));
    const claim = manifest.spec?.volumeClaimTemplates?.find(({ metadata }) => metadata.name === mount?.name);
    if (claim === undefined) return [`its spool ${folder} is on no volume of the pod's own`];
    const bytes = quantity(claim.spec.resources.requests.storage);
    const needed = Number(valueOf('SPOOL_BYTES_MAX')) + SPOOL_ROOM_BYTES;
    return when(!(bytes >= needed), `its spool's volume has ${bytes} bytes, and may need ${needed}`);
  });
}
