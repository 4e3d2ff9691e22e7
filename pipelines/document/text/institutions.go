package text

import (
	_ "embed" // banks.txt
	"slices"
	"strings"
	"sync"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

//go:embed banks.txt
var banksFile string

// bankEntry is a bank of banks.txt.
type bankEntry struct {
	country, name          string
	phrases, bics, routing []string
}

// banks are the banks of banks.txt.
var banks = sync.OnceValue(func() []*bankEntry {
	var all []*bankEntry
	for line := range strings.Lines(banksFile) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 5 || strings.HasPrefix(line, "#") {
			continue
		}
		all = append(all, &bankEntry{f[0], f[1], strings.Split(f[2], ";"), strings.Fields(f[3]), strings.Fields(f[4])})
	}
	return all
})

type bankWords struct {
	phrase string
	bank   *bankEntry
}

// institutionNames are banks by words that their statements print (folded), the longest first. It is only a short
// cut to the usual name: a bank that is not here is read by bankName.
var institutionNames = sync.OnceValue(func() []bankWords {
	var all []bankWords
	for _, b := range banks() {
		for _, phrase := range b.phrases {
			all = append(all, bankWords{phrase, b})
		}
	}
	slices.SortStableFunc(all, func(x, y bankWords) int { return len(y.phrase) - len(x.phrase) })
	return all
})

var (
	bankName = lazyregexp.New(`\b((?:[A-Z][\p{L}0-9&'’.-]*|of|the|and|&|for)(?:\s+(?:\p{Lu}[\p{L}0-9&'’.-]*|of|the` +
		`|and|&|for)){0,5}?\s+(?:BANK|Bank|CREDIT UNION|Credit Union|FCU|BUILDING SOCIETY|Building Society|SAVINGS ` +
		`(?:&|AND) LOAN|Savings (?:&|and) Loan|SAVINGS BANK|Savings Bank|TRUST COMPANY|Trust Company|BANCORP` +
		`|Bancorp|BANKING CORP(?:ORATION)?|Banking Corp(?:oration)?|BANKING COMPANY|Banking Company)` +
		`(?:\s+(?:&|and|AND)\s+(?:TRUST|Trust)(?:\s+(?:COMPANY|Company|CO\.?|Co\.?))?` +
		`|\s+of\s+(?:the\s+)?[A-Z][a-z]+(?:\s[A-Z][a-z]+)?|\s+OF\s+(?:THE\s+)?[A-Z]+(?:\s[A-Z]+)?|\s+(?:Limited` +
		`|LIMITED|Ltd|LTD|plc|PLC))?)\b`)
	// cooperative is a savings or cooperative bank of a town: German, Danish, Norwegian, Swedish.
	cooperative = lazyregexp.New(`\b((?:(?:Stadt|Kreis)?[Ss]parkasse|Volksbank|Raiffeisenbank|VR-Bank|VR ` +
		`Bank|Spare[Bb]ank(?:en)?(?: 1)?|Sparbank(?:en)?|Sparekassen?|Landkreditt Bank|Andelskassen?)` +
		`(?:\s(?:zu |am |im |an der )?[A-ZÄÖÜ][\p{L}-]+){1,3}(?:\s(?:eG|AG))?)`)

	ofName = lazyregexp.New(`\b((?:The |THE )?(?:First |FIRST )?(?:National |NATIONAL )?(?:Bank|BANK) (?:of|OF) ` +
		`(?:the |THE )?[A-Z][A-Za-z'’]+(?: [A-Z][A-Za-z'’]+){0,2})\b`)
	notAName = lazyregexp.New(`(?i)^(your|our|the|a|this|other|online|mobile|write|visit|contact|call|member|for|of` +
		`|and|non|at|to|from|any|or|if|by|with|in|all|business|personal|commercial|fdic|questions|mail|dear|thank` +
		`|use|routing|issuer|issued)\b`)
)

