package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Date is a printed date. Year is 0 when it is not printed (3/31), Day is 0 for a month alone (March 2024).
type Date struct{ Year, Month, Day int }

// String is YYYY-MM-DD; it may be called on complete dates only.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// Complete reports whether year, month and day are known, and that year has such a day.
func (d Date) Complete() bool { return d.Year > 0 && d.Month > 0 && d.Day > 0 && d.Valid() }

// Before compares complete dates.
func (d Date) Before(o Date) bool { return d.String() < o.String() }

// Time is midnight UTC of a complete date.
func (d Date) Time() time.Time {
	return time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
}

// AddDays moves a complete date.
func (d Date) AddDays(n int) Date { return DateOf(d.Time().AddDate(0, 0, n)) }

// EndOfMonth is the last day of d's month.
func (d Date) EndOfMonth() Date {
	return DateOf(time.Date(d.Year, time.Month(d.Month)+1, 0, 0, 0, 0, 0, time.UTC))
}

func DateOf(t time.Time) Date { return Date{t.Year(), int(t.Month()), t.Day()} }

// Valid reports whether the printed parts can be a date.
func (d Date) Valid() bool {
	if d.Month < 1 || d.Month > 12 || d.Day < 0 || d.Day > 31 || d.Year != 0 && (d.Year < 1900 || d.Year > 2100) {
		return false
	}
	if d.Day == 0 {
		return d.Year != 0
	}
	year := d.Year
	if year == 0 {
		year = 2024 // a leap year: 2/29 may be right
	}
	return DateOf(Date{year, d.Month, d.Day}.Time()) == Date{year, d.Month, d.Day}
}

// WithYear gives a yearless date its year: the one that puts it on or before the end of a period, at most
// a year back (12/29 on a statement that ends in January belongs to the year before).
func (d Date) WithYear(end Date) Date {
	if d.Year != 0 {
		return d
	}
	d.Year = end.Year
	if end.AddDays(7).Before(d) { // a week's slack: some lists run past the closing date
		d.Year--
	}
	return d
}

// DateOrder is the order of day and month in all-figure dates.
type DateOrder int

// Date orders.
const (
	MonthFirst DateOrder = iota
	DayFirst
)

// FoundDate is a date in a text; From and To are byte offsets of it.
type FoundDate struct {
	Date
	From, To int
}

// MonthNames holds English names and the abbreviations, then the names of other languages met on
// bilingual statements. Keys are folded.
var MonthNames = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11,
	"dec":     12,
	"janvier": 1, "fevrier": 2, "mars": 3, "avril": 4, "mai": 5, "juin": 6, "juillet": 7, "aout": 8, "septembre": 9,
	"octobre": 10, "novembre": 11, "decembre": 12,
	"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8, "septiembre": 9,
	"octubre": 10, "noviembre": 11, "diciembre": 12,
	"ene": 1, "abr": 4, "ago": 8, "dic": 12, "janv": 1, "fevr": 2, "fev": 2, "avr": 4, "juil": 7,
	"januar": 1, "februar": 2, "marz": 3, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12, "dez": 12, "mrz": 3,
	"okt":     10,
	"januari": 1, "februari": 2, "maart": 3, "mei": 5, "augustus": 8, "mrt": 3,
	"gennaio": 1, "febbraio": 2, "aprile": 4, "maggio": 5, "giugno": 6, "luglio": 7, "settembre": 9, "ottobre": 10,
	"dicembre": 12,
	"janeiro":  1, "fevereiro": 2, "marco": 3, "maio": 5, "junho": 6, "julho": 7, "setembro": 9, "outubro": 10,
	"dezembro": 12,
	"marts":    3, "maj": 5, "augusti": 8, "desember": 12,
	// Romanian, Polish, Czech, Turkish, Indonesian and Hungarian
	"ianuarie": 1, "februarie": 2, "martie": 3, "aprilie": 4, "iunie": 6, "iulie": 7, "septembrie": 9, "octombrie": 10,
	"noiembrie": 11, "decembrie": 12,
	"stycznia": 1, "lutego": 2, "marca": 3, "kwietnia": 4, "maja": 5, "czerwca": 6, "lipca": 7, "sierpnia": 8,
	"wrzesnia": 9, "pazdziernika": 10, "listopada": 11, "grudnia": 12,
	"ledna": 1, "unora": 2, "brezna": 3, "dubna": 4, "kvetna": 5, "cervna": 6, "cervence": 7, "srpna": 8, "rijna": 10,
	"listopadu": 11, "prosince": 12,
	"ocak": 1, "subat": 2, "nisan": 4, "mayıs": 5, "haziran": 6, "temmuz": 7, "agustos": 8, "eylul": 9, "ekim": 10,
	"kasım": 11, "aralık": 12, "mayis": 5, "kasim": 11, "aralik": 12,
	"maret": 3, "agustus": 8, "marcius": 3, "aprilis": 4, "majus": 5, "junius": 6,
	"julius": 7, "augusztus": 8, "szeptember": 9,
}

