package bank

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// accountNumber is an account number as printed: digits with masks, blanks aside, at least four characters.
var accountNumber = lazyregexp.New(`^[#(]?(?:[\dXx*•.]{1,}[-–]?)*[\dXx*•]{4,}\)?$|^[Xx*•]{2,}[-–]?\d{2,}$` +
	`|^[Xx*•]{2,}(?:[-–]\d+)+$|^\d{2,}-\d{2,}(?:-\d+)*$|^\d{3,}-\d-\d{5,}(?:-\d+)*$`)

// AccountNumbers finds captioned account numbers: after the caption on the line, or below it.
func AccountNumbers(lines []text.Line) []text.AccountNumber {
	var found []text.AccountNumber
	for i, l := range lines {
		s := l.Text()
		if n, ok := text.IBANOn(l, i); ok {
			if n, ok = wholeIBAN(lines, n); ok {
				found = append(found, n)
			}
			continue
		}
		if n, ok := codedNumber(l, i); ok {
			found = append(found, n)
			continue
		}
		if n, ok := besideWrapped(lines, i); ok {
			found = append(found, n)
			continue
		}
		for _, at := range numberCaptionEnds(s) {
			if n, ok := numberBroken(lines, i, at); ok {
				found = append(found, n)
				continue
			}
			if n, ok := numberAfter(l, at, i); ok {
				found = append(found, n)
				continue
			}
			if titleOfStatement.MatchString(s[:at]) {
				continue
			}
			if at < len(s) && s[at-1] != ' ' && s[at-1] != ':' {
				continue // a part of a longer word: "Account/Transaction Type"
			}
			if n, ok := numberBelow(lines, i, l, at); ok {
				found = append(found, n)
			}
		}
	}
	if len(found) == 0 {
		found = lastFigures(lines)
	}
	if len(found) == 0 {
		found = branchNumbers(lines)
	}
	return found
}

// titleOfStatement ends in the word account and captions no number.
var titleOfStatement = lazyregexp.New(`(?i)\bstatements? of (?:your )?account\s*$`)

// branchNumber is an account number of New Zealand, which needs no caption: bank, branch, account and suffix. Source:
// Payments NZ, bank account numbers.
var branchNumber = lazyregexp.New(`^\d{2}-\d{4}-\d{7}-\d{2,3}$`)

func branchNumbers(lines []text.Line) []text.AccountNumber {
	for i, l := range lines[:min(len(lines), 40)] {
		for _, t := range l.Tokens {
			if branchNumber.MatchString(t.Text) {
				return []text.AccountNumber{{Text: t.Text, Tokens: []text.Token{t}, Line: i}}
			}
		}
	}
	return nil
}

// lastFigures finds what a head prints of an account's number without a caption of its own: masked beside the name of
// the product, or as "Account ending in 4411".
func lastFigures(lines []text.Line) []text.AccountNumber {
	for i, l := range lines[:min(len(lines), 40)] {
		cells := l.Cells()
		for at, cell := range cells {
			last := cell.Tokens[len(cell.Tokens)-1]
			name, number := splitAccountLabel(cell)
			masked := number == last.Text && strings.ContainsAny(number, "Xx*•")
			if name = strings.Trim(name, " -–:"); !isProductName(name) && !foreignAccount.MatchString(name) &&
				!(masked && loneAccountWord.MatchString(name)) {
				continue
			}
			if number == last.Text {
				return []text.AccountNumber{{Text: number, Tokens: []text.Token{last}, Line: i}}
			}
			if at+1 < len(cells) && len(cells[at+1].Tokens) == 1 && longNumber.MatchString(cells[at+1].Tokens[0].Text) {
				return []text.AccountNumber{{Text: cells[at+1].Text(), Tokens: cells[at+1].Tokens, Line: i}}
			}
		}
	}
	for i, l := range lines[:min(len(lines), 40)] {
		at := endingIn.FindStringIndex(l.Text())
		if at == nil || text.StartsWithDigit(l.Tokens[0].Text) {
			continue
		}
		if n, ok := numberAfter(l, at[1], i); ok {
			return []text.AccountNumber{n}
		}
	}
	return nil
}

var endingIn = lazyregexp.New(`(?i)\b(?:account|acct|checking|savings)\.?(?: (?:number|no\.?))?(?: (?:is|that))? ` +
	`(?:ending|ends)(?: in| with)?\b:?`)

var captionedNumber = lazyregexp.New(`(?i)(?:\b(?:account|acct|acc|a/c|kontonummer|konto|compte|cuenta|conta` +
	`|conto(?: corrente)?|rekeningnummer|rekening|member|(?:numer |nr )?rachunk[ui]` +
	`|sz[aá]mlasz[aá]m|hesap|nomor rekening|no\.? rekening|num[aă]r cont)\.?` +
	`(?:\s+(?:number|no\b\.?|num\b\.?|nbr\b|#|id\b|n°))?(?:\(s\))?|\bfolio|\bn°|\bn[uú]mero:` +
	`|[cč][ií]slo [uú][cč]tu|口座番号|(?:账|帐|賬|帳)[号號]|계좌번호|номер (?:сч[её]та|рахунку))\s*[:#：]*`)

