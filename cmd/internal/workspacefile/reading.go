package workspacefile

import "github.com/dossierhq/dossier"

// reading is dossier.ReadingSettings; what is not there has its default.
type reading struct {
	Model             string `yaml:"model,omitempty"`
	Images            bool   `yaml:"images,omitempty"`
	TokensPerDocument *int   `yaml:"tokensPerDocument,omitempty"`
	TokensPerDay      *int   `yaml:"tokensPerDay,omitempty"`
}

// settings are those that are given.
func (r reading) settings() dossier.ReadingSettings {
	return dossier.ReadingSettings{Model: dossier.ReadingMode(r.Model), Images: r.Images,
		TokensPerDocument: given(r.TokensPerDocument), TokensPerDay: given(r.TokensPerDay)}
}

func readingOf(r dossier.ReadingSettings) *reading {
	if r == (dossier.ReadingSettings{}) {
		return nil
	}
	return &reading{Model: string(r.Model), Images: r.Images,
		TokensPerDocument: unlessZero(r.TokensPerDocument), TokensPerDay: unlessZero(r.TokensPerDay)}
}
