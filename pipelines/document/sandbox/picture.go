package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// pictureOrder asks for a picture of a page; the file follows it. Of a page that is drawn from its words these are
// its own.
type pictureOrder struct {
	Page  text.Page `json:"page"`
	Width int       `json:"width"`
}

// Picture draws one page as a PNG, exactly width pixels wide. page is what the reading kept of it; its words are
// drawn where the file has none to show. A nil picture with a Refusal: it cannot be drawn. Errors are those of
// Read.
func (r *Reader) Picture(
	ctx context.Context,
	file io.Reader,
	page text.Page,
	width int,
) ([]byte, *refusal.Refusal, error) {
	if err := r.ready(ctx); err != nil {
		return nil, nil, err
	}
	if page.Layer != text.LayerNative {
		page.Tokens = nil // a picture of the page shows them
	}
	order, err := json.Marshal(pictureOrder{page, width})
	if err != nil {
		return nil, nil, err
	}
	limited := &cappedReader{from: file, left: r.config.Limits.MaxBytes}
	out, refused, err := r.run(
		ctx,
		modeDraw,
		io.MultiReader(bytes.NewReader(append(order, '\n')), limited),
		r.config.Limits.TextTime+5e9,
	)
	switch {
	case limited.failed != nil:
		return nil, nil, fmt.Errorf("draw page: fetch file: %w", limited.failed)
	case limited.over:
		refused = refusal.New(refusal.TooLarge, "The file is larger than %d MiB.", r.config.Limits.MaxBytes>>20)
	case err != nil:
		return nil, nil, fmt.Errorf("draw page: %w", err)
	case refused == nil:
		refused = out.Refusal
	}
	if refused == nil && len(out.PageImages) != 1 {
		return nil, nil, errors.New("draw page: the parser answered no picture")
	}
	if refused != nil {
		return nil, refused, nil
	}
	return out.PageImages[0], nil, nil
}

// drawPage is the parser's side of Picture.
func drawPage(w *decode.Decoder, data []byte) report {
	head, file, _ := bytes.Cut(data, []byte{'\n'})
	var order pictureOrder
	if err := json.Unmarshal(head, &order); err != nil {
		failOurs(fmt.Errorf("order: %w", err))
	}
	picture, err := w.Picture(file, order.Page, order.Width)
	var fault *decode.EngineFault
	if errors.As(err, &fault) {
		failOurs(err)
	}
	if err != nil {
		return report{Refusal: refusal.Of(err)}
	}
	return report{PageImages: [][]byte{picture}}
}