// datedMonths are names of months that are other words too: they count between a day and a year only.
var datedMonths = map[string]int{
	"set": 9, "out": 10, "gen": 1, "mag": 5, "giu": 6, "lug": 7, "ott": 10, "mart": 3,
	"oca": 1, "sub": 2, "nis": 4, "haz": 6, "tem": 7, "agu": 8, "eyl": 9, "eki": 10, "kas": 11, "ara": 12,
	"ian": 1, "iun": 6, "iul": 7, "noi": 11, "agt": 8, "des": 12,
	"sty": 1, "lut": 2, "kwi": 4, "cze": 6, "lip": 7, "sie": 8, "wrz": 9, "paz": 10, "lis": 11, "gru": 12,
}

const (
	monthWord = `(?P<name>[A-Za-zÀ-ſ]{3,12})\.?`
	yearWord  = `(?P<year>(?:19|20)\d{2}|['’]\d{2})`
)

// datePatterns are tried at each place in this order; the first that gives a valid date wins.
var datePatterns = []*lazyregexp.Regexp{
	lazyregexp.New(`^(?P<year>(?:19|20)\d{2})\s?[-/.]\s?(?P<a>\d{1,2})\s?[-/.]\s?(?P<b>\d{1,2})(?:T|\b)`), // 2001-03-31
	lazyregexp.New(`^(?P<a>\d{1,2})\s?(?P<sep>[-/.])\s?(?P<b>\d{1,2})\s?(?P<sep2>[-/.])\s?(?P<year>(?:19|20)\d{2}|` +
		`\d{2})\b`),
	// March 31, 2001
	lazyregexp.New(`^` + monthWord + `\s?(?P<day>\d{1,2})(?:st|nd|rd|th)?\s?,?\s?` + yearWord + `\b`),
	// Mar 31, 01
	lazyregexp.New(`^` + monthWord + `\s(?P<day>\d{1,2})(?:st|nd|rd|th)?,\s?(?P<year>\d{2})\b`),
	// 31 March 2001
	lazyregexp.New(`^(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|°)?[\s./-]{0,2}(?:day\sof\s|of\s|de\s)?` + monthWord +
		`,?[\s/-]?(?:del?\s)?` + yearWord + `\b`),
	lazyregexp.New(`^(?P<day>\d{1,2})[\s-]` + monthWord + `[\s-](?P<year>\d{2})\b`),              // 31-Mar-01
	lazyregexp.New(`^(?P<year>(?:19|20)\d{2})-` + monthWord + `-(?P<day>\d{1,2})\b`),             // 2001-Mar-31
	lazyregexp.New(`^(?P<day>\d{1,2})/` + monthWord + `/(?P<year>\d{2})\b`),                      // 31/Mar/01
	lazyregexp.New(`^` + monthWord + `[-/](?P<day>\d{1,2})[-/](?P<year>(?:19|20)\d{2}|\d{2})\b`), // Mar-31-2001
	lazyregexp.New(`^` + monthWord + `\s(?P<day>\d{1,2})/(?P<year>\d{2})\b`),                     // Mar 31/01
	lazyregexp.New(`^(?P<name>[A-Z]{3})(?P<day>[0-3]\d)/(?P<year>\d{2})\b`),                      // MAR31/01
	// March 2001, Oct '21
	lazyregexp.New(`^` + monthWord + `,?\s?-?` + yearWord + `\b`),
	lazyregexp.New(`^` + monthWord + `[\s-](?P<day>\d{1,2})(?:st|nd|rd|th)?\b`),                    // Mar 31
	lazyregexp.New(`^(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|°)?[\s/-]?` + monthWord + `(?:\b|$)`),     // 31 Mar
	lazyregexp.New(`^(?P<name>JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?P<day>[0-3]\d)\b`), // MAR31
	lazyregexp.New(`^(?P<a>\d{1,2})(?P<sep>[/])(?P<b>\d{1,2})\b`),                                  // 3/31
	lazyregexp.New(`^(?P<a>\d{2})(?P<sep>\.)(?P<b>\d{2})\.(?:\s|$)`),                               // 31.03.
	lazyregexp.New(`^(?P<day>\d{1,2})(?:º|°)?\sde\s` + monthWord + `(?:\b|$)`),                     // 31 de marzo
}

