package decode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// parseTSV reads tesseract's table of a page's words.
func parseTSV(tsv string, p ocrPage) []text.Token { return correctDefects(tsvWords(tsv, p, 0)) }

// tsvWords reads tesseract's table of the words of a band of the page that begins at row top, and of each the line it
// stands in: tesseract's block, paragraph and line.
func tsvWords(tsv string, p ocrPage, top int) (tokens []text.Token, lines []string) {
	for line := range strings.Lines(tsv) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) != 12 || f[0] != "5" {
			continue
		}
		var n [4]float64
		ok := true
		for i := range n {
			v, err := strconv.ParseFloat(f[6+i], 64)
			ok = ok && err == nil
			n[i] = v * p.unit
		}
		n[1] += float64(top) * p.unit
		confidence, err := strconv.ParseFloat(f[10], 64)
		s := cleanWord(f[11])
		if !ok || err != nil || s == "" || n[2] <= 0 || n[3] <= 0 {
			continue
		}
		zone := strings.Count(s, "<") >= 5 // no model knows these lines: their check digits say what is right
		if confidence < 15 && !zone || confidence < 35 && !hasAlnum(s) {
			continue
		}
		tokens = append(tokens, text.Token{Page: p.number, X0: n[0], Y0: n[1], X1: n[0] + n[2], Y1: n[1] + n[3],
			Text: s, Confidence: min(max(confidence/100, 0), 1), Method: text.MethodOCR})
		lines = append(lines, strconv.Itoa(top)+"/"+strings.Join(f[1:5], "/"))
	}
	return tokens, lines
}

// correctDefects are the words of a page after the defects of OCR that its lines and its other words show.
func correctDefects(tokens []text.Token, lines []string) []text.Token {
	levelLines(tokens, lines)
	return joinSplitAmounts(evenHeights(dropGiants(tokens)))
}

// levelLines corrects the skew that deskewing by one angle leaves: curled paper is skewed by another angle further
// down. The slope of each printed line gives the slope as a function of height, and the words are moved onto level
// lines.
func levelLines(tokens []text.Token, lines []string) {
	type slope struct{ y, slope float64 }
	var slopes []slope
	width := 0.0
	for _, t := range tokens {
		width = max(width, t.X1)
	}
	for i := 0; i < len(tokens); {
		j := i
		for j < len(tokens) && lines[j] == lines[i] {
			j++
		}
		if run := tokens[i:j]; len(run) >= 4 && run[len(run)-1].X1-run[0].X0 > 0.25*width {
			slopes = append(slopes, slope{(run[0].Y0 + run[0].Y1) / 2, slopeOf(run)})
		}
		i = j
	}
	if len(slopes) < 4 {
		return
	}
	for i := range tokens {
		t := &tokens[i]
		var near []float64
		for _, s := range slopes {
			if text.Abs(s.y-(t.Y0+t.Y1)/2) < 0.12*width {
				near = append(near, s.slope)
			}
		}
		if len(near) < 3 {
			continue
		}
		slices.Sort(near)
		slope := near[len(near)/2]
		if text.Abs(slope) < 0.004 || near[len(near)*3/4]-near[len(near)/4] > 0.01 {
			continue // level, or the lines do not agree
		}
		shift := slope * (t.X0 + t.X1) / 2
		t.Y0, t.Y1 = t.Y0-shift, t.Y1-shift
	}
}

// slopeOf is the slope of a line of words by least squares over their centres, at most 0.05.
func slopeOf(run []text.Token) float64 {
	n, sx, sy, sxx, sxy := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, t := range run {
		if len(t.Text) < 3 || !hasAlnum(t.Text) || t.Confidence < 0.6 {
			continue
		}
		x, y := (t.X0+t.X1)/2, (t.Y0+t.Y1)/2
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if d := n*sxx - sx*sx; d > 0 && n >= 3 {
		return min(max((n*sxy-sx*sy)/d, -0.05), 0.05)
	}
	return 0
}

// dropGiants removes marks that OCR made of pictures: far higher than the page's words and short.
func dropGiants(tokens []text.Token) []text.Token {
	if len(tokens) < 8 {
		return tokens
	}
	usual := usualHeight(tokens)
	return slices.DeleteFunc(tokens, func(t text.Token) bool {
		return t.Y1-t.Y0 > 2.5*usual && len(t.Text) <= 3 && t.Confidence < 0.85
	})
}

// cleanWord removes the rules of tables and boxes that OCR reads as letters.
func cleanWord(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "|_¦[]{}~=«»“”‘")
	if s == "—" || s == "-" || s == "–" {
		return s
	}
	if !hasAlnum(s) && len(s) > 1 && !strings.ContainsAny(s, "$£€<") {
		return ""
	}
	return s
}

func hasAlnum(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0xbf
	})
}

// usualHeight is the median height of at least one word.
func usualHeight(tokens []text.Token) float64 {
	heights := make([]float64, len(tokens))
	for i, t := range tokens {
		heights[i] = t.Y1 - t.Y0
	}
	slices.Sort(heights)
	return heights[len(heights)/2]
}

