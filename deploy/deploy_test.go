package deploy_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier/jobs"
)

// There is no container engine where these files are written, so the tests hold what an engine
// would only say at start: unknown fields, references that lead nowhere, forgotten lanes.

type compose struct {
	Name        string
	Services    map[string]service
	Volumes     map[string]struct{}
	Dossier     service           `yaml:"x-dossier"`
	Environment map[string]string `yaml:"x-environment"`
}

type service struct {
	Image           string
	Build           *build
	Entrypoint      []string
	Command         []string
	Environment     map[string]string
	Ports           []string
	Volumes         []string
	Tmpfs           []string
	Restart         string
	ReadOnly        bool     `yaml:"read_only"`
	SecurityOpt     []string `yaml:"security_opt"`
	CapDrop         []string `yaml:"cap_drop"`
	StopGracePeriod string   `yaml:"stop_grace_period"`
	ShmSize         string   `yaml:"shm_size"`
	CPUShares       int      `yaml:"cpu_shares"` // 0: 1024
	DependsOn       map[string]struct {
		Condition string
	} `yaml:"depends_on"`
	Healthcheck *struct {
		Test              []string
		Interval, Timeout string
		Retries           int
	}
	Deploy struct{ Replicas int }
}

type build struct{ Context, Dockerfile, Target string }

// strict decodes one YAML document and refuses fields that the type does not have.
func strict(t *testing.T, text []byte, into any) {
	t.Helper()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func readCompose(t *testing.T) compose {
	var c compose
	strict(t, read(t, "../docker-compose.yml"), &c)
	return c
}

func TestCompose_services(t *testing.T) {
	c := readCompose(t)
	for _, name := range []string{"api", "worker", "migrate", "postgres", "redis", "minio"} {
		if _, ok := c.Services[name]; !ok {
			t.Errorf("no service %s", name)
		}
	}
	if _, ok := c.Services["asynqmon"]; ok {
		t.Error("a dashboard without a password: any page that a browser here opens could use it")
	}
	if got := c.Services["worker"].Deploy.Replicas; got != 2 {
		t.Errorf("%d workers, want 2", got)
	}
	for name, s := range c.Services {
		for other, on := range s.DependsOn {
			checkDependency(t, c, name, other, on.Condition)
		}
		for _, volume := range s.Volumes {
			if source, _, _ := strings.Cut(volume, ":"); !hasKey(c.Volumes, source) {
				t.Errorf("%s mounts %s, which is no volume", name, source)
			}
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s publishes %s beyond loopback", name, port)
			}
		}
		if s.Image == "" || (s.Build == nil && !pinned.MatchString(s.Image)) {
			t.Errorf("%s has image %q: want one with a version and a digest", name, s.Image)
		}
	}
}

// pinned is an image of others as the deployment names it: a full version for people and dependency bots, and the digest of
// its index of architectures, so that a tag that is moved later changes nothing.
var pinned = regexp.MustCompile(`^[a-z/]+:[\w.-]*\d+[.-][\w.-]*@sha256:[0-9a-f]{64}$`)

func hasKey[V any](m map[string]V, key string) bool { _, ok := m[key]; return ok }

func checkDependency(t *testing.T, c compose, name, other, condition string) {
	t.Helper()
	s, ok := c.Services[other]
	if !ok {
		t.Errorf("%s waits for %s, which is no service", name, other)
	}
	switch condition {
	case "service_healthy":
		if s.Healthcheck == nil {
			t.Errorf("%s waits for the health of %s, which has no check", name, other)
		}
	case "service_completed_successfully":
		if s.Restart != "no" {
			t.Errorf("%s waits for the end of %s, which is started again", name, other)
		}
	default:
		t.Errorf("%s waits for %s with %q", name, other, condition)
	}
}

// A queue that evicts loses jobs until the reaper finds out; one without a file forgets them.
func TestCompose_redis(t *testing.T) {
	command := strings.Join(readCompose(t).Services["redis"].Command, " ")
	for _, want := range []string{"--maxmemory-policy noeviction", "--appendonly yes", "--requirepass"} {
		if !strings.Contains(command, want) {
			t.Errorf("redis runs as %q, without %s", command, want)
		}
	}
}

