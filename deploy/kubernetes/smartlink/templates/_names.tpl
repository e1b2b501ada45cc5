{{- define "smartlink.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What pods are selected by. It never changes, since a StatefulSet's selector cannot. Takes (list $ component). */}}
{{- define "smartlink.selector" -}}
{{- $ := index . 0 -}}
app.kubernetes.io/name: {{ default $.Chart.Name $.Values.nameOverride }}
app.kubernetes.io/instance: {{ $.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Without the chart's version, so that a new chart with the same images replaces no pod. */}}
{{- define "smartlink.podLabels" -}}
{{- $ := index . 0 -}}
{{ include "smartlink.selector" . }}
app.kubernetes.io/part-of: smartlink
app.kubernetes.io/version: {{ $.Values.image.tag | default $.Chart.AppVersion | quote }}
{{- end -}}

{{- define "smartlink.labels" -}}
{{- $ := index . 0 -}}
{{ include "smartlink.podLabels" . }}
app.kubernetes.io/managed-by: {{ $.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $.Chart.Name $.Chart.Version }}
{{- end -}}

{{/* The mebibytes of a size such as 10Gi, in which 1024Mi and 1Gi are equal. */}}
{{- define "smartlink.mebibytes" -}}
{{- mul (regexFind "^[0-9]+" .) (get (dict "Mi" 1 "Gi" 1024 "Ti" 1048576) (regexFind "[A-Z].*$" .)) -}}
{{- end -}}

{{/* An image's whole name. Takes (list $ component). */}}
{{- define "smartlink.image" -}}
{{- $ := index . 0 -}}
{{/* A backup is made by the admin command. */}}
{{- $component := ternary "admin" (index . 1) (eq (index . 1) "backup") -}}
{{- $registry := required "image.registry is needed: where the images of deploy/docker were pushed to" $.Values.image.registry -}}
{{- $tag := $.Values.image.tag | default $.Chart.AppVersion -}}
{{- $digest := index $.Values.image.digests $component -}}
{{- printf "%s/%s:%s%s" (trimSuffix "/" $registry) $component $tag (ternary (printf "@%s" $digest) "" (ne $digest "")) -}}
{{- end -}}
