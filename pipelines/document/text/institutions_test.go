package text

import "testing"

// Names are found as their folding leaves them: dots, cedillas and the marks of kana go.
func TestKnownInstitution(t *testing.T) {
	for printed, want := range map[string]string{
		"AKBANK T.A.Ş.":                           "Akbank",
		"Türkiye İş Bankası A.Ş.":                 "İş Bankası",
		"Malayan Banking Berhad (3813-K)":         "Maybank",
		"みずほ銀行 普通預金":                              "Mizuho Bank",
		"KCB BANK KENYA LIMITED":                  "KCB Bank",
		"Banque et Caisse d'Epargne de l'Etat":    "Spuerkeess",
		"A privately held bank of nowhere at all": "",
	} {
		if got, _ := KnownInstitution(printed); got != want {
			t.Errorf("%s: %q, want %q", printed, got, want)
		}
	}
}
