package dossier

import "testing"

// A workspace's file names variables of its own only: not the service's, not another workspace's.
func TestSecretName(t *testing.T) {
	for _, test := range []struct {
		name, key string
		may       bool
	}{
		{"ACME_LENDING_TWILIO", "acme-lending", true}, {"ACME_2_TOKEN", "acme 2", true},
		{"TWILIO_TOKEN", "acme-lending", false}, {"OTHER_BANK_TWILIO", "acme-lending", false}, {"ACME_LENDING", "acme-lending", false},
		{"DATABASE_URL", "database", false}, {"DOSSIER_SECRET_KEY", "dossier", false}, {"S3_SECRET_KEY", "s3", false}, {"ACME_LENDING_A B", "acme-lending", false},
	} {
		if got := secretName(test.name, secretPrefix(test.key)); got != test.may {
			t.Errorf("%s for %s: %v", test.name, test.key, got)
		}
	}
}