// InstitutionOf finds the bank that a statement is from, in lines without amounts (descriptions of
// transactions name other banks). Unknown is nil.
func InstitutionOf(lines []Line, style DecimalStyle) (name string, tokens []Token) {
	if name, tokens := keeperOf(lines); name != "" {
		return name, tokens
	}
	best, bestScore := "", 0.0
	var where []Token
	scores := map[string]float64{}
	consider := func(found string, weight float64, t []Token) {
		scores[found] += weight
		if scores[found] > bestScore {
			if best != found {
				where = t
			}
			best, bestScore = found, scores[found]
		}
	}
	for i, l := range lines {
		if len(MoneyOn(l, style)) > 0 || i > 400 {
			continue
		}
		if d := l.Dates(MonthFirst); len(d) > 0 && d[0].First == 0 && len(l.Tokens) > 3 {
			continue // a transaction whose amount stands elsewhere
		}
		weight := 1.0
		if l.Page == lines[0].Page {
			weight = 2
		}
		if i < 6 {
			weight = 4
		}
		for _, cell := range l.Cells() {
			text, _, _ := strings.Cut(tradingName.ReplaceAllString(cell.Text(), "\x00"), "\x00")
			if at := supervised.FindStringIndex(text); at != nil {
				text = text[:at[0]]
			}
			if found, ok := KnownInstitution(text); ok {
				consider(longerName(text, found), weight*1.5, cell.Tokens)
				continue
			}
			if found, share, tokens := nameInCell(lines, i, cell, text); found != "" {
				consider(found, weight*share, tokens)
			}
		}
	}
	if best == "" {
		return nameElsewhere(lines, style)
	}
	return wholeName(best, scores), where
}

// legalForms are what the whole name of a bank ends in.
var legalForms = []string{" limited", " ltd", " plc", " ag", " se", " sa", " nv", " n v", " asa", " ab"}

// wholeName is the whole name, printed once, of a bank that is printed short elsewhere.
func wholeName(short string, printed map[string]float64) string {
	folded, best := Fold(short), short
	for name := range printed {
		for _, form := range legalForms {
			if Fold(name) == folded+form && (best == short || name < best) {
				best = name
			}
		}
	}
	return best
}

// keeperOfBooks is the firm that a statement calls no bank: it keeps the accounts that a bank holds, and its name heads
// the statement.
var keeperOfBooks = lazyregexp.New(`\b(\p{Lu}[\p{L}&.'’]*(?: \p{Lu}[\p{L}&.'’]*){0,3})` +
	`(?:, (?:Inc|LLC|Ltd|Corp|Co)\b\.?)?,? is (?:an? (?:financial technology|fintech|technology) ` +
	`(?:company|platform|provider|firm)` +
	`|not (?:itself )?an? (?:FDIC[- ]insured )?bank\b)`)

// supervised begins the words that name an authority and not the bank; licensed says whose licence it is.
var (
	supervised = lazyregexp.New(`(?i)\b(?:authori[sz]ed|regulated|supervised|licensed)(?: and (?:regulated` +
		`|supervised))? by\b|\b(?:the )?(?:reserve|central) bank of\b|\bbangko sentral\b`)
	licensed = lazyregexp.New(`^(\p{Lu}[\p{L}&.'’]*(?: (?:\p{Lu}[\p{L}&.'’]*|of|and|&)){0,4}) is (?:an? [a-z ` +
		`-]{3,40} )?(?:authori[sz]ed|regulated|licensed)\b`)
)

// nameOfLicence is the name in the sentence that says who licensed a bank.
func nameOfLicence(lines []Line) (string, []Token) {
	for _, l := range lines {
		s := l.Text()
		if g := licensed.FindStringSubmatchIndex(s); g != nil && !notAName.MatchString(s[g[2]:g[3]]) {
			return s[g[2]:g[3]], l.TokensOf(g[2], g[3])
		}
	}
	return "", nil
}

// keeperOf is the firm that says of itself that it is no bank.
func keeperOf(lines []Line) (string, []Token) {
	for _, l := range lines {
		s := l.Text()
		if g := keeperOfBooks.FindStringSubmatchIndex(s); g != nil {
			if name := strings.TrimRight(s[g[2]:g[3]], "., "); !notAName.MatchString(name) {
				return name, l.TokensOf(g[2], g[2]+len(name))
			}
		}
	}
	return "", nil
}

