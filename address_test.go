package dossier

import "testing"

func TestSplitPhone(t *testing.T) {
	for _, test := range []struct {
		phone, region, national string
		ok                      bool
	}{
		{"+12125550123", "US", "(212) 555-0123", true},
		{"+525512345678", "MX", "55 1234 5678", true},
		{"+442079460018", "GB", "020 7946 0018", true},
		{"call me", "", "", false},
		{"", "", "", false},
	} {
		region, national, ok := SplitPhone(test.phone)
		if region != test.region || national != test.national || ok != test.ok {
			t.Errorf("%q: %s %q %v, want %s %q %v", test.phone, region, national, ok, test.region, test.national, test.ok)
		}
		if back, valid := NormalizePhone(national, region); ok && (!valid || back != test.phone) {
			t.Errorf("%q in %s is %s again, want %s", national, region, back, test.phone)
		}
	}
	if code := PhoneRegions()["MX"]; code != 52 {
		t.Errorf("calling code of Mexico: %d", code)
	}
}

// An address that people are known by may be of any domain; a lead is written to at one with a dot.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]bool{ // of a person, of a lead
		"ada@example.com":         {true, true},
		"ada@localhost":           {true, false},
		"Ada <ada@example.com>":   {false, false},
		"ada@example..com":        {false, false},
		".ada@example.com":        {false, false},
		"ada":                     {false, false},
		"":                        {false, false},
		"ada@exämple.com":         {true, true},
		"ada@example.com, b@c.de": {false, false},
	} {
		if got := [2]bool{IsAddress(address), ValidEmail(address)}; got != want {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
	if folded, ok := FoldEmail("  Ada@Example.COM "); !ok || folded != "ada@example.com" {
		t.Errorf("folded %q, %v", folded, ok)
	}
	for url, want := range map[string]bool{"https://example.com": true, "http://example.com/a?b=c": true,
		"ftp://example.com": false, "https://": false, "https://ada:secret@example.com": false,
		"https://example.com/a b": false, "example.com": false} {
		if ValidURL(url) != want {
			t.Errorf("%q: %v", url, !want)
		}
	}
}

// A text that may be missing is empty, and an empty one is missing.
func TestText(t *testing.T) {
	t.Parallel()
	id := LeadID("x")
	if Text(&id) != "x" || Text[LeadID](nil) != "" || OrNil("") != nil || *OrNil(id) != id {
		t.Error("texts that may be missing")
	}
}
