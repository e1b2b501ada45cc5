import { randomBytes } from 'node:crypto';
import { componentOf, when, workloadsOf } from './manifests.js';
import type { Container, Manifest, Volume } from './manifests.js';

/** How the configuration of a component is read. */
export type VariableReader = {
  readonly known: ReadonlySet<string>;
  /** Returns what the component's own schema finds wrong, a line each. */
  readonly problems: (env: Readonly<Record<string, string>>) => readonly string[];
};

/** By component: `redirect`, `management`, `migrate`, `admin`. */
export type VariableReaders = Readonly<Record<string, VariableReader>>;

/** Returns what a service would say of the variables that its pod is given, a sentence each. */
export function variableProblems(
  manifests: readonly Manifest[],
  readers: VariableReaders,
): readonly string[] {
  return workloadsOf(manifests)
    .filter((workload) => workload.manifest.metadata.annotations?.['helm.sh/hook'] !== 'test')
    .flatMap((workload) => {
      const reader = readers[componentOf(workload)];
      const problems =
        reader === undefined
          ? ['nothing is known of its variables']
          : workload.pod.containers.flatMap((container) => [
              ...containerProblems(container, reader),
              ...fileProblems(container, workload.pod.volumes ?? []),
            ]);
      return problems.map((problem) => `${workload.kind} ${workload.name}: ${problem}`);
    });
}

function containerProblems(container: Container, reader: VariableReader): readonly string[] {
  const { env = [], ports = [] } = container;
  const names = env.map(({ name }) => name);
  const ownName = (name: string) =>
    name.endsWith('_FILE') && !reader.known.has(name) ? name.slice(0, -'_FILE'.length) : name;
  const values: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    // The number of cores that are asked for, as the kubelet will count it.
    if (valueFrom?.resourceFieldRef !== undefined) values[name] = '1';
    else if (ownName(name) !== name) values[ownName(name)] = sampleOf(ownName(name));
    else values[name] = value ?? '';
  }
  return [
    ...when(new Set(names).size !== names.length, 'a variable is given twice'),
    ...names
      .filter((name) => !reader.known.has(ownName(name)))
      .map((name) => `${name} is no variable that it reads`),
    ...Object.entries(values)
      .filter(
        ([name, value]) =>
          name.endsWith('_PORT') && !ports.some((port) => String(port.containerPort) === value),
      )
      .map(([name, value]) => `${name} is ${value}, which is no port of its container`),
    ...reader.problems(values),
  ];
}

/** Each file that a variable names is one that a volume brings. */
function fileProblems(
  { env = [], volumeMounts = [] }: Container,
  volumes: readonly Volume[],
): readonly string[] {
  const files = volumeMounts.flatMap(({ name, mountPath }) =>
    (volumes.find((volume) => volume.name === name)?.projected?.sources ?? []).flatMap(({ secret }) =>
      (secret?.items ?? []).map((item) => `${mountPath}/${item.path}`),
    ),
  );
  return env
    .filter(({ name, value = '' }) => name.endsWith('_FILE') && !files.includes(value))
    .map(({ name, value = '' }) => `${name} names ${value}, which no volume brings`);
}

/** Returns a value of the kind that a Secret would hold. The passwords in them are made anew each time. */
function sampleOf(name: string): string {
  const password = randomBytes(16).toString('hex');
  if (name.startsWith('DATABASE_')) return `postgres://smartlink_one:${password}@postgres:5432/smartlink`;
  if (name === 'REDIS_URL') return `redis://:${password}@redis:6379`;
  if (name === 'CLICKHOUSE_URL') return `http://smartlink_one:${password}@clickhouse:8123/smartlink`;
  if (name.endsWith('_HEADERS')) return `authorization=Bearer%20${password}`;
  return randomBytes(32).toString('hex');
}
