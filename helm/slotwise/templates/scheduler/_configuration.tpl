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
# A refused pod must be retried soon, because its promised second does not wait. The back-off keeps ungated pods with a later window from
# occupying kube-scheduler. Slotwise relies on at most 5 s.
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 5
profiles:
# Pods with the scheduler name {{ .Values.schedulerName }} are not listed: Slotwise binds them itself.
- schedulerName: {{ .Values.extenderSchedulerName }}
extenders:
- urlPrefix: https://127.0.0.1:{{ .Values.slotwise.extender.podPort }}/scheduler/v1
  enableHTTPS: true
  # Both sides show a certificate that was made for this pod and trust only the other's. A connection from loopback alone proves nothing.
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
  # The longest time for which a bind waits for the gang's other members.
  httpTimeout: 30s
  # Pods of Slotwise must not start without Slotwise. An ignorable extender would let them start.
  ignorable: false
{{- end -}}
