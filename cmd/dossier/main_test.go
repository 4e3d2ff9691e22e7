package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/storage/record"
)

func TestMain(m *testing.M) {
	if sandbox.ChildMain() {
		return
	}
	os.Exit(documenttest.Run(m))
}

const testSecretKey = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="

// ran is what one call of the program gave.
type ran struct {
	code     int
	out, err string
}

func call(t *testing.T, environ []string, stdin string, args ...string) ran {
	t.Helper()
	var out, errOut bytes.Buffer
	code := run(t.Context(), args, environ, strings.NewReader(stdin), &out, &errOut)
	return ran{code, out.String(), errOut.String()}
}

// operated is an installation with a database of its own.
type operated struct {
	*pgtest.Server
	environ []string
}

func newOperated(t *testing.T) operated {
	pg := pgtest.New(t)
	return operated{pg, []string{"DATABASE_URL=" + pg.Run, "DATABASE_LISTEN_URL=" + pgtest.DirectURL(pg.URL),
		"DOSSIER_SECRET_KEY=" + testSecretKey, "DOSSIER_PUBLIC_URL=https://dossier.example.com"}}
}

// do calls the program, which must succeed, and returns what it printed.
func (o operated) do(t *testing.T, args ...string) string {
	t.Helper()
	r := call(t, o.environ, "", args...)
	if r.code != 0 {
		t.Fatalf("dossier %s: exit %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

// value is do with --json, decoded.
func value[T any](t *testing.T, o operated, args ...string) T {
	t.Helper()
	text := o.do(t, append(args, "--json")...)
	if strings.Count(text, "\n") != 1 {
		t.Errorf("--json is not one line: %q", text)
	}
	var v T
	decoder := json.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Errorf("more than one value: %s", text)
	}
	return v
}

// refused calls the program, which must refuse with a code and words.
func (o operated) refused(t *testing.T, code int, says string, args ...string) {
	t.Helper()
	r := call(t, o.environ, "", args...)
	if r.code != code || !strings.Contains(r.err, says) || r.out != "" {
		t.Errorf("dossier %s: exit %d, stdout %q, stderr %q; want exit %d saying %q", strings.Join(args, " "), r.code, r.out, r.err, code, says)
	}
}

// example applies the example workspace and returns its file's path.
func (o operated) example(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "workspace.yaml")
	if err := os.WriteFile(path, workspacefile.Example, 0o600); err != nil {
		t.Fatal(err)
	}
	o.do(t, "apply", "-f", path)
	return path
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

func TestRun_usage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args string
		code int
		out  string
		err  string
	}{
		{"", 0, "Usage: dossier", ""},
		{"--help", 0, "verify-webhook", ""},
		{"keys create --help", 0, "--workspace=W", ""},
		{"nonsense", 2, "", "unexpected argument nonsense"},
		{"keys create --workspace acme", 2, "", "--name"},
		{"jobs list --limit many", 2, "", "--limit"},
		{"jobs retry", 2, "", "name the jobs to retry"},
		{"export", 2, "", "(dossier export --help"},
		{"rules explain", 2, "", "(dossier rules explain --help"},
		{"workspaces list", 1, "", "DATABASE_URL must be set"},
		{"version", 0, "schema", ""},
	} {
		r := call(t, nil, "", strings.Fields(test.args)...)
		if r.code != test.code || !strings.Contains(r.out, test.out) || !strings.Contains(r.err, test.err) || (test.out == "") != (r.out == "") {
			t.Errorf("dossier %s: exit %d\nstdout %s\nstderr %s", test.args, r.code, r.out, r.err)
		}
	}
}

