package render

import (
	"regexp"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// periodText is the id of a period as people write it: "2024-01-01 to 2024-12-31", of a balance sheet "as of
// 2024-12-31".
func periodText(statement, id string) string {
	start, rest, two := strings.Cut(id, "_")
	end, kind, more := strings.Cut(rest, "_")
	if _, err := time.Parse(time.DateOnly, end); !two || err != nil {
		return id
	}
	text := start + " to " + end
	if statement == "balanceSheet" {
		text = "as of " + end
	}
	if more {
		text += ", " + kind
	}
	return text
}

// periodCaption heads the column of a period.
func periodCaption(statement string, s dossier.SpreadPeriod) string {
	if statement == "balanceSheet" {
		return s.Label + "\nas of " + s.End
	}
	return s.Label + "\n" + s.Start + " to " + s.End
}

// dayText is the time at which results came about, to the minute.
func dayText(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return at
	}
	return t.UTC().Format("January 2, 2006, 15:04 UTC")
}

var reference = regexp.MustCompile(`[A-Za-z][A-Za-z.]*`)

// formulaText is a formula with the captions of its rows in the place of their names.
func formulaText(t *layout.Template, f layout.Formula) string {
	text := strings.NewReplacer("*", "×", "/", "÷").Replace(f.String())
	return reference.ReplaceAllStringFunc(text, func(name string) string {
		return referenceText(t, name)
	})
}

// referenceText is the caption of what a formula names: "bs.prev.cash" is "Cash and cash equivalents, opening".
func referenceText(t *layout.Template, name string) string {
	parts := strings.Split(name, ".")
	key, when := parts[len(parts)-1], ""
	if len(parts) == 3 {
		when = map[string]string{"is": ", year before", "bs": ", opening"}[parts[0]]
	}
	statement := map[string]string{"is": "incomeStatement", "bs": "balanceSheet", "cf": "cashFlow"}[parts[0]]
	if row := t.FindRow(statement, key); statement != "" && row != nil {
		return row.Label + when
	}
	for _, row := range t.Ratios {
		if row.Key == key {
			return row.Label
		}
	}
	for _, row := range t.UCA {
		if row.Key == key {
			return row.Label
		}
	}
	return name
}

// negative puts the minus of a figure into parentheses, as of an amount.
func negative(s string) string {
	if size, is := strings.CutPrefix(s, "-"); is {
		return "(" + size + ")"
	}
	return s
}
