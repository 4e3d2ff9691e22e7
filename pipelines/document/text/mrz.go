package text

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// MRZ is a machine readable zone. Source: ICAO 9303 parts 3 to 6.
type MRZ struct {
	Lines  []string
	Tokens []Token
	Format string // TD1, TD2, TD3, French
	Code   string // document code: P, I, A, C
	Issuer string
	Number string
	// Optional is what the first line of a card has behind its number.
	Optional string
	Last     string
	First    string
	Birth    Date
	Expiry   Date
	Sex      string
	Valid    bool // the check digits of number, birth and expiry agree
	Dated    bool // those of birth and expiry do
	// Damaged says that the line of the names lost letters: its issuer is none.
	Damaged bool
	// NumberCheck is the check digit of the number.
	NumberCheck byte
	Country     string
}

var MRZLine = lazyregexp.New(`^[A-Z0-9<]{24,50}$`)

// FindMRZ looks for a machine readable zone among lines. ok is false when there is none; a zone whose check
// digits fail is returned with valid false, and its fields are not to be trusted.
func FindMRZ(lines []Line) (MRZ, bool) {
	var rows []Line
	for _, l := range lines {
		if part := zonePart(l); isZoneLine(part) {
			rows = append(rows, part)
		}
	}
	best, found := MRZ{}, false
	for i := range rows {
		for n := 3; n >= 2; n-- {
			if i+n > len(rows) {
				continue
			}
			if m, ok := parseMRZ(rows[i : i+n]); ok && (!found || m.Valid && !best.Valid) {
				best, found = m, true
			}
		}
	}
	if !found && len(rows) == 1 { // the first line was lost: the second alone carries the data
		if m, ok := parseMRZ([]Line{{Page: rows[0].Page}, rows[0]}); ok {
			return m, true
		}
	}
	return best, found
}

// zonePart is the only cell of a line that holds fillers and is a zone's line by itself, else the line: both sides of a
// card may lie side by side in one picture.
func zonePart(l Line) Line {
	cells := l.Cells()
	if len(cells) < 2 {
		return l
	}
	var filled []Line
	for _, cell := range cells {
		if text := MRZText(cell); strings.Contains(text, "<") || HasDigits(text, 10) {
			filled = append(filled, cell)
		}
	}
	if len(filled) != 1 || !isZoneLine(filled[0]) {
		return l
	}
	return Line{Page: l.Page, Tokens: filled[0].Tokens, Y0: l.Y0, Y1: l.Y1, X0: filled[0].X0, X1: filled[0].X1}
}

// isZoneLine reports whether a line has the characters of a zone's line and the shape of one. OCR loses fillers of long
// runs.
func isZoneLine(l Line) bool {
	text := MRZText(l)
	if shortCard.MatchString(text) || shortDates.MatchString(text) || shortNames.MatchString(text) && len(text) <= 30 {
		return true
	}
	return MRZLine.MatchString(text) && (strings.Count(text, "<") >= 3 || mrzData.MatchString(text) ||
		mrzCard.MatchString(text) || frenchData.MatchString(text))
}

// The three lines of a TD1 zone whose fillers were lost: code, issuer, number and its check digit; the dates with
// theirs; names.
var (
	shortCard  = lazyregexp.New(`^[ACI][A-Z<][A-Z<]{3}[A-Z0-9<]{9}[0-9OISBZGQD]<{2,15}$`)
	shortDates = lazyregexp.New(`^[0-9OISBZGQD]{7}[MFX<][0-9OISBZGQD]{7}[A-Z<]{3}<{2,11}[0-9OISBZGQD]?$`)
	shortNames = lazyregexp.New(`^[A-Z]{2,}(?:<[A-Z]+)*<<[A-Z]{2,}(?:<[A-Z]+)*<{2,}$`)
)

// mrzData is the shape of the second line of a TD3 or TD2 zone: number, nationality, birth, sex, expiry.
var mrzData = lazyregexp.New(`^[A-Z0-9<]{9}[0-9OISBZGQD][A-Z0-9<]{3}[0-9OISBZGQD]{7}[MFX<][0-9OISBZGQD]{7}`)

// mrzNames is the shape of the first line of a passport's zone.
var mrzNames = lazyregexp.New(`^P[A-Z<][A-Z]{3}[A-Z<]{4,}<<[A-Z<]*<<<`)

