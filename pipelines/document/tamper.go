package document

import (
	"fmt"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// editors are programs that change documents; banks and tax offices do not make theirs with them.
var editors = lazyregexp.New(`(?i)photoshop|illustrator|gimp|inkscape|ilovepdf|smallpdf|sejda|pdfescape` +
	`|pdf-?xchange|phantompdf|nitro pro|pdffiller|pdfelement|dochub|canva|libreoffice draw|acrobat pro.*touch`)

// fileWarnings are signs of tampering or doubt that the file itself gives. They warn a person and refuse
// nothing: honest people merge and print through such programs too.
func fileWarnings(d text.Decoded, pages []text.Page, documents int) []dossier.FactWarning {
	var warnings []dossier.FactWarning
	warn := func(code, format string, args ...any) {
		warnings = append(warnings, dossier.FactWarning{Code: code, Detail: fmt.Sprintf(format, args...)})
	}
	for _, program := range []string{d.Metadata.Producer, d.Metadata.Creator} {
		if name := editors.FindString(program); name != "" {
			warn("possible_tampering", "The file was saved by %s, a program that edits documents.", name)
			break
		}
	}
	if m := d.Metadata; m.Revisions > 0 && m.Modified != "" && m.Created != "" && m.Modified != m.Created {
		warn("possible_tampering", "The file was changed after it was made: %d later revisions.", m.Revisions)
	}
	if d.Metadata.OCRFallback {
		warn("low_confidence", "A page was read by the second-best text recognition, since dossier-ocr is missing "+
			"or failed.")
	}
	for _, page := range d.Metadata.Unread {
		warn("page_missing", "Page %d was not read: recognizing its text took more memory or time than there is.", page)
	}
	if len(d.Metadata.Changed) > 0 {
		warn("possible_tampering", "A later revision of the file changed amounts: %s.",
			strings.Join(d.Metadata.Changed, "; "))
	}
	for _, amount := range d.Metadata.MixedFonts {
		if onPages(amount, pages) {
			warn("possible_tampering", "The figures of an amount are set in several fonts: %s.", amount)
		}
	}
	seen := map[string]int{}
	for _, p := range pages {
		text := PageText(p)
		if first := seen[text]; first > 0 && len(text) > 200 {
			warn("possible_tampering", "Page %d repeats page %d.", p.Number, first)
			continue
		}
		seen[text] = p.Number
	}
	words, sum := 0, 0.0
	for _, p := range pages {
		if p.Layer == text.LayerScanned || p.Layer == text.LayerImage {
			words += len(p.Tokens)
			sum += text.MeanConfidence(p.Tokens) * float64(len(p.Tokens))
		}
	}
	if words > 0 && sum/float64(words) < 0.6 {
		warn("low_confidence", "The text was hard to recognise: mean confidence %.0f %%.", sum/float64(words)*100)
	}
	if documents > 1 {
		warn("several_documents", "The file holds %d documents.", documents)
	}
	return warnings
}

// onPages reports whether a sign ("… on page 3") is about one of the pages.
func onPages(sign string, pages []text.Page) bool {
	for _, p := range pages {
		if strings.HasSuffix(sign, fmt.Sprintf(" on page %d", p.Number)) {
			return true
		}
	}
	return false
}

// lateDays is how long after a statement's last day its file may have been made or changed without a word: people
// fetch old statements from their bank, so only a long time is worth a look.
const lateDays = 180

// lateWarning notes a bank statement whose file says that it was made or changed long after the statement's last day.
func lateWarning(m text.Metadata, doc dossier.ReadDocument) []dossier.FactWarning {
	if doc.Facts.Bank == nil || doc.Facts.Bank.PeriodEnd == nil {
		return nil
	}
	end, err := time.Parse(time.DateOnly, *doc.Facts.Bank.PeriodEnd)
	if err != nil {
		return nil
	}
	for _, stamp := range []struct{ what, at string }{{"made", m.Created}, {"changed", m.Modified}} {
		if made, ok := pdfDay(stamp.at); ok && made.Sub(end).Hours() > 24*lateDays {
			return []dossier.FactWarning{{Code: "possible_tampering",
				Detail: fmt.Sprintf("The file says it was %s on %s, %d days after the statement's last day.",
					stamp.what, made.Format(time.DateOnly), int(made.Sub(end).Hours()/24))}}
		}
	}
	return nil
}

// pdfDay is the day of a PDF date ("D:20250131120000Z").
func pdfDay(stamp string) (time.Time, bool) {
	stamp = strings.TrimPrefix(stamp, "D:")
	if len(stamp) < 8 {
		return time.Time{}, false
	}
	day, err := time.Parse("20060102", stamp[:8])
	return day, err == nil
}

func PageText(p text.Page) string {
	var b strings.Builder
	for _, t := range p.Tokens {
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String()
}
