package judge

import (
	"fmt"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	expired = lazyregexp.New(
		`\b(?:is |has )?(?:(?P<un>not yet expired|unexpired|non expired|not expired|still valid|valid and current` +
			`|currently valid|valid|current|active|in force|in effect|unlapsed)|(?P<gone>expired|past (?:its ` +
			`)?(?:expiration|expiry)(?: date)?|lapsed|out of date))(?: today| yet)?`,
	)
	expiresIn = lazyregexp.New(
		`\b(?:(?:expires?|expiration|expiry|expiration date|expiry date|valid|is valid|remains valid)(?: date)?(?: ` +
			`is)? (?P<how>at least|no sooner than|no earlier than|not before|not earlier than|more than|for at ` +
			`least|for more than|for|not within|not in|within|in|less than))(?: (?:` + lastWord +
			`|next|coming|following|another|minimum of))? ` + amountOf +
			`(?: from (?:today|now)| away| in future| after today| ahead| beyond today)?`,
	)
	expiryDate = lazyregexp.New(
		`\b(?:expires?|expiration(?: date)?|expiry(?: date)?|valid)(?: is)? (?P<how>on or after|no earlier than|not ` +
			`before|after|until|through|at least until|beyond) ` + dateWord,
	)
	expiryNow = lazyregexp.New(
		`\b(?:expires?|expiration(?: date)?|expiry(?: date)?)(?: is)? (?P<how>in future|after today|later than ` +
			`today|not passed|not past)`,
	)
)

// readExpiry reads rules on the last day of validity: "is not expired", "valid for at least 6 months".
func readExpiry(c clause) (rule, bool) {
	const own = "date expiration expiry least id identification"
	if g, negated, ok := c.matchWhole(expiresIn, own); ok {
		l := lengthOf(g)
		switch g["how"] {
		case "within", "in", "less than":
			return negateIf(negate(validFor(l)), negated), true
		}
		return negateIf(validFor(l), negated), true
	}
	if g, negated, ok := c.matchWhole(expiryDate, own); ok {
		first, last, good := daysOf(c.date(g["date"]))
		if g["how"] == "after" || g["how"] == "beyond" {
			first = last + 1
		}
		return negateIf(validUntil(first), negated), good
	}
	if _, negated, ok := c.matchWhole(expiryNow, own); ok {
		return negateIf(validFor(length{0, "day"}), negated), true
	}
	if g, negated, ok := c.matchWhole(expired, own); ok {
		if g["gone"] != "" {
			return negateIf(negate(validFor(length{0, "day"})), negated), true
		}
		return negateIf(validFor(length{0, "day"}), negated), true
	}
	return rule{}, false
}

func validFor(l length) rule {
	reading := "the document is not expired on the day of judging"
	if l.n > 0 {
		reading = fmt.Sprintf("the document does not expire before %s after the day of judging", l)
	}
	return rule{reading: reading, judge: func(e *evidence) answer {
		return validOn(e, l.after(e.Today))
	}}
}

func validUntil(d dossier.Day) rule {
	return rule{
		reading: fmt.Sprintf("the document is valid until %s or later", d),
		judge:   func(e *evidence) answer { return validOn(e, d) },
	}
}

func validOn(e *evidence, d dossier.Day) answer {
	expiry, pointer, ok := expiryOf(e.doc)
	if !ok {
		return missing("expiry_date")
	}
	return met(expiry >= d, say("expiry_date", "date", expiry.String(), "today", e.Today.String())).at(e.doc, pointer)
}

func expiryOf(d dossier.ReadDocument) (day dossier.Day, pointer string, ok bool) {
	if d.Facts.Identity != nil {
		day, ok = dossier.FactDay(d.Facts.Identity.ExpiryDate)
		return day, "/expiryDate", ok
	}
	for _, key := range []string{"expiryDate", "expirationDate", "validUntil", "periodEnd"} {
		if s, found := d.Facts.Other[key].(string); found {
			day, ok = dossier.ParseDay(s)
			return day, "/" + key, ok
		}
	}
	return 0, "", false
}
