{{- /* What a schema cannot say: each of these would be found out at night. */}}
{{- define "dossier.checks" }}
{{- $served := dict }}
{{- range $kind, $worker := .Values.workers }}
{{- if $worker }}
{{- range $worker.lanes }}{{ $_ := set $served . true }}{{ end }}
{{- end }}
{{- end }}
{{- range (.Files.Get "files/lanes.yaml" | fromYamlArray) }}
{{- if not (hasKey $served .) }}
{{- fail (printf "lane %s is in no worker's lanes: its jobs would wait for ever" .) }}
{{- end }}
{{- end }}

{{- $most := dict "pods" 0 }}
{{- range $name, $program := merge (dict "api" .Values.api) .Values.workers }}
{{- if $program }}
{{- if gt (int $program.scaling.min) (int $program.scaling.max) }}
{{- fail (printf "%s: scaling.min is above scaling.max" $name) }}
{{- end }}
{{- if and (eq $program.scaling.by "lanes") (not $program.lanes) }}
{{- fail "api: scaling.by may not be lanes, for it serves none" }}
{{- end }}
{{- $pods := ternary (int $program.replicas) (int $program.scaling.max) (eq $program.scaling.by "none") }}
{{- $_ := set $most "pods" (add $most.pods $pods 1) }}
{{- end }}
{{- end }}
{{- $pool := int (default 16 .Values.settings.DOSSIER_DB_POOL) }}
{{- $want := mul $most.pods (add $pool (max 8 (div $pool 4)) 4) }}
{{- $have := int .Values.postgres.maxConnections }}
{{- if and $have (gt $want $have) }}
{{- fail (printf "up to %d pods want up to %d connections and postgres.maxConnections is %d: fewer pods, a smaller DOSSIER_DB_POOL, or a pooler" (int $most.pods) (int $want) $have) }}
{{- end }}

{{- if .Values.networkPolicy.egress }}
{{- if not .Values.networkPolicy.stores }}
{{- fail "networkPolicy.egress is on and networkPolicy.stores is empty: no pod could reach Postgres, Redis and S3" }}
{{- end }}
{{- if and .Values.settings.DOSSIER_OIDC_ISSUER (ne .Values.api.calls "world") }}
{{- fail "DOSSIER_OIDC_ISSUER is set, networkPolicy.egress is on and api.calls is not world: nobody could sign in" }}
{{- end }}
{{- end }}
{{- end }}
