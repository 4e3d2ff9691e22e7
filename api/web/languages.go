package web

import (
	"github.com/dossierhq/dossier"
)

// sentences are the languages in which reasons are said; the first stands for all others.
var (
	Languages = []dossier.Language{dossier.English, dossier.Spanish}
)
