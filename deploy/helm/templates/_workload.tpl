{{/* Seconds from SIGTERM to SIGKILL: core/base/lifecycle.ts, longestStopMs, and five to spare. No preStop hook is needed: the
service itself says for STOP_DELAY_SECONDS that it is not ready, and goes on working. */}}
{{- define "postrider.grace" -}}
{{- $s := .Values.settings -}}
{{ add (ceil $s.STOP_DELAY_SECONDS) (max 15 (int $s.SENDER_DRAIN_SECONDS)) 10 5 }}
{{- end }}

{{- define "postrider.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else if .tag }}:{{ .tag }}{{ end }}
{{- end -}}
{{- end }}

{{/* Comma-separated addresses of every pod of a StatefulSet. */}}
{{- define "postrider.addresses" -}}
{{- $root := .root -}}{{- $name := .name -}}
{{- $list := list -}}
{{- range until (int .count) -}}
{{- $list = append $list (printf "%s-%d.%s.%s.svc:50051" $name . $name $root.Release.Namespace) -}}
{{- end -}}
{{ join "," $list }}
{{- end }}

{{- define "postrider.senders" -}}
{{- $s := .Values.services.sender -}}
{{ include "postrider.addresses" (dict "root" . "name" "sender" "count" (ternary $s.maxReplicas $s.replicas .Values.autoscaling.enabled)) }}
{{- end }}

{{/* What passes Pod Security "restricted", and a file system that nobody can write to. */}}
{{- define "postrider.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false # their variables look like misspelt settings
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000 # reads the keys of the mounted secrets
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "postrider.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* One Deployment or StatefulSet. root, kind, name, service (its folder), values, ports, metrics (port), env, tls and grpc
(whether it mounts those certificates), scaled. */}}
{{- define "postrider.workload" -}}
{{- $root := .root -}}
{{- $grpc := and .grpc $root.Values.grpcTls -}}
apiVersion: apps/v1
kind: {{ .kind }}
metadata:
  name: {{ .name }}
  labels: { app: {{ .name }}, app.kubernetes.io/part-of: postrider }
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  {{- if eq .kind "StatefulSet" }}
  serviceName: {{ .name }}
  podManagementPolicy: Parallel
  {{- else }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  {{- end }}
  selector:
    matchLabels: { app: {{ .name }} }
  template:
    metadata:
      labels: { app: {{ .name }}, app.kubernetes.io/part-of: postrider }
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '{{ .metrics }}'
        # Settings are read at the start: other ones start the pods anew.
        checksum/settings: {{ toJson $root.Values.settings | sha256sum | trunc 16 }}
    spec:
      terminationGracePeriodSeconds: {{ include "postrider.grace" $root }}
      {{- include "postrider.podSecurity" $root | nindent 6 }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - topologyKey: {{ . }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: { app: {{ $.name }} }
        {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "postrider.image" $root }}
          args: [{{ .service }}/main.ts]
          envFrom:
            - configMapRef: { name: postrider }
            - secretRef: { name: {{ get $root.Values.secrets .service }} }
          {{- if or .env $grpc .tls }}
          env:
            {{- range $key, $value := .env }}
            - { name: {{ $key }}, value: {{ $value | quote }} }
            {{- end }}
            {{- if .tls }}
            - { name: TLS_CERT_FILE, value: /tls/tls.crt }
            - { name: TLS_KEY_FILE, value: /tls/tls.key }
            {{- end }}
            {{- if $grpc }}
            - { name: GRPC_CERT_FILE, value: /grpc/tls.crt }
            - { name: GRPC_KEY_FILE, value: /grpc/tls.key }
            - { name: GRPC_CA_FILE, value: /grpc/ca.crt }
            {{- end }}
          {{- end }}
          ports:
            {{- range $port := .ports }}
            - { name: {{ $port.name }}, containerPort: {{ $port.port }} }
            {{- end }}
            - { name: metrics, containerPort: {{ .metrics }} }
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: '/readyz?for=traffic', port: metrics }
            periodSeconds: 5
            timeoutSeconds: 4
          resources: {{- toYaml .values.resources | nindent 12 }}
          {{- include "postrider.containerSecurity" $root | nindent 10 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if .tls }}
            - { name: tls, mountPath: /tls, readOnly: true }
            {{- end }}
            {{- if $grpc }}
            - { name: grpc, mountPath: /grpc, readOnly: true }
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
        {{- if .tls }}
        - name: tls
          secret: { secretName: {{ $root.Values.secrets.tls }}, defaultMode: 0440 }
        {{- end }}
        {{- if $grpc }}
        - name: grpc
          secret: { secretName: {{ $root.Values.secrets.grpc }}, defaultMode: 0440 }
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow # a drain of a node never waits for a pod that does not work anyway
  selector:
    matchLabels: { app: {{ .name }} }
{{- if .scaled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: {{ .kind }}, name: {{ .name }} }
  minReplicas: {{ .values.replicas }}
  maxReplicas: {{ .values.maxReplicas }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $root.Values.autoscaling.cpuPercent }} } }
    {{- range get $root.Values.autoscaling .name | default list }}
    - type: Pods
      pods:
        metric: { name: {{ .metric }} }
        target: { type: AverageValue, averageValue: {{ .average | quote }} }
    {{- end }}
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 600
      policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
{{- end }}
{{- end }}
