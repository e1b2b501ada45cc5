import path from 'node:path';

const KUBERNETES = path.resolve(import.meta.dirname, '../../../deploy/kubernetes');

export const CHART = path.join(KUBERNETES, 'smartlink');

export type Values = { readonly redirect?: object; readonly [part: string]: unknown };

/** Files and values to render the chart with; later ones take precedence. */
export type ValueSet = {
  readonly name: string;
  readonly files: readonly string[];
  readonly values?: Values;
};

const SITE = path.join(KUBERNETES, 'site.example.yaml');
const overlay = (name: 'small' | 'production' | 'region') => path.join(CHART, `values-${name}.yaml`);
const ALL_OPTIONS = path.resolve(import.meta.dirname, '../all-options.yaml');

export const RENDERED_SETS: readonly ValueSet[] = [
  { name: 'defaults', files: [SITE] },
  { name: 'small', files: [overlay('small'), SITE] },
  { name: 'production', files: [overlay('production'), SITE] },
  { name: 'region', files: [overlay('region'), SITE], values: { monitoring: { rules: { enabled: true } } } },
  { name: 'all options', files: [overlay('production'), SITE, ALL_OPTIONS] },
  {
    // The first step of an installation in docs/kubernetes.md.
    name: 'migrations alone',
    files: [overlay('production'), SITE],
    values: { redirect: { enabled: false }, management: { enabled: false } },
  },
  {
    name: 'management without network policies',
    files: [SITE],
    values: { redirect: { enabled: false }, networkPolicy: { enabled: false } },
  },
];

const IS_NEEDED = /image\.registry is needed|networkPolicy\.edge is needed|publicBaseUrl is needed/;

const ingress = (part: 'redirect' | 'management', values: object) => ({
  ingress: { [part]: { enabled: true, ...values } },
});

/** Values that the chart must refuse, with Helm's message. */
export const REFUSED_SETS: readonly (ValueSet & { readonly says: RegExp })[] = [
  { name: 'nothing given', files: [], says: IS_NEEDED },
  refused('no address', { publicBaseUrl: '' }, /publicBaseUrl is needed/),
  refused('an address with a path', { publicBaseUrl: 'https://sl.example.com/go' }, /publicBaseUrl/),
  refused('the newest image', { image: { tag: 'latest' } }, /image\/tag/),
  refused('an invalid digest', { image: { digests: { redirect: 'sha256:abc' } } }, /digests/),
  refused('an unknown value', { redirect: { replica: 3 } }, /replica/),
  refused('an unknown part', { redirects: {} }, /redirects/),
  refused('a secret as text', env({ DATABASE_URL: 'x' }), /DATABASE_URL: it holds a secret/),
  refused('a variable of the chart', env({ METRICS_PORT: '1' }), /METRICS_PORT: the chart sets it/),
  refused('a number as a variable', env({ L1_ENTRIES_MAX: 1000 }), /L1_ENTRIES_MAX/),
  refused('no cores', { redirect: { resources: { requests: { cpu: null } } } }, /cpu/),
  refused(
    'an Ingress without trusted proxies',
    { redirect: { trustedProxies: [] }, ...ingress('redirect', {}) },
    /trustedProxies is needed/,
  ),
  refused('an Ingress without a certificate', ingress('redirect', { tlsSecret: '' }), /tlsSecret is needed/),
  refused('a public management API', ingress('management', { paths: ['/'] }), /paths/),
  refused('a backup without a volume', { backup: { enabled: true } }, /backup\.claim is needed/),
  refused('policies without an edge', { networkPolicy: { edge: [] } }, /networkPolicy\.edge is needed/),
];

function refused(name: string, values: Values, says: RegExp) {
  return { name, files: [SITE], values, says };
}

function env(variables: Readonly<Record<string, unknown>>) {
  return { redirect: { env: variables } };
}
