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
