package api

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/dossierhq/dossier"
)

// tableOf is where a description's table begins.
const tableOf = "\n\n| "

// reasonCodes is the schema of the codes of reasons, with a table of what each says. A result that was told before
// there were codes has "".
func reasonCodes() object {
	var table strings.Builder
	table.WriteString(
		"Why a rule is met or not, or an item is not right. `isValidReason` and `validationError` say code and " +
			"`args` in a sentence; " +
			"names in code style below are members of `args`. Codes that ask for a person leave the item to a " +
			"review." + tableOf + "code | asks | says |\n|---|---|---|\n",
	)
	codes := []any{""}
	for _, code := range dossier.ReasonCodes() {
		codes = append(codes, string(code))
		sentence, asks := dossier.ReasonSample(code)
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", code, map[bool]string{true: "yes", false: ""}[asks], sentence)
	}
	return object{"type": "string", "description": table.String(), "enum": codes}
}

// reasonView is a code of a reason in /docs, which shows all of them once.
type reasonView struct {
	Code dossier.ReasonCode
	Asks bool // for a person
	Says template.HTML
}

func reasonViews() []reasonView {
	var out []reasonView
	for _, code := range dossier.ReasonCodes() {
		sentence, asks := dossier.ReasonSample(code)
		out = append(out, reasonView{code, asks, marked(sentence)})
	}
	return out
}

// fieldProse is a field's description; in the place of the table of codes it leads to where /docs shows it.
func fieldProse(description string) template.HTML {
	words, _, table := strings.Cut(description, tableOf)
	if !table {
		return marked(description)
	}
	return marked(words) + ` <a href="#reasons">All codes</a>`
}

// tableHTML turns a table of Markdown, whose cells are HTML, into one; the row below the head says nothing.
func tableHTML(block string) string {
	var out strings.Builder
	out.WriteString("<table>")
	for i, line := range strings.Split(strings.TrimSpace(block), "\n") {
		if i == 1 {
			continue
		}
		cell := map[bool]string{true: "th", false: "td"}[i == 0]
		out.WriteString("<tr>")
		for column := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
			out.WriteString("<" + cell + ">" + strings.TrimSpace(column) + "</" + cell + ">")
		}
		out.WriteString("</tr>")
	}
	return out.String() + "</table>"
}
