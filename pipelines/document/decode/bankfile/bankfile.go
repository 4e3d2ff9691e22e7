// Package bankfile reads the formats that banks agreed upon (OFX and QFX, QIF, MT940, CAMT.053, BAI2) as tables:
// a sheet for each account.
package bankfile

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Media types of the formats that banks agreed upon. They are tables to the rules: a sheet for each account, with what
// is said of the account above its entries.
const (
	MIMEOFX   = "application/x-ofx"
	MIMEQIF   = "application/x-qif"
	MIMEMT940 = "application/x-mt940"
	MIMECAMT  = "application/x-camt+xml"
	MIMEBAI2  = "application/x-bai2"
)

var (
	ofxHead   = lazyregexp.New(`(?i)\A\s*(?:<\?xml[^>]*>\s*)?(?:OFXHEADER\s*:|<\?OFX\b|<OFX>)`)
	qifHead   = lazyregexp.New(`(?i)\A\s*!(?:type:|account|option:|clear:)`)
	mt940Head = lazyregexp.New(`(?s)\A.{0,600}?:20:.{0,200}?:25P?:.{0,200}?:(?:28C?|60[FM]):`)
	camtHead  = lazyregexp.New(`(?s)\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:\w+:)?Document\b[^>]*camt\.05[234]`)
	bai2Head  = lazyregexp.New(`\A\s*01,[^,\n]*,[^,\n]*,\d{6},\d{0,4},[^\n]*\r?\n\s*02,`)
)

// Sniff names the bank's format that a text is in; empty for every other text.
func Sniff(text string) string {
	switch {
	case ofxHead.MatchString(text):
		return MIMEOFX
	case qifHead.MatchString(text):
		return MIMEQIF
	case camtHead.MatchString(text):
		return MIMECAMT
	case bai2Head.MatchString(text):
		return MIMEBAI2
	case mt940Head.MatchString(text):
		return MIMEMT940
	}
	return ""
}

// Decode reads a file in one of the banks' formats.
func Decode(data []byte, mime string) (text.Decoded, error) {
	var sheets []*accountSheet
	var err error
	switch content := office.Text(data); mime {
	case MIMEOFX:
		sheets, err = readOFX(content)
	case MIMEQIF:
		sheets = readQIF(content)
	case MIMEMT940:
		sheets, err = readMT940(content)
	case MIMEBAI2:
		sheets, err = readBAI2(content)
	case MIMECAMT:
		sheets, err = readCAMT(data)
	}
	if err != nil {
		return text.Decoded{}, err
	}
	d := text.Decoded{Layer: text.LayerNative}
	for i, s := range sheets {
		d.Pages = append(d.Pages, s.page(i+1))
	}
	if d.PageCount = len(d.Pages); d.PageCount == 0 {
		return d, refusal.New(refusal.Corrupt, "The file holds no account and no entry.")
	}
	return d, nil
}

// accountSheet is one account of a bank's file. Where says in which line and field a value stands.
type accountSheet struct {
	title   string
	key     string // what tells the account from others in the file
	pairs   [][3]string
	entries []fileEntry
	extra   string // head of a column that says what kind of account it is, with its value in every row
	value   string
}

// fileEntry is one entry: an ISO date (or as printed), words, a signed amount and the balance after it, which may be
// empty.
type fileEntry struct{ date, text, amount, balance, where string }

// pair adds what is said of the account. Empty values are not said.
func (s *accountSheet) pair(caption, value, where string) {
	if value = strings.TrimSpace(value); value != "" {
		s.pairs = append(s.pairs, [3]string{caption, value, where})
	}
}

// replace is pair for what a later part of the file says better.
func (s *accountSheet) replace(caption, value, where string) {
	for i := range s.pairs {
		if s.pairs[i][0] == caption {
			s.pairs[i] = [3]string{caption, value, where}
			return
		}
	}
	s.pair(caption, value, where)
}

