import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readManifests } from './manifests.js';
import type { Manifest } from './manifests.js';
import { networkProblems } from './network-rules.js';
import { podProblems } from './pod-rules.js';
import { referenceProblems } from './reference-rules.js';
import { variableProblems } from './variable-rules.js';

const GOOD = readFileSync(new URL('good-release.yaml', import.meta.url), 'utf8');
const DRAIN = { redirect: 9.5 };
const READERS = {
  redirect: {
    known: new Set(['REDIRECT_PORT', 'METRICS_PORT', 'DATABASE_URL', 'SPOOL_DIR', 'SPOOL_BYTES_MAX']),
    problems: (env: Readonly<Record<string, string>>) =>
      env['DATABASE_URL'] === undefined ? ['DATABASE_URL is not set'] : [],
  },
};

function problemsOf(text: string): readonly string[] {
  const manifests = readManifests(text);
  return [
    ...podProblems(manifests, DRAIN),
    ...referenceProblems(manifests),
    ...networkProblems(manifests),
    ...variableProblems(manifests, READERS),
  ];
}

/** Takes out what a part of the text says, which must be there. */
function broken(part: string, by: string): readonly string[] {
  expect(GOOD).toContain(part);
  return problemsOf(GOOD.replaceAll(part, by));
}

function without(kind: string): readonly string[] {
  const rest = readManifests(GOOD).filter((manifest) => manifest.kind !== kind);
  return problemsOf(rest.map((manifest: Manifest) => stringify(manifest)).join('---\n'));
}

it('finds nothing in a release that is as it should be', () => {
  expect(problemsOf(GOOD)).toEqual([]);
});

describe('finds in a pod', () => {
  it.each([
    ['an image without a tag', 'redirect:0.1.0', 'redirect', 'is not pinned'],
    ['the newest image', 'redirect:0.1.0', 'redirect:latest', 'is not pinned'],
    ['root', 'runAsUser: 1000', 'runAsUser: 0', 'may run as root'],
    ['no seccomp profile', 'type: RuntimeDefault', 'type: Unconfined', 'no seccomp profile'],
    ['a root file system that can be written to', 'readOnlyRootFilesystem: true', '', 'can be written to'],
    ['gaining privileges', 'allowPrivilegeEscalation: false', '', 'may gain privileges'],
    ['capabilities', 'drop: [ALL]', 'drop: [NET_RAW]', 'keeps capabilities'],
    ['a token', 'automountServiceAccountToken: false', '', 'token of the API server'],
    ['variables of Services', 'enableServiceLinks: false', '', 'become variables'],
    ['no request of CPU', "cpu: '2', ", '', 'asks for no CPU'],
    [
      'a limit below the request',
      'limits: { memory: 2Gi }',
      'limits: { memory: 1Mi }',
      'below what it asks for',
    ],
    ['no start-up probe', 'startupProbe:', 'x-startupProbe:', 'no startup probe'],
    ['no liveness probe', 'livenessProbe:', 'x-livenessProbe:', 'no liveness probe'],
    ['no readiness probe', 'readinessProbe:', 'x-readinessProbe:', 'no readiness probe'],
    ['a probe of another address', 'path: /-/ready', 'path: /', 'readiness probe asks for /'],
    ['a probe on no port', 'path: /-/live, port: metrics', 'path: /-/live, port: health', 'no port of it'],
    [
      'being killed while it drains',
      'GracePeriodSeconds: 25',
      'GracePeriodSeconds: 19',
      'it is killed after 19 s',
    ],
    [
      'balancers that are not told',
      'sleep: { seconds: 10 }',
      'sleep: { seconds: 0 }',
      'balancers are not told',
    ],
    ['pods in one zone', 'topology.kubernetes.io/zone', 'topology.kubernetes.io/rack', 'not spread by'],
    ['no anti-affinity', 'podAntiAffinity', 'podAffinity', 'keep away from each other'],
    ['a spool that is lost', 'mountPath: /var/lib/smartlink', 'mountPath: /elsewhere', 'on no volume'],
    ['a spool larger than its disk', 'storage: 6Gi', 'storage: 4Gi', "its spool's volume has"],
    [
      'a mount of nothing',
      'volumeMounts:',
      'volumeMounts:\n            - { name: none, mountPath: /x }',
      'no volume of its pod',
    ],
    ['a path of the node', 'emptyDir: {}', 'hostPath: { path: /tmp }', 'a path of its node'],
  ])('%s', (_, part, by, problem) => {
    expect(broken(part, by)).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['a password in an address', "'postgres://u:p@h/d'"],
    ['a key', "'0123456789abcdef0123456789abcdef'"],
    ['any value under such a name', "'x'"],
  ])('%s, as text', (_, value) => {
    const found = broken(
      'name: DATABASE_URL_FILE, value: /run/secrets/DATABASE_URL',
      `name: DATABASE_URL, value: ${value}`,
    );
    expect(found).toContainEqual(expect.stringContaining('DATABASE_URL stands in a variable'));
  });

  it('no disruption budget', () => {
    expect(without('PodDisruptionBudget')).toEqual([expect.stringContaining('0 disruption budgets')]);
  });
});

