{{- define "parley.name" -}}
{{- if contains "parley" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-parley" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{/* The labels that never change, of one role: dict "root" $ "role" "api". */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* A running service needs no privilege, and writes only to its volumes. */}}
{{- define "parley.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* The settings that all roles have in common. */}}
{{- define "parley.env" -}}
{{- $own := dict
  "PARLEY_PUBLIC_URL" .root.Values.publicUrl
  "PARLEY_S3_BUCKET" .root.Values.bucket.name
  "PARLEY_S3_REGION" .root.Values.bucket.region
  "PARLEY_DATA_DIR" "/var/lib/parley"
  "PARLEY_HEALTH_HOST" "0.0.0.0"
  "PARLEY_HEALTH_PORT" "9464"
  "PARLEY_ROLES" .role }}
{{- with .root.Values.bucket.endpoint }}{{ $_ := set $own "PARLEY_S3_ENDPOINT" . }}{{ end }}
{{- with .root.Values.trustedProxies }}{{ $_ := set $own "PARLEY_TRUST_PROXY" (join "," .) }}{{ end }}
{{- range $name, $value := merge (dict) .more $own .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "parley.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 1
{{- end }}

{{/* What all pods of a role have in common: dict "root" $ "role" "api" "values" .Values.api. */}}
{{- define "parley.pod" -}}
serviceAccountName: {{ include "parley.name" .root }}
automountServiceAccountToken: false
# Otherwise Kubernetes adds variables such as PARLEY_PORT for the Services of the namespace, which are not settings of Parley.
enableServiceLinks: false
securityContext:
  {{- include "parley.podSecurity" . | nindent 2 }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "parley.selector" . | nindent 8 }}
{{- end }}