// HasPassportNames reports whether a passport's zone is on a page, of which the second line may be unreadable.
func HasPassportNames(lines []Line) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return mrzNames.MatchString(MRZText(l)) })
}

// mrzCard is the shape of the first line of a TD1 zone whose optional data fill it.
var mrzCard = lazyregexp.New(`^[ACI][A-Z0-9<][A-Z<]{3}[A-Z0-9<]{9}[0-9OISBZGQD][A-Z0-9<]{15}$`)

// MRZText is a line without blanks, with the characters that OCR puts for fillers and capitals undone.
func MRZText(l Line) string {
	text := l.Text()
	if strings.ToLower(text) != text {
		text = strings.ReplaceAll(text, "l", "I") // among capitals it is one, or a figure
	}
	return fillers.Replace(strings.ToUpper(text))
}

// fillers are what OCR puts for the filler of a zone.
var fillers = strings.NewReplacer(" ", "", "«", "<<", "‹", "<", "(", "<", "{", "<", "[", "<", "×", "X")

func parseMRZ(rows []Line) (MRZ, bool) {
	texts := make([]string, len(rows))
	var tokens []Token
	for i, r := range rows {
		texts[i] = MRZText(r)
		tokens = append(tokens, r.Tokens...)
	}
	for i := range texts {
		texts[i] = cleanFillers(texts[i])
	}
	if last := len(texts) - 1; len(texts[last]) < 44 { // of Germany's code, which is one letter, the fillers were lost
		texts[last] = germanData.ReplaceAllString(texts[last], "${1}D<<${2}")
	}
	m := MRZ{Lines: texts, Tokens: tokens}
	switch {
	case len(rows) == 2 && strings.HasPrefix(texts[0], "IDFRA") && len(texts[0]) <= 36 && len(texts[1]) <= 36:
		m.Format = FormatFrench
		return m, m.readFrench()
	case len(rows) == 3 && len(texts[0]) <= 33 && len(texts[1]) <= 33:
		m.Format = "TD1"
		return m, m.readTD1(pad(texts[0], 30), pad(texts[1], 30), pad(texts[2], 30))
	case len(rows) == 2 && max(len(texts[0]), len(texts[1])) > 38:
		m.Format = "TD3"
		return m, m.readTwoLines(pad(texts[0], 44), pad(texts[1], 44)) || m.readTwoLines(pad(texts[0], 44),
			pad("<"+texts[1], 44)) // the edge of the picture or a shadow took the first character
	case len(rows) == 2 && max(len(texts[0]), len(texts[1])) >= 28:
		m.Format = "TD2"
		if strings.HasPrefix(texts[0], "P") {
			m.Format = "TD3"
		}
		return m, m.readTwoLines(pad(texts[0], 44), pad(texts[1], 44))
	}
	return m, false
}

// cleanFillers undoes letters that OCR put into a run of fillers: <<<<C<<< has no C, and no name has a letter thrice in
// a row.
func cleanFillers(s string) string {
	b := []byte(s)
	for i := 0; i < len(b) && !HasDigits(s, 3); {
		end := i + 1
		for end < len(b) && b[end] == b[i] {
			end++
		}
		if end-i >= 3 && b[i] >= 'A' && b[i] <= 'Z' {
			copy(b[i:end], strings.Repeat("<", end-i))
		}
		i = end
	}
	for i := 3; i+2 < len(b); i++ {
		if b[i] != '<' && b[i-1] == '<' && b[i-2] == '<' && b[i-3] == '<' && b[i+1] == '<' && b[i+2] == '<' {
			b[i] = '<'
		}
	}
	return string(b)
}

var germanData = lazyregexp.New(`^([A-Z0-9<]{8,9}[0-9OISBZGQD])D<?([0-9OISBZGQD]{7}[MFX<][0-9OISBZGQD]{7})`)

func pad(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s + strings.Repeat("<", n-len(s))
}

