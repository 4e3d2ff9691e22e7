package postgres_test

import (
	"errors"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What operators are refused has a code of the table too.
func TestCodes_of_operators(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 2)
	retry := func(id dossier.JobID) error { _, err := s.DB.RetryJobNow(t.Context(), id); return err }
	cancel := func(id dossier.JobID) error { _, err := s.DB.CancelJob(t.Context(), id); return err }
	apply := func(fieldType dossier.FieldType) error {
		_, _, err := s.DB.ApplyWorkspace(t.Context(), dossier.WorkspaceConfig{
			WorkspaceSettings: dossier.WorkspaceSettings{Key: "acme", Name: "Acme", DefaultRegion: "US", Timezone: "UTC"},
			Items:             []dossier.TemplateItem{{Code: "EIN", Label: "EIN", FieldType: fieldType}}}, false, false)
		return err
	}
	if err := errors.Join(cancel(ids[0]), apply(dossier.FieldEIN)); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE jobs SET unique_key = 'one' WHERE id = ANY($1::uuid[])`, []string{string(ids[0]), string(ids[1])})
	for code, err := range map[string]error{
		"job_not_found":      cancel(dossier.JobID(postgres.NewID())),
		"job_finished":       cancel(ids[0]),
		"job_not_retryable":  retry(ids[1]),
		"job_already_queued": retry(ids[0]),
		"conflict":           apply(dossier.FieldText),
	} {
		var known *dossier.Error
		if !errors.As(err, &known) || known.Code != code {
			t.Errorf("%v, want the code %s", err, code)
		}
	}
}