// Our processes run without rights, and get every service's address.
func TestCompose_ours(t *testing.T) {
	c := readCompose(t)
	for _, name := range []string{"api", "worker"} {
		s := c.Services[name]
		if !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s may do more than it needs", name)
		}
		if s.StopGracePeriod != "40s" {
			t.Errorf("%s is killed after %q, while draining takes up to 30 s", name, s.StopGracePeriod)
		}
		for _, variable := range []string{"DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "S3_PUBLIC_ENDPOINT", "S3_ACCESS_KEY", "S3_SECRET_KEY", "DOSSIER_SECRET_KEY", "DOSSIER_OPS_PASSWORD"} {
			if s.Environment[variable] == "" {
				t.Errorf("%s is not told %s", name, variable)
			}
		}
		if !hasKey(s.DependsOn, "migrate") {
			t.Errorf("%s does not wait for the migrations", name)
		}
	}
}

// Nobody who works has the rights of an owner: not the database's, not the object store's.
func TestCompose_rights(t *testing.T) {
	c := readCompose(t)
	owner, root := "//"+c.Services["postgres"].Environment["POSTGRES_USER"]+":", c.Services["minio"].Environment["MINIO_ROOT_USER"]
	if url := c.Services["migrate"].Environment["DATABASE_MIGRATE_URL"]; !strings.Contains(url, owner) {
		t.Errorf("migrations run as %q, not as the owner", url)
	}
	for _, name := range []string{"api", "worker"} {
		s := c.Services[name]
		if url := s.Environment["DATABASE_URL"]; strings.Contains(url, owner) || !strings.Contains(url, "//dossier_run:") || hasKey(s.Environment, "DATABASE_MIGRATE_URL") {
			t.Errorf("%s knows the owner of the database", name)
		}
		if s.Environment["S3_ACCESS_KEY"] == root || hasKey(s.Environment, "MINIO_ROOT_PASSWORD") {
			t.Errorf("%s is the administrator of the object store", name)
		}
		if !hasKey(s.DependsOn, "bucket") {
			t.Errorf("%s does not wait for its user of the object store", name)
		}
	}
}

// A worker that wants every processor leaves them to the API first.
func TestCompose_processors(t *testing.T) {
	c := readCompose(t)
	if api, worker := c.Services["api"].CPUShares, c.Services["worker"].CPUShares; api != 0 || worker == 0 || worker > 1024/10 {
		t.Errorf("api %d, worker %d: want the default and a tenth of it", api, worker)
	}
}

var reference = regexp.MustCompile(`\$\{([A-Z0-9_]+)(:[-?])?`)

// No secret has a default, and the example file names every variable.
func TestCompose_secrets(t *testing.T) {
	example := map[string]string{}
	for line := range strings.Lines(string(read(t, "compose.env.example"))) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			example[name] = value
		}
	}
	secret := regexp.MustCompile(`PASSWORD|SECRET`)
	for _, match := range reference.FindAllStringSubmatch(string(read(t, "../docker-compose.yml")), -1) {
		name, operator := match[1], match[2]
		if secret.MatchString(name) && operator != ":?" {
			t.Errorf("%s is not required", name)
		}
		value, ok := example[name]
		if !ok && operator == ":?" {
			t.Errorf("%s is required and not in compose.env.example", name)
		}
		if secret.MatchString(name) && value != "" {
			t.Errorf("the example sets %s", name)
		}
	}
	if len(example) < 5 {
		t.Errorf("the example has %d variables only", len(example))
	}
}

var stage = regexp.MustCompile(`(?m)^FROM (\S+) AS (\S+)$`)

// stages are the targets of the Dockerfile with their texts.
func stages(t *testing.T) map[string]string {
	t.Helper()
	text := string(read(t, "Dockerfile"))
	found := map[string]string{}
	at := stage.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		found[text[m[4]:m[5]]] = text[m[0]:end]
	}
	return found
}

func TestDockerfile(t *testing.T) {
	found := stages(t)
	for _, name := range []string{"api", "worker"} {
		s := found[name]
		if !strings.Contains(s, "\nUSER 65532:65532\n") {
			t.Errorf("stage %s does not leave root", name)
		}
		if !strings.Contains(s, `ENTRYPOINT ["/usr/local/bin/dossier-`+name+`"]`) {
			t.Errorf("stage %s does not start dossier-%s", name, name)
		}
	}
	if !strings.Contains(found["build"], "CGO_ENABLED=0") || !strings.HasPrefix(found["api"], "FROM scratch ") {
		t.Error("the API's image is more than one static program")
	}
	for _, m := range regexp.MustCompile(`\./cmd/\S+`).FindAllString(found["build"], -1) {
		if _, err := os.Stat(filepath.Join("..", m)); err != nil {
			t.Errorf("the build names %s: %v", m, err)
		}
	}
	for _, m := range stage.FindAllStringSubmatch(string(read(t, "Dockerfile")), -1) {
		if m[1] != "scratch" && !pinned.MatchString(m[1]) {
			t.Errorf("stage %s stands on %q: want an image with a version and a digest", m[2], m[1])
		}
	}
	for name, s := range readCompose(t).Services {
		if s.Build != nil && !hasKey(found, s.Build.Target) {
			t.Errorf("service %s builds stage %q, which the Dockerfile has not", name, s.Build.Target)
		}
	}
}

