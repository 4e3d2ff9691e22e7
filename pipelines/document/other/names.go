package other

import (
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// captionWords are what headings and captions of papers are made of. A value of which every word is one is the next
// caption, not a name.
var captionWords = text.WordSet(`account accounts activity address adjustment adjustments amount amounts authorized
	balance basis beginning bill billing
 borrower category charge charges check checks city class code company contribution contributions cost credit credits
current customer date dates debit
 deduction deductions department deposit deposits description detail details direct due earned earnings employee
employees employer employers end ending
 exemptions federal fee fees file filing form from gross history holder holders hourly hours id identification income
info information insured invoice issue
 item items job landlord last line loan location marital mask method middle month name names net no note notes number
occupation of office order owner page
 paid pay payable payee payer payment payments payroll period phone plan policy position premium previous price prior
property provided qty quantity rate
 rates reference regular rent report requester room salary schedule sex shift signature social security ssn start
state statement status street sub
 subtotal summary tax taxable taxes telephone tenant term terms the this time title to total totals transaction type
unit units vendor wage wages
 week withheld withholding work year years ytd zip a an and or for in on per by first given initial surname first-name
primary secondary
 percepciones deducciones devengos conceptos concepto rubriques rubrique libelle designation montant bezuge abzuge
lohnart bezeichnung menge einzelpreis
 nomina nominas recibos paie bulletin salaire lohnabrechnung gehaltsabrechnung entgeltabrechnung de la du des le der
die das del el los las
 gesamt precio cantidad sueldo periodo periode recibo eur usd gbp cad mxn qte fecha referencia kundennummer
rechnungsdatum facture factura fattura factuur
 slip slips stub stubs payslip paystub personal trabajador trabajadores empleador empleado empleo busta paga loonstrook
holerite pagamento advice
 voucher confidential original non negotiable payroll concepto devengo deduccion deduccione liquido neto bruto netto
brutto descuentos haberes vencimentos descontos
 valor recebedor funcionario employeur employe salarie empresa gains courant cumulatif cumul net brut earning allowance
allowances hrs worked basis
 betrag datum name nummer rechnung seite summe kunde nom prenom adresse montant numero total fecha importe nombre
cliente empresa`)

// isCaption reports whether every word of a text is one of captions.
func isCaption(s string) bool {
	for w := range strings.FieldsSeq(text.Fold(s)) {
		if !captionWords[w] && len([]rune(w)) > 1 {
			return false
		}
	}
	return true
}

// isSentence reports whether a text is a piece of one: several words in small letters, or a bracket left open.
func isSentence(s string) bool {
	small := 0
	for w := range strings.FieldsSeq(s) {
		if r := []rune(w); unicode.IsLower(r[0]) && len(r) > 3 && !text.LegalForm.MatchString(w) {
			small++
		}
	}
	return small > 2 || strings.Count(s, "(") != strings.Count(s, ")") || strings.ContainsAny(s, "“”\"") || small > 0 &&
		strings.HasSuffix(s, ".")
}

// personWord is one word of a person's name as printed.
var personWord = lazyregexp.New(`^[\p{L}][\p{L}'’.,-]*$`)

// looksLikePerson reports whether text can name a person: two words or more, of letters, none a caption's.
func looksLikePerson(s string) bool {
	words := strings.Fields(s)
	if len(words) < 2 || len(words) > 5 || isSentence(s) || text.Company.MatchString(s) {
		return false
	}
	for _, w := range words {
		folded := text.Fold(w)
		if !personWord.MatchString(w) || captionWords[folded] && len(folded) > 1 || !unicode.IsUpper([]rune(w)[0]) &&
			len(w) > 3 {
			return false
		}
	}
	return true
}

// mostlyUpper reports whether a heading is set in capitals, but for a letter or two that OCR took for small ones.
func mostlyUpper(s string) bool {
	upper, lower := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	return upper > 0 && lower*8 <= upper
}

// mostlyFigures reports whether a text has more figures than letters: a number names nobody.
func mostlyFigures(s string) bool {
	letters, figures := 0, 0
	for _, c := range s {
		switch {
		case unicode.IsLetter(c):
			letters++
		case unicode.IsDigit(c):
			figures++
		}
	}
	return figures > letters
}
