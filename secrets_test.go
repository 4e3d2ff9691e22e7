package dossier_test

import (
	"testing"

	"github.com/dossierhq/dossier"
)

func TestMaskSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"my SSN is 123-45-6789, thanks":      "my SSN is ***-**-6789, thanks",
		"123 45 6789":                        "***-**-6789",
		"123.45.6789.":                       "***-**-6789.",
		"123–45–6789":                        "***-**-6789",
		"900-70-1234":                        "***-**-1234",
		"account XXXXXX4417, ********4417":   "account XXXXXX4417, ********4417",
		"SSN XXX-XX-4417 or XXXXX4417":       "SSN ***-**-4417 or ***-**-4417",
		"955-70-5656 912-31-6585":            "***-**-5656 ***-**-6585",
		"1 123-45-6789 2":                    "1 ***-**-6789 2",
		"100 20 3000 400 50 6000":            "100 20 3000 400 50 6000",
		"social security number: 123456789":  "social security number: ***-**-6789",
		"123456789 is my social security":    "***-**-6789 is my social security",
		"taxpayer id 912701234":              "taxpayer id ***-**-1234",
		"w2_123-45-6789.pdf":                 "w2_123-45-6789.pdf"[:3] + "***-**-6789.pdf",
		"ssn_123456789.pdf":                  "ssn_***-**-6789.pdf",
		"XXX-XX-1234 and ***-**-1234":        "***-**-1234 and ***-**-1234",
		"xxx-xx-1234":                        "***-**-1234",
		"EIN 12-3456789":                     "EIN 12-3456789",
		"routing 021000021, account 1234567": "routing 021000021, account 1234567",
		"000-12-3456, 666-12-3456":           "000-12-3456, 666-12-3456",
		"call (212) 555-0147":                "call (212) 555-0147",
		"invoice 7-123-45-6789":              "invoice 7-123-45-6789",
		"2123-45-67890":                      "2123-45-67890",
		"$1,123.45 6789":                     "$1,123.45 6789",
	} {
		if got := dossier.MaskSecrets(text); got != want {
			t.Errorf("%q is masked as %q, want %q", text, got, want)
		}
	}
}

func TestMaskSecretsJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"ssn": 123456789, "n": 123456789}`:                      `{"n":123456789,"ssn":"***-**-6789"}`,
		`{"a": ["123-45-6789", {"socialSecurity": "123456789"}]}`: `{"a":["***-**-6789",{"socialSecurity":"***-**-6789"}]}`,
		`{"b": 1, "a": 1.50}`:                                     `{"b": 1, "a": 1.50}`,
		`"x 123-45-6789"`:                                         `"x ***-**-6789"`,
	} {
		if got := string(dossier.MaskSecretsJSON([]byte(text))); got != want {
			t.Errorf("%s is masked as %s, want %s", text, got, want)
		}
	}
}