// said is the value of a pair, empty when there is none.
func (s *accountSheet) said(caption string) string {
	for _, p := range s.pairs {
		if p[0] == caption {
			return p[1]
		}
	}
	return ""
}

// page sets the account as a sheet.
func (s *accountSheet) page(number int) text.Page {
	p := text.Page{Number: number, Name: s.key, Layer: text.LayerNative}
	row := 1
	put := func(column int, text, where string) {
		before := len(p.Tokens)
		office.AddCell(&p, "", column, row, text)
		if len(p.Tokens) > before && where != "" {
			p.Tokens[before].Cell = where
		}
	}
	put(1, s.title, "")
	for _, pair := range s.pairs {
		row++
		put(1, pair[0], "")
		put(2, pair[1], pair[2])
	}
	row += 2
	heads := []string{"Date", "Description", "Amount", "Balance"}
	if s.extra != "" {
		heads = append(heads, s.extra)
	}
	for i, h := range heads {
		put(i+1, h, "")
	}
	for _, e := range s.entries[:min(len(s.entries), office.MaxCells/5)] {
		row++
		put(1, e.date, e.where+" date")
		put(2, e.text, e.where+" text")
		put(3, e.amount, e.where+" amount")
		put(4, e.balance, e.where+" balance")
		if s.extra != "" {
			put(5, s.value, "")
		}
	}
	return p
}

// sheetOf is the sheet with a key, made when there is none.
func sheetOf(sheets *[]*accountSheet, key, title string) *accountSheet {
	for _, s := range *sheets {
		if s.key == key {
			return s
		}
	}
	s := &accountSheet{title: title, key: key}
	*sheets = append(*sheets, s)
	return s
}

// bankDay is a date of six or eight figures, year first, as an ISO date; empty when it is none.
func bankDay(figures string) string {
	if len(figures) == 6 && allDigits(figures) {
		figures = "20" + figures
	}
	if len(figures) < 8 || !compactDay.MatchString(figures[:8]) {
		return ""
	}
	return figures[:4] + "-" + figures[4:6] + "-" + figures[6:8]
}

// compactDay is a date of eight figures, year first.
var compactDay = lazyregexp.New(`^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$`)

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// ungrouped drops what groups the thousands of an amount, for formats whose programs write the amounts of their
// country: of two separators the first, one that comes twice, and a comma before three figures.
func ungrouped(amount string) string {
	comma, point := strings.LastIndex(amount, ","), strings.LastIndex(amount, ".")
	switch {
	case comma >= 0 && point >= 0 && comma > point, strings.Count(amount, ".") > 1:
		return strings.ReplaceAll(amount, ".", "")
	case comma >= 0 && point > comma, strings.Count(amount, ",") > 1, groupedByComma.MatchString(amount):
		return strings.ReplaceAll(amount, ",", "")
	}
	return amount
}

var groupedByComma = lazyregexp.New(`^\s*[-+]?[1-9]\d{0,2},\d{3}\s*$`)

// pointed writes an amount with a decimal point and a leading minus; empty when it is no number.
func pointed(amount string, negative bool) string {
	amount = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(amount), " ", ""), "+")
	if strings.Contains(amount, ",") && !strings.Contains(amount, ".") {
		amount = strings.Replace(amount, ",", ".", 1)
	}
	amount = strings.ReplaceAll(amount, ",", "")
	if rest, cut := strings.CutPrefix(amount, "-"); cut {
		amount, negative = rest, !negative
	}
	whole, cents, _ := strings.Cut(amount, ".")
	if len(amount) > 24 || !allDigits(whole+cents) {
		return ""
	}
	for len(cents) < 2 {
		cents += "0"
	}
	if whole == "" {
		whole = "0"
	}
	text := whole + "." + cents
	if negative && strings.Trim(text, "0.") != "" {
		return "-" + text
	}
	return text
}

// atLine names a line of the file as the place of a value.
func atLine(line int, field string) string { return fmt.Sprintf("line %d %s", line, field) }
