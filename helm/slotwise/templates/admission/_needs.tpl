{{/*
What a pod asks for that Slotwise does not plan itself, so that the pod goes through kube-scheduler: the same closed list as in the code
(KubeSchedulerNeeds). A table of pods in the tests is held against both. CEL; true or false.
*/}}
{{- define "slotwise.admission.needsKubeScheduler" -}}
// Volumes that are not there on whatever node.
object.spec.?volumes.orValue([]).exists(v,
  !(has(v.configMap) || has(v.secret) || has(v.emptyDir) || has(v.downwardAPI) || has(v.projected)
    || has(v.hostPath) || has(v.image) || has(v.nfs) || has(v.csi)))
// Devices.
|| size(object.spec.?resourceClaims.orValue([])) > 0
|| (object.spec.containers + object.spec.?initContainers.orValue([])).exists(c,
  c.?resources.?requests.orValue({}).exists(name, name.startsWith('deviceclass.resource.kubernetes.io/'))
  || c.?resources.?limits.orValue({}).exists(name, name.startsWith('deviceclass.resource.kubernetes.io/')))
// Other pods: all but an anti-affinity that keeps pods with labels of this one on other nodes.
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

{{/* Whether the policy of the gate is there: `auto` is where the API has it. */}}
{{- define "slotwise.gate" -}}
{{- $enabled := toString .Values.admission.gate.enabled -}}
{{- $served := semverCompare ">=1.36.0-0" .Capabilities.KubeVersion.Version -}}
{{- if and (include "slotwise.throughKubeScheduler" .) (or (eq $enabled "true") (and (eq $enabled "auto") $served)) }}true{{ end -}}
{{- end -}}

{{/* Whether a kube-scheduler serves the second name: the one in the pod, or one elsewhere. */}}
{{- define "slotwise.throughKubeScheduler" -}}
{{- if or .Values.kubeScheduler.enabled .Values.slotwise.extender.tlsSecret }}true{{ end -}}
{{- end -}}
