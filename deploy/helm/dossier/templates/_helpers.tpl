{{- define "dossier.labels" -}}
{app.kubernetes.io/part-of: dossier, app.kubernetes.io/name: {{ . }}}
{{- end }}

{{- /* Names are the release's, so that two may live in one namespace. */}}
{{- define "dossier.worker" -}}
{{ .root.Release.Name }}-worker-{{ .kind }}
{{- end }}

{{- /* What all pods are: nobody in particular, without a token of the cluster's. */}}
{{- define "dossier.nobody" -}}
automountServiceAccountToken: false
securityContext: {runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - {name: {{ . }}}
{{- end }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- end }}

{{- define "dossier.nothing" -}}
{allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
{{- end }}

{{- define "dossier.resources" -}}
resources:
  requests: {{ include "dossier.amounts" .requests }}
  limits: {{ include "dossier.amounts" .limits }}
{{- end }}
{{- define "dossier.amounts" -}}
{ {{- $first := true }}{{ range $name, $amount := . }}{{ if not $first }}, {{ end }}{{ $first = false }}{{ $name }}: {{ $amount | toString | quote }}{{ end -}} }
{{- end }}

{{- /* The settings' sum stands in every pod, so that a changed setting rolls them. */}}
{{- define "dossier.podMetadata" -}}
{{- $root := .root -}}
labels: {{ include "dossier.labels" .name }}
annotations:
  dossier/settings: {{ include "dossier.settings" $root | sha256sum | trunc 16 | quote }}
  {{- if $root.Values.scrapeAnnotations }}
  prometheus.io/scrape: "true"
  prometheus.io/port: "9090"
  prometheus.io/path: /metrics
  {{- end }}
  {{- range $key, $value := $root.Values.podAnnotations }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
{{- end }}

{{- define "dossier.spread" -}}
{{- $name := .name }}
{{- with .root.Values.topology -}}
topologySpreadConstraints:
{{- range . }}
  - maxSkew: 1
    topologyKey: {{ .key }}
    whenUnsatisfiable: {{ .whenUnsatisfiable }}
    labelSelector: {matchLabels: {app.kubernetes.io/name: {{ $name }}}}
{{- end }}
{{- end }}
{{- end }}

{{- define "dossier.settings" -}}
DOSSIER_ADDR: 0.0.0.0:8080
DOSSIER_OPS_ADDR: 0.0.0.0:9090
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ if kindIs "float64" $value }}{{ $value | int64 | toString | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- end }}

{{- /* At most one pod is taken away at a time, so an eviction never waits for ever and never takes all. */}}
{{- define "dossier.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ . }}
  labels: {{ include "dossier.labels" . }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {app.kubernetes.io/name: {{ . }}}
{{- end }}

{{- /* Fast up, slowly down: what waits is a customer's, and the biggest of the last minutes' wishes counts. */}}
{{- define "dossier.behaviour" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  selectPolicy: Max
  policies:
    - {type: Percent, value: 100, periodSeconds: 30}
    - {type: Pods, value: 4, periodSeconds: 30}
scaleDown:
  stabilizationWindowSeconds: {{ .shrinkAfter }}
  policies:
    - {type: Percent, value: 25, periodSeconds: 60}
{{- end }}

{{- define "dossier.scalerByCPU" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{ include "dossier.labels" .name }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ .name }}}
  minReplicas: {{ .scaling.min }}
  maxReplicas: {{ .scaling.max }}
  metrics:
    - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ .scaling.cpu }}}}}
  behavior:
    {{- include "dossier.behaviour" .scaling | nindent 4 }}
{{- end }}
