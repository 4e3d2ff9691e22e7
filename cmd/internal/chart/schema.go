package chart

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
)

// object is a JSON Schema, or a part of one.
type object map[string]any

// own are settings that the chart gives itself, and those of cmd/dev.
var own = []string{
	"DOSSIER_ADDR", "DOSSIER_OPS_ADDR", "DOSSIER_LANES", "DOSSIER_MIGRATE", "DOSSIER_DATA",
	"DOSSIER_PIPELINE_ADDR", "DOSSIER_PORTAL_LANGUAGES", // a second port, a directory: pods have none
}

// Schema is values.schema.json: it refuses what the templates do not know and, of settings, what the programs would
// refuse to start with.
func Schema() ([]byte, error) {
	schema := closed(object{
		"global": object{"type": "object"}, // which Helm adds below another chart
		"image": closed(object{"api": text, "worker": text, "pullPolicy": oneOf("IfNotPresent", "Always", "Never"),
			"pullSecrets": list(text)}),
		"settings": settings(),
		"secrets":  closed(object{"programs": text, "owner": text, "scaler": text}),
		"postgres": closed(object{"maxConnections": atLeast(0)}),
		"api":      program(object{}, "none", "cpu"),
		"workers": object{"type": "object", "additionalProperties": program(object{
			"lanes":   object{"type": "array", "minItems": 1, "uniqueItems": true, "items": oneOf(lanes()...)},
			"scratch": object{"type": "string", "pattern": "^[0-9]+(Mi|Gi)$"}}, "none", "cpu", "lanes"),
			"propertyNames": object{"pattern": "^[a-z][a-z0-9-]{0,30}$"}},
		"migrate": closed(object{"enabled": onOff, "deadlineSeconds": atLeast(60), "resources": resources}),
		"service": closed(object{"type": oneOf("ClusterIP", "NodePort", "LoadBalancer"), "port": atLeast(1)}),
		"ingress": closed(object{"host": word, "className": word, "tlsSecret": word, "annotations": words}),
		"networkPolicy": closed(object{"http": list(anything), "ops": list(anything), "egress": onOff,
			"dns": list(anything), "stores": list(object{"type": "object", "required": []string{"to", "ports"}}),
			"worldExcept": list(text)}),
		"topology": list(closed(object{"key": text,
			"whenUnsatisfiable": oneOf("DoNotSchedule", "ScheduleAnyway")})),
		"scrapeAnnotations": onOff, "podMonitor": onOff, "prometheusRule": onOff, "dashboards": onOff,
		"priorityClassName": word, "nodeSelector": words, "tolerations": list(anything), "affinity": anything,
		"podAnnotations": words, "extraObjects": list(anything),
	})
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["$comment"] = "Written by go test ./cmd/internal/chart -update, from the programs' table of settings."
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(schema)
	return out.Bytes(), err
}

// Parts that repeat.
var (
	text      = object{"type": "string", "minLength": 1}
	word      = object{"type": "string"}
	onOff     = object{"type": "boolean"}
	anything  = object{"type": "object"}
	words     = object{"type": "object", "additionalProperties": word}
	amount    = object{"type": []string{"string", "integer"}, "pattern": "^[0-9.]+(m|Mi|Gi)?$"}
	resources = closed(object{
		"requests": closed(object{"cpu": amount, "memory": amount, "ephemeral-storage": amount}),
		"limits":   closed(object{"cpu": amount, "memory": amount, "ephemeral-storage": amount})})
)

func closed(properties object) object {
	return object{"type": "object", "additionalProperties": false, "properties": properties}
}

func oneOf(values ...string) object { return object{"enum": values} }

func list(of object) object { return object{"type": "array", "items": of} }

func atLeast(n int) object { return object{"type": "integer", "minimum": n} }

// program is the API or a kind of worker, with what it has besides. by are the ways it can be scaled.
func program(besides object, by ...string) object {
	scaling := object{"by": oneOf(by...), "min": atLeast(1), "max": atLeast(1),
		"cpu": object{"type": "integer", "minimum": 10, "maximum": 100}, "shrinkAfter": atLeast(0)}
	if len(by) == 3 {
		scaling["jobsPerPod"] = atLeast(1)
	}
	besides["replicas"], besides["scaling"] = atLeast(1), closed(scaling)
	besides["calls"], besides["resources"] = oneOf("stores", "world"), resources
	return closed(besides)
}

// settings are the variables of the programs that are no secrets, each with what it looks like, and OpenTelemetry's.
func settings() object {
	known := object{}
	for _, s := range setup.KnownSettings() {
		switch {
		case s.Name == "REDIS_URL": // a secret where it has a password
			known[s.Name] = object{"type": "string", "pattern": "^[a-z-]+://[^@]*$"}
		case s.Secret || slices.Contains(own, s.Name):
		case s.Pattern == "^[0-9]+$":
			known[s.Name] = object{"type": []string{"string", "integer"}, "pattern": s.Pattern, "minimum": 0}
		case s.Pattern == "^(true|false)$":
			known[s.Name] = object{"type": []string{"string", "boolean"}, "pattern": s.Pattern}
		case s.Pattern != "":
			known[s.Name] = object{"type": "string", "pattern": s.Pattern}
		default:
			known[s.Name] = word
		}
	}
	schema := closed(known)
	schema["required"] = []string{"S3_ENDPOINT", "DOSSIER_PUBLIC_URL"} // REDIS_URL may be in the secret
	schema["patternProperties"] = object{"^OTEL_[A-Z0-9_]+$": word}
	return schema
}

// Lanes is files/lanes.yaml, for the chart to see that each is served.
func Lanes() []byte {
	var out bytes.Buffer
	for _, lane := range jobs.Lanes {
		out.WriteString("- " + string(lane) + "\n")
	}
	return out.Bytes()
}

func lanes() []string {
	names := make([]string, len(jobs.Lanes))
	for i, lane := range jobs.Lanes {
		names[i] = string(lane)
	}
	return names
}
