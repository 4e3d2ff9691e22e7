package worker

import (
	"context"
	"encoding/hex"
	"errors"
	"mime"
	"path"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// sendMessage hands a queued message to its provider, unless by now it must not go.
func (w *Worker) sendMessage(ctx context.Context, claim postgres.Claim, job jobs.SendMessage) error {
	return w.db.SendMessage(ctx, claim, job.Message, w.PublicURL, w.metrics.work.countSends(&w.Channels))
}

// fetchMedia stores the files that a lead sent by text. A file that its provider no longer has is passed over: the
// words of the message still get their answer.
func (w *Worker) fetchMedia(ctx context.Context, claim postgres.Claim, job jobs.FetchMedia) error {
	waiting, err := w.db.WaitingMedia(ctx, job.Workspace, job.Message)
	if err != nil {
		return err
	}
	var files []postgres.NewFile
	lost := 0
	for _, media := range waiting.Media {
		file, err := w.fetchFile(ctx, job.Workspace, waiting.Provider, media)
		switch {
		case errors.Is(err, channel.ErrGone):
			lost++
		case err != nil:
			return err // what was stored before is an orphan, and swept
		case !dossier.Decoration(file.Filename, file.MimeType, file.Size):
			files = append(files, file)
		}
	}
	return w.db.SaveMedia(ctx, claim, job.Message, files, lost)
}

func (w *Worker) fetchFile(ctx context.Context, ws dossier.WorkspaceID, provider dossier.ChannelConfig,
	media postgres.Media) (postgres.NewFile, error) {
	body, err := w.Channels.Fetch(ctx, provider, media.URL)
	if err != nil {
		return postgres.NewFile{}, err
	}
	defer func() { _ = body.Close() }()
	kind, _, err := mime.ParseMediaType(media.ContentType)
	if err != nil {
		kind = "application/octet-stream"
	}
	file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: mediaName(media.URL, kind),
		MimeType: kind}
	file.ObjectKey = objects.DocumentKey(ws, file.ID)
	stored, err := w.Objects.Put(ctx, file.ObjectKey, kind, body, 0)
	if err != nil {
		return file, err
	}
	file.Size = stored.Size
	file.SHA256, err = hex.DecodeString(stored.SHA256)
	return file, err
}

// mediaName is what a file without a name is called: providers keep none.
func mediaName(address, kind string) string {
	name := path.Base(strings.SplitN(address, "?", 2)[0])
	if len(name) > 12 {
		name = name[len(name)-12:]
	}
	_, subtype, _ := strings.Cut(kind, "/")
	return "attachment-" + name + "." + strings.NewReplacer("jpeg", "jpg", "plain", "txt").Replace(subtype)
}
