package chart

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

var update = flag.Bool("update", false, "write what of the chart is generated, and deploy/kubernetes")

const (
	deploy = "../../../deploy/"
	dir    = deploy + "helm/dossier"
	newest = "1.30" // of the versions whose schemas kubectl-validate has
)

// profiles are the chart's, each with the values it adds.
var profiles = map[string][]string{
	"small":             {"-f", dir + "/profiles/small.yaml"},
	"high-availability": {"-f", dir + "/profiles/small.yaml", "-f", dir + "/profiles/high-availability.yaml"},
	"restricted":        {"-f", dir + "/profiles/small.yaml", "-f", dir + "/profiles/restricted.yaml"},
}

// template renders the chart for a version of Kubernetes.
func template(t *testing.T, kubernetes string, args ...string) (string, error) {
	t.Helper()
	return run(t.Context(), Helm, append([]string{"template", "dossier", dir, "--kube-version", kubernetes}, args...)...)
}

func mustTemplate(t *testing.T, kubernetes string, args ...string) string {
	t.Helper()
	text, err := template(t, kubernetes, args...)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return text
}

// TestGenerated holds the chart to the tables of the programs, and the plain manifests to the chart: there is one truth.
func TestGenerated(t *testing.T) {
	schema, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := watch.Rules()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{"helm/dossier/values.schema.json": schema, "helm/dossier/files/lanes.yaml": Lanes(),
		"helm/dossier/files/rules.yaml": rules}
	for _, d := range watch.Dashboards {
		if want["helm/dossier/files/"+d.UID+".json"], err = d.JSON(); err != nil {
			t.Fatal(err)
		}
	}
	hold(t, want)
	manifests := plain(mustTemplate(t, newest, profiles["small"]...))
	hold(t, manifests)
	for path, known := range map[string]map[string][]byte{"helm/dossier/files/*": want, "kubernetes/*": manifests} {
		written, err := filepath.Glob(deploy + path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range written {
			if known[strings.TrimPrefix(file, deploy)] == nil {
				t.Errorf("%s is written by nobody", file)
			}
		}
	}
}

// hold compares files below deploy with what they should be, or writes them.
func hold(t *testing.T, want map[string][]byte) {
	t.Helper()
	for name, text := range want {
		if *update {
			if err := os.WriteFile(deploy+name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(deploy + name); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is not what the chart or its tables say (%v); go test ./cmd/internal/chart -update writes it", name, err)
		}
	}
}

// plain are the manifests of a rendering, by the template that they come from, as files for kubectl apply.
func plain(rendered string) map[string][]byte {
	files := map[string][]byte{}
	for part := range strings.SplitSeq(rendered, "---\n# Source: dossier/templates/") {
		name, text, ok := strings.Cut(part, "\n")
		if !ok {
			continue
		}
		file, separator := "kubernetes/"+name, "---\n"
		if files[file] == nil {
			separator = "# The chart's small profile: change deploy/helm/dossier, then go test ./cmd/internal/chart -update.\n"
		}
		files[file] = append(files[file], separator+strings.TrimRight(text, "\n")+"\n"...)
	}
	return files
}

// TestLint: Helm finds nothing to complain about in any profile.
func TestLint(t *testing.T) {
	t.Parallel()
	for name, values := range profiles {
		out, err := run(t.Context(), Helm, append([]string{"lint", dir, "--strict", "--quiet", "--kube-version", newest}, values...)...)
		if err != nil || strings.Contains(out, "[WARNING]") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestProfiles: in every profile each program may do nothing it need not, cannot lose all its pods at once, says when it
// starts, lives and is ready, and is called by nobody who has no business with it.
func TestProfiles(t *testing.T) {
	t.Parallel()
	for name, values := range profiles {
		all := objects(t, mustTemplate(t, newest, values...))
		programs := 0
		for id, m := range all {
			kind, of, _ := strings.Cut(id, " ")
			if kind != "Deployment" && kind != "Job" {
				continue
			}
			programs++
			pod := at(m, "spec.template.spec")
			for path, want := range map[string]any{"securityContext.runAsNonRoot": true, "securityContext.seccompProfile.type": "RuntimeDefault",
				"automountServiceAccountToken": false, "containers.0.securityContext.readOnlyRootFilesystem": true,
				"containers.0.securityContext.allowPrivilegeEscalation": false, "containers.0.securityContext.capabilities.drop": []any{"ALL"}} {
				if diff := cmp.Diff(want, at(pod, path)); diff != "" {
					t.Errorf("%s, %s: %s (-want +got)\n%s", name, id, path, diff)
				}
			}
			if kind == "Job" {
				continue
			}
			for _, path := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
				if at(pod, "containers.0."+path+".httpGet.path") == nil {
					t.Errorf("%s, %s has no %s", name, id, path)
				}
			}
			if at(pod, "topologySpreadConstraints.0.labelSelector.matchLabels") == nil || all["PodDisruptionBudget "+of] == nil ||
				at(all["PodDisruptionBudget "+of], "spec.maxUnavailable") != 1 || all["NetworkPolicy "+of] == nil {
				t.Errorf("%s, %s has no spread, no budget or no network policy", name, id)
			}
			if scaled := all["HorizontalPodAutoscaler "+of] != nil || all["ScaledObject "+of] != nil; scaled == (at(m, "spec.replicas") != nil) {
				t.Errorf("%s, %s has a number of replicas and a scaler, or neither", name, id)
			}
		}
		if programs != 4 {
			t.Errorf("%s has %d programs", name, programs)
		}
	}
}

// TestSuites has helm-unittest play the suites beside the chart: what each profile gives, and what is refused.
func TestSuites(t *testing.T) {
	t.Parallel()
	suites, err := filepath.Glob(dir + "/tests/*_test.yaml")
	if err != nil || len(suites) <= len(profiles) {
		t.Fatalf("%d suites: want one of each profile and one of what is refused; %v", len(suites), err)
	}
	out, err := run(t.Context(), UnitTest, "--strict", dir)
	if err != nil || !strings.Contains(out, fmt.Sprintf("%d passed, %[1]d total", len(suites))) {
		t.Errorf("%v\n%s", err, out)
	}
}

// at is the value at a path of keys and indexes; nil: there is none.
func at(value any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// TestSettings: what the schema lets through the programs start with (setup.TestKnownSettings holds the patterns), and
// what nobody knows, or is a secret, is refused and named.
func TestSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(dir + "/values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Settings struct {
				AdditionalProperties bool
				Properties           map[string]struct{ Pattern string }
			}
		}
	}
	schema.Properties.Settings.AdditionalProperties = true
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	settings := schema.Properties.Settings
	if settings.AdditionalProperties || len(settings.Properties) < 25 {
		t.Errorf("the schema knows %v", slices.Sorted(maps.Keys(settings.Properties)))
	}
	for _, secret := range []string{"DATABASE_URL", "S3_SECRET_KEY", "DOSSIER_SECRET_KEY", "DOSSIER_OPS_PASSWORD", "DOSSIER_API_KEY", "DOSSIER_LANES"} {
		if _, ok := settings.Properties[secret]; ok {
			t.Errorf("%s may stand in a ConfigMap", secret)
		}
	}
}

// versions are those of Kubernetes that the chart is held to, by the schemas that they publish.
var versions = []string{"1.27", "1.28", "1.29", newest}

// TestValidates holds each profile to what the API servers of four versions accept, KEDA's and the Prometheus operator's
// kinds included.
func TestValidates(t *testing.T) {
	t.Parallel()
	definitions := t.TempDir()
	copyDefinitions(t, definitions, "github.com/kedacore/keda/v2@v2.21.0", "config/crd/bases/keda.sh_scaledobjects.yaml",
		"config/crd/bases/keda.sh_triggerauthentications.yaml")
	copyDefinitions(t, definitions, "github.com/prometheus-operator/prometheus-operator@v0.85.0",
		"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml")
	var all sync.WaitGroup
	defer all.Wait()
	for _, version := range versions {
		manifests := t.TempDir()
		for name, values := range profiles {
			text := mustTemplate(t, version, append(values[:len(values):len(values)], "--namespace", "dossier")...)
			if err := os.WriteFile(filepath.Join(manifests, name+".yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all.Go(func() {
			out, err := run(t.Context(), Validate, manifests, "--version", version, "--local-crds", definitions)
			if err != nil || strings.Count(out, "OK") != len(profiles) {
				t.Errorf("Kubernetes %s: %v\n%s", version, err, out)
			}
		})
	}
	all.Go(func() { refusesTypo(t, definitions) })
}

// refusesTypo shows that the schemas are looked at: a field that no server knows is an error.
func refusesTypo(t *testing.T, definitions string) {
	text := strings.Replace(mustTemplate(t, newest, profiles["high-availability"]...), "pollingInterval:", "pollingIntervall:", 1)
	path := filepath.Join(t.TempDir(), "typo.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
	if out, err := run(t.Context(), Validate, path, "--version", newest, "--local-crds", definitions); err == nil || !strings.Contains(out, "pollingIntervall") {
		t.Errorf("a misspelt field passes: %v\n%s", err, out)
	}
}

// copyDefinitions takes kinds' definitions out of the module that publishes them, which is no dependency of the product.
func copyDefinitions(t *testing.T, into, module string, files ...string) {
	t.Helper()
	from, err := daemon.Download(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(into, filepath.Base(file)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// objects are the parsed manifests of a rendering.
func objects(t *testing.T, rendered string) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for part := range strings.SplitSeq(rendered, "\n---\n") {
		var m map[string]any
		if err := yaml.Unmarshal([]byte(part), &m); err != nil {
			t.Fatalf("%v in\n%s", err, part)
		}
		if m != nil {
			found[fmt.Sprint(m["kind"], " ", m["metadata"].(map[string]any)["name"])] = m
		}
	}
	return found
}