// dashedYearless is 08-02: a date only at the start of a text, where a row's date stands.
var dashedYearless = lazyregexp.New(`^(?P<a>\d{2})(?P<sep>-)(?P<b>\d{2})(?:\s|$)`)

// yearlessFrom is the index in datePatterns from which the forms print no full date.
const yearlessFrom = 11

// halfMonth is a word with a figure that OCR may have made of a letter: "0ctober", "Ju1y".
var halfMonth = lazyregexp.New(`\b(?:[A-Za-z]*[01][A-Za-z]+|[A-Za-z]+[01][A-Za-z]*)\b`)

var letterOfFigure = strings.NewReplacer("0", "o", "1", "l")

// spellMonths writes the names of months without figures; every other word and all offsets stay.
func spellMonths(text string) string {
	if !hasHalfMonth(text) {
		return text
	}
	return halfMonth.ReplaceAllStringFunc(text, func(word string) string {
		if spelled := letterOfFigure.Replace(word); MonthNames[strings.ToLower(spelled)] > 0 {
			return spelled
		}
		return word
	})
}

// FindDates finds the dates of a text, left to right, without overlaps. It guesses nothing: 31/03/2001 is
// read whatever the order, 03/04/2001 by order; an impossible date is none. A number with more digits,
// a fraction of a longer figure or a phone number is no date.
func FindDates(text string, order DateOrder) []FoundDate {
	text = spellMonths(text)
	var found []FoundDate
	for i := 0; i < len(text); {
		// 06/01/2024-06/30/2024
		touching := len(found) > 0 && found[len(found)-1].Complete() && found[len(found)-1].To == i-1 &&
			text[i-1] == '-'
		if !dateMayBegin(text, i) && !touching {
			i++
			continue
		}
		d, n, ok := dateAt(text[i:], order)
		if !ok && i == 0 {
			if g := dashedYearless.FindStringSubmatch(text); g != nil {
				d, ok = dateFromGroups(dashedYearless, g, order)
				n = len("00-00")
			}
		}
		if !ok {
			i++
			continue
		}
		found = append(found, FoundDate{Date: d, From: i, To: i + n})
		i += n
	}
	return found
}

