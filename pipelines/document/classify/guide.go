package classify

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// guideTitle matches the titles of papers that explain a statement, a stub or a bill to those who get one.
var guideTitle = lazyregexp.New(`\b(?:` +
	`(?:how to|tips for|learn(?:ing)? (?:how )?to|ways to|steps to) (?:read|understand|interpret|review|use)(?:ing)? (?:[a-z]+ ){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:understanding|reading|decoding|explaining|navigating|interpreting|introducing|discover|meet|get to know) (?:your|the|a|our) (?:[a-z]+ ){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:guide|key|introduction|companion) (?:to|for) (?:reading |understanding )?(?:your|the|a|our) (?:[a-z]+ ){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:anatomy|explanation|breakdown|tour|walkthrough) of (?:your|the|a|our) (?:[a-z]+ ){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:statements?|pay ?stubs?|bills?) (?:explained|at a glance|made easy|user guide|guide)|` +
	`(?:what s|what is) (?:new )?(?:on|in) your (?:[a-z]+ ){0,4}statements?|` +
	`(?:como leer|como entender|guia para (?:leer|entender)) (?:su|tu|el) (?:estado de cuenta|extracto)|` +
	`(?:comprendre|lire|bien lire) (?:votre|mon|son|le) releve|` +
	`(?:kontoauszug|abrechnung) (?:verstehen|erklart|richtig lesen)|so lesen sie ihren (?:kontoauszug|abrechnung)` +
	`)\b`)

// guideLine is how many words a title has at most: a sentence that speaks of reading a statement is none.
const guideLine = 9

// forgetPictured takes the statements that a guide pictures for what they are. It says what it is on its first page:
// a statement has its own explanations behind.
func forgetPictured(pages []text.Page, kinds []pageKind) {
	if len(pages) == 0 || pages[0].Layer == text.LayerNative || !titledGuide(pages[0]) {
		return
	}
	for i, k := range kinds {
		switch k.docType {
		case dossier.DocBankStatement, dossier.DocCreditCardStatement, dossier.DocPayStub, dossier.DocUtilityBill,
			dossier.DocBrokerageStatement, dossier.DocInvestmentStatement:
			kinds[i] = pageKind{docType: dossier.DocOther, number: k.number, of: k.of}
		}
	}
}

// titledGuide reports whether the head of a page is the title of a guide.
func titledGuide(p text.Page) bool {
	lines := text.Lines(p)
	for _, l := range lines[:headLines(lines, p)] {
		for _, cell := range append([]text.Line{l}, l.Cells()...) {
			if len(cell.Tokens) <= guideLine && guideTitle.MatchString(text.Fold(cell.Text())) {
				return true
			}
		}
	}
	return false
}