func TestRun_environment(t *testing.T) {
	t.Parallel()
	r := call(t, []string{"DOSSIER_COLOUR=red"}, "", "workspaces", "list")
	if r.code != 1 || !strings.Contains(r.err, "DOSSIER_COLOUR is not a variable") {
		t.Errorf("%+v", r)
	}
	r = call(t, []string{"DATABASE_URL=postgres://u:topsecret@127.0.0.1:1/d"}, "", "workspaces", "list")
	if r.code != 1 || !strings.Contains(r.err, "127.0.0.1") || strings.Contains(r.err, "topsecret") {
		t.Errorf("%+v", r)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	v := value[version](t, operated{}, "version")
	if v.Go == "" || v.Schema == 0 || v.Engine != document.EngineVersion {
		t.Errorf("%+v", v)
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	o := operated{environ: []string{"DATABASE_URL=" + pgtest.NewURL(t)}}
	if m := value[migrated](t, o, "migrate"); !m.Success || len(m.Applied) != 0 || m.Version < 100 {
		t.Errorf("%+v", m)
	}
	contains(t, o.do(t, "migrate"), "The schema is at version")
}

func TestApply_and_export(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	path := filepath.Join(t.TempDir(), "w.yaml")
	if err := os.WriteFile(path, workspacefile.Example, 0o600); err != nil {
		t.Fatal(err)
	}
	dry := value[applied](t, o, "apply", "-f", path, "--dry-run")
	if !dry.DryRun || dry.WorkspaceID != nil || len(dry.Changes) == 0 || dry.Changes[0].Action != "create" {
		t.Errorf("dry run: %+v", dry)
	}
	if list := value[[]workspaceJSON](t, o, "workspaces", "list"); len(list) != 0 {
		t.Errorf("a dry run made a workspace: %+v", list)
	}
	first := value[applied](t, o, "apply", "-f", path)
	if len(first.Changes) != len(dry.Changes) || first.WorkspaceID == nil {
		t.Errorf("%+v", first)
	}
	contains(t, o.do(t, "apply", "-f", path), "is already what the file says")

	exported := o.do(t, "export", first.Workspace)
	if again := call(t, o.environ, exported, "apply", "-f", "-"); again.code != 0 || !strings.Contains(again.out, "already") {
		t.Errorf("applying the export changes something: %+v", again)
	}
	asJSON := o.do(t, "export", first.Workspace, "--json")
	if again := call(t, o.environ, asJSON, "apply", "-f", "-"); again.code != 0 || !strings.Contains(again.out, "already") {
		t.Errorf("applying the export in JSON changes something: %+v", again)
	}
	changed := strings.Replace(exported, "name: "+value[workspaceJSON](t, o, "workspaces", "show", first.Workspace).Name, "name: Renamed", 1)
	if r := call(t, o.environ, changed, "apply", "-f", "-"); r.code != 0 || !strings.Contains(r.out, "~ change  workspace") || !strings.Contains(r.out, "-> Renamed") {
		t.Errorf("the diff: %+v", r)
	}
	if r := call(t, o.environ, "version: 1\nworkspace: acme\nname: A\ncolour: red\n", "apply", "-f", "-"); r.code != 1 || !strings.Contains(r.err, "stdin:4") {
		t.Errorf("a wrong file: %+v", r)
	}
	if r := call(t, o.environ, "version: 1\nworkspace: acme\nname: A\nchannels: {fax: {provider: log}}\n", "apply", "-f", "-"); r.code != 1 || !strings.Contains(r.err, "stdin:4") || !strings.Contains(r.err, "not fax") {
		t.Errorf("a channel nobody knows: %+v", r)
	}
	without, _, _ := strings.Cut(exported, "\npipelines:")
	if r := call(t, o.environ, without+"\n", "apply", "-f", "-", "--dry-run"); r.code != 0 || !strings.Contains(r.out, "pipelines.intake: extract-document, match-documents, validate-document -> none") {
		t.Errorf("what is removed is in the diff: %+v", r)
	}
	o.refused(t, 1, `no workspace "elsewhere"`, "export", "elsewhere")
}

// With --spread-to-open-leads an item that is new in the file is put on leads that are open.
func TestApply_spread(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	const file = "version: 1\nworkspace: w\nname: W\nchecklist: {items: [{code: EIN, label: EIN, fieldType: EIN}]}\n"
	first := call(t, o.environ, file, "apply", "-f", "-", "--json")
	var made applied
	if err := json.Unmarshal([]byte(first.out), &made); err != nil {
		t.Fatal(err, first.err)
	}
	lead, _ := o.Lead(t, *made.WorkspaceID)
	const more = "version: 1\nworkspace: w\nname: W\nchecklist: {items: [{code: EIN, label: EIN, fieldType: EIN}, {code: EXTRA, label: Extra, fieldType: TEXT}]}\n"
	entries := func() int64 {
		return pgtest.Value[int64](t, o.Server, `SELECT count(*) FROM checklist_entries WHERE lead_id = $1 AND code = 'EXTRA'`, lead)
	}
	if r := call(t, o.environ, more, "apply", "-f", "-"); r.code != 0 || entries() != 0 {
		t.Fatalf("without the flag: %+v, %d entries", r, entries())
	}
	closed, _ := o.Lead(t, *made.WorkspaceID)
	o.Exec(t, `UPDATE leads SET closing_status = 'COMPLETED', completed_at = now() WHERE id = $1`, closed)
	o.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, object_key, source, extraction_status, uploaded_at, created_at, updated_at)
		SELECT workspace_id, gen_random_uuid(), id, 'a.pdf', 'application/pdf', 1, 'k', 'imported', 'completed', now(), now(), now() FROM leads`)
	matches := func() int64 {
		return pgtest.Value[int64](t, o.Server, `SELECT count(*) FROM jobs j JOIN documents d ON d.id = j.subject_id WHERE j.kind = 'document.match' AND d.lead_id = $1`, lead)
	}
	if r := call(t, o.environ, more, "apply", "-f", "-", "--spread-to-open-leads", "--dry-run"); r.code != 0 || entries() != 0 {
		t.Errorf("a dry run: %+v, %d entries", r, entries())
	}
	if r := call(t, o.environ, more, "apply", "-f", "-", "--spread-to-open-leads"); r.code != 0 || entries() != 1 || matches() != 0 {
		t.Errorf("with the flag: %+v, %d entries, %d matches", r, entries(), matches())
	}
	if n := pgtest.Value[int64](t, o.Server, `SELECT count(*) FROM checklist_entries WHERE lead_id = $1`, closed); n != 0 {
		t.Errorf("a closed lead got %d entries", n)
	}
	files := strings.Replace(more, "fieldType: TEXT}", "fieldType: TEXT}, {code: LEASE, label: Lease, fieldType: FILE}", 1)
	if r := call(t, o.environ, files, "apply", "-f", "-", "--spread-to-open-leads"); r.code != 0 || matches() != 1 {
		t.Errorf("a new file item: %+v; %d of the lead's documents are looked at, want 1", r, matches())
	}
	again := call(t, o.environ, files, "apply", "-f", "-", "--spread-to-open-leads")
	if again.code != 0 || !strings.Contains(again.out, "already what the file says") || matches() != 1 {
		t.Errorf("again: %+v", again)
	}
}

func TestWorkspaces(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	contains(t, o.do(t, "workspaces", "list"), "dossier apply -f FILE")
	made := value[workspaceJSON](t, o, "workspaces", "create", "corner-bank", "--name", "Corner Bank")
	o.refused(t, 1, "already", "workspaces", "create", "corner-bank")
	shown := value[workspaceJSON](t, o, "workspaces", "show", "corner-bank")
	if shown.ID != made.ID || shown.Name != "Corner Bank" || shown.Timezone == "" {
		t.Errorf("%+v", shown)
	}
	open := func(address string) error {
		channel, token, _ := strings.Cut(strings.TrimPrefix(address, "https://dossier.example.com/inbound/"), "/")
		w, err := o.DB.WorkspaceByInboundToken(t.Context(), dossier.Channel(channel), token)
		if err == nil && w.ID != made.ID {
			t.Errorf("%s opens %s", address, w.ID)
		}
		return err
	}
	rotated := value[rotatedJSON](t, o, "workspaces", "rotate-inbound", "corner-bank", "--channel", "email")
	again := value[workspaceJSON](t, o, "workspaces", "show", "corner-bank")
	if again.Inbound["email"] != rotated.URL || rotated.URL == shown.Inbound["email"] || again.Inbound["sms"] != shown.Inbound["sms"] {
		t.Errorf("rotated %+v, shown %v, before %v", rotated, again.Inbound, shown.Inbound)
	}
	for _, address := range []string{rotated.URL, shown.Inbound["email"], shown.Inbound["sms"], shown.Inbound["whatsapp"]} {
		if err := open(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	o.Exec(t, `UPDATE inbound_tokens SET ends_at = 'epoch' WHERE ends_at IS NOT NULL`) // a day later
	for address, works := range map[string]bool{rotated.URL: true, shown.Inbound["email"]: false, shown.Inbound["sms"]: true,
		strings.Replace(rotated.URL, "/email/", "/sms/", 1): false} {
		if err := open(address); (err == nil) != works {
			t.Errorf("%s a day later: %v", address, err)
		}
	}
	if n := pgtest.Value[int](t, o.Server, `SELECT count(*) FROM workspaces WHERE inbound_token IS NOT NULL AND id = $1`, made.ID); n != 0 {
		t.Error("a token still stands in the clear")
	}
	contains(t, o.do(t, "workspaces", "show", string(made.ID)), "corner-bank", "inbound https://")
	contains(t, o.do(t, "workspaces", "list"), "KEY", "corner-bank", string(made.ID))

	o.refused(t, 2, "add --yes", "workspaces", "delete", "corner-bank")
	contains(t, o.do(t, "workspaces", "delete", "corner-bank", "--yes"), "Deleted workspace corner-bank")
	o.refused(t, 1, "no workspace", "workspaces", "show", "corner-bank")

	gone := value[workspaceJSON](t, o, "workspaces", "create", "gone")
	o.refused(t, 2, "add --yes", "workspaces", "delete", "gone", "--erase")
	contains(t, o.do(t, "workspaces", "delete", "gone", "--erase", "--yes"), "A worker erases it")
	contains(t, o.do(t, "erasures", "list", "--workspace", string(gone.ID)), "workspace:"+string(gone.ID), "SCHEDULED")
}

func TestPeople(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	o.example(t)
	o.refused(t, 2, "no email address", "console", "open", "--email", "ada")
	o.refused(t, 2, "none of viewer, reviewer", "people", "add", "--email", "bob@example.com", "--role", "owner")
	o.refused(t, 1, "has no role in this workspace", "console", "open", "--email", "bob@example.com")
	if link := strings.TrimSpace(o.do(t, "console", "open", "--email", "Bob@Example.com", "--role", "viewer")); !strings.Contains(link, "/console/sign-in/") || strings.Contains(link, "\n") {
		t.Errorf("stdout is not the link alone: %q", link)
	}
	if link := value[signInLink](t, o, "console", "open", "--email", "ada@example.com"); !link.Success || link.URL == "" {
		t.Errorf("%+v", link)
	}
	contains(t, o.do(t, "people", "add", "--email", "bob@example.com", "--role", "approver"), "bob@example.com is approver of")
	contains(t, o.do(t, "people", "list"), "ada@example.com", "admin", "bob@example.com", "approver", "enabled")
	contains(t, o.do(t, "people", "disable", "--email", "bob@example.com"), "shut out")
	if people := value[[]member](t, o, "people", "list"); len(people) != 2 || !people[1].Disabled || people[0].Disabled {
		t.Errorf("%+v", people)
	}
	o.refused(t, 1, "Nobody here has the address", "people", "disable", "--email", "eve@example.com")
	other := value[workspaceJSON](t, o, "workspaces", "create", "corner-bank")
	o.refused(t, 2, "--workspace is needed", "people", "list")
	o.refused(t, 2, "--workspace is needed", "console", "open", "--email", "ada@example.com")
	o.refused(t, 1, "has no role in this workspace", "console", "open", "--email", "ada@example.com", "--workspace", other.Key)
	contains(t, o.do(t, "audit", "list", "--workspace", value[[]workspaceJSON](t, o, "workspaces", "list")[0].Key), "console.open", "person.add", "person.disable")
}

func TestKeys(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	o.example(t)
	w := value[[]workspaceJSON](t, o, "workspaces", "list")[0]
	made := value[newKey](t, o, "keys", "create", "--workspace", w.Key, "--name", "CRM", "--scopes", "read,admin", "--test", "--expires", "720h")
	if !made.Success || !strings.HasPrefix(made.Key, "dsr_test_") || !made.APIKey.IsTest || made.APIKey.ExpiresAt == nil || len(made.APIKey.Scopes) != 2 {
		t.Errorf("%+v", made.APIKey)
	}
	prefix, ok := dossier.KeyPrefix(made.Key)
	ws, key, err := o.DB.Authenticate(t.Context(), prefix, dossier.HashKey(made.Key))
	if !ok || err != nil || ws != w.ID || !key.Can(dossier.ScopeAdmin) {
		t.Errorf("the printed key opens nothing: %v", err)
	}
	plain := strings.TrimSpace(o.do(t, "keys", "create", "--workspace", string(w.ID), "--name", "script"))
	if _, ok := dossier.KeyPrefix(plain); !ok {
		t.Errorf("stdout is not the key alone: %q", plain)
	}
	list := o.do(t, "keys", "list", "--workspace", w.Key)
	contains(t, list, "CRM", "script", "read,write", "live", "test")
	for _, text := range []string{list, o.do(t, "keys", "list", "--workspace", w.Key, "--json")} {
		if strings.Contains(text, made.Key) || strings.Contains(text, plain) {
			t.Error("a listed key shows its secret")
		}
	}
	contains(t, o.do(t, "keys", "revoke", string(made.APIKey.ID)), "Revoked CRM")
	contains(t, o.do(t, "keys", "revoke", made.APIKey.Prefix), "Revoked CRM") // a repeat changes nothing
	if _, key, _ := o.DB.Authenticate(t.Context(), prefix, dossier.HashKey(made.Key)); key.RevokedAt == nil {
		t.Error("the key is not revoked")
	}
	contains(t, o.do(t, "audit", "list", "--workspace", w.Key), "workspace.create", "api_key.create", "api_key.revoke", "operator")
	if entries := value[[]record.AuditEntry](t, o, "audit", "list", "--workspace", w.Key, "--limit", "1"); len(entries) != 1 || entries[0].Action != "api_key.revoke" {
		t.Errorf("%+v", entries)
	}
	contains(t, o.do(t, "audit", "actions"), "api_key.create", "workspace.delete", "the workspace was deleted")
	o.do(t, "workspaces", "delete", w.Key, "--yes")
	contains(t, o.do(t, "audit", "list", "--workspace", string(w.ID), "--limit", "1"), "workspace.delete", "operator")
	o.refused(t, 1, "there is no workspace", "audit", "list", "--workspace", w.Key)
	contains(t, o.do(t, "audit", "verify"), "5 entries hold")
	contains(t, o.do(t, "audit", "verify", "--workspace", string(w.ID), "--json"), `{"entries":5}`)
	changed := pgtest.Value[string](t, o.Server, `SELECT id::text FROM audit_entries WHERE action = 'api_key.revoke'`)
	o.Exec(t, `ALTER TABLE audit_entries DISABLE TRIGGER USER`)
	o.Exec(t, `UPDATE audit_entries SET actor_name = 'somebody else' WHERE id = $1`, changed)
	o.refused(t, 1, changed, "audit", "verify")
	o.refused(t, 1, "No api key", "keys", "revoke", "nothing")
	o.refused(t, 2, `"root" is none of`, "keys", "create", "--workspace", w.Key, "--name", "x", "--scopes", "root")
	o.refused(t, 2, "--expires", "keys", "create", "--workspace", w.Key, "--name", "x", "--expires=-1h")
	o.refused(t, 2, "--name", "keys", "create", "--workspace", w.Key, "--name", " ")
}

// An erasure is listed, shown and proven; a certificate that somebody changed is not.
func TestErasures(t *testing.T) {
	o := newOperated(t)
	ws := o.Workspace(t)
	lead, _ := o.Lead(t, ws)
	e, err := o.DB.EraseLead(t.Context(), ws, lead, "asked", postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	o.refused(t, 1, "SCHEDULED", "erasures", "show", string(e.ID), "--certificate")
	job := pgtest.Value[string](t, o.Server, `SELECT id::text FROM jobs WHERE subject_id = $1`, string(e.ID))
	claim, ok, err := o.DB.ClaimJob(t.Context(), dossier.JobID(job), 1, "w")
	if err != nil || !ok {
		t.Fatal(err)
	}
	if _, err := o.DB.StartErasure(t.Context(), ws, e.ID); err != nil {
		t.Fatal(err)
	}
	if err := o.DB.FinishErasure(t.Context(), claim, e.ID); err != nil {
		t.Fatal(err)
	}
	contains(t, o.do(t, "erasures", "list", "--workspace", string(ws)), string(e.ID), "COMPLETE", "lead:"+string(lead))
	whole, alone := o.do(t, "erasures", "show", string(e.ID)), o.do(t, "erasures", "show", string(e.ID), "--certificate")
	for name, text := range map[string]string{"whole": whole, "alone": alone, "answer": `{"success":true,"erasure":` + whole + `}`} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		contains(t, o.do(t, "erasures", "verify", file), "holds")
	}
	file := filepath.Join(t.TempDir(), "changed")
	if err := os.WriteFile(file, []byte(strings.Replace(alone, `"objects":0`, `"objects":1`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o.refused(t, 1, "counts differs", "erasures", "verify", file)
}
