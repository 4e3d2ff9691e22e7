// Package specimens hands the files whose verdict is known to the server that gives them out.
package specimens

import (
	"github.com/dossierhq/dossier/api"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// All are the kinds that GET /api/v1/test/specimens lists.
func All() []api.Specimen {
	var all []api.Specimen
	for _, k := range specimen.KnownKinds() {
		all = append(all, api.Specimen{Kind: k.Kind, Filename: k.Filename, MimeType: k.MimeType, Verdict: k.Verdict,
			Draw: k.Draw})
	}
	return all
}