// writtenName is a bank's name in a cell, by the words that make it one; empty when there is none.
func writtenName(text string, words int) string {
	if words > 14 {
		return ""
	}
	longest := ""
	for _, p := range []*lazyregexp.Regexp{ofName, bankName, cooperative, latinName, compoundName, companyName} {
		g := p.FindStringSubmatch(text)
		if g == nil || notAName.MatchString(g[1]) || columnOfAmounts.MatchString(g[1]) {
			continue
		}
		if name := strings.TrimSpace(g[1]); longest == "" || len(name) > len(longest) &&
			strings.HasSuffix(name, longest) {
			longest = name
		}
	}
	return longest
}

// latinName is a bank's name that begins with what the bank is, in French, Spanish, Italian and Portuguese;
// compoundName ends in it, in German, Dutch and the languages of the North. Each fills its cell.
var (
	latinName = lazyregexp.New(`^((?:Banque|BANQUE|Crédit|CRÉDIT|Caisse|CAISSE|Caja|CAJA|Banco|BANCO|Banca|BANCA` +
		`|Cassa|CASSA|Credito|Crédito)(?:\s(?:de|des|du|la|le|les|del|della|di|do|da|e|y|et|populaire|rural` +
		`|cooperativo|mutuel)|\s(?:(?:de |de l|d|l)['’])?\p{Lu}[\p{L}'’.-]*){1,7}(?:, ?S\.? ?(?:A|C|p\.A)\.?(?: ` +
		`?[A-Z]\.?){0,3})?)$`)
	compoundName = lazyregexp.New(`^(\p{Lu}[\p{L}-]{2,24}(?:bank|banken|banki|pankki)` +
		`(?: (?:N\.V\.|NV|AG|eG|SE|A/S|AB|ASA|Oyj|hf\.))?)$`)
	// companyName is a bank's name that begins with the word and ends in the form of its company: Polish, Czech,
	// Indonesian, Malaysian, Danish.
	companyName = lazyregexp.New(`\b((?:PT\.? )?(?:Bank|BANK|Banka|BANKA)(?: \p{Lu}[\p{L}&-]+){1,4},? (?:S\. ?A\.` +
		`|SA|a\.s\.|A\.Ş\.|A/S|d\.d\.|Tbk|TBK|\(Persero\)(?:,? Tbk)?|Berhad|BERHAD|AG|JSC|PJSC|PLC|Plc|plc|Limited` +
		`|LIMITED|Ltd\.?))(?:[ ,.;]|$)`)
	// columnOfAmounts heads a column of money in or out.
	columnOfAmounts = lazyregexp.New(`^(?i:cr[eé]dito?)s? (?:EUR|USD|CAD|MXN|CHF)\b`)
)

// longerName is the name that fills a cell where the known one only ends it: another bank's.
func longerName(text, known string) string {
	g := bankName.FindStringSubmatch(text)
	if g == nil || notAName.MatchString(g[1]) || len(text) > len(g[1])+6 || !strings.HasSuffix(Fold(known), " bank") ||
		!strings.HasSuffix(Fold(g[1]), " "+Fold(known)) && !strings.HasPrefix(Fold(g[1]), Fold(known)+" of ") {
		return known
	}
	return strings.TrimSpace(g[1])
}

// isBankLine reports whether a line of an address names the bank.
func isBankLine(text string) bool {
	if _, known := KnownInstitution(text); known || bankName.MatchString(text) {
		return true
	}
	return latinName.MatchString(text) || compoundName.MatchString(text) || cooperative.MatchString(text)
}

// siteStem is the name in the address of a site.
var siteStem = lazyregexp.New(`(?i)(?:^|[\s/.(@])([a-z][a-z-]{3,24})\.(?:com|bank|org|net|coop|us|ca|co\.nz|com\.au` +
	`|co\.uk|de|fr|nl|es|eu)\b`)

