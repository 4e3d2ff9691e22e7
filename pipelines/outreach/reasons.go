package outreach

import "github.com/dossierhq/dossier"

// reason says in the message's language why an item was refused, or "" when there are no words for the reason in that
// language.
func (s situation) reason(entry *dossier.ChecklistEntry) string {
	switch {
	case len(entry.Reasons) == 0:
		return ""
	case entry.Reasons[0].Foreign(s.language()):
		return s.translate("not_accepted")
	}
	return entry.Reasons[0].Phrase(s.language())
}
