/** Values to render the chart with, on top of deploy/kubernetes/site.example.yaml. */
export type ValueSet = {
  readonly name: string;
  /** `values-<overlay>.yaml` of the chart. */
  readonly overlay?: 'small' | 'production' | 'region';
  /** Without the example site. */
  readonly hasNoSite?: boolean;
  readonly values: Readonly<Record<string, unknown>>;
};

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

export const RENDERED_SETS: readonly ValueSet[] = [
  { name: 'defaults', values: {} },
  { name: 'small', overlay: 'small', values: {} },
  { name: 'production', overlay: 'production', values: {} },
  { name: 'region', overlay: 'region', values: { monitoring: { rules: { enabled: true } } } },
  { name: 'all options', overlay: 'production', values: ALL_OPTIONS },
  {
    // The first step of an installation in docs/kubernetes.md.
    name: 'migrations alone',
    overlay: 'production',
    values: { redirect: { enabled: false }, management: { enabled: false } },
  },
  {
    name: 'management without network policies',
    values: { redirect: { enabled: false }, networkPolicy: { enabled: false } },
  },
];

/** Values that the chart must refuse, with Helm's message. */
export const REFUSED_SETS: readonly (ValueSet & { readonly says: RegExp })[] = [
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

function refused(name: string, values: ValueSet['values'], says: RegExp, hasNoSite = false) {
  return { name, values, says, hasNoSite };
}
