package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
)

// EraseAgain orders an erasure anew that was complete before an older state of the database was put back; found is
// false when its subject is not there. It asks no second person: one agreed the first time. Errors: Conflict, when what
// was put back keeps it by a floor, or a workspace by a hold; a held lead waits for the end of its hold.
func (db *DB) EraseAgain(ctx context.Context, e Erased) (found bool, err error) {
	reason := "erased before a restoration: " + string(e.ID)
	switch e.Subject {
	case dossier.EraseLead:
		_, err = transact(ctx, db, e.Workspace, "erase lead again", func(tx *tx) (dossier.Erasure, error) {
			return eraseLead(ctx, tx, dossier.LeadID(e.SubjectID), reason, Caller{})
		})
	case dossier.EraseDocument:
		_, err = transact(ctx, db, e.Workspace, "erase document again", func(tx *tx) (dossier.Erasure, error) {
			return eraseDocument(ctx, tx, dossier.DocumentID(e.SubjectID), reason)
		})
	case dossier.EraseWorkspace:
		err = db.DeleteWorkspace(ctx, e.SubjectID, reason)
	}
	if dossier.KindOf(err) == dossier.NotFound {
		return false, nil
	}
	return err == nil, err
}
