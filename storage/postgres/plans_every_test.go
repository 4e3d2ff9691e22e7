package postgres_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// last are prefixes of methods that take away what others are asked about.
var last = []string{"Delete", "Revoke", "Cancel", "Fail", "Finish", "Complete", "Reject", "Remove", "Erase"}

// Every exported method that works for a workspace is asked about that workspace's things, and no statement it sends
// must read what other workspaces have. Tables that are small here are cheaper to read whole, so sequential scans are
// made dear: those that are left have no index to go by. TestPlans_leads asks the planner for its own choice.
func TestPlans_every_method(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	seedTenants(t, s, 20)
	ws, ids := owner(t, s)
	s.Exec(t, `ANALYZE`)
	db := reflect.ValueOf(s.DB)
	var calls []storeCall
	for i := range db.NumMethod() {
		name, signature := db.Type().Method(i).Name, db.Method(i).Type()
		if signature.NumIn() < 2 || signature.In(1) != reflect.TypeFor[dossier.WorkspaceID]() || signature.IsVariadic() {
			continue
		}
		filler := &filler{ids: ids}
		calls = append(calls, storeCall{name: name, call: func(ctx context.Context) error {
			args := []reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(ws)}
			for p := 2; p < signature.NumIn(); p++ {
				args = append(args, filler.value(signature.In(p)))
			}
			db.Method(i).Call(args)
			return nil // a refusal is an answer too; what was sent before it counts
		}})
	}
	slices.SortStableFunc(calls, func(a, b storeCall) int { return late(a.name) - late(b.name) })
	if len(calls) < 50 {
		t.Errorf("only %d methods are asked", len(calls))
	}
	holdPlansWith(t, s, ws, "SET enable_seqscan = off", calls)
}

func late(method string) int {
	if slices.ContainsFunc(last, func(prefix string) bool { return strings.HasPrefix(method, prefix) }) {
		return 1
	}
	return 0
}
