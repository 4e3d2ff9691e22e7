package objects

import "github.com/dossierhq/dossier"

// DocumentKey is where a document's bytes are. The workspace leads, and no part of it is a sender's word.
func DocumentKey(ws dossier.WorkspaceID, id dossier.DocumentID) string {
	return string(ws) + "/documents/" + string(id)
}
