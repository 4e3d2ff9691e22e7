package worker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/storage/postgres"
)

// drawPage draws one page of a document for people who look at it. A page that cannot be drawn is kept as such, so that
// nobody waits for it again.
func (w *Worker) drawPage(ctx context.Context, claim postgres.Claim, job jobs.DrawPage) error {
	d, err := w.db.ReadDocument(ctx, job.Workspace, job.Document)
	if err != nil {
		return err
	}
	picture := postgres.PagePicture{Document: d.ID, Page: job.Page, Width: job.Width}
	data, err := w.drawn(ctx, d, job)
	if err != nil {
		return err
	}
	if data != nil {
		hash := sha256.Sum256(data)
		picture.SHA256 = hash[:]
		picture.ObjectKey, err = w.storeDerived(
			ctx,
			d,
			fmt.Sprintf(".page-%d-%d-%x.png", job.Page, job.Width, hash[:6]),
			"image/png",
			data,
		)
		if err != nil {
			return err
		}
	}
	return w.db.SavePagePicture(ctx, claim, picture)
}

// drawn is the picture of a page; nil when the page cannot be drawn.
func (w *Worker) drawn(ctx context.Context, d dossier.Document, job jobs.DrawPage) ([]byte, error) {
	page, err := w.keptPage(ctx, d, job.Page)
	if err != nil || page == nil {
		return nil, err
	}
	file, err := w.Objects.Get(ctx, d.ObjectKey)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	picture, refusal, err := w.Reader.Picture(ctx, file, *page, job.Width)
	if refusal != nil && isTransient(refusal.Code) {
		return nil, dossier.Coded(dossier.Internal, refusal.Code, "%s", refusal.Detail)
	}
	return picture, err
}

// keptPage is what the reading kept of a page, numbers of people masked; nil when it kept none.
func (w *Worker) keptPage(ctx context.Context, d dossier.Document, number int) (*text.Page, error) {
	kept, err := w.tokens(ctx, d.ObjectKey)
	if err != nil || kept == nil {
		return nil, err
	}
	page, found, err := text.DecodePage(bytes.NewReader(kept), number)
	if err != nil || !found {
		return nil, err
	}
	pages := []text.Page{page}
	text.HideSecrets(&text.Decoded{Pages: pages}, &dossier.Extraction{})
	return &pages[0], nil
}
