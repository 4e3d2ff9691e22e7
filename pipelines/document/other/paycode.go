package other

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// findPaymentCode takes what the payment code of an invoice or a bill says: the amount, proven by the code's correction
// words, and who is paid where no sender is printed. Codes of several payments say nothing: one is the whole, others
// are its parts.
func findPaymentCode(s text.Segment, _ *text.FieldFinder, values map[string]any, found *text.Findings) {
	said := map[string]text.Token{}
	for _, p := range s.Pages {
		for _, c := range p.Codes {
			if before, twice := said[c.Name]; twice && before.Text != c.Text {
				return
			}
			said[c.Name] = c.Token
		}
	}
	if amount, err := dossier.ParseAmount(said[text.CodedAmount].Text); err == nil && amount.IsPositive() {
		values["amountDue"] = amount.String()
		found.From("/amountDue", []text.Token{said[text.CodedAmount]}, "payment code")
	}
	if payee := said[text.CodedPayee]; payee.Text != "" && values["issuer"] == nil {
		values["issuer"] = payee.Text
		found.From("/issuer", []text.Token{payee}, "payment code")
	}
}