// nameOfSite is the brand at the head of the first page that is also the name of a site on it: of a bank whose name has
// none of the words of a bank.
func nameOfSite(lines []Line, style DecimalStyle) (string, []Token) {
	stems := map[string]bool{}
	for _, l := range lines {
		if l.Page == lines[0].Page && len(MoneyOn(l, style)) == 0 {
			for _, g := range siteStem.FindAllStringSubmatch(l.Text(), -1) {
				stems[strings.ReplaceAll(strings.ToLower(g[1]), "-", "")] = true
			}
		}
	}
	for _, l := range lines[:min(len(lines), 6)] {
		for _, cell := range l.Cells() {
			name := strings.TrimRight(cell.Text(), "®™ ")
			if stems[strings.ReplaceAll(Fold(name), " ", "")] && !letterheadWords.MatchString(name) &&
				!strings.Contains(name, ".") {
				return name, cell.Tokens
			}
		}
	}
	return "", nil
}

var (
	bankDomain = lazyregexp.New(`(?i)(?:^|[\s/@.(])([a-z][a-z-]{2,24}?)(bank|creditunion|fcu)\.(?:com|bank|org|net` +
		`|coop|us|ca|co\.nz|com\.au|co\.uk)\b`)
	insured = lazyregexp.New(`(?:^|\b(?:at|by|with|through|of) )(\p{Lu}[\p{L}&'’.]*(?: (?:\p{Lu}[\p{L}&'’.]*|of|and` +
		`|&)){0,4}),?(?: [–|•·-])? (?i:Member FDIC)\b`)
)

// nameOfDomain is the name of a bank that prints it only in the address of its site, or before the words that say that
// its deposits are insured.
func nameOfDomain(lines []Line, style DecimalStyle) (string, []Token) {
	kinds := map[string]string{"bank": "Bank", "creditunion": "Credit Union", "fcu": "FCU"}
	for _, l := range lines {
		if len(MoneyOn(l, style)) > 0 {
			continue
		}
		for _, cell := range l.Cells() {
			g := bankDomain.FindStringSubmatch(cell.Text())
			if g == nil {
				continue
			}
			stem := strings.ToLower(g[1])
			name := strings.ToUpper(stem[:1]) + stem[1:] + " " + kinds[strings.ToLower(g[2])]
			if known, ok := KnownInstitution(name); ok {
				name = known
			}
			return name, cell.Tokens
		}
		if g := insured.FindStringSubmatch(l.Text()); g != nil && !letterheadWords.MatchString(g[1]) &&
			!notAName.MatchString(g[1]) {
			at := strings.Index(l.Text(), g[1])
			return g[1], l.TokensOf(at, at+len(g[1]))
		}
	}
	return "", nil
}

// rightsOf is who holds the rights in what a page says: "© 2024 Example Holdings LLC". OCR loses the mark.
var rightsOf = lazyregexp.New(`(?:\b|[Cc©])20\d\d,? (\p{Lu}[\p{L}&'’.]*(?: \p{Lu}[\p{L}&'’.]*){1,4})`)

// nameInRights is the name that holds the rights in the text and stands alone at the head of the first page.
func nameInRights(lines []Line) (string, []Token) {
	for _, l := range lines {
		g := rightsOf.FindStringSubmatch(l.Text())
		if g == nil || letterheadWords.MatchString(g[1]) || len(l.Dates(MonthFirst)) > 0 {
			continue // the year of an entry's date
		}
		for _, head := range lines[:min(len(lines), 8)] {
			for _, cell := range head.Cells() {
				if name := cell.Text(); len(name) > 6 &&
					strings.HasPrefix(strings.TrimRight(g[1], "."), strings.TrimRight(name, ".")) {
					return name, cell.Tokens
				}
			}
		}
	}
	return "", nil
}

// tradingName stands between the name that a bank goes by and the company behind it.
var tradingName = lazyregexp.New(`(?i)\bis a (?:trading name|trading style|trade name|trademark|division|brand` +
	`|trading division)s? of\b`)

