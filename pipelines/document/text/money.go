package text

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
	"github.com/shopspring/decimal"
)

// DecimalStyle is how a document writes numbers: one style a document (StyleOf), never one a number.
type DecimalStyle int

// Decimal styles.
const (
	DotDecimal   DecimalStyle = iota // 1,234.56
	CommaDecimal                     // 1.234,56 and 1 234,56
)

// Money is one printed amount.
type Money struct {
	Value    dossier.Amount // signed; the places are the printed ones
	Text     string         // as printed, tokens joined by a space
	Symbol   string         // currency symbol or code as printed ("$", "EUR"), else empty
	Mark     string         // CR, DR or OD, else empty; DR and OD make the value negative
	Signed   bool           // a sign, parentheses or a mark was printed
	Grouped  bool           // thousands separators were printed
	Percent  bool           // a percentage, not money
	Dash     bool           // a lone dash, which stands for zero (or for nothing: the caller decides)
	Repaired bool           // OCR letters were read as digits
	Cell     bool           // it fills a cell of a workbook or CSV
	Box
	First, Last int // tokens of the line it was read from
}

// Places is the number of printed decimal places.
func (m Money) Places() int { return max(0, -int(m.Value.Exponent())) }

// Looks reports whether m looks like money without help of its surroundings: cents, a symbol or thousands
// separators. A bare integer (a year, a page, a count) does not.
func (m Money) Looks() bool {
	return !m.Percent && !m.Dash && (m.Places() == 2 || m.Symbol != "" || m.Grouped)
}

const (
	currencySymbols = `US\$|CA\$|C\$|AU\$|A\$|NZ\$|HK\$|S\$|R\$|MX\$|\$|£|€|¥|₹|USD|CAD|AUD|NZD|GBP|EUR|CHF|MXN|JPY` +
		`|INR|SGD|HKD|SEK|NOK|DKK|PLN|CZK|HUF|ZAR|AED|MYR|BRL|ILS|PHP|THB|KES|NGN|PKR|IDR|CLP|ARS|RUB` +
		`|UAH|₪|₦|₺|₽|₴|₩|₱|₫|zł|Kč|kr\.?|TRY|TL|RON|LEI|[Ll]ei|Rp\.?|RUR|руб\.?|円|원|COP|PEN|SAR|QAR` +
		`|LKR|KRW|TWD|CNY|VND|EGP|MAD|ISK|GHS|UGX|TZS|BGN|RSD|KZT|GEL|BHD|KWD|OMR|JOD|BDT|NPR|DOP|CRC` +
		`|GTQ|UYU|BOB|PYG|XOF|XAF|CDF|ZMW|TND|DZD|BWP|MUR|RWF|ETB|JMD|TTD`
	dotNumber = `\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d{0,6})?|\d{1,3}(?:['’ ]\d{3})+(?:\.\d{0,6})?|\d+\.\d{0,6}|\d+` +
		`|\.\d{1,6}`
	commaNumber = `\d{1,3}(?:[.' ]\d{3})+(?:,\d{0,4})?|\d+,\d{1,4}|\d+|,\d{2}`
	minus       = `[-–−‐‑]`
)

// moneyPattern is an amount with what may stand around it; marks are what says behind it which way it goes.
func moneyPattern(number, marks string) *lazyregexp.Regexp {
	return lazyregexp.New(`^(\()?\s?(` + minus + `|\+)?\s?(\()?(` + currencySymbols + `)?\s?(` + minus +
		`|\+)?\s?(\()?\s?` +
		`(` + number + `)` +
		`\s?(` + currencySymbols + `)?\s?(\))?\s?(` + minus + `|\+)?\s?(` + marks + `)?\.?\s?(%)?\s?(\))?[*†]?$`)
}

