package table

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// fewestBeside is how many rows must print a caption and figures twice before a page is read as two sides.
const fewestBeside = 3

var (
	leftSide = lazyregexp.New(`\b(?:assets|activa|aktiva|actif|activo|ativo|attivo|attivita|vaste activa` +
		`|anlagevermogen|umlaufvermogen|tillgangar|aktiver|eiendeler)\b`)
	rightSide = lazyregexp.New(`\b(?:liabilit(?:y|ies)|payables?|equity|capital|net worth|passiva|passif|pasivo` +
		`|passivo|passivita|eigenkapital|verbindlichkeiten|eigen vermogen|schulden|capitaux|dettes|patrimonio` +
		`|skulder|passiver|gjeld|creditors)\b`)
)

// splitSides splits a balance sheet that prints its liabilities beside its assets: first what stands above and on the
// left, then what stands on the right. ok is false when the page has one side only.
func splitSides(lines []text.Line, style text.DecimalStyle) (left, right []text.Line, ok bool) {
	if !slices.ContainsFunc(lines, namesAssets) {
		return nil, nil, false
	}
	first, gutter, ok := gutterOf(lines, style)
	if !ok {
		return nil, nil, false
	}
	for first > 0 && bothSides(lines[first-1], gutter) {
		first--
	}
	left = slices.Clone(lines[:first])
	assets, liabilities, turned, owned := false, false, false, false
	for _, l := range lines[first:] {
		at := sideAt(l, gutter)
		if at < 0 {
			left = append(left, l)
			continue
		}
		if at > 0 {
			half := lineOf(l, l.Tokens[:at])
			folded := text.Fold(half.Text())
			turned = turned || !assets && rightSide.MatchString(folded) // Indian sheets begin with what is owed
			assets = assets || leftSide.MatchString(folded)
			left = append(left, half)
		}
		if at < len(l.Tokens) {
			half := lineOf(l, l.Tokens[at:])
			folded := text.Fold(half.Text())
			liabilities = liabilities || rightSide.MatchString(folded)
			owned = owned || leftSide.MatchString(folded)
			right = append(right, half)
		}
	}
	return left, right, assets && liabilities || turned && owned
}

// namesAssets spares the pages without a balance sheet a closer look.
func namesAssets(l text.Line) bool {
	return slices.ContainsFunc(l.Tokens, func(t text.Token) bool {
		return len(t.Text) >= 5 && leftSide.MatchString(text.Fold(t.Text))
	})
}

// gutterOf finds where the left side's figures end, and the first row that prints both sides.
func gutterOf(lines []text.Line, style text.DecimalStyle) (first int, gutter float64, ok bool) {
	var starts []float64
	ends := map[int]float64{}
	begins := map[int]float64{}
	for i, l := range lines {
		if at := secondCaption(l, style); at > 0 {
			starts = append(starts, l.Tokens[at].X0)
			begins[i], ends[i] = l.Tokens[at].X0, l.Tokens[at-1].X1
		}
	}
	slices.Sort(starts)
	for i := 0; i+fewestBeside <= len(starts) && !ok; i++ {
		wide := 12 * lines[0].Box().Height()
		if lines[0].Tokens[0].Cell != "" {
			wide = 0.5 // cells of one column
		}
		if starts[i+fewestBeside-1]-starts[i] > wide {
			continue
		}
		first, gutter = len(lines), 0
		for k, begin := range begins {
			if begin >= starts[i] && begin <= starts[i]+wide {
				first, gutter = min(first, k), max(gutter, ends[k])
			}
		}
		ok = gutter <= starts[i]
	}
	return first, gutter, ok
}

// secondCaption is the token with which a second caption begins, that stands right of figures and has figures of its
// Own; 0 when the line has none.
func secondCaption(l text.Line, style text.DecimalStyle) int {
	amounts := l.Amounts(style)
	at := 0
	for i, m := range amounts {
		next := m.Last + 1
		if at > 0 && m.First > at && (m.Looks() || m.Dash) {
			return at
		}
		if at > 0 || next >= len(l.Tokens) || !m.Looks() && !m.Dash || !text.Wordy(l.Tokens[next].Text) ||
			isMark(l.Tokens[next].Text) {
			continue
		}
		if headGap(l.Tokens[m.Last], l.Tokens[next]) && text.Wordy(text.Join(l.Tokens[:amounts[0].First])) &&
			i < len(amounts)-1 {
			at = next
		}
	}
	return 0
}

// bothSides reports whether a line above the rows has words or figures on both sides, as headings of columns do.
func bothSides(l text.Line, gutter float64) bool {
	at := sideAt(l, gutter)
	_, titled := TitledKind(Line{Line: l})
	return at > 0 && at < len(l.Tokens) && !titled
}

// sideAt is the first token of a line's right side; -1 when its words run over the gutter.
func sideAt(l text.Line, gutter float64) int {
	at := slices.IndexFunc(l.Tokens, func(t text.Token) bool {
		return t.X0 >= gutter-1 &&
			(t.Cell == "" || t.X0 >= gutter)
	})
	switch {
	case at < 0:
		return len(l.Tokens)
	case at > 0 && (l.Tokens[at-1].X1 > gutter+1 || !headGap(l.Tokens[at-1], l.Tokens[at])):
		return -1
	}
	return at
}

// lineOf is a part of a line.
func lineOf(l text.Line, tokens []text.Token) text.Line {
	b := text.BoxOf(tokens)
	return text.Line{Page: l.Page, Tokens: tokens, X0: b.X0, Y0: b.Y0, X1: b.X1, Y1: b.Y1}
}

// isOwed reports whether a caption is known among debts and equity and not among assets.
func isOwed(caption string) bool {
	for _, form := range captions.Forms(caption) {
		rules := captions.Books()[captions.BalanceSheet].Find(form)
		if len(rules) > 0 {
			return !slices.ContainsFunc(rules, func(r captions.Rule) bool {
				return captions.SideName(r.Section) == "assets"
			})
		}
	}
	return false
}
