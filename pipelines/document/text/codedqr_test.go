package text

import (
	"bytes"
	"compress/gzip"
	"math/big"
	"strings"
	"testing"
)

// secured is a secure code of fields as cards carry it, with a photograph of so many bytes behind them.
func secured(t testing.TB, photograph int, fields ...string) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for _, f := range fields {
		for _, r := range f {
			if _, err := w.Write([]byte{byte(r)}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Write([]byte{0xff}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range photograph {
		if _, err := w.Write([]byte{byte(i * i >> 3)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return new(big.Int).SetBytes(packed.Bytes()).String()
}

var securedFields = []string{"2", "123420190305150137123", "Asha Devi Kulkarni", "07-05-1987", "F", "C/O: Ram", "Pune", "", "4-83", "Sector 2",
	"411001", "Camp", "Maharashtra", "Main Road", "Haveli", "Camp"}

// What a code says is kept by the standard that it follows; of one that follows none, nothing.
func TestCodeElements(t *testing.T) {
	for name, c := range map[string]struct{ code, want string }{
		"card until 2018": {
			`<?xml version="1.0" encoding="UTF-8"?> <PrintLetterBarcodeData uid="234123412346" name="Asha Devi Kulkarni" gender="FEMALE" yob="1987" house="4-83" loc="Sector 2" vtc="Camp" po="Camp" dist="Pune" state="Maharashtra" pc="411001" dob="07/05/1987"/>`,
			"kind=AADHAAR number=234123412346 name=Asha Devi Kulkarni sex=FEMALE birth=07/05/1987 address=4-83, Sector 2, Camp, Pune, Maharashtra, 411001",
		},
		"card since": {
			secured(t, 900, securedFields...),
			"kind=AADHAAR name=Asha Devi Kulkarni birth=07-05-1987 sex=F address=4-83, Main Road, Sector 2, Camp, Haveli, Pune, Maharashtra, 411001",
		},
		"its later version": {
			secured(t, 900, append([]string{"V2"}, securedFields...)...),
			"kind=AADHAAR name=Asha Devi Kulkarni birth=07-05-1987 sex=F address=4-83, Main Road, Sector 2, Camp, Haveli, Pune, Maharashtra, 411001",
		},
		"other fields":    {secured(t, 900, strings.Split(strings.Repeat("x", 30), "")...), ""},
		"another number":  {strings.Repeat("31415926", 100), ""},
		"an address":      {"https://example.com/pay?amount=12", ""},
		"cut payment":     {"SPC\n0200\n1\nCH4431999123000889012", ""},
		"no transfer":     {"BCD\n002\n1\nINST\n\nA\nB\nEUR1\n", ""},
		"damaged element": {`<PrintLetterBarcodeData uid="2341`, ""},
	} {
		var got []string
		for _, e := range CodeElements(c.code) {
			got = append(got, e.Name+"="+e.Text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s:\n%s, want\n%s", name, s, c.want)
		}
	}
}

func FuzzCodeElements(f *testing.F) {
	f.Add(secured(f, 300, securedFields...))
	f.Add(`<PrintLetterBarcodeData uid="1" name="A" dob="01/01/2000"/>`)
	f.Add("SPC\n0200\n1\n\nS\nA\n")
	f.Fuzz(func(t *testing.T, code string) {
		for _, e := range CodeElements(code) {
			if e.Text == "" || len(e.Text) > 3*mostOfValue {
				t.Errorf("%q", e.Text)
			}
		}
	})
}