var (
	dotMoney    = moneyPattern(dotNumber, `(?i:CR|DR|[O0]D|DB|/CREDIT|/DEBE?I?T)`)
	commaMoney  = moneyPattern(commaNumber, `(?i:CR|DR|[O0]D|DB|/CREDIT|/DEBE?I?T)|S|H|Soll|Haben`)
	loneDash    = lazyregexp.New(`^(?:` + currencySymbols + `)?\s?(?:` + minus + `|—)+$`)
	moneySuffix = lazyregexp.New(`^(?:\)|` + minus + `|\+|(?i:CR|DR|[O0]D|DB)|%|\)%|(?:` + minus +
		`|\+)/(?i:CREDIT|DEBE?I?T))$`)
	germanMark    = lazyregexp.New(`^(?:S|H|Soll|Haben)$`)
	ocrHead       = lazyregexp.New(`^[-+$£€(=]*\d{1,3}(?:[,.]\d{3})*[,.]?$|^\d{3}$`)
	tornComma     = lazyregexp.New(`(\d), (\d{3}\b)`)
	ocrGroup      = lazyregexp.New(`^\d{2}$|^\d{3}(?:[,.]\d{2})?(?:-|-?(?:[O0]D|CR|DR))?$`)
	ocrAmount     = lazyregexp.New(`^([-+=]?[$£€]?[-+]?)(\d{1,3}(?:[ ,.]{1,2}\d{3})*)[ ,.]{1,2}(\d{2})$`)
	pointedGroups = lazyregexp.New(`^[^\d.]*[1-9]\d{0,2}(?:\.\d{3})+[^\d.%]*$`)
	colonCents    = lazyregexp.New(`^(\D{0,3}\d{1,3}(?:[,.]\d{3})+):(\d{2})$`)
	splitGroup    = lazyregexp.New(`^\d{3}(?:[,.]\d{0,2})?\)?-?$`)
)

// ParseMoney reads one printed amount that fills text: "(1,234)", "- 1,234.56", "12.34-", "$-1,234.56",
// "12.34-OD", "1 234,56", ".50", "$", a lone dash. ok is false for everything else, dates, phone numbers
// and account numbers with hyphens included.
func ParseMoney(text string, style DecimalStyle) (m Money, ok bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\u00a0", " "))
	if text == "" || len(text) > 40 {
		return Money{}, false
	}
	if endsInDash(text) && loneDash.MatchString(text) {
		return Money{Text: text, Dash: true}, true
	}
	if !strings.ContainsAny(text, "0123456789") || !mayBeAmount(text) {
		return Money{}, false // most of a paper's words; the patterns are dear
	}
	if plain, ok := plainMoney(text, style); ok {
		return plain, true
	}
	return patternMoney(text, style)
}

// patternMoney reads an amount with figures by the pattern of its style.
func patternMoney(text string, style DecimalStyle) (m Money, ok bool) {
	pattern := dotMoney
	if style == CommaDecimal {
		pattern = commaMoney
	}
	g := pattern.FindStringSubmatch(text)
	if g == nil {
		return Money{}, false
	}
	opened, closed := g[1]+g[3]+g[6] != "", g[9]+g[13] != ""
	if closed && !opened {
		return Money{}, false // "1,234)" closes nothing
	}
	value, grouped, err := plainNumber(g[7], style)
	if err != nil {
		return Money{}, false
	}
	m = Money{Text: text, Grouped: grouped, Symbol: g[4] + g[8], Mark: markOf(g[11]), Percent: g[12] != ""}
	negative := opened || isMinus(g[2]) || isMinus(g[5]) || isMinus(g[10]) || m.Mark == "DR" || m.Mark == "OD"
	m.Signed = negative || g[2]+g[5]+g[10]+m.Mark != ""
	if negative && !value.IsZero() {
		value = dossier.Amount{Decimal: value.Neg()}
	}
	m.Value = value
	return m, true
}

// markOf is the mark behind an amount as CR, DR or OD.
func markOf(printed string) string {
	switch mark := strings.ToUpper(printed); mark {
	case "DB", "S", "SOLL", "/DEBIT", "/DEBET":
		return "DR"
	case "H", "HABEN", "/CREDIT":
		return "CR"
	case "0D":
		return "OD"
	default:
		return mark
	}
}

func isMinus(s string) bool { return s != "" && s != "+" }

