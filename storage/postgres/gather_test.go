package postgres

import (
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"pgregory.net/rapid"
)

func newGathering() *tx {
	return &tx{session: &session{queued: &pgx.Batch{}}, ws: "ws"}
}

// Turns that write alike cost a statement a table for all of them.
func TestGather_turns_of_a_group(t *testing.T) {
	tx := newGathering()
	message, plan := rowStatement{many: "message"}, rowStatement{one: "plan of one", many: "plan"}
	for _, lead := range []string{"a", "b", "c"} {
		tx.gather(&message, lead, lead+"1", 1)
		tx.gather(&plan, lead, lead+"2")
	}
	tx.later("commit's")
	tx.gather(&plan, "a", "a3")
	tx.settle()
	var got []string
	for _, q := range tx.queued.QueuedQueries {
		got = append(got, fmt.Sprint(q.SQL, q.Arguments))
	}
	want := []string{"message[ws [a1 b1 c1] [1 1 1]]", "plan[ws [a2 b2 c2]]", "commit's[]", "plan of one[ws a3]"}
	if !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// A transaction of the system may write for several workspaces: each row stays its own's.
func TestGather_parts_workspaces(t *testing.T) {
	one, event := newGathering(), rowStatement{many: "event"}
	other := *one
	other.ws = "other"
	one.gather(&event, "", "e1")
	other.gather(&event, "", "e2")
	one.settle()
	var got []string
	for _, q := range one.queued.QueuedQueries {
		got = append(got, fmt.Sprint(q.Arguments))
	}
	if want := []string{"[ws [e1]]", "[other [e2]]"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// However turns are mixed, what concerns one lead is written in its order.
func TestGather_keeps_the_order_of_each_subject(t *testing.T) {
	statements := []rowStatement{{many: "a"}, {many: "b"}, {many: "c"}}
	rapid.Check(t, func(rt *rapid.T) {
		tx, written, sent := newGathering(), map[string][]string{}, map[string][]string{}
		for i := range rapid.IntRange(1, 40).Draw(rt, "rows") {
			subject := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "subject")
			statement := rapid.IntRange(0, 2).Draw(rt, "statement")
			row := fmt.Sprint(statements[statement].many, i)
			written[subject] = append(written[subject], row)
			tx.gather(&statements[statement], subject, row, subject)
			if rapid.IntRange(0, 9).Draw(rt, "other") == 0 {
				tx.later("another")
			}
		}
		tx.settle()
		for _, q := range tx.queued.QueuedQueries {
			if len(q.Arguments) == 0 {
				continue
			}
			rows, subjects := q.Arguments[1].(pgtype.FlatArray[any]), q.Arguments[2].(pgtype.FlatArray[any])
			for i := range rows {
				sent[subjects[i].(string)] = append(sent[subjects[i].(string)], rows[i].(string))
			}
		}
		for subject, rows := range written {
			if !slices.Equal(rows, sent[subject]) {
				rt.Fatalf("%s was written as %v, sent as %v", subject, rows, sent[subject])
			}
		}
	})
}
