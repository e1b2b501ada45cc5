import { parseAllDocuments } from 'yaml';

// Only what the rules look at. That everything else is as Kubernetes wants it is for its own schemas (kubernetes-schemas).

export type Labels = Readonly<Record<string, string>>;
export type Selector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};
export type Probe = {
  readonly httpGet?: { readonly path?: string; readonly port: string | number };
};
export type Variable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: unknown;
    readonly resourceFieldRef?: { readonly resource: string };
  };
};
export type Container = {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly privileged?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
};
export type Volume = {
  readonly name: string;
  readonly projected?: {
    readonly sources: readonly {
      readonly secret?: { readonly items?: readonly { readonly path: string }[] };
    }[];
  };
  readonly hostPath?: unknown;
};
export type PodSpec = {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type?: string };
  };
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly labelSelector?: Selector;
  }[];
  readonly affinity?: {
    readonly podAntiAffinity?: {
      readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
        readonly podAffinityTerm: { readonly topologyKey: string; readonly labelSelector?: Selector };
      }[];
    };
  };
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
};
export type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
};
export type PolicyPort = { readonly port?: string | number; readonly protocol?: string };
export type PolicyRule = {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly PolicyPort[];
};
type PodTemplate = { readonly metadata?: { readonly labels?: Labels }; readonly spec: PodSpec };
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Spec;
};
/** Of all kinds together; `selector` is a set of labels for a Service, and a Selector everywhere else. */
export type Spec = {
  readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  readonly replicas?: number;
  readonly serviceName?: string;
  readonly selector?: Selector & Labels;
  readonly template?: PodTemplate;
  readonly volumeClaimTemplates?: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly resources: { readonly requests: { readonly storage: string } } };
  }[];
  readonly ports?: readonly {
    readonly name?: string;
    readonly port: number;
    readonly targetPort?: string | number;
  }[];
  readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  readonly podSelector?: Selector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly PolicyRule[];
  readonly egress?: readonly PolicyRule[];
  readonly endpoints?: readonly { readonly port?: string }[];
  readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: {
      readonly paths: readonly {
        readonly path: string;
        readonly backend: {
          readonly service: {
            readonly name: string;
            readonly port: { readonly name?: string; readonly number?: number };
          };
        };
      }[];
    };
  }[];
  readonly groups?: unknown;
};

/** What runs pods, with what its pods are. */
export type Workload = {
  readonly kind: string;
  readonly name: string;
  readonly labels: Labels;
  readonly pod: PodSpec;
  readonly manifest: Manifest;
};

/** Returns the documents of a YAML stream, without empty ones. Throws when one is no YAML or no object of Kubernetes. */
export function readManifests(text: string): readonly Manifest[] {
  return [...parseAllDocuments(text)]
    .map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null)
    .map((manifest) => {
      // Of those that are missing here the schemas could not even tell what they are.
      const { kind, metadata } = manifest as Partial<Manifest>;
      if (typeof kind !== 'string' || typeof metadata?.name !== 'string') {
        throw new Error(`A document has no kind or no name: ${JSON.stringify(manifest).slice(0, 120)}`);
      }
      return manifest;
    });
}

/** Returns what runs pods: workloads that last, jobs, and single pods. */
export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return manifests.flatMap((manifest) => {
    const { kind, metadata, spec } = manifest;
    if (kind === 'Pod') {
      return [
        {
          kind,
          name: metadata.name,
          labels: metadata.labels ?? {},
          pod: spec as unknown as PodSpec,
          manifest,
        },
      ];
    }
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    if (template === undefined) return [];
    const labels = template.metadata?.labels ?? {};
    return [{ kind, name: metadata.name, labels, pod: template.spec, manifest }];
  });
}

export function componentOf(workload: Workload): string {
  return workload.labels['app.kubernetes.io/component'] ?? '';
}

/** Whether it answers requests for as long as it runs. */
export function isServed(workload: Workload): boolean {
  return ['Deployment', 'StatefulSet'].includes(workload.kind) && componentOf(workload) !== 'admin';
}

/** Whether a selector takes pods with these labels; an empty one takes all, a missing one none. */
export function selects(selector: Selector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      if (operator === 'Exists') return value !== undefined;
      return value === undefined;
    })
  );
}

/** Returns a container's port by its name or number, undefined when the pod has none such. */
export function portOf(pod: PodSpec, port: string | number | undefined): number | undefined {
  return pod.containers
    .flatMap((container) => container.ports ?? [])
    .find(({ name, containerPort }) => name === port || containerPort === port)?.containerPort;
}

/** Returns a quantity of memory or disk in bytes, or of CPU in cores. NaN when it is none. */
export function quantity(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(m|Ki|Mi|Gi|Ti)?$/.exec(text) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}

const UNITS: Readonly<Record<string, number>> = {
  m: 0.001,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Returns the problem, ready to be spread, when it is one. */
export function when(isProblem: boolean, problem: string): readonly string[] {
  return isProblem ? [problem] : [];
}