// plainNumber removes grouping and turns the decimal mark into a point.
func plainNumber(s string, style DecimalStyle) (dossier.Amount, bool, error) {
	point, groups := ".", ",'’ "
	if style == CommaDecimal {
		point, groups = ",", ".' "
	}
	grouped := strings.ContainsAny(s, groups)
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(groups, r) {
			return -1
		}
		return r
	}, s)
	s = strings.TrimSuffix(strings.Replace(s, point, ".", 1), ".")
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	a, err := dossier.ParseAmount(s)
	return a, grouped, err
}

// Amounts finds every amount of the line, left to right, joining what is printed apart: a sign, a currency
// symbol (however far, the number being right-aligned), parentheses, a trailing CR, and groups of digits
// parted by a blank. Bare integers, percentages and lone dashes are returned too: filter with Looks,
// Percent and Dash.
func (l Line) Amounts(style DecimalStyle) []Money {
	var found []Money
	for i := 0; i < len(l.Tokens); {
		m, next := l.amountAt(i, style)
		if next == i || l.headless(i) {
			i = max(next, i+1)
			continue
		}
		found = append(found, m)
		i = next
	}
	return found
}

// headless reports whether the token at i is the rest of a figure whose first digits OCR lost: ", 584,645".
func (l Line) headless(i int) bool {
	if i == 0 || l.Tokens[i].Method != MethodOCR {
		return false
	}
	before := l.Tokens[i-1]
	return (before.Text == "," || before.Text == ".") && l.Tokens[i].X0-before.X1 < before.Y1-before.Y0
}

// amountAt reads the amount that begins at token i; next is i when there is none.
func (l Line) amountAt(i int, style DecimalStyle) (m Money, next int) {
	end := i
	for end < len(l.Tokens)-1 && isMoneyPrefix(l.Tokens[end].Text) && l.prefixJoins(end) && end-i < 3 {
		end++
	}
	core := end
	for end < len(l.Tokens)-1 && end-core < 3 && l.suffixJoins(end, style) {
		end++
	}
	for last := end; last >= core; last-- {
		m, ok := l.moneyOf(i, last, style)
		if ok && (!m.Dash || i == last || m.Text != "-" && isMoneyPrefix(l.Tokens[i].Text)) {
			return m, last + 1
		}
	}
	if core > i { // the prefix belonged to nothing: a lone "-" or "$"
		if m, ok := l.moneyOf(i, i, style); ok {
			return m, i + 1
		}
	}
	return Money{}, i
}

// moneyOf parses tokens first..last as one amount, with OCR letters repaired when the text came from OCR.
func (l Line) moneyOf(first, last int, style DecimalStyle) (Money, bool) {
	tokens := l.Tokens[first : last+1]
	text := Join(tokens)
	printed := text
	if tokens[0].Method == MethodOCR && style == DotDecimal && pointedGroups.MatchString(text) {
		printed = strings.ReplaceAll(text, ".", ",") // no amount has three decimals: the comma lost its tail
	}
	if tokens[0].Method == MethodOCR {
		printed = tornComma.ReplaceAllString(printed, "${1},${2}")
	}
	m, ok := ParseMoney(printed, style)
	if !ok && tokens[0].Method == MethodOCR {
		if m, ok = ParseMoney(repairDigits(text, style), style); ok {
			m.Repaired, ok = true, m.Looks()
		}
	}
	if !ok {
		return Money{}, false
	}
	m.Text, m.Box, m.First, m.Last = text, BoxOf(tokens), first, last
	m.Cell = tokens[0].Method == MethodCell
	return m, true
}

// prefixJoins reports whether the prefix token at i belongs to the number after it. A currency symbol
// may stand far away; a sign must stand nearer to the number than to what precedes it.
func (l Line) prefixJoins(i int) bool {
	t, next := l.Tokens[i], l.Tokens[i+1]
	gap, height := next.X0-t.X1, max(t.Y1-t.Y0, next.Y1-next.Y0, 1)
	if strings.ContainsAny(t.Text, "$£€¥₹") || len(t.Text) == 3 {
		return gap < 15*height
	}
	if gap > 3*height || gap > 1.5*height && strings.ContainsAny(next.Text, "$£€¥₹") {
		return false // a dash for nothing in the column before
	}
	return i == 0 || t.X0-l.Tokens[i-1].X1 > gap || isMoneyPrefix(l.Tokens[i-1].Text)
}