describe('finds of its variables', () => {
  it.each([
    ['one that nobody reads', 'name: SPOOL_BYTES_MAX', 'name: SPOOL_BYTE_MAX', 'no variable that it reads'],
    [
      'a needed one that is missing',
      'name: DATABASE_URL_FILE',
      'name: METRICS_PORT_FILE',
      'DATABASE_URL is not set',
    ],
    [
      'a port that is not opened',
      "METRICS_PORT, value: '9464'",
      "METRICS_PORT, value: '9465'",
      'METRICS_PORT is 9465',
    ],
    ['a file that nobody brings', 'path: DATABASE_URL', 'path: database-url', 'which no volume brings'],
    ['one that is there twice', 'name: METRICS_PORT,', 'name: REDIRECT_PORT,', 'given twice'],
  ])('%s', (_, part, by, problem) => {
    expect(broken(part, by)).toContainEqual(expect.stringContaining(problem));
  });
});

describe('finds a name that leads nowhere', () => {
  it.each([
    [
      'of a service account',
      'serviceAccountName: links',
      'serviceAccountName: link',
      'service account link is not',
    ],
    [
      'of the Service of a StatefulSet',
      'serviceName: links-pods',
      'serviceName: pods',
      'Service pods is not there',
    ],
    ['of a port of the pods', 'targetPort: http', 'targetPort: web', 'no port of its pods'],
    [
      'of an Ingress',
      'name: links, port: { name: http }',
      'name: link, port: { name: http }',
      'has no such port',
    ],
    ['of a certificate', 'hosts: [sl.example.com]', 'hosts: [api.example.com]', 'has no certificate'],
    ['of what is scaled', 'kind: StatefulSet, name: links', 'kind: Deployment, name: links', 'is not there'],
    [
      'of a port with metrics',
      'endpoints: [{ port: metrics }]',
      'endpoints: [{ port: http }]',
      'no port of its Service',
    ],
  ])('%s', (_, part, by, problem) => {
    expect(broken(part, by)).toContainEqual(expect.stringContaining(problem));
  });

  it('in a selector', () => {
    const found = broken('selector: { app: links }', 'selector: { app: link }');
    expect(found.filter((problem) => problem.includes('of 0 workloads'))).toHaveLength(2);
  });

  it('in the selector of the pods themselves', () => {
    const found = broken(
      'selector: { matchLabels: { app: links } } # own',
      'selector: { matchLabels: { app: link } }',
    );
    expect(found).toContainEqual(expect.stringContaining('does not select its own pods'));
  });

  it('or one that is there twice', () => {
    expect(problemsOf(`${GOOD}---\n${GOOD}`)).toContainEqual(expect.stringContaining('is there twice'));
  });
});

describe('finds in network policies', () => {
  it('that there are none', () => {
    expect(without('NetworkPolicy')).toContainEqual(expect.stringContaining('no policy closes its Egress'));
  });

  it.each([
    ['a port that is none of the pods', 'ports: [{ port: http }]', 'ports: [{ port: 81 }]', 'no port of it'],
    [
      'a Service that nobody reaches',
      'ports: [{ port: http }]',
      'ports: [{ port: 81 }]',
      'which no policy opens',
    ],
    [
      'everybody let in',
      '- from: [{ podSelector: { matchLabels: { app: edge } } }]',
      '- from: []',
      'everybody in',
    ],
    [
      'metrics open to the edge',
      'ports: [{ port: http }]',
      'ports: [{ port: http }, { port: metrics }]',
      'its metrics',
    ],
    ['no DNS', 'protocol: UDP', 'protocol: TCP', 'ask for names'],
    ['an engine that is not reached', 'port: 5432', 'port: 5433', 'as DATABASE_URL needs'],
    ['everything to be reached', 'port: 5432', 'port: 443', 'may reach everything'],
    [
      'a way outside that is not needed',
      'to: [{ namespaceSelector: {} }]',
      'to: [{ ipBlock: { cidr: 0.0.0.0/0 } }]',
      'only management has to',
    ],
    [
      'a way to the metadata of a cloud',
      'to: [{ namespaceSelector: {} }]',
      'to: [{ ipBlock: { cidr: 0.0.0.0/0, except: [10.0.0.0/8] } }]',
      'may reach 169.254.0.0/16',
    ],
  ])('%s', (_, part, by, problem) => {
    expect(broken(part, by)).toContainEqual(expect.stringContaining(problem));
  });
});

it('refuses what is no object of Kubernetes', () => {
  expect(() => readManifests('kind: Pod\n')).toThrow('no kind or no name');
  expect(() => readManifests('kind: [\n')).toThrow();
});
