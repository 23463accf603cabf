{{/*
True if a pod needs something that Slotwise does not plan itself, so that the pod goes through kube-scheduler. CEL. The closed list is
the same as in KubeSchedulerNeeds; the tests check both against one table of pods.
*/}}
{{- define "slotwise.admission.needsKubeScheduler" -}}
// Volumes that are not available on every node.
object.spec.?volumes.orValue([]).exists(v,
  !(has(v.configMap) || has(v.secret) || has(v.emptyDir) || has(v.downwardAPI) || has(v.projected)
    || has(v.hostPath) || has(v.image) || has(v.nfs) || has(v.csi)))
// Devices.
|| size(object.spec.?resourceClaims.orValue([])) > 0
|| (object.spec.containers + object.spec.?initContainers.orValue([])).exists(c,
  c.?resources.?requests.orValue({}).exists(name, name.startsWith('deviceclass.resource.kubernetes.io/'))
  || c.?resources.?limits.orValue({}).exists(name, name.startsWith('deviceclass.resource.kubernetes.io/')))
// Rules about other pods, except an anti-affinity to pods with this pod's own labels on the same node.
|| size(object.spec.?affinity.?podAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])) > 0
|| object.spec.?affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([]).exists(t,
  !(t.topologyKey == 'kubernetes.io/hostname'
    && has(t.labelSelector)
    && size(t.labelSelector.?matchExpressions.orValue([])) == 0
    && t.labelSelector.?matchLabels.orValue({}).all(key,
      object.metadata.?labels[?key] == optional.of(t.labelSelector.matchLabels[key]))
    && size(t.?namespaces.orValue([])) == 0
    && !has(t.namespaceSelector)
    && size(t.?matchLabelKeys.orValue([])) == 0
    && size(t.?mismatchLabelKeys.orValue([])) == 0))
|| object.spec.?topologySpreadConstraints.orValue([]).exists(s, s.whenUnsatisfiable == 'DoNotSchedule')
{{- end }}

{{/*
More pods that go through kube-scheduler: a webhook of LeaderWorkerSet or JobSet gives the first pod of a group with exclusive topology a
required affinity, and each pod of a subgroup with one. Kubernetes does not ask a policy again whose conditions did not match before the webhook. CEL.
*/}}
{{- define "slotwise.admission.getsAffinity" -}}
|| object.metadata.?annotations[?'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology'].hasValue()
|| (object.metadata.?annotations[?'leaderworkerset.sigs.k8s.io/exclusive-topology'].hasValue()
  && object.metadata.?labels[?'leaderworkerset.sigs.k8s.io/worker-index'] == optional.of('0'))
|| (object.metadata.?annotations[?'alpha.jobset.sigs.k8s.io/exclusive-topology'].hasValue()
  && !object.metadata.?annotations[?'alpha.jobset.sigs.k8s.io/node-selector'].hasValue()
  && object.metadata.?annotations[?'batch.kubernetes.io/job-completion-index'] == optional.of('0'))
{{- end }}

{{/* True if the gate's policy is installed. `auto` installs it where the API server has mutating policies. */}}
{{- define "slotwise.gate" -}}
{{- $enabled := toString .Values.admission.gate.enabled -}}
{{- $served := semverCompare ">=1.36.0-0" .Capabilities.KubeVersion.Version -}}
{{- if and (include "slotwise.throughKubeScheduler" .) (or (eq $enabled "true") (and (eq $enabled "auto") $served)) }}true{{ end -}}
{{- end -}}

{{/* True if a kube-scheduler, in the pod or elsewhere, schedules pods with `extenderSchedulerName`. */}}
{{- define "slotwise.throughKubeScheduler" -}}
{{- if or .Values.kubeScheduler.enabled .Values.slotwise.extender.tlsSecret }}true{{ end -}}
{{- end -}}