// suffixJoins reports whether the token after i goes on with the amount that ends at i.
func (l Line) suffixJoins(i int, style DecimalStyle) bool {
	t, next := l.Tokens[i], l.Tokens[i+1]
	gap, height := next.X0-t.X1, max(t.Y1-t.Y0, 1)
	if moneySuffix.MatchString(next.Text) || style == CommaDecimal && germanMark.MatchString(next.Text) {
		if isMinus(next.Text) && i+2 < len(l.Tokens) && l.Tokens[i+2].X0-next.X1 <= gap {
			return false // the sign of the following number
		}
		return gap < 1.2*height
	}
	near := 0.8 * height
	if strings.HasSuffix(t.Text, ",") {
		near = 1.6 * height // more must follow
	}
	if t.Method == MethodOCR && gap < near && ocrGroup.MatchString(next.Text) && ocrHead.MatchString(t.Text) {
		return true
	}
	if style == DotDecimal && gap < 0.45*height && l.spacedGroup(i) {
		return true
	}
	// In type of one width a blank is as wide as a figure.
	wide := (next.X1 - next.X0) / float64(max(1, len(next.Text)))
	return style == CommaDecimal && (gap < 0.5*height || gap < 0.75*height && gap < 1.1*wide) &&
		splitGroup.MatchString(next.Text) && len(strings.TrimLeft(t.Text, "-€$ (")) <= 3
}

// spacedGroup reports whether the figures at i and behind it are groups of one amount that a blank parts, as Portugal,
// Canada and others print it beside a decimal point: "1 802.55". It begins its cell, or stands behind a sign: a number
// behind a word ("Check 118") is the word's.
func (l Line) spacedGroup(i int) bool {
	if !spacedHead.MatchString(l.Tokens[i].Text) || strings.Contains(l.Text(), ",") {
		return false
	}
	first, last := i, i+1
	for first > 0 && spacedInner.MatchString(l.Tokens[first].Text) && spacedHead.MatchString(l.Tokens[first-1].Text) &&
		!WideGap(l.Tokens[first-1], l.Tokens[first]) {
		first--
	}
	for last+1 < len(l.Tokens) && spacedInner.MatchString(l.Tokens[last].Text) &&
		!WideGap(l.Tokens[last], l.Tokens[last+1]) {
		last++
	}
	if !spacedTail.MatchString(l.Tokens[last].Text) || strings.HasPrefix(l.Tokens[first].Text, "0") {
		return false
	}
	if first == 0 || WideGap(l.Tokens[first-1], l.Tokens[first]) {
		return true
	}
	before := l.Tokens[first-1].Text
	return isMoneyPrefix(before) || strings.HasSuffix(before, ":")
}

var (
	spacedHead  = lazyregexp.New(`^[-–−+(]?(?:[$£€])?\d{1,3}$`)
	spacedInner = lazyregexp.New(`^\d{3}$`)
	spacedTail  = lazyregexp.New(`^\d{3}\.\d{2}\)?-?$`)
)

var ocrDigits = strings.NewReplacer("O", "0", "o", "0", "l", "1", "I", "1", "|", "1", "§", "5", "B", "8", "~", "-",
	",.", ",", "..", ".")

// repairDigits undoes the usual misreadings of figures. Its result counts only when it looks like money.
func repairDigits(s string, style DecimalStyle) string {
	s = strings.TrimRight(s, "'`‘’,:;_")
	if strings.HasPrefix(s, "S") && len(s) > 4 {
		s = "$" + s[1:]
	}
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	if g := colonCents.FindStringSubmatch(s); g != nil {
		s = g[1] + "." + g[2]
	}
	s = ocrDigits.Replace(s)
	if g := ocrAmount.FindStringSubmatch(s); g != nil && style == DotDecimal {
		return strings.TrimPrefix(g[1], "=") + strings.NewReplacer(" ", "", ",", "", ".", "").Replace(g[2]) + "." + g[3]
	}
	if n := len(s); style == DotDecimal && n > 3 && s[n-3] == ',' {
		return s[:n-3] + "." + s[n-2:] // 1,234,56
	}
	if i := strings.LastIndex(s, "."); style == DotDecimal && i > 0 && len(s)-i == 3 {
		return strings.ReplaceAll(s[:i], ".", ",") + s[i:] // 1.234.56
	}
	return s
}

