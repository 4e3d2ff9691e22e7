package postgres

import (
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dossierhq/dossier"
)

// rowStatement writes rows of one workspace, which is $1. In many, each further parameter is an array with an element a
// row; one, where there is one, has the same parameters for a single row and is cheaper then.
type rowStatement struct{ one, many string }

// gathered are rows of one statement that wait to be sent.
type gathered struct {
	statement *rowStatement
	workspace dossier.WorkspaceID
	rows      [][]any
}

// gather stages a row as later stages a statement. Rows of the same statement travel in one: what a group of turns
// writes costs a statement a table, not one a turn. Statements about one subject keep their order, those of different
// subjects need none.
func (t *tx) gather(statement *rowStatement, subject string, row ...any) {
	at := t.lastOf[subject]
	for at < len(t.waiting) && (t.waiting[at].statement != statement || t.waiting[at].workspace != t.ws) {
		at++
	}
	if at == len(t.waiting) {
		t.waiting = append(t.waiting, &gathered{statement: statement, workspace: t.ws})
	}
	if t.lastOf == nil {
		t.lastOf = map[string]int{}
	}
	t.lastOf[subject] = at
	t.waiting[at].rows = append(t.waiting[at].rows, row)
}

// settle puts what was gathered in line with the staged statements.
func (s *session) settle() {
	for _, g := range s.waiting {
		g.queue(s)
	}
	s.waiting, s.lastOf = nil, nil
}

func (g *gathered) queue(s *session) {
	args := []any{g.workspace}
	if len(g.rows) == 1 && g.statement.one != "" {
		s.queued.Queue(g.statement.one, append(args, g.rows[0]...)...)
		return
	}
	for column := range g.rows[0] {
		values := make(pgtype.FlatArray[any], len(g.rows))
		for i, row := range g.rows {
			values[i] = row[column]
		}
		args = append(args, values)
	}
	s.queued.Queue(g.statement.many, args...)
}