// evenHeights gives low marks ("-", ".", "_") the height of their neighbours, so that they join their line.
func evenHeights(tokens []text.Token) []text.Token {
	if len(tokens) == 0 {
		return nil
	}
	usual := usualHeight(tokens)
	for i := range tokens {
		t := &tokens[i]
		if h := t.Y1 - t.Y0; h < 0.5*usual && !hasAlnum(t.Text) {
			middle := (t.Y0 + t.Y1) / 2
			t.Y0, t.Y1 = middle-usual/2, middle+usual/2
		}
	}
	return tokens
}

// joinSplitAmounts joins amounts that OCR split at a comma: "2,365," and "076".
func joinSplitAmounts(tokens []text.Token) []text.Token {
	out := tokens[:0]
	for _, t := range tokens {
		if n := len(out); n > 0 && tornHead.MatchString(out[n-1].Text) && tornTail.MatchString(t.Text) {
			before := &out[n-1]
			if h := before.Y1 - before.Y0; t.X0 > before.X0 && t.X0-before.X1 < 0.9*h &&
				text.Overlap(before.Y0, before.Y1, t.Y0, t.Y1) > 0.5*h {
				before.Text += t.Text
				before.X1, before.Y0, before.Y1 = t.X1, min(before.Y0, t.Y0), max(before.Y1, t.Y1)
				before.Confidence = min(before.Confidence, t.Confidence)
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

var (
	tornHead = lazyregexp.New(`^[-(+]?[$£€]?\d{1,3}(,\d{3})*,$`)
	tornTail = lazyregexp.New(`^\d{3}(,\d{3})*(\.\d\d)?\)?$`)
)

// quality is how much was read: the words of two characters and more, weighed by confidence.
func quality(tokens []text.Token) float64 {
	q := 0.0
	for _, t := range tokens {
		if len(t.Text) > 1 && hasAlnum(t.Text) && t.Confidence > 0.4 {
			q += t.Confidence
		}
	}
	return q
}

// addMissing joins another pass to the first: words where the first has none, and surer readings in place of
// the words they cover.
func addMissing(tokens, more []text.Token) []text.Token {
	for _, m := range more {
		under, sum, blocked := covered(tokens, m)
		switch {
		case len(under) == 0 && m.Confidence >= 0.5:
			tokens = append(tokens, m)
		case len(under) == 1 && betterPrint(m, tokens[under[0]]):
			tokens[under[0]] = m
		case len(under) == 0, blocked, looksMoney(tokens[under[0]].Text) && !looksMoney(m.Text):
		case m.Confidence > sum/float64(len(under))+0.05, len(under) > 1 && m.Confidence > 0.6 &&
			m.Confidence >= sum/float64(len(under))-0.1:
			tokens[under[0]] = m
			for k := len(under) - 1; k > 0; k-- {
				tokens = slices.Delete(tokens, under[k], under[k]+1)
			}
		}
	}
	return tokens
}

// covered are the places of the words that a reading covers, with the sum of their confidence; partly says that it
// covers only a part of one of them.
func covered(tokens []text.Token, m text.Token) (under []int, sum float64, partly bool) {
	for i, t := range tokens {
		w, h := text.Overlap(t.X0, t.X1, m.X0, m.X1), text.Overlap(t.Y0, t.Y1, m.Y0, m.Y1)
		if w <= 0 || h <= 0 || w*h < 0.25*min(area(t), area(m)) {
			continue
		}
		under = append(under, i)
		sum += t.Confidence
		partly = partly || w*h < 0.6*area(t)
	}
	return under, sum, partly
}

// betterPrint reports whether a reading is of a word that the other one spoiled: the amount that it was, or all of it.
func betterPrint(m, t text.Token) bool {
	return looksMoney(m.Text) && !looksMoney(t.Text) && m.Confidence > 0.35 && alike(m.Text, t.Text) || completes(m, t)
}

// printedMoney is an amount with its cents, as most are printed: a reading of that form is rarely wrong, and one
// that lost a mark is.
var printedMoney = lazyregexp.New(`^[-+(]?[$£€]?-?(\d{1,3}([,.']\d{3})*|\d+)[.,]\d\d[-)]?$`)

// completes reports whether a reading has the other one whole and more of the figure it begins or ends.
func completes(more, less text.Token) bool {
	return more.Confidence >= 0.5 && mostlyDigits(more.Text) && len(more.Text) > len(less.Text) &&
		area(more) > 1.3*area(less) &&
		(strings.HasPrefix(more.Text, less.Text) || strings.HasSuffix(more.Text, strings.TrimLeft(less.Text, ".,")))
}

// alike reports whether two readings of one word agree in most of their characters.
func alike(a, b string) bool {
	same := 0
	for _, r := range b {
		if strings.ContainsRune(a, r) {
			same++
		}
	}
	return text.Abs(float64(len(a)-len(b))) <= 2 && same*3 >= len(b)*2
}

func looksMoney(text string) bool { return printedMoney.MatchString(text) }

func area(t text.Token) float64 { return (t.X1 - t.X0) * (t.Y1 - t.Y0) }