// go.mod and the build image must agree on the language's version, to the patch: an older one would refuse the build.
func TestDockerfile_goVersion(t *testing.T) {
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+\.\d+)`).FindSubmatch(read(t, "../go.mod"))
	got := regexp.MustCompile(`FROM golang:(\d+\.\d+\.\d+)`).FindSubmatch(read(t, "Dockerfile"))
	if want == nil || got == nil || !bytes.Equal(want[1], got[1]) {
		t.Errorf("go.mod wants %s, the image has %s", want, got)
	}
}

// manifest is the part of Kubernetes objects that these tests look at.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name   string
		Labels map[string]string
	}
	Data map[string]string
	Spec struct {
		Selector yaml.Node
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     pod
		}
		ScaleTargetRef struct{ Kind, Name string } `yaml:"scaleTargetRef"`
		MinReplicas    int                         `yaml:"minReplicas"`
		MaxReplicas    int                         `yaml:"maxReplicas"`
		Ports          []struct {
			TargetPort string `yaml:"targetPort"`
		}
	}
}

type pod struct {
	TerminationGracePeriodSeconds int `yaml:"terminationGracePeriodSeconds"`
	SecurityContext               struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
		RunAsUser    int  `yaml:"runAsUser"`
	} `yaml:"securityContext"`
	Containers []container
	Volumes    []struct{ Name string }
	Spread     []struct {
		TopologyKey string `yaml:"topologyKey"`
	} `yaml:"topologySpreadConstraints"`
}

type container struct {
	Name, Image string
	Command     []string
	Env         []struct{ Name, Value string }
	EnvFrom     []struct {
		ConfigMapRef struct{ Name string } `yaml:"configMapRef"`
		SecretRef    struct{ Name string } `yaml:"secretRef"`
	} `yaml:"envFrom"`
	Ports           []struct{ Name string }
	SecurityContext struct {
		AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
		Capabilities             struct{ Drop []string }
	} `yaml:"securityContext"`
	StartupProbe   *probe                  `yaml:"startupProbe"`
	LivenessProbe  *probe                  `yaml:"livenessProbe"`
	ReadinessProbe *probe                  `yaml:"readinessProbe"`
	VolumeMounts   []struct{ Name string } `yaml:"volumeMounts"`
	Resources      struct{ Requests, Limits map[string]string }
}

type probe struct {
	HTTPGet          struct{ Path, Port string } `yaml:"httpGet"`
	PeriodSeconds    int                         `yaml:"periodSeconds"`
	FailureThreshold int                         `yaml:"failureThreshold"`
}

func manifests(t *testing.T) []manifest {
	t.Helper()
	var all []manifest
	err := fs.WalkDir(os.DirFS("kubernetes"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		decoder := yaml.NewDecoder(bytes.NewReader(read(t, filepath.Join("kubernetes", name))))
		for {
			var m manifest
			err := decoder.Decode(&m)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return nil
			}
			all = append(all, m)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// versions are the API groups in which current Kubernetes serves the kinds we use.
var versions = map[string]string{
	"ConfigMap": "v1", "Service": "v1", "Job": "batch/v1", "Deployment": "apps/v1",
	"PodDisruptionBudget": "policy/v1", "HorizontalPodAutoscaler": "autoscaling/v2", "NetworkPolicy": "networking.k8s.io/v1",
}

func TestKubernetes(t *testing.T) {
	named := map[string]bool{}
	all := manifests(t)
	for _, m := range all {
		named[m.Kind+" "+m.Metadata.Name] = true
		if versions[m.Kind] != m.APIVersion {
			t.Errorf("%s %s is of %q, want %q", m.Kind, m.Metadata.Name, m.APIVersion, versions[m.Kind])
		}
		if m.Metadata.Labels["app.kubernetes.io/part-of"] != "dossier" {
			t.Errorf("%s %s does not say that it is a part of dossier", m.Kind, m.Metadata.Name)
		}
	}
	for _, m := range all {
		switch m.Kind {
		case "Deployment", "Job":
			checkPod(t, m)
			if m.Kind == "Deployment" && (!named["PodDisruptionBudget "+m.Metadata.Name] || len(m.Spec.Template.Spec.Spread) == 0) {
				t.Errorf("%s may lose all its pods at once: it wants a budget and a spread", m.Metadata.Name)
			}
		case "HorizontalPodAutoscaler":
			if target := m.Spec.ScaleTargetRef; !named[target.Kind+" "+target.Name] || m.Spec.MinReplicas < 2 || m.Spec.MaxReplicas <= m.Spec.MinReplicas {
				t.Errorf("autoscaler %s scales %s %s from %d to %d", m.Metadata.Name, target.Kind, target.Name, m.Spec.MinReplicas, m.Spec.MaxReplicas)
			}
		}
	}
	for _, want := range []string{"Deployment dossier-api", "Deployment dossier-worker-documents", "Deployment dossier-worker-events", "Job dossier-migrate", "Service dossier-api", "ConfigMap dossier"} {
		if !named[want] {
			t.Errorf("no %s", want)
		}
	}
}

func checkPod(t *testing.T, m manifest) {
	t.Helper()
	p := m.Spec.Template.Spec
	if !p.SecurityContext.RunAsNonRoot || p.SecurityContext.RunAsUser == 0 {
		t.Errorf("%s runs as root", m.Metadata.Name)
	}
	if m.Kind == "Deployment" && p.TerminationGracePeriodSeconds < 40 {
		t.Errorf("%s is killed after %d s, while draining takes up to 30", m.Metadata.Name, p.TerminationGracePeriodSeconds)
	}
	if m.Kind == "Deployment" && m.Spec.Template.Metadata.Labels["app.kubernetes.io/name"] != m.Metadata.Name {
		t.Errorf("the pods of %s are not labelled as its selector wants", m.Metadata.Name)
	}
	for _, c := range p.Containers {
		checkContainer(t, m, c)
	}
}

func checkContainer(t *testing.T, m manifest, c container) {
	t.Helper()
	rights := c.SecurityContext
	if rights.AllowPrivilegeEscalation == nil || *rights.AllowPrivilegeEscalation || !rights.ReadOnlyRootFilesystem || !slices.Contains(rights.Capabilities.Drop, "ALL") {
		t.Errorf("%s may do more than it needs", m.Metadata.Name)
	}
	if c.Resources.Requests["cpu"] == "" || c.Resources.Requests["memory"] == "" || c.Resources.Limits["memory"] == "" {
		t.Errorf("%s does not say what it needs", m.Metadata.Name)
	}
	// Helm runs the migration before there is a ConfigMap; it needs none.
	if from := c.EnvFrom; from[len(from)-1].SecretRef.Name != "dossier" || m.Kind == "Deployment" && from[0].ConfigMapRef.Name != "dossier" {
		t.Errorf("%s is not told the settings", m.Metadata.Name)
	}
	for _, mount := range c.VolumeMounts {
		if !slices.ContainsFunc(m.Spec.Template.Spec.Volumes, func(v struct{ Name string }) bool { return v.Name == mount.Name }) {
			t.Errorf("%s mounts %s, which is no volume", m.Metadata.Name, mount.Name)
		}
	}
	if m.Kind != "Deployment" {
		return
	}
	// While it waits for its schema, an API answers on the operators' port only.
	if start := c.StartupProbe; start == nil || start.HTTPGet.Port != "ops" && start.PeriodSeconds*start.FailureThreshold < 1800 {
		t.Errorf("%s is killed while it waits for the migration", m.Metadata.Name)
	}
	for path, probe := range map[string]*probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if probe == nil || probe.HTTPGet.Path != path || !slices.ContainsFunc(c.Ports, func(p struct{ Name string }) bool { return p.Name == probe.HTTPGet.Port }) {
			t.Errorf("%s is not asked %s on a port it has", m.Metadata.Name, path)
		}
	}
}

// A lane that no Deployment names would wait for ever.
func TestKubernetes_lanes(t *testing.T) {
	served := map[string]int{}
	for _, m := range manifests(t) {
		for _, c := range m.Spec.Template.Spec.Containers {
			for _, variable := range c.Env {
				if variable.Name != "DOSSIER_LANES" {
					continue
				}
				for lane := range strings.SplitSeq(variable.Value, ",") {
					served[lane]++
				}
			}
		}
	}
	for _, lane := range jobs.Lanes {
		if served[string(lane)] != 1 {
			t.Errorf("lane %s is served by %d Deployments, want 1", lane, served[string(lane)])
		}
		delete(served, string(lane))
	}
	for lane := range served {
		t.Errorf("a Deployment serves %q, which is no lane", lane)
	}
}
