package identity

import (
	"maps"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// datesByOrder fills dates whose captions were lost: exactly three dates by their order in time, or the issue date as
// the only date between a known birth and a known expiry.
func (r *identityReader) datesByOrder() {
	seen := r.printedDates()
	f := r.facts
	if f.DateOfBirth != nil && f.ExpiryDate != nil {
		r.issueBetween(seen)
		return
	}
	if len(seen) == 2 {
		r.earlierOfTwo(seen)
	}
	if len(seen) != 3 {
		return
	}
	dates := slices.Sorted(maps.Keys(seen))
	if dates[0][:4] > dates[1][:4] || yearsBetween(dates[0], dates[1]) < 14 ||
		yearsBetween(dates[1], dates[2]) > r.longestValidity() {
		return
	}
	if f.DateOfBirth != nil && *f.DateOfBirth != dates[0] || f.IssueDate != nil && *f.IssueDate != dates[1] ||
		f.ExpiryDate != nil && *f.ExpiryDate != dates[2] {
		return
	}
	r.set(&f.DateOfBirth, "/dateOfBirth", dates[0], seen[dates[0]])
	r.set(&f.IssueDate, "/issueDate", dates[1], seen[dates[1]])
	r.set(&f.ExpiryDate, "/expiryDate", dates[2], seen[dates[2]])
}

// earlierOfTwo takes the earlier of two dates for the birth where no card is valid from the one to the other. What the
// later one is, nobody knows.
func (r *identityReader) earlierOfTwo(seen map[string][]text.Token) {
	dates := slices.Sorted(maps.Keys(seen))
	if f := r.facts; f.DateOfBirth == nil && (f.IssueDate == nil || *f.IssueDate == dates[1]) &&
		(f.ExpiryDate == nil || *f.ExpiryDate == dates[1]) && yearsBetween(dates[0], dates[1]) > 21 {
		r.set(&f.DateOfBirth, "/dateOfBirth", dates[0], seen[dates[0]])
	}
}

// longestValidity is how many years a card is valid at most, by which dates are told apart. A licence of India is valid
// for twenty years.
func (r *identityReader) longestValidity() int {
	if r.country() == "IND" {
		return 20
	}
	return 16
}

// issueBetween takes the only date between birth and expiry for the issue.
func (r *identityReader) issueBetween(seen map[string][]text.Token) {
	birth, expiry := *r.facts.DateOfBirth, *r.facts.ExpiryDate
	var between []string
	for _, d := range slices.Sorted(maps.Keys(seen)) {
		of := yearsBetween(birth, d)
		turns := d[4:] == birth[4:] && (of == 18 || of == 21) // "under 21 until"
		if d > birth && d < expiry && !turns && yearsBetween(d, expiry) <= r.longestValidity() {
			between = append(between, d)
		}
	}
	if len(between) == 1 {
		r.set(&r.facts.IssueDate, "/issueDate", between[0], seen[between[0]])
	}
}

// printedDates are the complete dates of the card with their tokens, also those whose month stands in two languages.
func (r *identityReader) printedDates() map[string][]text.Token {
	seen := map[string][]text.Token{}
	accept := text.AcceptCardDate(r.Order)
	for _, l := range r.lines {
		folded := text.Fold(l.Text())
		if strings.Contains(folded, "under") || strings.Contains(folded, "until") &&
			!strings.Contains(folded, "valid") {
			continue
		}
		for _, d := range withoutNumbers(l).Dates(r.Order) {
			if d.Complete() {
				seen[d.Date.String()] = d.Tokens
			}
		}
		for k, t := range l.Tokens {
			if !text.StartsWithDigit(t.Text) {
				continue
			}
			if d, used, ok := accept(l.Tokens[k:]); ok && used[0] == t {
				seen[d] = used
			}
		}
	}
	return seen
}

// birthFromNumber takes a printed date for the birth that a number of the person begins with, where the caption was
// lost: the numbers of many countries hold the birth as year, month and day, or day and month first, some behind a
// figure for the century.
func (r *identityReader) birthFromNumber() {
	if r.facts.DateOfBirth != nil || r.Type == dossier.DocDriversLicense || r.country() == "USA" {
		return
	}
	seen := r.printedDates()
	for _, l := range r.lines {
		for _, t := range l.Tokens {
			figures := onlyFigures.Replace(t.Text)
			if len(figures) < 9 || !text.HasDigits(figures, 9) || t.Confidence < 0.6 {
				continue
			}
			for d, tokens := range seen {
				if beginsWithDay(figures, d) && (r.facts.IssueDate == nil || d < *r.facts.IssueDate) &&
					(r.facts.ExpiryDate == nil || d < *r.facts.ExpiryDate) {
					r.set(&r.facts.DateOfBirth, "/dateOfBirth", d, tokens)
					return
				}
			}
		}
	}
}

var onlyFigures = strings.NewReplacer("-", "", ".", "", "/", "")

// beginsWithDay reports whether a number begins with a date, of which the century may be left out.
func beginsWithDay(figures, date string) bool {
	year, month, day := date[2:4], date[5:7], date[8:10]
	for _, begin := range []string{year + month + day, day + month + year, date[:4] + month + day} {
		if strings.HasPrefix(figures, begin) || strings.HasPrefix(figures[1:], begin) && begin[:2] == year {
			return true
		}
	}
	return false
}

func yearsBetween(a, b string) int {
	year := func(s string) int { return int(s[0]-'0')*1000 + int(s[1]-'0')*100 + int(s[2]-'0')*10 + int(s[3]-'0') }
	return year(b) - year(a)
}
