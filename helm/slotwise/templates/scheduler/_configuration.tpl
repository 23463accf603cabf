{{- define "slotwise.kubeSchedulerConfiguration" -}}
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: true
  resourceName: {{ include "slotwise.kubeSchedulerLease" . }}
  resourceNamespace: {{ .Release.Namespace }}
  leaseDuration: {{ .Values.leaderElection.leaseDuration }}
  renewDeadline: {{ .Values.leaderElection.renewDeadline }}
  retryPeriod: {{ .Values.leaderElection.retryPeriod }}
clientConnection:
  qps: {{ .Values.kubeScheduler.qps }}
  burst: {{ int64 .Values.kubeScheduler.burst }}
# The extender must see every node: a sample may leave out the promised one.
percentageOfNodesToScore: 100
# A pod that was sent away comes back soon: its promised second does not wait. One that waits without a gate, whose window is farther ahead
# than this, does not keep kube-scheduler busy meanwhile. Slotwise counts on no more than 5 s.
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 5
profiles:
# Pods of the name {{ .Values.schedulerName }} are none of its business: Slotwise binds them itself.
- schedulerName: {{ .Values.extenderSchedulerName }}
extenders:
- urlPrefix: https://127.0.0.1:{{ .Values.slotwise.extender.podPort }}/scheduler/v1
  enableHTTPS: true
  # Each of the two shows a certificate that was made for this pod and trusts the other's: a connection from loopback alone proves nothing.
  tlsConfig:
    caFile: /run/extender/ca.crt
    certFile: /run/extender/tls.crt
    keyFile: /run/extender/tls.key
  filterVerb: filter
  prioritizeVerb: prioritize
  bindVerb: bind
  preemptVerb: preempt
  weight: 1
  nodeCacheCapable: true
  # Binds wait for the gang's other members, up to this long.
  httpTimeout: 30s
  # Without Slotwise no pod of ours may start: an ignorable extender would let it.
  ignorable: false
{{- end -}}
