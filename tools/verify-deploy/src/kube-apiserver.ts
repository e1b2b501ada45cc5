import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Child, startOnFreePort } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import type { ValueSet } from './chart-values.js';
import { findTool, runProgram } from './tools.js';

const STEP_LIMIT_MS = 120_000;

export type Api = Awaited<ReturnType<typeof startApi>>;

/** Parts of any object, or of a list of them. */
export type KubernetesObject = {
  readonly items: readonly KubernetesObject[];
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
};
type PodTemplate = {
  readonly metadata?: object;
  readonly spec: { readonly containers: readonly { image: string }[]; readonly volumes?: readonly object[] };
};

/** kube-apiserver with etcd on loopback ports, and Helm to use it. The caller stops what `onStart` is given. */
export async function startApi(folder: string, onStart: (child: Child) => void) {
  const [etcd, server, helm] = [findTool('etcd'), findTool('kube-apiserver'), findTool('helm')];
  const token = randomUUID();
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file('tokens.csv'), `${token},admin,admin,system:masters\n`);
  runProgram(['openssl', 'genrsa', '-out', file('sa.key'), '2048']);
  const start = async (
    command: string,
    optionsFor: (port: number) => string,
    probe: (port: number) => Promise<void>,
  ) => {
    const name = path.basename(command);
    const { port } = await startOnFreePort(
      (port) => ({
        ...{ name, command, args: optionsFor(port).split(/\s+/), env: { PATH: process.env['PATH'] } },
        ...{ logFile: file(`${name}.log`), stopSignal: 'SIGTERM', graceMs: 10_000 },
      }),
      probe,
      { onStart },
    );
    return port;
  };
  const peer = `http://127.0.0.1:${await freePort()}`;
  const etcdPort = await start(
    etcd,
    (port) => `--data-dir=${file('etcd')} --unsafe-no-fsync
      --listen-client-urls=http://127.0.0.1:${port} --advertise-client-urls=http://127.0.0.1:${port}
      --listen-peer-urls=${peer} --initial-advertise-peer-urls=${peer} --initial-cluster=default=${peer}`,
    async (port) => {
      if (!(await fetch(`http://127.0.0.1:${port}/health`)).ok) throw new Error('etcd is not healthy');
    },
  );
  const port = await start(
    server,
    (port) => `--etcd-servers=http://127.0.0.1:${etcdPort} --bind-address=127.0.0.1 --secure-port=${port}
      --cert-dir=${file('certificates')} --token-auth-file=${file('tokens.csv')}
      --service-account-key-file=${file('sa.key')} --service-account-signing-key-file=${file('sa.key')}
      --service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range=10.99.0.0/24
      --authorization-mode=AlwaysAllow --disable-admission-plugins=ServiceAccount --endpoint-reconciler-type=none`,
    async (port) => {
      const { status } = await send({ method: 'GET', url: '/readyz', body: undefined, port, token });
      if (status !== 200) throw new Error(`/readyz says ${status}`);
    },
  );
  const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  const kubeconfig = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'trial' },
    clusters: [{ name: 'trial', cluster }],
    users: [{ name: 'trial', user: { token } }],
    contexts: [{ name: 'trial', context: { cluster: 'trial', user: 'trial' } }],
  };
  writeFileSync(file('kubeconfig'), JSON.stringify(kubeconfig));
  const env = { KUBECONFIG: file('kubeconfig'), HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder };
  return {
    async request(method: string, url: string, body?: object): Promise<KubernetesObject> {
      const { status, content } = await send({ method, url, body, port, token });
      if (status >= 300) throw new Error(`${method} ${url}: ${status} ${content}`);
      return JSON.parse(content) as KubernetesObject;
    },
    helm(namespace: string, args: readonly string[], set?: Pick<ValueSet, 'files' | 'values'>) {
      writeFileSync(file('values.json'), JSON.stringify(set?.values ?? {}));
      const files = set === undefined ? [] : [...set.files, file('values.json')];
      const values = files.flatMap((each) => ['-f', each]);
      return runProgram([helm, ...args, ...values, '-n', namespace], { env, timeLimitMs: STEP_LIMIT_MS });
    },
  };
}

type Message = { method: string; url: string; body: object | undefined; port: number; token: string };

function send({ method, url, body, port, token }: Message) {
  return new Promise<{ status: number; content: string }>((resolve, reject) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const request = https.request({
      ...{ host: '127.0.0.1', port, path: url, method },
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      // It has signed its certificate itself.
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(STEP_LIMIT_MS),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      text(response).then((content) => {
        resolve({ status: response.statusCode ?? 0, content });
      }, reject);
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
