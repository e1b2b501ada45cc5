/** Values that the chart is rendered with, beside the example of a site's own. */
export type OptionSet = {
  readonly name: string;
  /** `values-<overlay>.yaml` of the chart. */
  readonly overlay?: 'small' | 'production' | 'region';
  /** Without deploy/kubernetes/site.example.yaml. */
  readonly hasNoSite?: boolean;
  readonly values: Readonly<Record<string, unknown>>;
  /** How many of each kind must come of it, so that a chart which renders nothing holds nothing. */
  readonly expected: Readonly<Record<string, number>>;
};

const BOTH = { StatefulSet: 1, Deployment: 1, Job: 1, PodDisruptionBudget: 2, Service: 3, NetworkPolicy: 7 };

const ALL_OPTIONS = {
  fullnameOverride: 'links',
  image: { digests: { redirect: `sha256:${'0'.repeat(64)}` }, pullSecrets: ['registry'] },
  listenHost: '::',
  redirect: {
    tcpMigrateRequests: true,
    updatePartition: 2,
    env: { LOG_LEVEL: 'debug', ABUSE_CONTACT_URL: 'mailto:abuse@example.com' },
    spool: { storageClass: 'fast' },
    autoscaling: {
      extraMetrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
    podAnnotations: { 'example.com/owner': 'links' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'links', operator: 'Exists', effect: 'NoSchedule' }],
    priorityClassName: 'visitors',
    service: { type: 'LoadBalancer', annotations: { 'example.com/kind': 'nlb' } },
    disruptionBudget: { maxUnavailable: '20%' },
  },
  management: {
    env: { SAFETY_PROVIDER: 'blocklist', SAFETY_BLOCKLIST_FILES: '/lists/hosts.txt' },
    secrets: { OTEL_EXPORTER_OTLP_HEADERS: { name: 'otel', key: 'headers' } },
    extraVolumes: [{ name: 'lists', configMap: { name: 'blocklist' } }],
    extraVolumeMounts: [{ name: 'lists', mountPath: '/lists', readOnly: true }],
  },
  migrate: { env: { CLICKHOUSE_ENGINE_PREFIX: 'Replicated', CLICKHOUSE_CLUSTER: 'main' } },
  admin: {
    enabled: true,
    extraVolumes: [{ name: 'backup', persistentVolumeClaim: { claimName: 'backups' } }],
    extraVolumeMounts: [{ name: 'backup', mountPath: '/backup', readOnly: true }],
  },
  backup: { enabled: true, claim: 'backups' },
  networkPolicy: {
    redis: { ports: [6379, 26379] },
    managementEgress: [
      {
        to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'tracing' } } }],
        ports: [{ protocol: 'TCP', port: 4318 }],
      },
    ],
  },
};

export const OPTION_SETS: readonly OptionSet[] = [
  { name: 'defaults', values: {}, expected: { ...BOTH, ServiceAccount: 3 } },
  { name: 'small', overlay: 'small', values: {}, expected: { ...BOTH, Deployment: 2, ServiceAccount: 4 } },
  {
    name: 'production',
    overlay: 'production',
    values: {},
    expected: {
      ...BOTH,
      HorizontalPodAutoscaler: 1,
      Ingress: 2,
      ServiceMonitor: 2,
      ServiceAccount: 3,
      PrometheusRule: 5,
    },
  },
  {
    name: 'region',
    overlay: 'region',
    values: { monitoring: { rules: { enabled: true } } },
    expected: {
      // All but that of management, which would page for ever.
      PrometheusRule: 4,
      StatefulSet: 1,
      Deployment: 0,
      Job: 0,
      Service: 2,
      PodDisruptionBudget: 1,
      Ingress: 1,
      NetworkPolicy: 5,
    },
  },
  {
    name: 'all options',
    overlay: 'production',
    values: ALL_OPTIONS,
    expected: {
      ...BOTH,
      Deployment: 2,
      HorizontalPodAutoscaler: 1,
      Ingress: 2,
      CronJob: 1,
      ServiceMonitor: 2,
    },
  },
  {
    // The first step of an installation in docs/kubernetes.md.
    name: 'migrations alone',
    overlay: 'production',
    values: { redirect: { enabled: false }, management: { enabled: false } },
    expected: { StatefulSet: 0, Deployment: 0, Job: 1, Service: 0, Ingress: 0, NetworkPolicy: 3 },
  },
  {
    name: 'management alone, no policies',
    values: { redirect: { enabled: false }, networkPolicy: { enabled: false } },
    expected: { StatefulSet: 0, Deployment: 1, Job: 1, Service: 1, PodDisruptionBudget: 1, NetworkPolicy: 0 },
  },
];

/** Values that must be refused before anything is installed, with what Helm then says. */
export const REFUSED_SETS: readonly (OptionSet & { readonly says: RegExp })[] = [
  refused(
    'nothing given',
    {},
    /image\.registry is needed|networkPolicy\.edge is needed|publicBaseUrl is needed/,
    true,
  ),
  refused('no address', { publicBaseUrl: '' }, /publicBaseUrl is needed/),
  refused('an address with a path', { publicBaseUrl: 'https://sl.example.com/go' }, /publicBaseUrl/),
  refused('the newest image', { image: { tag: 'latest' } }, /image\/tag/),
  refused('a digest that is none', { image: { digests: { redirect: 'sha256:abc' } } }, /digests/),
  refused('an unknown value', { redirect: { replica: 3 } }, /replica/),
  refused('an unknown part', { redirects: {} }, /redirects/),
  refused(
    'a secret as text',
    { redirect: { env: { DATABASE_URL: 'x' } } },
    /DATABASE_URL: it holds a secret/,
  ),
  refused(
    'a variable of the chart',
    { redirect: { env: { METRICS_PORT: '1' } } },
    /METRICS_PORT: the chart sets it/,
  ),
  refused('a number as a variable', { redirect: { env: { L1_ENTRIES_MAX: 1000 } } }, /L1_ENTRIES_MAX/),
  refused('no cores', { redirect: { resources: { requests: { cpu: null } } } }, /cpu/),
  refused(
    'an Ingress whose addresses nobody believes',
    { redirect: { trustedProxies: [] }, ingress: { redirect: { enabled: true } } },
    /trustedProxies is needed/,
  ),
  refused(
    'an Ingress without a certificate',
    { ingress: { redirect: { enabled: true, tlsSecret: '' } } },
    /tlsSecret is needed/,
  ),
  refused('all of management outside', { ingress: { management: { enabled: true, paths: ['/'] } } }, /paths/),
  refused('a backup into nowhere', { backup: { enabled: true } }, /backup\.claim is needed/),
  refused('policies without an edge', { networkPolicy: { edge: [] } }, /networkPolicy\.edge is needed/),
];

function refused(name: string, values: OptionSet['values'], says: RegExp, hasNoSite = false) {
  return { name, values, says, hasNoSite, expected: {} };
}
