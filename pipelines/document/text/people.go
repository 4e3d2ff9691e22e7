package text

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	CityLine = lazyregexp.New(`(?i)^[A-Za-z .'’-]+(?:,\s*|\s+)(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA` +
		`|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]|GU|AS|USA)\.?,?\s+\d(?: ?\d){4}(?: ` +
		`?[-–] ?\d{4})?\s*(?:US|USA)?$`)
	// street, city, state and ZIP
	oneLine = lazyregexp.New(`(?i)^\d+[A-Za-z]?(?:[-/]\d+)?\s+[^,]{3,40},(?:[^,]{1,20},)?[A-Za-z .'’-]+(?:,\s*` +
		`|\s+)[A-Z1][A-Z]\.?,?\s+\d(?: ?\d){4}(?: ?[-–] ?\d{4})?$`)
	postcode = lazyregexp.New(`^(?:.*[\s,])?(?:[A-Z]{1,2}\d[A-Z\d]?\s+\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d` +
		`|\d{4,5}\s+\p{Lu}[\p{L}' -]{2,30}` +
		`|(?:\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2})\s+\p{Lu}[\p{L}' -]{2,30}\d{0,2}` +
		`|(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\s+\d{4}|C\.?P\.? ?\d{5}|\p{Lu}[\p{L} ` +
		`]{2,30}[ -]+\d{6}|\d{4} ?[A-Z]{2}\s+\p{Lu}[\p{L}' -]{2,30})$`)
	cityAndCode  = lazyregexp.New(`^\p{Lu}[\p{L} .'’-]{2,30},? \d{4}$`) // of New Zealand
	canadianCity = lazyregexp.New(`^[\p{L} .'-]+,? [A-Z]{2},? +[A-Z]\d[A-Z] ?\d[A-Z]\d$`)
	street       = lazyregexp.New(`(?i)^(?:\d+[A-Za-z]?(?:[-/]\d+)?\s+\S+|p\.?\s?o\.?\s?box\b|flat\b|unit\b|apt\b` +
		`|suite\b|blk\b|block\b|plot\b|purok\b|brgy\b|rr \d|(?:h|d|door|house|flat|plot)?\.? ?no\b\.? ?\d)` +
		`|^\p{L}+(?:strasse|straße|str\.|gasse|weg|platz|allee|ring)\s+\d+` +
		`|^(?:rue|avenue|calle|via|av|avenida|blvd|boulevard|calz|calzada|carr|carretera|rua|travessa|pra[cç]a` +
		`|jalan)\.?\s|^(?:ul|al|os|pl|cl|cra|kr|jl|r)\.?\s.*\d`)
	NotPerson = lazyregexp.New(`(?i)\b(bank|credit union|p\.?o\.? box|customer|service|statement|account|questions` +
		`|page|box|write|www|member|branch|return|address|checking|savings|electronic|important|date|period|number` +
		`|phone|call|department|operations|center|dear|summary|online|agence|agencia|sucursal` +
		`|oficina|filiale|agenzia|kantoor|estado de cuenta|extracto|kontoauszug` +
		`|rekeningafschrift|relev[eé] de compte)\b|[:@]|\.com\b|\d{3,}`)
	Company = lazyregexp.New(`(?i)\b(llc|l\.l\.c|inc|incorporated|corp|corporation|company|co|ltd|limited|llp|lp` +
		`|pllc|plc|pc|pty|pvt|gmbh|kg|ohg|sarl|sas|srl|s\.a|s\.l|b\.v|bv|ltée|ltee|sa de cv|de c\.v|de rl|dba|d/b/a` +
		`|enterprises|group|holdings|services|partners|associates|trust|foundation|church|club)\b\.?`)
)

// numberedStreet is a street before its number, as most of Europe writes it.
var numberedStreet = lazyregexp.New(`^\p{Lu}[\p{L} .'’-]{3,30} \d{1,3} ?[a-zA-Z]?$`)

// IsStreet reports whether text can be the line of a street in an address.
func IsStreet(text string) bool {
	return street.MatchString(text) ||
		numberedStreet.MatchString(text) && !NotPerson.MatchString(strings.TrimRight(text, "0123456789"))
}

// IsTown reports whether text can be the line of a town with its code.
func IsTown(text string) bool {
	text = strings.Trim(text, " .,")
	return CityLine.MatchString(text) || postcode.MatchString(text) || canadianCity.MatchString(text) ||
		endsInCode(text)
}