// AsPrinted undoes what OCR confuses where a zone can only hold one kind of character: digits in the dates and
// the check digits, letters in the names.
func (m *MRZ) AsPrinted() []string {
	if m.Format == FormatFrench {
		return m.Lines
	}
	digits := map[string][][2]int{"TD3": {{9, 10}, {13, 20}, {21, 28}, {42, 44}},
		"TD2": {{9, 10}, {13, 20}, {21, 28}, {35, 36}}}
	width := map[string]int{"TD1": 30, "TD2": 36, "TD3": 44}[m.Format]
	out := append([]string(nil), m.Lines...)
	for i, s := range out {
		if strings.HasSuffix(s, "<<<") && len(s) < width { // OCR loses some of a long run of fillers
			out[i] = pad(s, width)
		}
	}
	set := func(line, from, to int, repair func(string) string) {
		if s := out[line]; to <= len(s) {
			out[line] = s[:from] + repair(s[from:to]) + s[to:]
		}
	}
	if m.Format == "TD1" {
		set(0, 14, 15, toDigits)
		for _, at := range [][2]int{{0, 7}, {8, 15}, {29, 30}} {
			set(1, at[0], at[1], toDigits)
		}
		set(2, 0, len(out[2]), toLetters)
		return out
	}
	set(0, 0, len(out[0]), toLetters)
	set(1, 10, 13, m.nationality)
	for _, at := range digits[m.Format] {
		set(1, at[0], at[1], toDigits)
	}
	return out
}

// nationality is the code of a country as the first line has it, where OCR put a figure into it.
func (m *MRZ) nationality(code string) string {
	if !HasDigits(code, 1) || len(m.Issuer) != 3 {
		return code
	}
	same := 0
	for i := range 3 {
		if code[i] == m.Issuer[i] {
			same++
		}
	}
	if same == 2 {
		return m.Issuer
	}
	return toLetters(code)
}

// readTwoLines reads TD3 and TD2: the fields of interest stand at the same places.
func (m *MRZ) readTwoLines(first, second string) bool {
	m.names(m.withIssuer(first, toLetters(second[10:13])))
	return m.data(second[0:9], second[9], second[13:19], second[19], second[20], second[21:27], second[27],
		func(number string) bool {
			// the composite check digit of TD3; TD2 has it at 35
			end, optional := 43, second[28:42]+toDigits(second[42:43])
			if m.Format == "TD2" {
				end, optional = 35, second[28:35]
			}
			fields := number + toDigits(second[9:10]) + toDigits(second[13:20]) + toDigits(second[21:28]) + optional
			return dossier.CheckDigit(fields) == toDigit(second[end])
		})
}

// readTD1 reads the three lines of a card.
func (m *MRZ) readTD1(first, second, third string) bool {
	m.Code, m.Issuer = first[:1], strings.TrimRight(toLetters(first[2:5]), "<")
	m.Optional = strings.Trim(first[15:30], "<")
	m.splitNames(third)
	return m.data(first[5:14], first[14], second[0:6], second[6], second[7], second[8:14], second[14],
		func(number string) bool {
			fields := number + toDigits(first[14:15]) + first[15:30] + toDigits(second[0:7]) + toDigits(second[8:15]) +
				second[18:29]
			return dossier.CheckDigit(fields) == toDigit(second[29])
		})
}

func (m *MRZ) names(first string) {
	if strings.Trim(first, "<") == "" {
		return
	}
	m.Code, m.Issuer = first[:1], strings.TrimRight(toLetters(first[2:5]), "<")
	m.splitNames(first[5:])
}

// splitNames parts SURNAME<<GIVEN<NAMES. What follows three fillers is noise.
func (m *MRZ) splitNames(s string) {
	s = toLetters(s)
	if i := strings.Index(s, "<<<"); i >= 0 {
		s = s[:i]
	}
	last, first, _ := strings.Cut(s, "<<")
	clean := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "<", " ")), " ") }
	m.Last, m.First = clean(last), clean(first)
}

