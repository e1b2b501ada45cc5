import type { CheckContext } from './check.js';
import type { ComposeDocument } from './compose-document.js';
import { startContainer } from './image-container.js';
import type { Container, ContainerOptions } from './image-container.js';
import type { Engines } from './image-engines.js';
import type { BuiltImage, Target } from './image-store.js';
import { until } from './until.js';

const READY_MS = 60_000;

export type Images = Readonly<Record<Target, BuiltImage>>;

/** What runs, and on what. */
export type Trial = {
  readonly context: CheckContext;
  readonly document: ComposeDocument;
  readonly images: Images;
  readonly engines: Engines;
  readonly ports: Readonly<Record<'management' | 'redirect1' | 'redirect2', number>>;
  readonly spools: string;
  readonly backups: string;
  readonly running: Container[];
};

/** What of compose.yaml runs: a service of the image's name in the installation's database, unless it says otherwise. */
type ServiceOptions = { readonly service?: string; readonly database?: string };

/** Starts a service as compose.yaml has it, but on the loopback address. */
export function start(
  trial: Trial,
  target: Target,
  name: string,
  changes: Readonly<Record<string, string>>,
): Container {
  const container = startContainer(containerOptions(trial, target, name, changes));
  trial.running.push(container);
  return container;
}

function containerOptions(
  { context, document, images, engines, spools, backups }: Trial,
  target: Target,
  name: string,
  changes: Readonly<Record<string, string>>,
  { service: serviceName = target, database }: ServiceOptions = {},
): ContainerOptions {
  const service = document.services[serviceName];
  const given = Object.entries(service?.environment ?? {}).map(([variable, value]) => [
    variable,
    value ?? '',
  ]);
  const secrets = (service?.secrets ?? []).map(({ source }) => [source, engines.secret(source, database)]);
  return {
    image: images[target],
    command: service?.command ?? null,
    environment: {
      ...(Object.fromEntries(given) as Record<string, string>),
      PUBLIC_BASE_URL: 'http://127.0.0.1:8080',
      MANAGEMENT_HOST: '127.0.0.1',
      ...changes,
    },
    secrets: Object.fromEntries(secrets) as Record<string, string>,
    volumes: Object.fromEntries(
      (service?.volumes ?? []).map(({ source, target: place }) => [
        place,
        source === 'spool' ? spools : backups,
      ]),
    ),
    folder: context.folder,
    name,
  };
}

/** Runs a container to its end and returns what it has printed. Throws when that is not 0. */
export async function runJob(
  trial: Trial,
  target: Target,
  name: string,
  args?: readonly string[],
  service: ServiceOptions = {},
): Promise<string> {
  const options = containerOptions(trial, target, name, {}, service);
  const container = startContainer(args === undefined ? options : { ...options, args });
  trial.running.push(container);
  const { code, output } = await container.ended;
  if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'}: ${output.slice(-1_500)}`);
  return output;
}

/** Asks as Docker does, by the image's own health check, in a container. */
export async function waitUntilHealthy(trial: Trial, target: Target, port: number): Promise<void> {
  const [, program, script, variable = '', fallback] = trial.images[target].healthcheck;
  await until(
    async () => {
      const ended = trial.running.find(
        (container) => container.hasEnded() && container.output().includes('cannot start'),
      );
      if (ended !== undefined) throw new Error(ended.output().slice(-1_500));
      const probe = startContainer({
        ...containerOptions(trial, target, `health-${port}`, { [variable]: String(port) }),
        command: [program ?? '', script ?? '', variable, fallback ?? ''],
      });
      return (await probe.ended).code === 0;
    },
    () =>
      `${target} is healthy: ${trial.running.map((container) => container.output().slice(-600)).join('\n')}`,
    READY_MS,
    trial.context.signal,
  );
}
