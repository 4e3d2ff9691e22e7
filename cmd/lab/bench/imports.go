package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// ImportResult says how fast a table of leads becomes leads, from the commit that stages it to its published report, in
// a worker of its own, and what another tenant feels meanwhile.
type ImportResult struct {
	Name     string  `json:"name"`
	Machine  Machine `json:"machine"`
	Rows     int     `json:"rows"`
	Seconds  float64 `json:"seconds"`
	PerSec   float64 `json:"rowsPerSecond"`
	CPU      costs   `json:"cpuSeconds"`
	Before   Latency `json:"otherTenantBeforeMs"` // reads a checklist 50 times a second
	During   Latency `json:"otherTenantDuringMs"`
	Slowdown float64 `json:"otherTenantP99Ratio"`
}

// Import measures an import of n rows into a workspace with a checklist of ten items. How long the other tenant is
// measured before it is quiet.
func Import(ctx context.Context, s *Stack, n int, quiet time.Duration) (ImportResult, error) {
	r := ImportResult{Name: "import", Machine: s.About, Rows: n}
	if _, err := s.seedLeads(ctx, 1000); err != nil { // the neighbour has something to read
		return r, err
	}
	store, cfg, err := s.openObjects(ctx)
	if err != nil {
		return r, err
	}
	neighbour, stop, err := s.startNeighbour(ctx)
	if err != nil {
		return r, err
	}
	defer stop()
	if r.Before, err = neighbour.during(quiet, nil); err != nil {
		return r, err
	}
	importer, err := s.startWorkerProcess(ctx, workerConfig{Objects: &cfg, Lanes: []jobs.Lane{jobs.LaneImport}})
	if err != nil {
		return r, err
	}
	defer importer.stop()
	create := postgres.NewImport{}
	create.FileKey = jobs.ImportKey(s.Workspace, postgres.NewID(), "table")
	if _, err := store.Put(ctx, create.FileKey, jobs.ExportContentType, strings.NewReader(leadTable(n)),
		0); err != nil {
		return r, err
	}
	ended := make(chan struct{})
	var failed error
	go func() { failed = s.runImport(ctx, &r, create); close(ended) }()
	if r.During, err = neighbour.during(time.Hour, ended); err != nil {
		return r, err
	}
	<-ended
	r.Slowdown = round(r.During.P99 / r.Before.P99)
	return r, failed
}

// leadTable is a table of n rows as a lender's system writes it.
func leadTable(n int) string {
	var table strings.Builder
	table.WriteString("externalLeadId,firstName,lastName,businessName,email,phoneNumber,tags\n")
	for i := range n {
		fmt.Fprintf(&table, "crm-%d,Ada,Example %d,Example Bakery %d LLC,ada%d@example.com,+1212555%04d,imported;spring\n", i, i, i, i,
			i%10000)
	}
	return table.String()
}

func (s *Stack) runImport(ctx context.Context, r *ImportResult, create postgres.NewImport) error {
	began, before := time.Now(), s.spent()
	im, err := s.DB.CreateImport(ctx, s.Workspace, create, postgres.Caller{Source: dossier.SourceImported})
	for err == nil && im.FinishedAt == nil {
		time.Sleep(50 * time.Millisecond)
		im, err = s.DB.Import(ctx, s.Workspace, im.ID)
	}
	if err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	r.Seconds, r.PerSec = round(took), round(float64(r.Rows)/took)
	after := s.spent()
	r.CPU = costs{
		Worker:   round((after.worker - before.worker).Seconds()),
		Postgres: round((after.postgres - before.postgres).Seconds()),
		Storage:  round((after.storage - before.storage).Seconds()),
		Others:   round((after.process - before.process).Seconds()),
	}
	if im.Status != dossier.ImportComplete || im.Created != r.Rows {
		return fmt.Errorf("the import is %s with %d of %d leads", im.Status, im.Created, r.Rows)
	}
	return nil
}
