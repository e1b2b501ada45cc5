import { componentOf, isServed, portOf, selects, when, workloadsOf } from './manifests.js';
import type { Manifest, Peer, PolicyRule, Workload } from './manifests.js';

/** Where each engine listens by default, by the variable that names it. */
const ENGINE_PORTS: Readonly<Record<string, number>> = {
  DATABASE_URL: 5432,
  REDIS_URL: 6379,
  CLICKHOUSE_URL: 8123,
};
/** What a webhook must never reach, whatever its name resolves to: private, shared, link-local (metadata of clouds), own. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0/0': [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ],
  '::/0': ['::1/128', 'fc00::/7', 'fe80::/10'],
};

/** Returns what is wrong with the network policies of a release, a sentence each. */
export function networkProblems(manifests: readonly Manifest[]): readonly string[] {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  return workloadsOf(manifests).flatMap((workload) => {
    const own = policies.filter(({ spec }) => selects(spec?.podSelector, workload.labels));
    return [
      ...denialProblems(own),
      ...ingressProblems(workload, own, manifests),
      ...egressProblems(workload, own),
    ].map((problem) => `${workload.kind} ${workload.name}: ${problem}`);
  });
}

function denialProblems(own: readonly Manifest[]): readonly string[] {
  return ['Ingress', 'Egress']
    .filter((type) => !own.some(({ spec }) => spec?.policyTypes?.includes(type) === true))
    .map((type) => `no policy closes its ${type}`);
}

function ingressProblems(
  workload: Workload,
  own: readonly Manifest[],
  manifests: readonly Manifest[],
): readonly string[] {
  const rules = own.flatMap(({ spec }) => spec?.ingress ?? []);
  const open = rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
  const numbers = new Set(open.map((port) => portOf(workload.pod, port)));
  const ports = workload.pod.containers.flatMap((container) => container.ports ?? []);
  return [
    ...open
      .filter((port) => portOf(workload.pod, port) === undefined)
      .map((port) => `a policy opens ${port ?? 'all ports'}, which is no port of it`),
    ...when(rules.some(isForAll), 'a policy lets everybody in, or on all ports'),
    ...when(
      rules.some(({ ports: some = [] }) => some.length > 1),
      'a policy opens its metrics to those who come for its service',
    ),
    ...(isServed(workload) ? ports : [])
      .filter(({ containerPort }) => !numbers.has(containerPort))
      .map(({ name = '' }) => `no policy lets anybody reach its port ${name}`),
    ...manifests
      .filter(
        ({ kind, spec }) =>
          kind === 'Service' && selects({ matchLabels: spec?.selector ?? {} }, workload.labels),
      )
      .flatMap(({ metadata, spec }) =>
        (spec?.ports ?? [])
          .filter(({ port, targetPort = port }) => !numbers.has(portOf(workload.pod, targetPort)))
          .map(
            ({ name = '' }) => `Service ${metadata.name} leads to its port ${name}, which no policy opens`,
          ),
      ),
  ];
}

function isForAll({ from = [], ports = [] }: PolicyRule): boolean {
  return from.length === 0 || ports.length === 0 || from.some((peer) => Object.keys(peer).length === 0);
}

function egressProblems(workload: Workload, own: readonly Manifest[]): readonly string[] {
  const rules = own.flatMap(({ spec }) => spec?.egress ?? []);
  const needed = Object.entries(ENGINE_PORTS).filter(([variable]) =>
    workload.pod.containers.some(({ env = [] }) => env.some(({ name }) => name === `${variable}_FILE`)),
  );
  const isOpen = (port: number) => rules.some(({ ports = [] }) => ports.some((some) => some.port === port));
  const peers = rules.flatMap(({ to = [] }) => to);
  const isAnywhere = ({ ipBlock }: Peer) => ipBlock !== undefined && ipBlock.cidr in CLOSED;
  return [
    ...when(
      !rules.some(({ ports = [] }) => ports.some(({ protocol }) => protocol === 'UDP')),
      'no policy lets it ask for names',
    ),
    ...needed
      .filter(([, port]) => !isOpen(port))
      .map(([variable, port]) => `no policy lets it reach port ${port}, as ${variable} needs`),
    ...when(
      componentOf(workload) !== 'management' && peers.some(isAnywhere),
      'it may reach the outside, which only management has to',
    ),
    ...peers
      .filter(isAnywhere)
      .flatMap(({ ipBlock }) =>
        (CLOSED[ipBlock?.cidr ?? ''] ?? [])
          .filter((range) => ipBlock?.except?.includes(range) !== true)
          .map((range) => `it may reach ${range}`),
      ),
    ...when(
      rules.some(({ to = [], ports = [] }) => to.length === 0 && !isForEngines(ports)),
      'it may reach everything, or everything on a port that is no engine’s',
    ),
  ];
}

function isForEngines(ports: NonNullable<PolicyRule['ports']>): boolean {
  const engines = Object.values(ENGINE_PORTS);
  return ports.length > 0 && ports.every(({ port }) => engines.includes(Number(port)));
}
