package text

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// institutionNames are banks by words that their statements print (folded), with the name people use. It is
// only a short cut to the usual name: a bank that is not here is read by bankName.
var institutionNames = []struct{ phrase, name string }{
	{"jpmorgan chase", "Chase"}, {"chase com", "Chase"}, {"chase bank", "Chase"}, {"bank of america", "Bank of America"}, {"bankofamerica com", "Bank of America"},
	{"wells fargo", "Wells Fargo"}, {"wellsfargo com", "Wells Fargo"}, {"citibank", "Citibank"}, {"citi com", "Citibank"}, {"u s bank", "U.S. Bank"}, {"usbank com", "U.S. Bank"},
	{"pnc bank", "PNC Bank"}, {"pnc com", "PNC Bank"}, {"truist", "Truist"}, {"suntrust", "SunTrust"}, {"bb&t", "BB&T"}, {"capital one", "Capital One"}, {"td bank", "TD Bank"}, {"tdbank com", "TD Bank"},
	{"m&t bank", "M&T"}, {"manufacturers and traders trust company", "M&T"}, {"mtb com", "M&T"}, {"fifth third", "Fifth Third Bank"}, {"citizens bank", "Citizens Bank"}, {"keybank", "KeyBank"},
	{"regions bank", "Regions Bank"}, {"regions com", "Regions Bank"}, {"huntington national bank", "Huntington"}, {"huntington com", "Huntington"}, {"bmo harris", "BMO Harris"}, {"bmo bank", "BMO"},
	{"ally bank", "Ally Bank"}, {"charles schwab bank", "Charles Schwab Bank"}, {"goldman sachs bank", "Goldman Sachs Bank"}, {"discover bank", "Discover Bank"}, {"american express national bank", "American Express National Bank"},
	{"santander", "Santander"}, {"first republic", "First Republic Bank"}, {"silicon valley bank", "Silicon Valley Bank"}, {"signature bank", "Signature Bank"}, {"comerica", "Comerica Bank"}, {"zions bank", "Zions Bank"},
	{"first citizens bank", "First Citizens Bank"}, {"first horizon", "First Horizon Bank"}, {"webster bank", "Webster Bank"}, {"synovus", "Synovus"}, {"east west bank", "East West Bank"}, {"frost bank", "Frost Bank"},
	{"valley national bank", "Valley National Bank"}, {"umb bank", "UMB Bank"}, {"bok financial", "BOK Financial"}, {"old national bank", "Old National Bank"}, {"wintrust", "Wintrust"}, {"cathay bank", "Cathay Bank"},
	{"hancock whitney", "Hancock Whitney"}, {"first national bank of omaha", "First National Bank of Omaha"}, {"bank of the west", "Bank of the West"}, {"union bank", "Union Bank"}, {"bbva", "BBVA"}, {"hsbc", "HSBC"},
	{"axos bank", "Axos Bank"}, {"mercury", "Mercury"}, {"bluevine", "Bluevine"}, {"novo", "Novo"}, {"chime", "Chime"}, {"sofi", "SoFi"}, {"relay financial", "Relay"}, {"brex", "Brex"}, {"varo bank", "Varo Bank"},
	{"navy federal", "Navy Federal Credit Union"}, {"state employees credit union", "State Employees' Credit Union"}, {"pentagon federal", "PenFed Credit Union"}, {"usaa", "USAA"}, {"becu", "BECU"}, {"alliant credit union", "Alliant Credit Union"},
	{"golden 1 credit union", "Golden 1 Credit Union"}, {"schoolsfirst", "SchoolsFirst Federal Credit Union"}, {"first tech federal", "First Tech Federal Credit Union"},
	{"barclays", "Barclays"}, {"lloyds bank", "Lloyds Bank"}, {"natwest", "NatWest"}, {"nationwide building society", "Nationwide"}, {"royal bank of scotland", "Royal Bank of Scotland"}, {"halifax", "Halifax"}, {"monzo", "Monzo"}, {"starling bank", "Starling Bank"}, {"revolut", "Revolut"}, {"metro bank", "Metro Bank"}, {"tsb bank", "TSB"},
	{"royal bank of canada", "RBC Royal Bank"}, {"rbc royal bank", "RBC Royal Bank"}, {"td canada trust", "TD Canada Trust"}, {"scotiabank", "Scotiabank"}, {"bank of nova scotia", "Scotiabank"}, {"bank of montreal", "BMO"}, {"cibc", "CIBC"}, {"desjardins", "Desjardins"}, {"tangerine", "Tangerine"}, {"national bank of canada", "National Bank of Canada"},
	{"commonwealth bank", "Commonwealth Bank"}, {"commbank", "Commonwealth Bank"}, {"westpac", "Westpac"}, {"national australia bank", "NAB"}, {"anz", "ANZ"}, {"bendigo bank", "Bendigo Bank"}, {"macquarie bank", "Macquarie Bank"}, {"suncorp", "Suncorp"},
	{"deutsche bank", "Deutsche Bank"}, {"commerzbank", "Commerzbank"}, {"bnp paribas", "BNP Paribas"}, {"societe generale", "Société Générale"}, {"credit agricole", "Crédit Agricole"}, {"ing bank", "ING"}, {"banco santander", "Santander"}, {"banco popular", "Banco Popular"}, {"firstbank puerto rico", "FirstBank Puerto Rico"},
}

