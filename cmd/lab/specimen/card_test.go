package specimen

import (
	"bytes"
	"image"
	_ "image/jpeg"
	"math"
	"slices"
	"testing"
)

// Every jurisdiction has its design, each drawn the same for the same seed, and prints what its truth says.
func TestCard(t *testing.T) {
	states := map[string]bool{}
	for _, plan := range cardPlans {
		states[plan.state] = true
	}
	if len(states) != 51 {
		t.Errorf("%d jurisdictions, want 51", len(states))
	}
	for _, plan := range cardPlans {
		design := plan.design().name
		a := Printed(drawnCard(3, plan.design()))
		if !bytes.Equal(a.Data, Printed(drawnCard(3, plan.design())).Data) {
			t.Errorf("%s differs between two runs of one seed", design)
		}
		f := a.Truth.Facts.Identity
		if f.Number == nil || f.LastName == nil || f.FirstName == nil || f.DateOfBirth == nil || f.IssueDate == nil || f.ExpiryDate == nil || f.Address == nil {
			t.Errorf("%s does not print all of a licence: %+v", design, f)
		}
	}
}

// Documents of other countries carry a zone whose check digits agree; licences of the European Union carry none.
func TestWorldCard(t *testing.T) {
	for _, w := range worldPlans {
		f := drawnCard(5, w.design()).Truth.Facts.Identity
		if w.zone == "" {
			if f.MRZ != nil {
				t.Errorf("%s has a zone", w.name())
			}
			continue
		}
		if !validZone(f.MRZ) || !*f.MRZValid {
			t.Errorf("%s: zone %v", w.name(), f.MRZ)
		}
	}
}

// A photograph shows the whole card before a table, tilted by more the harder it is.
func TestPhotograph(t *testing.T) {
	s := Card(1, "oh_card")
	photo := Photograph(s, 2, 3)
	if photo.MimeType != mimeJPEG || photo.Truth.Severity != 3 || !slices.Equal(photo.Truth.Traps, s.Truth.Traps) {
		t.Errorf("%s %+v", photo.MimeType, photo.Truth)
	}
	img, _, err := image.Decode(bytes.NewReader(photo.Data))
	if err != nil {
		t.Fatal(err)
	}
	if r, _, b, _ := img.At(2, 2).RGBA(); r < b {
		t.Errorf("the corner shows %v, want the table", img.At(2, 2))
	}
	back := planeOf([4][2]float64{{10, 12}, {210, 8}, {205, 118}, {12, 111}}, 200, 100)
	for i, c := range [4][2]float64{{10, 12}, {210, 8}, {205, 118}, {12, 111}} {
		x, y := back(c[0], c[1])
		want := [4][2]float64{{0, 0}, {200, 0}, {200, 100}, {0, 100}}[i]
		if math.Hypot(x-want[0], y-want[1]) > 1e-6 {
			t.Errorf("corner %d shows %.3f, %.3f of the page, want %v", i, x, y, want)
		}
	}
}

// Both sides lie in one picture, the zone on the second.
func TestBothSides(t *testing.T) {
	s := BothSides(4, "ita_id")
	page := s.sheet.pages[0]
	if page.w != 2*486 || s.Truth.Facts.Identity.MRZ == nil {
		t.Fatalf("%v wide, %v", page.w, s.Truth.Facts.Identity.MRZ)
	}
	for _, m := range page.marks {
		if m.text == s.Truth.Facts.Identity.MRZ[0] && m.x < 486 {
			t.Errorf("the zone begins at %v, on the front", m.x)
		}
	}
}
