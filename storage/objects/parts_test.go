package objects_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
)

// A client sends parts in any order and again; the object holds them once, in order.
func TestParts(t *testing.T) {
	t.Parallel()
	s := objectstest.New(t)
	body, key := noise(2*objects.PartSize+777), "ws/parts"
	id, err := s.BeginParts(t.Context(), key, "application/pdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []int{3, 1, 1, 2} {
		part := body[(number-1)*objects.PartSize : min(number*objects.PartSize, len(body))]
		to, err := s.PresignPart(t.Context(), key, id, number, int64(len(part)))
		if err != nil {
			t.Fatal(err)
		}
		if status := objectstest.Send(t, to, part); status != http.StatusOK {
			t.Fatalf("part %d: %d", number, status)
		}
	}
	if status := objectstest.Send(t, must(s.PresignPart(t.Context(), key, id, 4, 10)), noise(11)); status == http.StatusOK {
		t.Error("a part larger than signed for was taken")
	}
	have, err := s.Parts(t.Context(), key, id)
	if diff := cmp.Diff([]int{1, 2, 3}, have); err != nil || diff != "" {
		t.Errorf("parts: %v (-want +got)\n%s", err, diff)
	}
	if err := s.FinishParts(t.Context(), key, id); err != nil {
		t.Fatal(err)
	}
	object, err := s.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = object.Close() }()
	hash := sha256.New()
	_, _ = io.Copy(hash, object)
	if want := sha256.Sum256(body); hex.EncodeToString(hash.Sum(nil)) != hex.EncodeToString(want[:]) {
		t.Error("the object holds other bytes")
	}
	if err := s.FinishParts(t.Context(), key, id); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("finishing twice: %v", err)
	}
}

func TestParts_abort(t *testing.T) {
	t.Parallel()
	s := objectstest.New(t)
	id, err := s.BeginParts(t.Context(), "ws/gone", "application/pdf")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.AbortParts(t.Context(), "ws/gone", id); err != nil {
			t.Errorf("abort: %v", err)
		}
	}
	if _, err := s.Parts(t.Context(), "ws/gone", id); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("parts of an aborted upload: %v", err)
	}
}

// A page of another origin may PUT to a presigned URL, and may do nothing else.
func TestParts_from_a_page(t *testing.T) {
	t.Parallel()
	s := objectstest.New(t)
	to := must(s.PresignPut(t.Context(), "ws/page", "application/pdf", 3))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, to.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Origin": "https://portal.example", "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type"} {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if got := fmt.Sprintf("%dxx %s", answer.StatusCode/100, answer.Header.Get("Access-Control-Allow-Origin")); got != "2xx *" && got != "2xx https://portal.example" {
		t.Errorf("preflight: %s", got)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
