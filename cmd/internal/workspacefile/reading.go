package workspacefile

import "github.com/dossierhq/dossier"

// reading is dossier.ReadingSettings; what is not there has its default.
type reading struct {
	Model             string `yaml:"model,omitempty"`
	Images            bool   `yaml:"images,omitempty"`
	TokensPerDocument *int   `yaml:"tokensPerDocument,omitempty"`
	TokensPerDay      *int   `yaml:"tokensPerDay,omitempty"`
}

// settings are those that are named. A number that is written as 0 is wrong, not left out.
func (r reading) settings() dossier.ReadingSettings {
	named := func(n *int) int {
		switch {
		case n == nil:
			return 0
		case *n == 0:
			return -1
		}
		return *n
	}
	return dossier.ReadingSettings{Model: dossier.ReadingMode(r.Model), Images: r.Images,
		TokensPerDocument: named(r.TokensPerDocument), TokensPerDay: named(r.TokensPerDay)}
}

func readingOf(r dossier.ReadingSettings) *reading {
	if r == (dossier.ReadingSettings{}) {
		return nil
	}
	written := &reading{Model: string(r.Model), Images: r.Images}
	if r.TokensPerDocument != 0 {
		written.TokensPerDocument = &r.TokensPerDocument
	}
	if r.TokensPerDay != 0 {
		written.TokensPerDay = &r.TokensPerDay
	}
	return written
}
