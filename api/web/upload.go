package web

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// ChangedNothing says that a call was answered and changed nothing. An answer that did not come may hide a commit.
func ChangedNothing(err error) bool {
	switch dossier.KindOf(err) {
	case dossier.NotFound, dossier.Invalid, dossier.Conflict:
		return true
	}
	return false
}

// FileForm collects the files of a form while they flow into object storage.
type FileForm struct {
	Workspace dossier.WorkspaceID
	Objects   *objects.Store
	Files     []postgres.NewFile
}

// Store takes one part as a file. Errors: Invalid (too many, or not a file), TooLarge.
func (f *FileForm) Store(ctx context.Context, part *FormPart) error {
	if len(f.Files) == dossier.MaxUploadFiles {
		return dossier.InvalidFaults([]dossier.Fault{{Pointer: "/files", Code: "too_long",
			Detail: fmt.Sprintf("files may have at most %d entries", dossier.MaxUploadFiles)}})
	}
	if part.FileName() == "" {
		return dossier.InvalidFaults([]dossier.Fault{{Pointer: "/files", Code: "invalid_type",
			Detail: "files must be files: each part needs a filename"}})
	}
	file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: FileName(part.FileName()),
		MimeType: MediaType(part.Header.Get("Content-Type"))}
	file.ObjectKey = objects.DocumentKey(f.Workspace, file.ID)
	stored, err := f.Objects.Put(ctx, file.ObjectKey, file.MimeType, part, dossier.MaxUploadBytes)
	if err != nil {
		return err
	}
	file.Size = stored.Size
	if file.SHA256, err = hex.DecodeString(stored.SHA256); err != nil {
		return err
	}
	f.Files = append(f.Files, file)
	return nil
}

// Discard removes what was stored for an upload that is refused.
func (f *FileForm) Discard() {
	for i := range f.Files {
		f.DiscardFile(i)
	}
}

// DiscardFile removes one object, whatever became of the request; the sweep finds it when that fails.
func (f *FileForm) DiscardFile(i int) {
	ctx, cancel := context.WithTimeout(context.Background(), Write.Deadline())
	defer cancel()
	_ = f.Objects.Delete(ctx, f.Files[i].ObjectKey)
}
