package api

import (
	"github.com/gofiber/fiber/v2"
	"golang.org/x/text/language"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/record"
)

var (
	sentenceMatcher = language.NewMatcher([]language.Tag{language.English, language.Spanish})
)

// reader is the language in which the caller reads sentences: the best of Accept-Language that there is, else English.
func reader(c *fiber.Ctx) dossier.Language {
	c.Vary(fiber.HeaderAcceptLanguage)
	wanted, _, err := language.ParseAcceptLanguage(c.Get(fiber.HeaderAcceptLanguage))
	if err != nil || len(wanted) == 0 {
		return dossier.English
	}
	_, i, _ := sentenceMatcher.Match(wanted...)
	return web.Languages[i]
}

// translated returns a verdict with its sentences in a language.
func translated(language dossier.Language, result *dossier.ValidationResult) *dossier.ValidationResult {
	if result == nil {
		return nil
	}
	said := result.InLanguage(language)
	return &said
}

// documentIn shapes a document with its verdicts said in a language.
func documentIn(language dossier.Language, d dossier.Document) record.Document {
	shown := record.OfDocument(d)
	for i, a := range shown.Associations {
		shown.Associations[i].ValidationResult = translated(language, a.ValidationResult)
	}
	return shown
}