// dateMayBegin reports whether a date can begin at byte i: at a letter or digit that no letter, digit,
// currency sign or decimal mark precedes.
func dateMayBegin(text string, i int) bool {
	c := text[i]
	if !isDigit(c) && !isLetter(c) {
		return false
	}
	if i == 0 {
		return true
	}
	p := text[i-1]
	if isDigit(p) || isLetter(p) || p == '$' {
		return false
	}
	return !(isDigit(c) && i > 1 && strings.IndexByte(".,/-", p) >= 0 && isDigit(text[i-2]))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// dateAt reads the date at the start of s and the bytes it takes.
func dateAt(s string, order DateOrder) (Date, int, bool) {
	if len(s) > 48 {
		s = s[:48]
	}
	if !mayBeDate(s) {
		return Date{}, 0, false
	}
	for i, p := range datePatterns {
		g := p.FindStringSubmatch(s)
		if g == nil {
			continue
		}
		d, ok := dateFromGroups(p, g, order)
		rest := s[len(g[0]):]
		if !ok || i >= yearlessFrom && (trailsNumber(rest) || isNoLeapDay(d, rest)) || p == datePatterns[1] &&
			(isTwoDates(g[0], rest) || isFraction(p, g)) {
			continue
		}
		return d, len(g[0]), true
	}
	return Date{}, 0, false
}

// isTwoDates reports whether a date of three numbers is in truth the whole of a date without a year and the day of the
// next: "04.03. 04.03."
func isTwoDates(date, rest string) bool {
	return strings.Contains(date, ". ") && len(rest) > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9'
}

// isFraction reports whether a number between two marks is no year of two figures: 3/31.50.
func isFraction(p *lazyregexp.Regexp, g []string) bool {
	return len(g[p.SubexpIndex("year")]) == 2 && g[p.SubexpIndex("sep")] != g[p.SubexpIndex("sep2")]
}

// isNoLeapDay reports whether the year behind a 29 February has none: the day is then of no year.
func isNoLeapDay(d Date, rest string) bool {
	if d.Year != 0 || d.Month != 2 || d.Day != 29 {
		return false
	}
	g := yearBehind.FindStringSubmatch(rest)
	if g == nil {
		return false
	}
	d.Year, _ = strconv.Atoi(g[1])
	return !d.Valid()
}

var yearBehind = lazyregexp.New(`^,?\s?(?:de\s)?((?:19|20)\d{2})\b`)

// trailsNumber reports whether what follows a yearless date makes it something else: 3/31.50, 1/2/..., 5-10%.
func trailsNumber(rest string) bool {
	if len(rest) == 0 {
		return false
	}
	if rest[0] == '%' {
		return true
	}
	return len(rest) > 1 && strings.IndexByte("./-,", rest[0]) >= 0 && rest[1] >= '0' && rest[1] <= '9'
}

func dateFromGroups(p *lazyregexp.Regexp, g []string, order DateOrder) (Date, bool) {
	get := func(name string) string {
		if i := p.SubexpIndex(name); i >= 0 {
			return g[i]
		}
		return ""
	}
	var d Date
	if y := strings.TrimLeft(get("year"), "'’"); y != "" {
		d.Year, _ = strconv.Atoi(y)
		if len(y) == 2 {
			d.Year = ExpandYear(d.Year)
		}
	}
	if name := get("name"); name != "" {
		d.Month = MonthNames[Fold(name)]
		d.Day, _ = strconv.Atoi(get("day"))
		if d.Month == 0 && d.Day > 0 && d.Year > 0 {
			d.Month = datedMonths[Fold(name)]
		}
		return d, d.Month > 0 && d.Valid() && (get("day") == "" || d.Day > 0)
	}
	a, _ := strconv.Atoi(get("a"))
	b, _ := strconv.Atoi(get("b"))
	if p == datePatterns[0] {
		d.Month, d.Day = a, b
		return d, d.Day > 0 && d.Valid()
	}
	if get("sep") == "." { // points are used in day-first countries only
		d.Month, d.Day = b, a
		return d, d.Day > 0 && d.Valid()
	}
	d.Month, d.Day = a, b
	if order == DayFirst && b <= 12 || a > 12 {
		d.Month, d.Day = b, a
	}
	return d, d.Day > 0 && d.Valid()
}

// ExpandYear gives a two-digit year its century: up to 50 it is 20xx.
func ExpandYear(y int) int {
	if y <= 50 {
		return 2000 + y
	}
	return 1900 + y
}

var allFigures = lazyregexp.New(`\b(\d{1,2})[-/](\d{1,2})[-/](?:\d{4}|\d{2})\b`)

// OrderOf decides the order of day and month of a document: by dates with a figure above 12, else by the
// signs of its country (pound, euro, sort code, BSB), else month first.
func OrderOf(pages []Page) DateOrder { return OrderIn(pages, MonthFirst) }

// OrderIn is OrderOf of a part of a file, which is whole's where the part itself says nothing.
func OrderIn(pages []Page, whole DateOrder) DateOrder {
	monthFirst, dayFirst, abroad, tongue, american := 0, 0, 0, 0, 0
	for _, page := range pages {
		for _, line := range Lines(page) {
			text := line.Text()
			for _, g := range allFigures.FindAllStringSubmatch(text, -1) {
				a, _ := strconv.Atoi(g[1])
				b, _ := strconv.Atoi(g[2])
				switch {
				case a > 12 && b <= 12:
					dayFirst++
				case b > 12 && a <= 12:
					monthFirst++
				}
			}
			foreign := foreignWords(text)
			switch {
			case foreign && abroadWords.MatchString(text):
				abroad++
			case foreign && dayFirstTongue.MatchString(text):
				tongue++
			case CityLine.MatchString(line.Cells()[0].Text()):
				american++
			}
		}
	}
	if dayFirst > monthFirst || dayFirst == monthFirst && (abroad > 0 || tongue > 1 && american == 0) {
		return DayFirst
	}
	if monthFirst+dayFirst+american == 0 {
		return whole
	}
	return MonthFirst
}

var abroadWords = lazyregexp.New(`(?i)£|€|\bsort code\b|\bBSB\b|\bIBAN\b|\bABN\b|\bGST\b|\bVAT\b`)

// dayFirstTongue matches words of papers in languages whose countries write the day first. Papers for readers of
// Spanish in the United States have an address there.
var dayFirstTongue = lazyregexp.New(`(?i)\b(?:fecha|saldo|factura|cuenta|vencimiento|importe|vencimento|emiss[aã]o` +
	`|fatura|conta|descri[cç][aã]o|datum|betrag|rechnung|konto|facture|relev[eé]|solde|montant|fattura|scadenza` +
	`|importo|bedrag|rekening|faktura|belopp|GSTIN|IFSC|CNPJ|CPF|RFC|RUC|NIT|PIVA)\b|₹|R\$`)

// DateOn is a date found in a line, with where it is printed.
type DateOn struct {
	Date
	Tokens      []Token
	First, Last int // tokens of the line
	From, To    int // bytes of Line.Text()
}

// Dates finds the dates of the line.
func (l Line) Dates(order DateOrder) []DateOn {
	var dates []DateOn
	for _, f := range FindDates(l.Text(), order) {
		first, last := l.TokenRange(f.From, f.To)
		dates = append(dates, DateOn{f.Date, l.Tokens[first : last+1], first, last, f.From, f.To})
	}
	return dates
}

// repairedDate is the text of a scanned date whose figures were read as letters, with figures: "O4/22/2029".
var scannedDate = lazyregexp.New(`^[0-9OIlSBZ]{1,2}([/.-])[0-9OIlSBZ]{1,2}[/.-][0-9OIlSBZ]{4}$`)

func repairedDate(t Token) (Token, bool) {
	if t.Method != MethodOCR {
		return t, false
	}
	if g := lostStroke.FindStringSubmatch(t.Text); g != nil {
		t.Text = g[1] + g[3] + "/" + g[2] + g[4] + "/" + g[5]
		return t, true
	}
	if !scannedDate.MatchString(t.Text) {
		return t, false
	}
	t.Text = toDigits(strings.ToUpper(t.Text))
	return t, true
}

// lostStroke is a date of which one stroke was lost: "11/021991", "1102/1991".
var lostStroke = lazyregexp.New(`^(?:(\d{2})/(\d{2})|(\d{2})(\d{2})/)(\d{4})$`)
