package judge

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// minTypeConfidence is the confidence of a classification below which a person confirms the type first.
const minTypeConfidence = 0.5

// describe says what a document is: "Form 1120-S for 2023", "a driver's license".
func describe(d dossier.ReadDocument) string {
	if t := d.Facts.Tax; t != nil && t.Form != nil {
		if t.TaxYear != nil {
			return fmt.Sprintf("Form %s for %d", *t.Form, *t.TaxYear)
		}
		return "Form " + *t.Form
	}
	if form, ok := d.Facts.Other["form"].(string); ok && form != "" {
		return "Form " + form
	}
	return cmp.Or(doctype.Of(d.DocType).Name, strings.ReplaceAll(string(d.DocType), "_", " "))
}

// fitsItem reports whether d is of the type and kind that an item of type t with config c takes, and says why
// not. A FILE item takes everything; a look-alike fits none of the others, whatever fieldType a reading claims.
func fitsItem(d dossier.ReadDocument, t dossier.FieldType, c dossier.ItemConfig) (fits bool, why dossier.Reason) {
	if t == dossier.FieldFile || !t.TakesFiles() {
		return true, why
	}
	if d.FieldType != t || doctype.Of(d.DocType).Item != t {
		return false, say("kind_other", append(kindArgs(d), "wanted", wantedSlug(t, c))...)
	}
	if t == dossier.FieldID && c.IDType != "" && idKind(d) != c.IDType {
		return false, say("kind_other", append(kindArgs(d), "wanted", wantedSlug(t, c))...)
	}
	if personal := isPersonal(d); c.IsPersonal != nil && personal != nil && *personal != *c.IsPersonal {
		return false, say("kind_owner", "owner", ownerSlug(*personal), "wanted", ownerSlug(*c.IsPersonal))
	}
	return true, why
}

// wantedKind describes what an item takes.
func wantedKind(t dossier.FieldType, c dossier.ItemConfig) string {
	return cmp.Or(doctype.Of(dossier.DocType(wantedSlug(t, c))).Name, "an identity document")
}

// wantedSlug names what an item takes in the table of words for reasons: a docType, or identity_document for any of
// those.
func wantedSlug(t dossier.FieldType, c dossier.ItemConfig) string {
	switch {
	case t == dossier.FieldBankStatement:
		return string(dossier.DocBankStatement)
	case t == dossier.FieldTaxReturn:
		return string(dossier.DocTaxReturn)
	case c.IDType == dossier.IDDriversLicense:
		return string(dossier.DocDriversLicense)
	case c.IDType == dossier.IDPassport:
		return string(dossier.DocPassport)
	}
	return "identity_document"
}

// kindArgs returns the arguments with which a reason describes a document.
func kindArgs(d dossier.ReadDocument) []any {
	args := []any{"docType", string(d.DocType)}
	if t := d.Facts.Tax; t != nil && t.Form != nil {
		args = append(args, "form", *t.Form)
		if t.TaxYear != nil {
			args = append(args, "taxYear", *t.TaxYear)
		}
		return args
	}
	if form, ok := d.Facts.Other["form"].(string); ok && form != "" {
		args = append(args, "form", form)
	}
	return args
}

func ownerSlug(personal bool) string {
	if personal {
		return "personal"
	}
	return "business"
}

// idKind is the kind of identity document, by its type and not by what is printed on it.
func idKind(d dossier.ReadDocument) string { return strings.ToUpper(string(d.DocType)) }

// isPersonal returns whether a document is a person's (not a business's), nil when it does not show.
func isPersonal(d dossier.ReadDocument) *bool {
	switch {
	case d.Facts.Bank != nil && d.Facts.Bank.Personal != nil:
		return d.Facts.Bank.Personal
	case d.Facts.Bank != nil && d.Facts.Bank.AccountType != nil &&
		text.HasWords(text.Fold(*d.Facts.Bank.AccountType), "business"):
		business := false
		return &business
	case d.Facts.Tax != nil:
		return d.Facts.Tax.Personal
	}
	return nil
}

func ownerKind(personal bool) string {
	if personal {
		return "a personal"
	}
	return "a business"
}

// isBlankReturn reports whether a return shows neither whose it is nor any figure.
func isBlankReturn(d dossier.ReadDocument) bool {
	t := d.Facts.Tax
	return t != nil && len(t.Lines) == 0 && t.Taxpayer == nil && t.EntityName == nil && t.SSN == nil && t.EIN == nil
}

// kindResult is the implicit rule of every typed item: its documents must be of that type and kind. It is part of the
// result only when it fails or is unsure.
func kindResult(in Judgement, parts []dossier.ReadDocument) (dossier.RuleResult, bool) {
	if in.FieldType == dossier.FieldFile || !in.FieldType.TakesFiles() {
		return dossier.RuleResult{}, false
	}
	name := "The document is " + wantedKind(in.FieldType, in.Config)
	if len(parts) == 0 {
		return ask(say("nothing_recognised")).result(name), true
	}
	why := answer{verdict: no}
	for _, part := range parts {
		fits, reason := fitsItem(part, in.FieldType, in.Config)
		switch {
		case fits && isBlankReturn(part):
			return ask(say("return_blank", kindArgs(part)...)).result(name), true
		case fits && part.Confidence >= minTypeConfidence:
			return dossier.RuleResult{}, false
		case fits:
			return ask(say("kind_doubted", "confidence", part.Confidence)).result(name), true
		case why.why.None():
			why.why = reason
		}
	}
	if parts[0].DocType == dossier.DocOther && parts[0].Confidence < minTypeConfidence {
		return ask(say("kind_unknown")).result(name), true
	}
	return why.result(name), true
}
