package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Columns that no heading dates: "Ending balance" beside "Beginning balance", "Current period" beside "Prior period".
var (
	endingHead = lazyregexp.New(`(?i)^\W*(?:ending|closing)\s+(?:balances?|amounts?)\W*$` +
		`|^\W*(?:balances?\s+)?(?:at\s+(?:the\s+)?)?end\s+of\s+(?:the\s+)?(?:year|period)\W*$`)
	beginningHead = lazyregexp.New(`(?i)^\W*(?:beginning|opening)\s+(?:balances?|amounts?)\W*$` +
		`|^\W*(?:balances?\s+)?(?:at\s+(?:the\s+)?)?(?:beginning|start)\s+of\s+(?:the\s+)?(?:year|period)\W*$`)
	thisPeriod = lazyregexp.New(`(?i)^\W*(?:amounts?\s+(?:for|of|in)\s+(?:the\s+)?)?(?:current|this` +
		`|reporting)\s+period\W*$`)
	lastPeriod = lazyregexp.New(`(?i)^\W*(?:amounts?\s+(?:for|of|in)\s+(?:the\s+)?)?(?:prior|previous|last` +
		`|preceding)\s+period\W*$`)
)

// endOfYearHead is the first word of such a heading, above its second.
var endOfYearHead = lazyregexp.New(`(?i)^\W*(?:beginning|opening|ending|closing)\W*$`)

// dateUndated dates columns that are headed by their place alone, where the title prints the one date that they are
// relative to: what a year began with is what the one before ended with.
func (b *Grid) dateUndated(texts [][]string, title []Period, instant bool) {
	this, last := endingHead, beginningHead
	if !instant {
		this, last = thisPeriod, lastPeriod
	}
	at := slices.IndexFunc(title, func(p Period) bool { return p.End != nil })
	ahead := slices.IndexFunc(texts, func(t []string) bool { return this.MatchString(strings.Join(t, " ")) })
	behind := slices.IndexFunc(texts, func(t []string) bool { return last.MatchString(strings.Join(t, " ")) })
	if at < 0 || ahead < 0 || behind < 0 {
		return
	}
	end := *title[at].End
	if instant {
		before := text.Date{Year: end.Year - 1, Month: 12, Day: 31}
		texts[ahead], texts[behind] = dated(end), dated(before)
		return
	}
	if months := title[at].Months; months != nil && *months > 1 {
		texts[ahead], texts[behind] = nil, []string{"Prior year"}
	}
}

// dated is how a heading prints a date.
func dated(d text.Date) []string {
	return []string{fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)}
}

// formNumber is the number of a form, which is no year: "DGFiP N° 2050".
var formNumber = lazyregexp.New(`^(?:19|20)\d{2}\W*$`)
var numberSign = lazyregexp.New(`(?i)^\W*(?:n[°º]|n\.?o\.?|nr\.?|num[ée]ro|form|formulaire|cerfa)\W*$`)

// withoutFormNumbers leaves the numbers of forms out of the lines of a heading.
func withoutFormNumbers(lines []Line) []Line {
	for k := range lines {
		for i := 1; i < len(lines[k].Tokens); i++ {
			if formNumber.MatchString(lines[k].Tokens[i].Text) && numberSign.MatchString(lines[k].Tokens[i-1].Text) {
				lines[k] = lines[k].without(i)
				break
			}
		}
	}
	return lines
}
