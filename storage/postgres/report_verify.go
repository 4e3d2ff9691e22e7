package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ReportDifference is a count that is kept and not what the raw tables say.
type ReportDifference struct {
	LeadID dossier.LeadID // "" for the sum of an hour
	Hour   *time.Time
	Column string // of report_leads or report_hours
	Kept   int64  // of "facts", how many bytes they are
	Want   int64
}

// ReportCheck is what VerifyReports found, all of one moment.
type ReportCheck struct {
	Leads       int // counted leads, each counted afresh
	Hours       int
	Pending     int // leads that changed since they were folded; readers count them afresh, so they are not compared
	Differences []ReportDifference
}

// maxDifferences bounds what a check returns, not what it repairs.
const maxDifferences = 1000

// VerifyReports counts every lead of a workspace from the raw tables and compares that with what analytics add up.
// Memory is that of one batch.
func (db *DB) VerifyReports(ctx context.Context, ws dossier.WorkspaceID) (ReportCheck, error) {
	return snapshot(ctx, db, ws, "verify analytics", func(tx *tx) (ReportCheck, error) {
		v := verifier{tx: tx, pending: map[dossier.LeadID]bool{}}
		r, err := openReports(ctx, tx, dossier.ReportFilter{}, math.MaxInt32)
		if err != nil {
			return v.check, err
		}
		for _, id := range r.changed {
			v.pending[id] = true
		}
		v.check.Pending = len(r.changed)
		if err := v.leads(ctx, r.template); err != nil {
			return v.check, err
		}
		return v.check, v.hours(ctx)
	})
}

// RepairReports throws away what is kept of a workspace and marks all leads as changed: answers are right at once,
// and as fast as before when FoldWorkspaceReports has counted everything again.
func (db *DB) RepairReports(ctx context.Context, ws dossier.WorkspaceID) error {
	_, err := transactRepeatable(ctx, db, ws, "repair analytics", func(tx *tx) (none, error) {
		for _, sql := range []string{
			`DELETE FROM report_leads WHERE workspace_id = $1`, `DELETE FROM report_hours WHERE workspace_id = $1`,
			`INSERT INTO report_changes SELECT workspace_id, id FROM leads WHERE workspace_id = $1`,
		} {
			if _, err := tx.Exec(ctx, sql, tx.ws); err != nil {
				return none{}, err
			}
		}
		audit(ctx, tx, dossier.AuditReportsRepair, "workspace:"+string(ws), nil)
		return none{}, nil
	})
	return err
}

type verifier struct {
	tx      *tx
	pending map[dossier.LeadID]bool
	check   ReportCheck
}

func (v *verifier) compare(lead dossier.LeadID, hour *time.Time, kept, want counts) {
	keptFields, wantFields := reflect.ValueOf(kept), reflect.ValueOf(want)
	for i, name := range countColumns {
		if a, b := keptFields.Field(i).Int(), wantFields.Field(i).Int(); a != b {
			v.differ(ReportDifference{lead, hour, name, a, b})
		}
	}
}

func (v *verifier) differ(d ReportDifference) {
	if len(v.check.Differences) < maxDifferences {
		v.check.Differences = append(v.check.Differences, d)
	}
}

// leads compares each lead, in the order of ids so that what is kept of leads that do not count is seen too.
func (v *verifier) leads(ctx context.Context, template reportTemplate) error {
	after := dossier.LeadID(firstID)
	for {
		ids, err := collect(ctx, v.tx, pgx.RowTo[dossier.LeadID], `
			SELECT id FROM ((SELECT id FROM leads WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3)
				UNION (SELECT lead_id FROM report_leads WHERE workspace_id = $1 AND lead_id > $2
					ORDER BY lead_id LIMIT $3)) x
			ORDER BY id LIMIT $3`, v.tx.ws, after, reportBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := v.batch(ctx, template, ids); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

func (v *verifier) batch(ctx context.Context, template reportTemplate, ids []dossier.LeadID) error {
	rows, err := foldedLeads(ctx, v.tx, ids)
	if err != nil {
		return err
	}
	reports, err := template.read(ctx, v.tx, reportedLeads(v.tx.ws, dossier.ReportFilter{}).Where("l.id = ANY(?)", ids))
	if err != nil {
		return err
	}
	kept, want := map[dossier.LeadID]foldedLead{}, map[dossier.LeadID]foldedLead{}
	for _, row := range rows {
		kept[row.LeadID] = row
	}
	for _, r := range reports {
		if want[r.LeadID], err = foldedOf(r); err != nil {
			return err
		}
	}
	v.check.Leads += len(want)
	for _, id := range ids {
		if v.pending[id] {
			continue
		}
		v.compare(id, nil, kept[id].counts, want[id].counts)
		if err := v.compareFacts(id, kept[id].Facts, want[id].Facts); err != nil {
			return err
		}
	}
	return nil
}

// compareFacts compares as folded writes: the database keeps JSON in an order and with blanks of its own.
func (v *verifier) compareFacts(id dossier.LeadID, kept, want json.RawMessage) error {
	if kept != nil {
		var facts reportFacts
		if err := json.Unmarshal(kept, &facts); err != nil {
			return err
		}
		var err error
		if kept, err = json.Marshal(facts); err != nil {
			return err
		}
	}
	if !bytes.Equal(kept, want) {
		v.differ(ReportDifference{LeadID: id, Column: "facts", Kept: int64(len(kept)), Want: int64(len(want))})
	}
	return nil
}

// hours compares the sums with the rows they are sums of.
func (v *verifier) hours(ctx context.Context) error {
	kept, err := v.sums(ctx, `SELECT hour, `+countList+` FROM report_hours WHERE workspace_id = $1 ORDER BY hour`)
	if err != nil {
		return err
	}
	want, err := v.sums(ctx, `
		SELECT date_trunc('hour', created_at, 'UTC') AS hour, `+countSums+` FROM report_leads WHERE workspace_id = $1
		GROUP BY 1 ORDER BY 1`)
	if err != nil {
		return err
	}
	v.check.Hours = len(want)
	for hour, c := range want {
		v.compare("", &hour, kept[hour], c)
		delete(kept, hour)
	}
	for hour, c := range kept {
		v.compare("", &hour, c, counts{})
	}
	return nil
}

func (v *verifier) sums(ctx context.Context, sql string) (map[time.Time]counts, error) {
	rows, err := collect(ctx, v.tx, pgx.RowToStructByName[reportHour], sql, v.tx.ws)
	sums := map[time.Time]counts{}
	for _, row := range rows {
		sums[row.Hour.UTC()] = row.counts
	}
	return sums, err
}
