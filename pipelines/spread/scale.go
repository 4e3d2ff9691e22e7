package spread

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// scales are the units that statements are printed in without saying so, with their names. Source: facts.md, unit;
// lakhs and crores are India's.
var scales = []struct {
	unit int64
	name string
}{{1, "full amounts"}, {1_000, "thousands"}, {100_000, "lakhs"}, {1_000_000, "millions"}, {10_000_000, "crores"}}

const (
	// agreeing is how many figures of two documents must be the same, but for the scale, to say what it is.
	agreeing = 5
	// apart is how far the largest figures of one business's statements may be from each other: no growth makes more.
	apart = 300
)

// settleScales finds the unit of figures that look like thousands or millions and print none: another document that
// prints the same figures says it. Without one, a document whose figures are of another size than those of documents
// of a known scale is set aside, never mixed with them: what is wrong with it is returned. Where no scale is known at
// all the figures are taken as printed, and the results say so.
func (w *consolidation) settleScales(byDocument map[dossier.DocumentID][]*column) map[dossier.DocumentID]string {
	var known []*column
	for _, d := range w.in.Documents {
		for _, c := range byDocument[d.ID] {
			if !c.unscaled && w.isOfEntity(c) {
				known = append(known, c)
			}
		}
	}
	problems := map[dossier.DocumentID]string{}
	for _, d := range w.in.Documents {
		var open []*column
		for _, c := range byDocument[d.ID] {
			if c.unscaled && w.isOfEntity(c) {
				open = append(open, c)
			}
		}
		if len(open) == 0 {
			continue
		}
		unit, name := scaleOf(open, known)
		switch {
		case unit > 1:
			for _, c := range open {
				c.multiply(unit)
			}
			w.warn("scale_uncertain", "", fmt.Sprintf("%s prints no scale; its figures are taken for %s, as another "+
				"document prints the same ones", d.Filename, name))
		case unit == 0 && sizesDiffer(open, known):
			problems[d.ID] = "The figures look like thousands or millions, no scale is printed, and other documents " +
				"show figures of another size; figures of two scales are never mixed"
		case unit == 0 && len(known) == 0:
			w.warn("scale_uncertain", "", d.Filename+" prints no scale; its figures are taken as they are printed")
		}
	}
	return problems
}

// scaleOf is the unit in which columns say what others, of a known unit, say of the same time; 0: none is certain.
func scaleOf(open, known []*column) (unit int64, name string) {
	for _, s := range scales {
		same, other := 0, 0
		for _, c := range open {
			for _, k := range known {
				if c.statement == k.statement && c.end == k.end && (c.noStart || c.start == k.start) {
					a, b := c.countShared(k, s.unit)
					same, other = same+a, other+b
				}
			}
		}
		if same >= agreeing && same > 4*other {
			return s.unit, s.name
		}
	}
	return 0, ""
}

// countShared counts the figures that two columns share: those that are equal in a unit, and those that are not.
func (c *column) countShared(known *column, unit int64) (same, other int) {
	room := decimal.NewFromInt(max(unit, known.unit))
	for _, both := range []struct{ open, known map[string]cell }{{c.lines, known.lines}, {c.printed, known.printed}} {
		for key, v := range both.open {
			k, ok := both.known[key]
			switch {
			case !ok || v.amount.IsZero() || k.amount.IsZero():
			case v.amount.Mul(decimal.NewFromInt(unit)).Sub(k.amount).Abs().LessThanOrEqual(room):
				same++
			default:
				other++
			}
		}
	}
	return same, other
}

// sizesDiffer reports whether the largest figures of a statement have another order of magnitude in columns without a
// printed scale.
func sizesDiffer(open, known []*column) bool {
	for _, s := range statements {
		one, two := largest(open, s), largest(known, s)
		if one.IsZero() || two.IsZero() {
			continue
		}
		if factor := two.DivRound(one, 4); factor.GreaterThan(decimal.NewFromInt(apart)) ||
			factor.Mul(decimal.NewFromInt(apart)).LessThan(decimal.NewFromInt(1)) {
			return true
		}
	}
	return false
}

func largest(columns []*column, statement string) decimal.Decimal {
	most := decimal.Zero
	for _, c := range columns {
		if c.statement != statement {
			continue
		}
		for _, cells := range []map[string]cell{c.lines, c.printed} {
			for _, v := range cells {
				most = decimal.Max(most, v.amount.Abs())
			}
		}
	}
	return most
}

// multiply brings a column to full amounts.
func (c *column) multiply(unit int64) {
	by := decimal.NewFromInt(unit)
	for _, cells := range []map[string]cell{c.lines, c.printed} {
		for key, v := range cells {
			v.amount = v.amount.Mul(by)
			cells[key] = v
		}
	}
	for i := range c.unmapped {
		c.unmapped[i].amount = c.unmapped[i].amount.Mul(by)
	}
	c.unit *= unit
}