func numberCaptionEnds(text string) []int {
	var ends []int
	for _, at := range captionedNumber.FindAllStringIndex(text, -1) {
		ends = append(ends, at[1])
	}
	return ends
}

var cardCaption = lazyregexp.New(`(?i)\bcard (?:number|no\.?|ending(?: in| with)?|#)\s*:?|\bn[uú]m[eé]ro de ` +
	`(?:tarjeta|carte|cuenta|compte)\s*:?|\bkartennummer\s*:?|\bn[°º] de carte\s*:?`)

// CardNumber finds the captioned number of a card, for statements that print none of an account.
func CardNumber(lines []text.Line) (text.AccountNumber, bool) {
	for i, l := range lines[:min(len(lines), 40)] {
		if at := cardCaption.FindStringIndex(l.Text()); at != nil {
			if n, ok := numberAfter(l, at[1], i); ok {
				return n, true
			}
			if n, ok := numberBelow(lines, i, l, at[1]); ok {
				return n, true
			}
		}
	}
	return text.AccountNumber{}, false
}

// numberAfter reads the number that follows byte at of the line.
func numberAfter(l text.Line, at, line int) (text.AccountNumber, bool) {
	if at >= len(l.Text()) {
		return text.AccountNumber{}, false
	}
	first, _ := l.TokenRange(min(at+1, len(l.Text())-1), len(l.Text()))
	taken, next := gluedNumber(l, at)
	if len(taken) > 0 {
		first = next
	}
	for _, t := range l.Tokens[first:] {
		word := strings.TrimLeft(t.Text, ":#")
		if word == "" && len(taken) == 0 {
			continue
		}
		if len(taken) > 0 && t.X0-taken[len(taken)-1].X1 > 1.2*(t.Y1-t.Y0) &&
			!(len(taken) == 1 && transitNumber.MatchString(taken[0].Text) && dashedNumber.MatchString(t.Text)) {
			break
		}
		if !numberPart.MatchString(word) {
			break
		}
		taken = append(taken, t)
	}
	return bankNumberOf(taken, line)
}

// gluedNumber is what a word says behind the caption that it begins with, or ends: "Account:26-4256-3". The index is
// that of the word behind it.
func gluedNumber(l text.Line, at int) ([]text.Token, int) {
	s := l.Text()
	if at == 0 || s[at-1] == ' ' || s[at] == ' ' {
		return nil, 0
	}
	rest, _, _ := strings.Cut(s[at:], " ")
	if !numberPart.MatchString(rest) {
		return nil, 0
	}
	first, last := l.TokenRange(at, at+len(rest))
	part := l.Tokens[first]
	part.Text = rest
	return []text.Token{part}, last + 1
}

// A Canadian account number is that of the branch and one with hyphens, set apart.
var (
	transitNumber = lazyregexp.New(`^\d{5}$`)
	dashedNumber  = lazyregexp.New(`^\d{3}-\d{3}-\d$|^\d{2}-\d{5}$`)
)

var numberPart = lazyregexp.New(`^[#(]?[\dXx*•.–-]+(?:/[\d-]{4,})?\)?$|` + letteredNumber)

// letteredNumber is that of an account at a broker's, which begins with a letter: Z40-118823.
const letteredNumber = `^[A-Z]\d{2,3}-?\d{5,6}$`

var lettered = lazyregexp.New(letteredNumber)

// numberBelow reads the number in the cell under the caption.
func numberBelow(lines []text.Line, i int, l text.Line, at int) (text.AccountNumber, bool) {
	tokens := l.TokensOf(max(at-3, 0), at)
	box := text.BoxOf(tokens)
	for j := i + 1; j < len(lines) && j <= i+2; j++ {
		below := lines[j]
		if dates := below.Dates(text.MonthFirst); below.Page != l.Page || below.Y0-l.Y1 > 2.5*(l.Y1-l.Y0) ||
			len(dates) > 0 && dates[0].First == 0 {
			break // a transaction below the heads of its table
		}
		for _, cell := range below.Cells() {
			if cell.Tokens[0].Method == text.MethodCell && sheetColumn(cell.X0) != sheetColumn(box.X0) {
				continue
			}
			if text.Overlap(cell.X0, cell.X1, box.X0-40, box.X1+10) > 0 {
				if n, ok := bankNumberOf(cell.Tokens, j); ok {
					return n, true
				}
			}
		}
	}
	return text.AccountNumber{}, false
}

// sheetColumn is the index of the column of a page of cells.
func sheetColumn(x float64) int { return int(x / text.ColumnWidth) }

