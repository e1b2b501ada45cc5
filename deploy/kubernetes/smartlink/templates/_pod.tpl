{{/* What every pod's spec begins with; the Pod Security Standard "restricted" asks for most of it. Takes (list $ component). */}}
{{- define "smartlink.podBasics" -}}
{{- $ := index . 0 -}}
serviceAccountName: {{ include "smartlink.fullname" $ }}-{{ index . 1 }}
automountServiceAccountToken: false
# A Service named `redirect` would put REDIRECT_PORT=tcp://… into every pod of the namespace.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
  {{- if and (eq (index . 1) "redirect") $.Values.redirect.tcpMigrateRequests }}
  sysctls:
    - name: net.ipv4.tcp_migrate_req
      value: '1'
  {{- end }}
{{- with $.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "smartlink.containerBasics" -}}
{{- $ := index . 0 -}}
image: {{ include "smartlink.image" . }}
imagePullPolicy: {{ $.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Variables that files hold, and those that values give. Takes the values of a component. */}}
{{- define "smartlink.env" -}}
{{- range $variable, $_ := .secrets }}
- name: {{ $variable }}_FILE
  value: /run/secrets/smartlink/{{ $variable }}
{{- end }}
{{- $secret := list "DATABASE_URL" "DATABASE_REPLICA_URL" "REDIS_URL" "CLICKHOUSE_URL" "COOKIE_SECRETS" "SAFETY_API_KEY" "SAFETY_HTTP_TOKEN" "MEDIA_S3_SECRET_ACCESS_KEY" "OTEL_EXPORTER_OTLP_HEADERS" }}
{{- $own := list "REDIRECT_HOST" "REDIRECT_PORT" "REDIRECT_PROCESSES" "METRICS_HOST" "METRICS_PORT" "MANAGEMENT_HOST" "MANAGEMENT_PORT" "MANAGEMENT_METRICS_PORT" "PUBLIC_BASE_URL" "REDIS_KEY_PREFIX" "SPOOL_DIR" "SPOOL_BYTES_MAX" "TRUSTED_PROXIES" "MEDIA_DIR" }}
{{- range $variable, $value := .env }}
{{- if has $variable $secret }}
{{- fail (printf "env.%s: it holds a secret, so it belongs into `secrets`, which names a Secret" $variable) }}
{{- end }}
{{- if has $variable $own }}
{{- fail (printf "env.%s: the chart sets it itself, by values of its own" $variable) }}
{{- end }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "smartlink.mounts" -}}
- name: secrets
  mountPath: /run/secrets/smartlink
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- with .extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Whole folders, not files: those the kubelet renews when a Secret changes. */}}
{{- define "smartlink.volumes" -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $variable, $secret := .secrets }}
      - secret:
          name: {{ $secret.name }}
          items:
            - key: {{ $secret.key }}
              path: {{ $variable }}
      {{- end }}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with .extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Where pods go. Takes (list $ component values). */}}
{{- define "smartlink.placement" -}}
{{- $values := index . 2 -}}
topologySpreadConstraints:
  - topologyKey: topology.kubernetes.io/zone
    maxSkew: 1
    whenUnsatisfiable: {{ $values.spread.zones }}
    labelSelector:
      matchLabels:
        {{- include "smartlink.selector" . | nindent 8 }}
    {{- if eq (index . 1) "management" }}
    # Each generation by itself, so that the pods of the old one do not stand in the way of the new.
    matchLabelKeys: [pod-template-hash]
    {{- end }}
  - topologyKey: kubernetes.io/hostname
    maxSkew: 1
    whenUnsatisfiable: {{ $values.spread.nodes }}
    labelSelector:
      matchLabels:
        {{- include "smartlink.selector" . | nindent 8 }}
    {{- if eq (index . 1) "management" }}
    matchLabelKeys: [pod-template-hash]
    {{- end }}
# Beside the constraints: those count pods that are being drained too, this weighs what runs now.
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "smartlink.selector" . | nindent 14 }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Annotations and labels of a pod. Takes (list $ component values). */}}
{{- define "smartlink.podMetadata" -}}
{{- $values := index . 2 -}}
annotations:
  kubectl.kubernetes.io/default-container: {{ index . 1 }}
  {{- with $values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
labels:
  {{- include "smartlink.podLabels" . | nindent 2 }}
  {{- with $values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