// courtesy begins the name of a person who is written to.
var courtesy = lazyregexp.New(`(?i)^(?:m/s|mr|mrs|ms|miss|dr|messrs|herrn?|frau|de heer|mevrouw|monsieur|madame|mme` +
	`|m(?: ou | et )mme)\b\.? `)

// courtesyAlone is a line of courtesy above the name it belongs to.
var courtesyAlone = lazyregexp.New(`(?i)^(?:(?:herrn?|frau|monsieur|madame|gent(?:ile|\.?m[oa])?|egr(?:egio)?` +
	`|spett(?:\.?le)?|sig(?:\.?ra|\.?na|nora?)?|exm[oa]|ilm[oa]|senhora?|sr(?:a|ta)?|se[nñ]ora?|de heer|mevrouw` +
	`|cliente?|kunde)` +
	`(?:\.| |$)+){1,3}$`)

// addressBlock is a name above a postal address.
type addressBlock struct {
	names   []Line // the lines above the street, top first
	address []Line
	isBank  bool
	branch  bool  // it is the office's of the bank that keeps the account
	tail    *Line // the end of a name that its line did not hold, while the rest of the name is looked for
}

// addressBlocks finds postal addresses with the names above them, in reading order.
func addressBlocks(lines []Line) []addressBlock {
	var blocks []addressBlock
	for i, l := range lines {
		for _, cell := range l.Cells() {
			text := strings.Trim(cell.Text(), " .,")
			if !CityLine.MatchString(text) && !postcode.MatchString(text) && !endsInCode(text) && !wholeAddress(text) {
				continue
			}
			if b, ok := blockAbove(lines, i, cell); ok {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

// wholeAddress reports whether a text is an address from its street to its postcode: of the United States, or of a
// country that sets commas between the parts.
func wholeAddress(text string) bool {
	if oneLine.MatchString(text) {
		return true
	}
	parts := strings.Split(text, ",")
	if len(parts) < 2 || len(parts) > 5 || len(text) > 90 {
		return false
	}
	first, last := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[len(parts)-1])
	return (street.MatchString(first) || numberedStreet.MatchString(first)) &&
		(postcode.MatchString(last) || endsInCode(last))
}

// endsInCode reports whether text is a city before its postcode of four figures, and no month before its year.
func endsInCode(text string) bool {
	if !cityAndCode.MatchString(text) || NotPerson.MatchString(text[:len(text)-4]) {
		return false
	}
	for word := range strings.FieldsSeq(Fold(text)) {
		if MonthNames[word] != 0 {
			return false
		}
	}
	return true
}

// blockAbove climbs from the line of the city to the street and the names.
func blockAbove(lines []Line, i int, city Line) (addressBlock, bool) {
	b := addressBlock{address: []Line{city}}
	below := city
	streetSeen := wholeAddress(strings.Trim(city.Text(), " .,"))
	for up := i - 1; up >= 0 && up > i-14 && len(b.names) < 4; up-- {
		cell, ok := AlignedCell(lines[up], below)
		if !ok {
			if below.Y0-lines[up].Y1 > 1.5*(below.Y1-below.Y0) {
				break
			}
			continue
		}
		text := cell.Text()
		if endsAddress(cell, below, streetSeen) {
			break
		}
		if b.isBank = isBankLine(text) || goesOnBelow(cell, below); b.isBank {
			break
		}
		switch {
		case !streetSeen && IsStreet(text):
			streetSeen = true
			// a village may stand between street and postcode
			b.address = slices.Concat([]Line{cell}, b.names, b.address)
			b.names = nil
		case !streetSeen && len(b.address) < 3 && len(b.names) == 0 && !looksLikeName(text):
			b.address = append([]Line{cell}, b.address...)
		case streetSeen && len(b.names) == 0 && b.beneath(cell):
		case !looksLikeName(text):
			b.branch = branchAbove.MatchString(text)
			return b, len(b.names) > 0 && streetSeen
		default:
			b.names = append([]Line{cell}, b.names...)
		}
		below = cell
	}
	return b, len(b.names) > 0 && streetSeen
}

// beneath takes a line that stands between a name and its street: a remark, or the end of a name, which is held back
// until its first part is found above it.
func (b *addressBlock) beneath(cell Line) bool {
	text := cell.Text()
	switch {
	case beneathName.MatchString(text):
	case b.tail == nil && loneSurname.MatchString(text):
		b.tail = &cell
	case b.tail != nil && (personOnly(text) || loneSurname.MatchString(text)):
		cell.Tokens = slices.Concat(cell.Tokens, b.tail.Tokens)
		b.names, b.tail = []Line{cell}, nil
	default:
		return false
	}
	return true
}

// endsAddress reports whether a block begins below a cell: the cell stands apart, or is the end of another address.
func endsAddress(cell, below Line, streetSeen bool) bool {
	apart := below.Y0-cell.Y1 > 1.3*(below.Y1-below.Y0)
	return apart || streetSeen && (CityLine.MatchString(cell.Text()) || canadianCity.MatchString(cell.Text()))
}

// beneathName matches what stands between a company's name and its street: which of its accounts it is, or who is to
// read it. office matches whom a letter to a company is addressed to, above its name.
var (
	beneathName = lazyregexp.New(`(?i)^(?:attn|attention|c/o)\b|^(?:[a-z&]+ ){0,3}(?:operating|payroll|trust|escrow` +
		`|general|main|reserve|business|expense|tax) (?:account|acct|a/c|fund)$`)
	office = lazyregexp.New(`(?i)^(?:attn|attention|the (?:directors?|manager|proprietors?|treasurer|secretary` +
		`|trustees?|owner|partners)|accounts payable)\b`)
)

// loneSurname is a word alone on its line that can be the end of a name.
var loneSurname = lazyregexp.New(`^\p{Lu}[\p{L}'’-]{2,24}$`)

// branchAbove stands above the name and the address of the office that keeps an account.
var branchAbove = lazyregexp.New(`(?i)^(?:votre |ihre |tu |su |your |uw )?(?:agence|filiale|sucursal|oficina|branch` +
	`|kantoor|agenzia|agencia|ag[eê]ncia)\b`)

// AlignedCell is the cell of a line that begins where below begins.
func AlignedCell(l Line, below Line) (Line, bool) {
	if l.Page != below.Page {
		return Line{}, false
	}
	for _, cell := range l.Cells() {
		if Abs(cell.X0-below.X0) < 0.6*(below.Y1-below.Y0) {
			return cell, true
		}
	}
	return Line{}, false
}

// looksLikeName reports whether text can be the name of a person or a company.
func looksLikeName(text string) bool {
	words := strings.Fields(text)
	if len(words) < 2 && (!Company.MatchString(text) || LegalForm.FindString(text) == text) ||
		len(words) > 8 || len(text) > 60 ||
		NotPerson.MatchString(text) || len(FindDates(text, MonthFirst)) > 0 {
		return false
	}
	letters := 0
	for _, r := range text {
		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127 {
			letters++
		}
	}
	first := []rune(text)[0]
	return letters*10 >= len(text)*6 && (first >= 'A' && first <= 'Z' || first > 127)
}

// joiner ends or begins a name line that goes on: "JOHN SMITH AND / JANE SMITH".
var joiner = lazyregexp.New(`(?i)(^(and|or|&|dba|d/b/a|c/o)\b)|(\b(and|or|&|dba)$)`)

// holderName is the name of a block as printed: its first line, and the second when the text says that the
// name goes on.
func (b addressBlock) holderName() (string, []Token) {
	names := b.names
	last := names[len(names)-1]
	for len(names) > 1 && (names[0].Y1-names[0].Y0 > 1.3*(last.Y1-last.Y0) || courtesy.MatchString(last.Text()) &&
		!courtesy.MatchString(names[0].Text())) {
		names = names[1:] // the letterhead
	}
	for len(names) > 1 && (office.MatchString(names[0].Text()) || courtesyAlone.MatchString(names[0].Text())) {
		names = names[1:]
	}
	text, tokens := names[0].Text(), names[0].Tokens
	if len(names) > 1 && (joiner.MatchString(text) || joiner.MatchString(names[1].Text())) {
		text += " " + names[1].Text()
		tokens = append(append([]Token(nil), tokens...), names[1].Tokens...)
	}
	return text, tokens
}

var holderCaption = lazyregexp.New(`(?i)^#?(?:account (?:holder|owner|name|title)(?:s|\(s\)|/(?:holder|owner|name))?` +
	`(?: name)?|(?:account )?(?:owner|holder)(?:s|\(s\))?(?: name)?|name of (?:the )?account (?:holder|owner)` +
	`|(?:konto)?inhaber(?:in)?|titulaires?(?: du compte)?|titular(?:es)?(?: (?:de la cuenta|cont))?` +
	`|(?:naam )?rekeninghouder|naam|ten name van|t\.?n\.?v\.?|nombre(?: del (?:titular|cliente))?|intestatario` +
	`|intestato a|kontohavare|customer(?: name)?|(?:legal |registered )?(?:company|business) name|prepared for` +
	`|account held by|nom (?:du (?:compte|client|titulaire))|n[aá]zev [uú][cč]tu|nome (?:do )?(?:titular|cliente)` +
	`|nazwa klienta|nama(?: nasabah| pemilik)?|m[uü][sş]teri ad[ıi](?: soyad[ıi])?|hesap sahibi|klient` +
	`|majitel(?: [uú][cč]tu)?|posiadacz(?: rachunku)?|kontoeier|kontohaver|intestazione(?: conto(?: corrente)?)?` +
	`|(?:the )?names? on (?:this|the) account|statement for|member name|cliente?(?: name)?|kunde` +
	`|name)\s*:?-?\s*`)

// besideOrBelow is the cell right of a caption's cell, else the one below it.
func besideOrBelow(lines []Line, i int, caption Line) []Token {
	for _, cell := range lines[i].Cells() {
		if cell.X0 > caption.X0+0.01 {
			return cell.Tokens
		}
	}
	return ValueOf(lines, i, len(lines[i].Text()))
}

// belowCell is the cell that begins where the one above it, of line i, does.
func belowCell(lines []Line, i int, above Line) []Token {
	if i+1 >= len(lines) || lines[i+1].Y0-above.Y1 > 2.5*(above.Y1-above.Y0) {
		return nil
	}
	cell, _ := AlignedCell(lines[i+1], above)
	return cell.Tokens
}

// HolderOf finds whose account it is: by caption, else the name above the customer's address.
func HolderOf(lines []Line) (string, []Token) {
	if name, tokens := captionedHolder(lines); name != "" {
		return name, tokens
	}
	return addressedHolder(lines)
}

// captionedHolder is a name behind or below a caption that asks for whose account it is.
func captionedHolder(lines []Line) (string, []Token) {
	for i, l := range lines[:min(len(lines), 80)] {
		for _, cell := range l.Cells() {
			text := cell.Text()
			at := holderCaption.FindStringIndex(text)
			if at == nil {
				continue
			}
			rest := strings.TrimSpace(text[at[1]:])
			if accountNamed.MatchString(rest) {
				continue
			}
			if rest != "" && looksLikeName(rest) && strings.Contains(text[:at[1]], ":") {
				return rest, cell.TokensOf(len(text)-len(rest), len(text))
			}
			if rest != "" {
				continue
			}
			for _, tokens := range [][]Token{besideOrBelow(lines, i, cell), belowCell(lines, i, cell)} {
				for len(tokens) > 0 && strings.Trim(tokens[0].Text, ":-") == "" {
					tokens = tokens[1:] // set apart from its caption
				}
				if len(tokens) > 0 && looksLikeName(Join(tokens)) {
					return withForm(lines, tokens)
				}
				if name := nameBefore(Join(tokens)); name != "" {
					return name, tokens[:len(strings.Fields(name))]
				}
			}
		}
	}
	return "", nil
}

// addressedHolder is the name above the address of a customer, or one that stands alone where an address would.
func addressedHolder(lines []Line) (string, []Token) {
	for _, b := range addressBlocks(lines) {
		if b.branch {
			continue
		}
		name, tokens := b.holderName()
		if b.isBank { // its customer may stand right below it
			last := b.names[len(b.names)-1]
			if name, tokens = last.Text(), last.Tokens; !Company.MatchString(name) && !courtesy.MatchString(name) &&
				!personOnly(name) {
				continue
			}
		}
		if MeanConfidence(tokens) > 0.7 {
			return name, tokens
		}
	}
	if name, tokens := besideNumber(lines); name != "" {
		return name, tokens
	}
	if name, tokens := aboveStreet(lines); name != "" {
		return name, tokens
	}
	return aboveTown(lines)
}

// accountNamed is what an account is called, where a caption may as well stand before whose it is.
var accountNamed = lazyregexp.New(`(?i)\b(?:konto|[uú][cč]et|compte|cuenta|conta|conto|rachunek|rekening)\b`)

// aboveStreet is a name of a person or a company alone in its cell, right above a street whose town was not understood,
// or, of a person, above the line of the account's number, at the head of the first page.
func aboveStreet(lines []Line) (string, []Token) {
	for i, l := range lines[:min(len(lines), 25)] {
		if l.Page != lines[0].Page || i+1 == len(lines) {
			break
		}
		for _, cell := range l.Cells() {
			cell = unmarked(cell)
			name := cell.Text()
			if !looksLikeName(name) || isBankLine(name) || !personOnly(name) && !Company.MatchString(name) ||
				MeanConfidence(cell.Tokens) <= 0.7 {
				continue
			}
			if above, ok := AlignedCell(lines[max(i-1, 0)], cell); ok && branchAbove.MatchString(above.Text()) {
				continue
			}
			below, ok := AlignedCell(lines[i+1], cell)
			if !ok || below.Y0-cell.Y1 > 1.3*(cell.Y1-cell.Y0) || cell.Y1-cell.Y0 > 1.3*(below.Y1-below.Y0) {
				continue
			}
			at := below.Text()
			if street.MatchString(at) || numberedStreet.MatchString(at) && !NotPerson.MatchString(at) ||
				personOnly(name) && ownNumber.MatchString(at) {
				return name, cell.Tokens
			}
		}
	}
	return "", nil
}

// ownNumber begins the line that says which account a page is of.
var ownNumber = lazyregexp.New(`(?i)^(?:account|acct|a/c|iban|sort ?code|ag[eê]ncia|conta|compte|n° de compte` +
	`|cuenta|konto|rekening|member|card|carte|tarjeta|n[uú]mero de|num[eé]ro de|(?:statement )?period` +
	`|cpf|cnpj|rfc|curp|nit|rut|dni|nif|nip|pan)\b.*\d{2}`)

// besideNumber is a person's name on the line of the account's number, at the head of the first page.
func besideNumber(lines []Line) (string, []Token) {
	for i, l := range lines[:min(len(lines), 8)] {
		cells := l.Cells()
		if i > 0 {
			if above, ok := AlignedCell(lines[i-1], cells[0]); ok && IsStreet(above.Text()) {
				continue // a town
			}
		}
		if len(cells) < 2 || isBankLine(cells[0].Text()) || !slices.ContainsFunc(cells[1:], func(c Line) bool {
			return numberBeside.MatchString(c.Text())
		}) {
			continue
		}
		if name := cells[0].Text(); personOnly(name) && looksLikeName(name) && MeanConfidence(cells[0].Tokens) > 0.7 {
			return name, cells[0].Tokens
		}
	}
	return "", nil
}

var (
	numberBeside = lazyregexp.New(`(?i)\b(?:account|card) (?:number|no\.?|ending)|\bno\.? rekening\b` +
		`|\b(?:n[uú]mero|n[º°]|no\.?) (?:de )?(?:cuenta|conta|compte)\b|\bkontonummer\b|\b(?:nr|numer) rachunku\b`)
	// noPersonsWord is a word of titles, products and places of banks.
	noPersonsWord = lazyregexp.New(`(?i)\b(?:office|headquarters|banking|management|servicing|lending|loan|loans` +
		`|plaza|tower|building|street|avenue|road|credit|card|visa|mastercard|cash|rewards|business|current` +
		`|everyday|classic|premier|your|the|of|for|and|with|cuenta|compte|konto|kontoauszug|rekening` +
		`|rekeningafschrift|extracto|relev[eé]|agence|filiale|oficina|sucursal|money|market|share|shares|activity` +
		`|transactions?|details?|enclosed|requested|notice|mail|first class|presorted|postage)\b`)
)

// personOnly reports whether text is two to four words that are a person's name and nothing else.
func personOnly(text string) bool {
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > 4 || noPersonsWord.MatchString(text) ||
		slices.Contains(words, "de") || slices.Contains(words, "DE") {
		return false
	}
	for _, w := range words {
		if !PersonName.MatchString(w) {
			return false
		}
	}
	return true
}

var PersonName = lazyregexp.New(`^[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’.,-]*$`)

// fieldWords are captions on cards: they are never a name.
var fieldWords = WordSet("surname nom apellidos name names given prenoms nombres sex sexe sexo date dob exp iss " +
	"class end endorsements restr restrictions none hgt wgt eyes hair donor organ license licence driver drivers dl " +
	"lic no number nationality nationalite nacionalidad passport code type place birth issue expiry address first " +
	"last middle signature authority height weight category country card expires resident since uscis family state " +
	"usa ln fn")

func IsFieldWord(s string) bool { return fieldWords[Fold(s)] }

var LegalForm = lazyregexp.New(`(?i)\b(?:inc|corp|llc|l\.l\.c|llp|lp|ltd|plc|pllc|limited)\.?$`)
