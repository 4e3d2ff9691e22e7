package outreach

import "github.com/dossierhq/dossier"

// reason says in the message's language why an item is not right, or "". What there are no words for in that language
// is not quoted.
func (s situation) reason(entry *dossier.ChecklistEntry) string {
	switch {
	case len(entry.Reasons) == 0:
		return ""
	case entry.Reasons[0].Foreign(s.language()):
		return s.translate("not_accepted")
	}
	return entry.Reasons[0].Phrase(s.language())
}
