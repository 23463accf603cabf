{{/* The name of the chart's objects; at most 52 characters, so that suffixes fit. */}}
{{- define "slotwise.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "slotwise.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "slotwise.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "slotwise.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "slotwise.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "slotwise.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "slotwise.priorityClassName" -}}
{{- if .Values.priorityClass.name -}}
{{- .Values.priorityClass.name -}}
{{- else if .Values.priorityClass.create -}}
{{- include "slotwise.fullname" . -}}
{{- end -}}
{{- end -}}

{{/* An image reference. A digest replaces the tag. Arguments: image, tag (the default). */}}
{{- define "slotwise.imageReference" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (default .tag .image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "slotwise.image" -}}
{{- include "slotwise.imageReference" (dict "image" .Values.image "tag" .Chart.AppVersion) -}}
{{- end -}}

{{/* The upstream tag for the API server's version, without the suffix that a cloud provider adds. */}}
{{- define "slotwise.kubeSchedulerImage" -}}
{{- $tag := regexFind "^v[0-9]+\\.[0-9]+\\.[0-9]+" .Capabilities.KubeVersion.Version -}}
{{- include "slotwise.imageReference" (dict "image" .Values.kubeScheduler.image "tag" $tag) -}}
{{- end -}}

{{/* The names of the two Leases. */}}
{{- define "slotwise.lease" -}}
{{- include "slotwise.fullname" . -}}
{{- end -}}
{{- define "slotwise.kubeSchedulerLease" -}}
{{- printf "%s-kube-scheduler" (include "slotwise.fullname" .) -}}
{{- end -}}

{{- define "slotwise.prices" -}}
{{- default (.Files.Get "files/prices.csv") .Values.prices -}}
{{- end -}}

{{/* The Secret with the key for the cookies of signed-in browsers. */}}
{{- define "slotwise.sessionSecret" -}}
{{- default (printf "%s-session" (include "slotwise.fullname" .)) .Values.auth.sessionSecret -}}
{{- end -}}

{{/* The Secret with the certificate of board, API and metrics; empty if they have none. */}}
{{- define "slotwise.tlsSecret" -}}
{{- if .Values.tls.secret -}}
{{- .Values.tls.secret -}}
{{- else if .Values.tls.certificate.enabled -}}
{{- printf "%s-tls" (include "slotwise.fullname" .) -}}
{{- end -}}
{{- end -}}

{{/* The protocol of the port of board, API and metrics. The port's name is the same. */}}
{{- define "slotwise.scheme" -}}
{{- ternary "https" "http" (not (empty (include "slotwise.tlsSecret" .))) -}}
{{- end -}}

{{/* The scheme and the port of probes. The kubelet does not verify the certificate. */}}
{{- define "slotwise.probe" -}}
{{- $scheme := include "slotwise.scheme" . -}}
port: {{ $scheme }}
{{- if eq $scheme "https" }}, scheme: HTTPS{{ end -}}
{{- end -}}

{{/* The name for which clients of the Service verify certificates. */}}
{{- define "slotwise.serverName" -}}
{{- printf "%s.%s.svc" (include "slotwise.fullname" .) .Release.Namespace -}}
{{- end -}}

{{/* The restricted pod security settings, for the pod and for each of its containers. */}}
{{- define "slotwise.podSecurityContext" -}}
{{- $usual := dict "runAsNonRoot" true "runAsUser" 65532 "runAsGroup" 65532 "fsGroup" 65532 "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- mergeOverwrite $usual .Values.podSecurityContext | toYaml -}}
{{- end -}}
{{- define "slotwise.containerSecurityContext" -}}
{{- $usual := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- mergeOverwrite $usual .Values.containerSecurityContext | toYaml -}}
{{- end -}}

{{/* A probe, with its settings replaced by those of the values. Arguments: path, root, usual, given. */}}
{{- define "slotwise.wholeProbe" -}}
{{- $ask := merge (dict "path" .path) (include "slotwise.probe" .root | replace ", " "\n" | fromYaml) -}}
{{- mergeOverwrite (dict "httpGet" $ask) .usual .given | toYaml -}}
{{- end -}}