// nameInLargeType is the heading of the first page: the letterhead's name, set larger than the page's text.
func nameInLargeType(lines []Line) (string, []Token) {
	if len(lines) < 8 || lines[0].Tokens[0].Method == MethodCell {
		return "", nil
	}
	var heights []float64
	for _, l := range lines {
		heights = append(heights, l.Tokens[0].Y1-l.Tokens[0].Y0)
	}
	slices.Sort(heights)
	usual := heights[len(heights)/2]
	for _, l := range lines[:min(len(lines), 4)] {
		cell := l.Cells()[0]
		text := strings.TrimSpace(cell.Text())
		larger := 1.25
		house := houseOfMoney.MatchString(text) && !ownersTrust.MatchString(text)
		if house {
			larger = 1.1
		}
		if l.Page == lines[0].Page && cell.Tokens[0].Y1-cell.Tokens[0].Y0 > larger*usual && len(cell.Tokens) <= 5 &&
			len(text) >= 3 && MeanConfidence(cell.Tokens) > 0.8 &&
			!strings.ContainsAny(text, "0123456789:@") && (house || !letterheadWords.MatchString(text)) {
			return text, cell.Tokens
		}
	}
	return "", nil
}

// houseOfMoney ends the name of one who keeps accounts without being called a bank; the trust of a family, ownersTrust,
// has an account.
var (
	houseOfMoney = lazyregexp.New(`^(?:\p{Lu}[\p{L}&.'’-]* ){1,3}(?i:mutual|trust|financial|savings|microfinance)$`)
	ownersTrust  = lazyregexp.New(`(?i)\b(?:family|living|revocable|irrevocable|estate|children'?s) trust$`)
)

// letterheadWords are titles, which are no names.
var letterheadWords = lazyregexp.New(`(?i)\b(statement|account|summary|checking|savings|balance|page|activity` +
	`|kontoauszug|relev[eé]|your|welcome|important|transaction|transactions|history)\b`)

// fullCell weighs a name that fills its cell over one within a sentence.
func fullCell(text, name string) float64 {
	if len(text) < len(name)+12 {
		return 1.5
	}
	return 0.5
}

// KnownInstitution is the bank that a text names, by the name people use.
func KnownInstitution(text string) (string, bool) {
	folded := Fold(text)
	for _, n := range institutionNames() {
		if HasWords(folded, n.phrase) {
			return n.bank.name, true
		}
	}
	return bankByCode(text)
}

var (
	printedBIC = lazyregexp.New(`\b(?:BIC|SWIFT)[^A-Z0-9]{0,12}(?:[Cc]ode` +
		`|CODE)?[^A-Z0-9]{0,4}([A-Z]{4})[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b`)
	printedRouting = lazyregexp.New(`(?i)\b(?:routing|aba|rtn)\b[^0-9]{0,30}(\d{9})\b`)
)

// bankByCode is the bank whose BIC or routing number a text prints under its caption.
func bankByCode(text string) (string, bool) {
	bic, routing := printedBIC.FindStringSubmatch(text), printedRouting.FindStringSubmatch(text)
	if bic == nil && routing == nil {
		return "", false
	}
	for _, b := range banks() {
		if bic != nil && slices.Contains(b.bics, bic[1]) || routing != nil && slices.Contains(b.routing, routing[1]) {
			return b.name, true
		}
	}
	return "", false
}

// currencies are those of the countries of banks.txt.
var currencies = map[string]string{"US": "USD", "PR": "USD", "GB": "GBP", "CA": "CAD", "AU": "AUD", "NZ": "NZD",
	"SG": "SGD", "HK": "HKD", "IN": "INR", "CH": "CHF",
	"SE": "SEK", "NO": "NOK", "DK": "DKK", "MX": "MXN", "ZA": "ZAR", "AE": "AED", "IE": "EUR", "DE": "EUR", "AT": "EUR",
	"FR": "EUR", "NL": "EUR", "BE": "EUR",
	"ES": "EUR", "PT": "EUR", "IT": "EUR", "FI": "EUR", "PL": "PLN", "CZ": "CZK", "HU": "HUF", "BR": "BRL", "TR": "TRY",
	"IL": "ILS", "JP": "JPY", "NG": "NGN", "KE": "KES", "ID": "IDR", "MY": "MYR", "PH": "PHP", "TH": "THB"}

// BankCurrency is the currency of the only country that a bank is of; empty when it is unknown or of several.
func BankCurrency(name string) string {
	found := ""
	for _, b := range banks() {
		if b.name != name {
			continue
		}
		code := currencies[b.country]
		if code == "" || found != "" && found != code {
			return ""
		}
		found = code
	}
	return found
}