var (
	bankName = lazyregexp.New(`\b((?:[A-Z][A-Za-z0-9&'’.-]*|of|the|and|&|for)(?:\s+(?:[A-Z][A-Za-z0-9&'’.-]*|of|the|and|&|for)){0,5}?\s+(?:BANK|Bank|CREDIT UNION|Credit Union|FCU|BUILDING SOCIETY|Building Society|SAVINGS (?:&|AND) LOAN|Savings (?:&|and) Loan|SAVINGS BANK|Savings Bank|TRUST COMPANY|Trust Company|BANCORP|Bancorp)(?:\s+(?:&|and|AND)\s+(?:TRUST|Trust)(?:\s+(?:COMPANY|Company|CO\.?|Co\.?))?|\s+of\s+(?:the\s+)?[A-Z][a-z]+(?:\s[A-Z][a-z]+)?|\s+OF\s+(?:THE\s+)?[A-Z]+(?:\s[A-Z]+)?)?)\b`)
	ofName   = lazyregexp.New(`\b((?:The |THE )?(?:First |FIRST )?(?:National |NATIONAL )?(?:Bank|BANK) (?:of|OF) (?:the |THE )?[A-Z][A-Za-z'’]+(?: [A-Z][A-Za-z'’]+){0,2})\b`)
	notAName = lazyregexp.New(`(?i)^(your|our|the|a|this|other|online|mobile|write|visit|contact|call|member|for|of|and|non|at|to|from|any|or|if|by|with|in|all|business|personal|commercial|fdic|questions|mail|dear|thank|use|routing)\b`)
)

// InstitutionOf finds the bank that a statement is from, in lines without amounts (descriptions of
// transactions name other banks). Unknown is nil.
func InstitutionOf(lines []Line, style DecimalStyle) (name string, tokens []Token) {
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
			text := cell.Text()
			if found, ok := KnownInstitution(text); ok {
				consider(found, weight*1.5, cell.Tokens)
				continue
			}
			for _, p := range []*lazyregexp.Regexp{ofName, bankName} {
				g := p.FindStringSubmatch(text)
				if g == nil || notAName.MatchString(g[1]) || len(cell.Tokens) > 14 {
					continue
				}
				consider(strings.TrimSpace(g[1]), weight*fullCell(text, g[1]), cell.Tokens)
				break
			}
		}
	}
	if best == "" {
		return nameInLargeType(lines)
	}
	return best, where
}

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
		if l.Page == lines[0].Page && cell.Tokens[0].Y1-cell.Tokens[0].Y0 > 1.25*usual && len(cell.Tokens) <= 5 && len(text) >= 3 && MeanConfidence(cell.Tokens) > 0.8 &&
			!strings.ContainsAny(text, "0123456789:@") && !letterheadWords.MatchString(text) {
			return text, cell.Tokens
		}
	}
	return "", nil
}

// letterheadWords are titles, which are no names.
var letterheadWords = lazyregexp.New(`(?i)\b(statement|account|summary|checking|savings|balance|page|activity|kontoauszug|relev[eé]|your|welcome|important|transaction|transactions|history)\b`)

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
	for _, n := range institutionNames {
		if HasWords(folded, n.phrase) {
			return n.name, true
		}
	}
	return "", false
}
