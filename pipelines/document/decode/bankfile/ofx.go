package bankfile

import (
	"html"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// ofxTag is a tag of an OFX file with the text behind it. Version 1 is SGML that closes no field, version 2 XML; what
// matters reads alike in both. Source: OFX 2.3, sections 2 and 11.
var ofxTag = lazyregexp.New(`<(/?[A-Za-z0-9._]+)>([^<]*)`)

// ofxReader walks the tags of an OFX file.
type ofxReader struct {
	sheets    []*accountSheet
	now       *accountSheet
	bank      string
	bankWhere string
	within    string // the aggregate whose fields share names with others: LEDGERBAL, AVAILBAL, the entry
	start     string
	entry     fileEntry
	name      string
	memo      string
}

// readOFX reads the statements of an OFX, QFX or QBO file.
func readOFX(text string) ([]*accountSheet, error) {
	var r ofxReader
	line, at := 1, 0
	for _, g := range ofxTag.FindAllStringSubmatchIndex(text, -1) {
		line += strings.Count(text[at:g[0]], "\n")
		at = g[0]
		tag := strings.ToUpper(text[g[2]:g[3]])
		value := strings.TrimSpace(html.UnescapeString(text[g[4]:g[5]]))
		if value == "" || strings.HasPrefix(tag, "/") {
			r.aggregate(tag)
			continue
		}
		r.field(tag, value, atLine(line, tag))
		if len(r.sheets) > office.MaxSheets {
			return nil, refusal.New(refusal.TooManyPages, "The file has more than %d accounts.", office.MaxSheets)
		}
	}
	for _, s := range r.sheets {
		if r.bank != "" && s.said("Bank") == "" {
			s.pairs = append([][3]string{{"Bank", r.bank, r.bankWhere}}, s.pairs...)
		}
	}
	return r.sheets, nil
}

func (r *ofxReader) aggregate(tag string) {
	switch tag {
	case "STMTRS", "CCSTMTRS", "INVSTMTRS":
		r.now = &accountSheet{title: "Bank statement"}
		switch tag {
		case "CCSTMTRS":
			r.now.title, r.now.extra = "Credit card statement", "Card number"
		case "INVSTMTRS":
			r.now.title, r.now.extra = "Brokerage statement", "Symbol"
		}
		r.sheets = append(r.sheets, r.now)
	case "STMTTRN":
		r.finish()
		r.within, r.entry, r.name, r.memo = tag, fileEntry{}, "", ""
	case "/STMTTRN":
		r.finish()
	case "BANKACCTTO", "CCACCTTO": // within an entry, whose memo follows it
		r.within = tag
	case "/BANKACCTTO", "/CCACCTTO":
		r.within = "STMTTRN"
	case "LEDGERBAL", "AVAILBAL":
		r.finish()
		r.within = tag
	case "/LEDGERBAL", "/AVAILBAL", "/BANKTRANLIST", "/STMTRS", "/CCSTMTRS":
		r.finish()
		r.within = ""
	}
}

// finish adds the entry that was being read.
func (r *ofxReader) finish() {
	if r.now == nil || r.entry.amount == "" {
		return
	}
	r.entry.text = r.name
	if r.memo != "" && r.memo != r.name {
		r.entry.text = strings.TrimSpace(r.name + " " + r.memo)
	}
	r.now.entries = append(r.now.entries, r.entry)
	r.entry = fileEntry{}
}

func (r *ofxReader) field(tag, value, where string) {
	switch {
	case tag == "ORG" && r.bank == "":
		r.bank, r.bankWhere = value, where
	case r.now == nil:
	case r.within == "STMTTRN":
		r.entryField(tag, value, where)
	case r.within == "LEDGERBAL" && tag == "BALAMT":
		r.now.pair(map[bool]string{true: "Ending balance", false: "New balance"}[r.now.extra == ""],
			pointed(ungrouped(value), false), where)
	case r.within == "AVAILBAL" && tag == "BALAMT":
		r.now.pair(map[bool]string{true: "Available balance", false: "Available credit"}[r.now.extra == ""],
			pointed(ungrouped(value), false), where)
	case r.within != "":
	case tag == "CURDEF":
		r.now.pair("Currency", value, where)
	case tag == "ACCTID":
		r.now.key, r.now.value = value, value
		r.now.pair("Account number", value, where)
	case tag == "ACCTTYPE":
		r.now.pair("Account type", ofxKinds[strings.ToUpper(value)], where)
	case tag == "BANKID" && r.now.title == "Bank statement":
		r.now.pair("Routing number", value, where)
	case tag == "DTSTART":
		r.start = bankDay(value)
	case tag == "DTEND" && r.start != "" && bankDay(value) != "":
		r.now.pair("Statement period", r.start+" - "+bankDay(value), where)
	}
}

// ofxKinds are the account types of OFX as banks call them.
var ofxKinds = map[string]string{"CHECKING": "Checking account", "SAVINGS": "Savings account",
	"MONEYMRKT": "Money market account", "CD": "Certificate of deposit"}

func (r *ofxReader) entryField(tag, value, where string) {
	switch tag {
	case "DTPOSTED":
		r.entry.date = bankDay(value)
	case "TRNAMT":
		r.entry.amount = pointed(ungrouped(value), false)
		r.entry.where = strings.TrimSuffix(where, " "+tag)
	case "NAME", "PAYEE":
		r.name = value
	case "MEMO":
		r.memo = value
	}
}