var (
	dotEvidence = lazyregexp.New(`\d,\d{3}\.\d{2}\b|(?:^|\D)\d{1,3}\.\d{2}(?:$|[^\d.])|(?:^` +
		`|[^\d.,])\d{1,3}(?:,\d{3})+(?:$|[^\d.,])`)
	dottedDate    = lazyregexp.New(`^\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?(?:\D|$)`)
	commaEvidence = lazyregexp.New(`\d[. ]\d{3},\d{2}\b|(?:^|[^\d,])\d{1,3},\d{2}(?:$|[^\d,])|(?:^` +
		`|[^\d.,])\d{1,3}(?:\.\d{3}){2,}(?:$|[^\d.,])`)
)

// StyleOf decides a document's decimal style by majority. Whole amounts count too, by their groups: a statement in
// whole dollars must not be read another way for one figure that lost a digit. One group behind a point is none: rates
// are written so.
func StyleOf(pages []Page) DecimalStyle { return StyleIn(pages, DotDecimal) }

// StyleIn is StyleOf of a part of a file, which is whole's where the part's own amounts say nothing.
func StyleIn(pages []Page, whole DecimalStyle) DecimalStyle {
	dots, days, commas := 0, 0, 0
	for _, p := range pages {
		for _, t := range p.Tokens {
			switch {
			case !strings.ContainsAny(t.Text, ".,") || !strings.ContainsAny(t.Text, "0123456789"):
			case dottedDate.MatchString(t.Text):
			case dayAndMonth.MatchString(t.Text):
				days++
			case dotEvidence.MatchString(t.Text):
				dots++
			case commaEvidence.MatchString(t.Text):
				commas++
			}
		}
	}
	if commas > 2*dots && commas > 2 {
		return CommaDecimal // what looks like 04.02 are days beside them
	}
	if commas > dots+days {
		return CommaDecimal
	}
	if dots+days+commas == 0 {
		return whole
	}
	return DotDecimal
}

// dayAndMonth is a day as statements print it in much of Europe, or a small amount elsewhere.
var dayAndMonth = lazyregexp.New(`^(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])$`)

// MoneyOn is the amounts of a line that look like money.
func MoneyOn(l Line, style DecimalStyle) []Money {
	var found []Money
	for _, m := range l.Amounts(style) {
		if l.Tokens[m.First].Method == MethodOCR && m.Places() != 2 {
			continue // a figure that OCR tore apart; whole ones have cents
		}
		if m.Looks() && !m.Percent {
			found = append(found, m)
		}
	}
	return found
}

// FigureEdge is where the digits of a figure end: a closing parenthesis or a mark hangs over. A cell has no place
// within.
func FigureEdge(m Money) float64 {
	if m.Cell || m.First != m.Last && m.Mark != "" || len(m.Text) == 0 {
		return m.X1
	}
	over := len(m.Text) - len(strings.TrimRight(m.Text, ")%*†- CRDcrd"))
	if over == 0 || m.Dash {
		return m.X1
	}
	return m.X1 - (m.X1-m.X0)/float64(len([]rune(m.Text)))*0.75*float64(min(over, 2))
}

// mistaken are the digits that OCR takes for one another.
var mistaken = map[byte]string{'0': "689", '1': "47", '2': "7", '3': "589", '4': "19", '5': "3689", '6': "058",
	'7': "12", '8': "03569", '9': "03458"}

// Mistakable reports whether two figures differ in one digit that OCR takes for the other.
func Mistakable(read, meant decimal.Decimal) bool {
	a, b := read.StringFixed(2), meant.StringFixed(2)
	if len(a) != len(b) || a == b {
		return false
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return a[i+1:] == b[i+1:] && strings.IndexByte(mistaken[a[i]], b[i]) >= 0
}