// data reads and checks the coded fields; it reports whether they have the shape of a zone at all.
func (m *MRZ) data(number string, numberCheck byte, birth string, birthCheck, sex byte, expiry string, expiryCheck byte,
	composite func(number string) bool) bool {
	birth, expiry = toDigits(birth), toDigits(expiry)
	m.NumberCheck = toDigit(numberCheck)
	repaired, numberOK := repairNumber(number, m.NumberCheck)
	if number[0] == '<' || repaired != number && !composite(repaired) && !onlyNoughts(number, repaired) {
		numberOK = false // one check digit is too little to prove a repair, and no number begins with a filler
	} else {
		number = repaired
	}
	m.Number = strings.TrimRight(number, "<")
	b, birthShape := mrzDate(birth)
	e, expiryShape := mrzDate(expiry)
	if !birthShape && !expiryShape {
		return false
	}
	m.Birth, m.Expiry = b, e
	m.Birth.Year = 1900 + b.Year
	if m.Expiry.Year = 2000 + e.Year; m.Birth.Year+100 <= m.Expiry.Year-14 || b.Year <= 12 && m.Expiry.Year > 2020 {
		m.Birth.Year = 2000 + b.Year
	}
	if sex == 'M' || sex == 'F' {
		m.Sex = string(sex)
	}
	m.Dated = birthShape && expiryShape && dossier.CheckDigit(birth) == toDigit(birthCheck) &&
		dossier.CheckDigit(expiry) == toDigit(expiryCheck)
	m.Valid = numberOK && m.Dated
	if m.Country = issuerCountry(m.Issuer); !isIssuer(m.Issuer) {
		m.Country = ""
	}
	return true
}

// onlyNoughts reports whether a repair put noughts and the letter O in one another's place: in the type of a zone they
// differ by so little that its check digit proves it.
func onlyNoughts(read, repaired string) bool {
	for i := range len(read) {
		if read[i] != repaired[i] && !strings.Contains("0OQD", string(read[i])) {
			return false
		}
	}
	return true
}

func mrzDate(s string) (Date, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return Date{}, false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	d := Date{two(0), two(2), two(4)}
	return d, Date{2024, d.Month, d.Day}.Valid() && d.Day > 0
}

// digitFor and letterFor are the usual confusions of OCR-B.
var (
	digitFor  = map[byte]byte{'O': '0', 'Q': '0', 'D': '0', 'I': '1', 'L': '1', 'Z': '2', 'S': '5', 'G': '6', 'B': '8'}
	letterFor = map[byte]byte{'0': 'O', '1': 'I', '2': 'Z', '5': 'S', '6': 'G', '8': 'B'}
)

func toDigit(c byte) byte {
	if d, ok := digitFor[c]; ok {
		return d
	}
	return c
}

func toDigits(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = toDigit(b[i])
	}
	return string(b)
}

func toLetters(s string) string {
	b := []byte(s)
	for i := range b {
		if l, ok := letterFor[b[i]]; ok {
			b[i] = l
		}
	}
	return string(b)
}

// repairNumber finds the reading of a document number that its check digit confirms, swapping at most four
// confusable characters. Without one the number comes back as read.
func repairNumber(s string, check byte) (string, bool) {
	if dossier.CheckDigit(s) == check {
		// Two letters O may weigh as much as two noughts: among figures they are noughts.
		if noughts := s[:2] + strings.ReplaceAll(s[2:], "O", "0"); dossier.CheckDigit(noughts) == check {
			return noughts, true
		}
		return s, true
	}
	for _, letters := range []int{2, 1, 0} { // a number is a letter or two, then figures, which may all be misread
		if whole := s[:letters] + toDigits(s[letters:]); dossier.CheckDigit(whole) == check {
			return whole, true
		}
	}
	var at []int
	for i := range len(s) {
		if digitFor[s[i]] != 0 || letterFor[s[i]] != 0 {
			at = append(at, i)
		}
	}
	at = at[:min(len(at), 4)]
	for set := 1; set < 1<<len(at); set++ {
		b := []byte(s)
		for k, i := range at {
			if set&(1<<k) == 0 {
				continue
			}
			if d := digitFor[b[i]]; d != 0 {
				b[i] = d
			} else {
				b[i] = letterFor[b[i]]
			}
		}
		if dossier.CheckDigit(string(b)) == check {
			return string(b), true
		}
	}
	return s, false
}

// issuerCountry turns an issuer code into an ISO 3166 alpha-3 code: Germany writes D, Britain has several.
func issuerCountry(code string) string {
	switch {
	case code == "D":
		return "DEU"
	case strings.HasPrefix(code, "GB"):
		return "GBR"
	case len(code) == 3 && !strings.Contains(code, "<"):
		return code
	}
	return ""
}