func bankNumberOf(tokens []text.Token, line int) (text.AccountNumber, bool) {
	s := strings.Trim(text.Join(tokens), ":#() .")
	if lettered.MatchString(s) {
		return text.AccountNumber{Text: s, Tokens: tokens, Line: line}, true
	}
	digits, marks := 0, 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case strings.ContainsRune("Xx*•", r):
			marks++
		case strings.ContainsRune(" -–.", r):
		case r == '/' && digits >= 4: // bank and account, account and bank
		default:
			return text.AccountNumber{}, false
		}
	}
	if plainAmount.MatchString(s) || sortCode.MatchString(s) || digits+marks < 4 || digits < 2 || digits > 26 ||
		len(text.FindDates(s, text.MonthFirst)) > 0 {
		return text.AccountNumber{}, false
	}
	return text.AccountNumber{Text: s, Tokens: tokens, Line: line}, true
}

// plainAmount is money, and no number of an account; nor is a branch's code of Britain and Ireland.
var (
	plainAmount = lazyregexp.New(`^[-–+]?\d+(?:,\d{3})*\.\d{2}$`)
	sortCode    = lazyregexp.New(`^\d{2}-\d{2}-\d{2}$`)
)

// longNumber is an account number that stands for itself.
var longNumber = lazyregexp.New(`^\d{8,17}$|^\d{2,6}-\d{5,10}(?:-\d{1,3})?$`)

// foreignAccount is an account with the name of its product, before its number.
var foreignAccount = lazyregexp.New(`(?i)^(?:cuenta|compte|konto)(?: [\p{L}.]+){1,4}$`)

// accountWords name deposit products.
var accountWords = lazyregexp.New(`(?i)\b(checking|chequing|savings|saver|money market|current account|share draft` +
	`|share savings|certificate|deposit account|cash management|demand deposit|transaction account|everyday account` +
	`|spending account|esavings|regular shares?)\b`)

// productWords may stand in the name of a product; a line with other words is a sentence.
var productLine = lazyregexp.New(`^[A-Z0-9][\w&'’®™.,/ -]*$`)

// accountTypeOf finds what kind of account it is, as printed: under or after a caption "account type", else
// the product's name as a heading of the first pages.
func accountTypeOf(lines []text.Line, style text.DecimalStyle) (string, []text.Token) {
	for i, l := range lines {
		for _, at := range accountTypeCaption.FindAllStringIndex(l.Text(), -1) {
			if tokens := text.ValueOf(lines, i, at[1]); len(tokens) > 0 && accountWords.MatchString(text.Join(tokens)) {
				return text.Join(tokens), tokens
			}
		}
	}
	for _, l := range lines[:min(len(lines), 150)] {
		if len(text.MoneyOn(l, style)) > 0 {
			continue
		}
		for _, cell := range l.Cells() {
			name, _ := splitAccountLabel(cell)
			if name = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(name, "Your "), " details"),
				" -–:"); isProductName(name) {
				return name, cell.Tokens
			}
			if at := foreignProduct.FindString(cell.Text()); at != "" && len(cell.Tokens) <= 6 {
				return at, cell.Tokens
			}
		}
	}
	return "", nil
}

// foreignProduct are products in other languages.
var foreignProduct = lazyregexp.New(`(?i)\b(?:girokonto|privatkonto|kontokorrentkonto|gesch[aä]ftskonto|sparkonto` +
	`|compte (?:courant|professionnel|ch[eè]ques?|d'[eé]pargne)|cuenta (?:corriente|de cheques|de ahorros)|conto ` +
	`corrente|betaalrekening)\b`)

var accountTypeCaption = lazyregexp.New(`(?i)\b(?:account type|type of account|product name|product)\b\s*:?`)

var notProduct = lazyregexp.New(`(?i)\b(summary|loan|statement|activity|transactions?|history|detail|balance` +
	`|overdraft|transfer|interest|fee|fees|deposits?|withdrawals?|protection|online|mobile|questions|information` +
	`|number|options|services?|your|you|we|to|from|is|are|with|continued|date|paid|if|have|checks|in|on|combined` +
	`|linked|accounts)\b`)

// loneAccountWord is a section title of one word: "CHECKING".
var loneAccountWord = lazyregexp.New(`(?i)^(checking|savings|chequing|money market|share draft|shares)( account)?:?$`)

// isProductName reports whether a cell is the name of a deposit product and nothing else.
func isProductName(s string) bool {
	words := strings.Fields(s)
	return len(words) >= 2 && len(words) <= 7 && accountWords.MatchString(s) && productLine.MatchString(s) &&
		!notProduct.MatchString(s) && !strings.HasSuffix(text.Fold(s), " bank") && !strings.HasSuffix(s, ".") &&
		!strings.HasPrefix(text.Fold(s), "total")
}
