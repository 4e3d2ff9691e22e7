package specimen

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

// TestCheckDigit uses the examples of ICAO 9303.
func TestCheckDigit(t *testing.T) {
	for field, want := range map[string]string{"520727": "3", "AB2134<<<": "5", "L898902C3": "6", "740812": "2", "120415": "9"} {
		if got := checkDigit(field); got != want {
			t.Errorf("check digit of %s is %s, want %s", field, got, want)
		}
	}
}

// validZone checks the digits of a zone by position, apart from the code that wrote them.
func validZone(lines []string) bool {
	at := func(line, from, to int) string { return lines[line][from:to] }
	switch {
	case len(lines) == 3:
		return checkDigit(at(0, 5, 14)) == at(0, 14, 15) && checkDigit(at(1, 0, 6)) == at(1, 6, 7) && checkDigit(at(1, 8, 14)) == at(1, 14, 15) &&
			checkDigit(at(0, 5, 30)+at(1, 0, 7)+at(1, 8, 15)+at(1, 18, 29)) == at(1, 29, 30)
	case len(lines[0]) == 44:
		return checkDigit(at(1, 0, 9)) == at(1, 9, 10) && checkDigit(at(1, 13, 19)) == at(1, 19, 20) && checkDigit(at(1, 21, 27)) == at(1, 27, 28) &&
			checkDigit(at(1, 0, 10)+at(1, 13, 20)+at(1, 21, 43)) == at(1, 43, 44)
	}
	return checkDigit(at(1, 0, 9)) == at(1, 9, 10) && checkDigit(at(1, 13, 19)) == at(1, 19, 20) && checkDigit(at(1, 21, 27)) == at(1, 27, 28) &&
		checkDigit(at(1, 0, 10)+at(1, 13, 20)+at(1, 21, 35)) == at(1, 35, 36)
}

func TestIdentity_zone(t *testing.T) {
	for seed := range uint64(4) {
		for _, design := range IDDesigns() {
			for _, bad := range []bool{false, true} {
				f := Identity(IDOptions{Seed: seed, Design: design, BadMRZ: bad}).Truth.Facts.Identity
				if f.MRZ == nil {
					continue
				}
				for _, l := range f.MRZ {
					if len(l) != len(f.MRZ[0]) {
						t.Errorf("%s %d: lines of %d and %d characters", design, seed, len(f.MRZ[0]), len(l))
					}
				}
				if got := validZone(f.MRZ); got == bad || got != *f.MRZValid {
					t.Errorf("%s %d: zone valid=%v, truth %v, spoiled %v\n%s", design, seed, got, *f.MRZValid, bad, strings.Join(f.MRZ, "\n"))
				}
			}
		}
		if testing.Short() && seed > 0 {
			return
		}
	}
}

func TestIdentity_picture(t *testing.T) {
	for _, design := range IDDesigns() {
		s := Identity(IDOptions{Seed: 5, Design: design})
		if !bytes.Equal(s.Data, Identity(IDOptions{Seed: 5, Design: design}).Data) {
			t.Errorf("%s differs between two runs of one seed", design)
		}
		img, err := png.Decode(bytes.NewReader(s.Data))
		if err != nil || img.Bounds().Dx() < 900 {
			t.Errorf("%s: %v, picture %v", design, err, img.Bounds())
		}
	}
}

// TestIdentity_expired: an expired document ends before the day it is asked for, others after it.
func TestIdentity_expired(t *testing.T) {
	asOf := date(2025, 3, 1)
	for _, expired := range []bool{false, true} {
		f := Identity(IDOptions{Seed: 7, Design: "ohio_licence", AsOf: asOf, Expired: expired, First: "Ada", Last: "Example"}).Truth.Facts.Identity
		if got := *f.ExpiryDate < iso(asOf); got != expired {
			t.Errorf("expired=%v ends %s", expired, *f.ExpiryDate)
		}
		if *f.FirstName != "ADA" || *f.LastName != "EXAMPLE" {
			t.Errorf("name %s %s", *f.FirstName, *f.LastName)
		}
	}
}
