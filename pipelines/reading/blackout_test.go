package reading

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

var (
	canary = color.RGBA{18, 52, 86, 255} // what stands where nobody may look
	plain  = color.RGBA{90, 90, 90, 255}
)

// pictureOf is a page whose words are bars: those of the boxes given are of the canary's colour.
func pictureOf(t *testing.T, page text.Page, width int, secret []text.Box) []byte {
	t.Helper()
	scale := float64(width) / page.Width
	canvas := image.NewRGBA(image.Rect(0, 0, width, int(page.Height*scale+0.5)))
	draw.Draw(canvas, canvas.Bounds(), image.White, image.Point{}, draw.Src)
	bar := func(b text.Box, c color.Color) {
		draw.Draw(canvas, image.Rect(int(b.X0*scale), int(b.Y0*scale), int(b.X1*scale), int(b.Y1*scale)), image.NewUniform(c), image.Point{}, draw.Src)
	}
	for _, token := range page.Tokens {
		bar(text.BoxOf([]text.Token{token}), plain)
	}
	for _, b := range secret {
		bar(b, canary)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// sentPictures are the pictures of the requests.
func sentPictures(t *testing.T, asked []string) []image.Image {
	t.Helper()
	var all []image.Image
	for _, body := range asked {
		var request struct {
			Messages []struct{ Content json.RawMessage }
		}
		if err := json.Unmarshal([]byte(body), &request); err != nil {
			t.Fatal(err)
		}
		var parts []struct {
			URL struct{ URL string } `json:"image_url"`
		}
		if json.Unmarshal(request.Messages[len(request.Messages)-1].Content, &parts) != nil {
			continue // words alone
		}
		for _, p := range parts {
			data, ok := strings.CutPrefix(p.URL.URL, "data:image/png;base64,")
			if !ok {
				continue
			}
			raw, err := base64.StdEncoding.DecodeString(data)
			if err != nil {
				t.Fatal(err)
			}
			picture, err := png.Decode(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, picture)
		}
	}
	return all
}

func pixelsOf(picture image.Image, c color.RGBA) int {
	canvas := image.NewRGBA(picture.Bounds())
	draw.Draw(canvas, canvas.Bounds(), picture, picture.Bounds().Min, draw.Src)
	n := 0
	for i := 0; i < len(canvas.Pix); i += 4 {
		if canvas.Pix[i] == c.R && canvas.Pix[i+1] == c.G && canvas.Pix[i+2] == c.B {
			n++
		}
	}
	return n
}

// A social security number on a page, in words and in the picture, is in no byte that a model server gets: well read, split
// up, misread, masked before, or not read at all beside a caption. Everything else of the picture is.
func TestFill_pictures_hide(t *testing.T) {
	for name, number := range map[string][]string{
		"well read":       {"SSN|212-09-9999"},
		"in parts":        {"Social security number|212|09|9999"},
		"bare":            {"Social security number|212099999"},
		"without caption": {"Somebody|212-09-9999"},
		"misread":         {"Somebody|2l2-O9-9999"},
		"misread caption": {"S0cial 5ecurity number|21Z_09 9g99"},
		"masked before":   {"SSN|***-**-9999"},
		"in boxes":        {"Social security number|2 1 2 0 9 9 9 9 9"},
		"over two lines":  {"Somebody|212-09-", "|9999"},
		"misread parts":   {"Somebody|2I2 - O9 - 9999"},
		"not read, right": {"Your social security number|~"},
		"not read, below": {"Your social security number", "~"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := scanned(append(slices.Clone(strange), number...)...)
			var secret []text.Box
			page.Width, page.Height = 612, 792
			for i, token := range page.Tokens {
				if strings.ContainsAny(token.Text, "29~*") && !strings.ContainsAny(token.Text, ".)") {
					secret = append(secret, text.BoxOf(page.Tokens[i:i+1]))
				}
			}
			if len(secret) == 0 {
				t.Fatal("nothing is planted")
			}
			page.Tokens = slices.DeleteFunc(page.Tokens, func(token text.Token) bool { return token.Text == "~" })
			s := scripted.New(scripted.Right, known)
			r := readerOf(t, s)
			r.Settings.Images = true
			r.Draw = func(_ context.Context, page text.Page, width int) ([]byte, error) {
				return pictureOf(t, page, width, secret), nil
			}
			for range 2 {
				if o := r.Fill(t.Context(), unread(), []text.Page{page}); o.Use.Taken != 5 {
					t.Fatalf("%+v", o.Use)
				}
			}
			sent := sentPictures(t, s.Asked())
			if len(s.Asked()) != 1 || len(sent) != 1 || sent[0].Bounds().Dy() > pictureSide || sent[0].Bounds().Dy() < pictureSide-2 {
				t.Fatalf("asked %d times with %d pictures", len(s.Asked()), len(sent))
			}
			if n := pixelsOf(sent[0], canary); n > 0 {
				t.Errorf("%d pixels of the number were sent", n)
			}
			if pixelsOf(sent[0], plain) < 2000 {
				t.Error("the rest of the page was hidden too")
			}
			for _, whole := range []string{"212-09-9999", "212099999", "2l2-O9"} {
				if strings.Contains(s.Asked()[0], whole) {
					t.Errorf("%s was sent in words", whole)
				}
			}
		})
	}
}

// Pictures are sent where the workspace wants them, of pages without a text layer; one that cannot be had leaves the words.
func TestFill_pictures_of(t *testing.T) {
	drawn := func(t *testing.T) func(context.Context, text.Page, int) ([]byte, error) {
		return func(_ context.Context, page text.Page, width int) ([]byte, error) {
			return pictureOf(t, page, width, nil), nil
		}
	}
	sized := func(page text.Page) text.Page { page.Width, page.Height = 612, 792; return page }
	layered := sized(scanned(strange...))
	layered.Layer = text.LayerText
	for _, tt := range []struct {
		name   string
		images bool
		page   text.Page
		draw   func(context.Context, text.Page, int) ([]byte, error)
		want   int
	}{
		{"wanted", true, sized(scanned(strange...)), drawn(t), 1},
		{"not wanted", false, sized(scanned(strange...)), drawn(t), 0},
		{"a text layer", true, layered, drawn(t), 0},
		{"not drawn", true, sized(scanned(strange...)), func(context.Context, text.Page, int) ([]byte, error) { return nil, errors.New("away") }, 0},
		{"no picture", true, sized(scanned(strange...)), func(context.Context, text.Page, int) ([]byte, error) { return []byte("x"), nil }, 0},
	} {
		s := scripted.New(scripted.Right, known)
		r := readerOf(t, s)
		r.Settings.Images, r.Draw = tt.images, tt.draw
		o := r.Fill(t.Context(), unread(), []text.Page{tt.page})
		if n := len(sentPictures(t, s.Asked())); n != tt.want || o.Use.Taken != 5 {
			t.Errorf("%s: %d pictures, took %d", tt.name, n, o.Use.Taken)
		}
	}
}
