import type { ComposeDocument, ComposeService } from './compose-document.js';

/** What the rules have to know beside the document. */
export type ComposeSurroundings = {
  /** By service of ours (`management`, `redirect`): every variable it reads, and those it cannot do without. */
  readonly variables: Readonly<
    Record<string, { readonly known: ReadonlySet<string>; readonly required: ReadonlySet<string> }>
  >;
  /** Whether a file or folder is in the checkout. */
  readonly isThere: (file: string) => boolean;
};

/** Seconds in which the programs end by themselves, by service: docs/restarting.md, and SHUTDOWN_DEADLINE_MS of management. */
const DRAIN_SECONDS: Readonly<Record<string, number>> = { redirect: 9.5, management: 12 };
const SECRET_NAME = /password|secret|token|api_key|_url$/i;
const SECRET_VALUE = /:\/\/[^/\s]*:[^/\s]*@|[0-9a-f]{32,}/i;
// What names a password and is none.
const HARMLESS = new Set(['PUBLIC_BASE_URL']);

/** Returns what is wrong with the resolved document, a sentence each; none when it is as an SRE would have it. */
export function composeProblems(document: ComposeDocument, around: ComposeSurroundings): readonly string[] {
  return Object.entries(document.services).flatMap(([name, service]) =>
    [
      ...hardeningProblems(service),
      ...runningProblems(name, service, document),
      ...environmentProblems(name, service, around),
      ...mountProblems(service, document, around),
      ...networkProblems(name, service, document),
    ].map((problem) => `${name}: ${problem}`),
  );
}

function hardeningProblems(service: ComposeService): readonly string[] {
  const tag = /:([^:/@]+)(?:@sha256:[0-9a-f]{64})?$/.exec(service.image ?? '')?.[1];
  const [uid] = (service.user ?? '').split(':');
  return [
    ...when(tag === undefined || !/\d+\.\d+/.test(tag), `its image ${service.image ?? ''} has no exact tag`),
    ...when(!/^[1-9]\d*$/.test(uid ?? ''), 'its user is root, or not a number'),
    ...when(service.read_only !== true, 'its root file system can be written to'),
    ...when(service.cap_drop?.includes('ALL') !== true, 'it keeps capabilities'),
    ...when((service.cap_add ?? []).length > 0 || service.privileged === true, 'it is given capabilities'),
    ...when(service.security_opt?.includes('no-new-privileges:true') !== true, 'it may gain privileges'),
  ];
}

function runningProblems(
  name: string,
  service: ComposeService,
  document: ComposeDocument,
): readonly string[] {
  const limits = service.deploy?.resources?.limits;
  const graceSeconds = secondsOf(service.stop_grace_period ?? '10s');
  const drain = DRAIN_SECONDS[name] ?? 0;
  const log = service.logging?.options ?? {};
  return [
    ...when(limits?.memory === undefined || limits.cpus === undefined, 'it has no limit of memory or cpus'),
    ...when(!isJob(name, service, document) && service.healthcheck === undefined, 'it has no health check'),
    ...when(graceSeconds < drain + 1, `its ${graceSeconds} s to stop are less than its drain of ${drain} s`),
    ...when(log['max-size'] === undefined || log['max-file'] === undefined, 'its log grows without end'),
    ...Object.keys(service.depends_on ?? {})
      .filter((other) => document.services[other] === undefined)
      .map((other) => `it depends on ${other}, which there is not`),
  ];
}

/** A job or command ends by itself: somebody waits for its end, or it runs by hand only. */
function isJob(name: string, service: ComposeService, document: ComposeDocument): boolean {
  if ((service.profiles ?? []).length > 0) return true;
  return Object.values(document.services).some(
    (other) => other.depends_on?.[name]?.condition === 'service_completed_successfully',
  );
}

function environmentProblems(
  name: string,
  service: ComposeService,
  { variables }: ComposeSurroundings,
): readonly string[] {
  const environment = Object.entries(service.environment ?? {});
  const leaked = environment.filter(
    ([variable, value]) =>
      !HARMLESS.has(variable) &&
      !variable.endsWith('_FILE') &&
      (SECRET_VALUE.test(value ?? '') || SECRET_NAME.test(variable)),
  );
  const read = variables[name];
  const given = environment.map(([variable]) => variable.replace(/_FILE$/, ''));
  return [
    ...leaked.map(([variable]) => `${variable} looks like a secret in the environment`),
    ...given
      .filter((variable) => read !== undefined && !read.known.has(variable))
      .map((variable) => `it is given ${variable}, which it does not read`),
    ...[...(read?.required ?? [])]
      .filter((variable) => !given.includes(variable))
      .map((variable) => `it is not given ${variable}`),
    ...fileProblems(environment, service),
  ];
}

function fileProblems(
  environment: readonly (readonly [string, string | null])[],
  service: ComposeService,
): readonly string[] {
  const files = new Set((service.secrets ?? []).map(({ source }) => `/run/secrets/${source}`));
  return environment
    .filter(([variable, value]) => variable.endsWith('_FILE') && !files.has(value ?? ''))
    .map(([variable, value]) => `${variable} names ${value ?? ''}, which is none of its secrets`);
}

function mountProblems(
  service: ComposeService,
  document: ComposeDocument,
  { isThere }: ComposeSurroundings,
): readonly string[] {
  const volumes = service.volumes ?? [];
  return [
    ...volumes
      .filter(({ type, source }) => type === 'bind' && !isThere(source ?? ''))
      .map(({ source }) => `it mounts ${source ?? ''}, which is not in the checkout`),
    ...volumes
      .filter(({ type, source }) => type === 'volume' && !((source ?? '') in document.volumes))
      .map(({ target }) => `what it mounts at ${target} is no volume with a name`),
    ...(service.secrets ?? [])
      .filter(({ source }) => document.secrets[source]?.file === undefined)
      .map(({ source }) => `its secret ${source} comes from no file`),
    ...when(
      service.build !== undefined && !isThere(`${service.build.context}/${service.build.dockerfile ?? ''}`),
      'its Dockerfile is not in the checkout',
    ),
  ];
}

/** The edge alone is published to everybody, and nothing else of ours but what calls out reaches the outside. */
function networkProblems(
  name: string,
  service: ComposeService,
  document: ComposeDocument,
): readonly string[] {
  const isEdge = name === 'edge';
  const outside = Object.keys(service.networks ?? {}).filter(
    (network) => document.networks[network]?.internal !== true,
  );
  const allowed = ['edge', 'management', 'prometheus', 'grafana'].includes(name);
  return [
    ...(service.ports ?? [])
      .filter(({ host_ip: address }) => !isEdge && address !== '127.0.0.1')
      .map(({ published }) => `it publishes port ${published} to everybody`),
    ...when(!allowed && outside.length > 0, `it reaches the outside by ${outside.join(', ')}`),
  ];
}

/** Reads a duration of Go as compose prints it: `1m0s`, `13s`, `1.5s`. */
function secondsOf(duration: string): number {
  return [...duration.matchAll(/([\d.]+)(h|ms|m|s)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * ({ h: 3_600, m: 60, s: 1, ms: 0.001 }[unit ?? 's'] ?? 0),
    0,
  );
}

function when(isProblem: boolean, problem: string): readonly string[] {
  return isProblem ? [problem] : [];
}
