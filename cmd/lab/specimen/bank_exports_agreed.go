package specimen

import (
	"fmt"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// agreedExports are the formats that banks agreed upon: OFX, QIF, MT940, CAMT.053 and BAI2.
func agreedExports() []exportLayout {
	return []exportLayout{
		{name: "ofx1", ext: "ofx", currency: "USD", balances: false, closing: true, period: true, number: true,
			bank:  "Tidewater Valley Bank",
			traps: []string{"SGML whose tags are not closed"},
			bytes: func(b exportPaper) []byte { return []byte(ofx(b, false)) }},
		{name: "ofx2", ext: "qfx", currency: "CAD", closing: true, period: true, number: true,
			bank:  "Tidewater Valley Bank",
			traps: []string{"XML"}, bytes: func(b exportPaper) []byte { return []byte(ofx(b, true)) }},
		{name: "ofx_card", ext: "ofx", currency: "USD", docType: dossier.DocCreditCardStatement,
			bank:  "Tidewater Valley Bank",
			traps: []string{"a card's statement in the form of a bank's"}, bytes: func(b exportPaper) []byte {
				text := ofx(b, false)
				for _, r := range [][2]string{{"BANKMSGSRSV1", "CREDITCARDMSGSRSV1"}, {"STMTTRNRS", "CCSTMTTRNRS"},
					{"<STMTRS>", "<CCSTMTRS>"}, {"</STMTRS>", "</CCSTMTRS>"}, {"BANKACCTFROM", "CCACCTFROM"},
					{"<ACCTTYPE>CHECKING\r\n", ""}, {"<BANKID>021000000\r\n", ""}} {
					text = strings.ReplaceAll(text, r[0], r[1])
				}
				return []byte(text)
			}},
		{name: "qif", ext: "qif", currency: "USD", silent: true, date: "01/02'06", money: american,
			traps: []string{"no header at all, one field a line"},
			bytes: func(b exportPaper) []byte { return []byte(qif(b)) }},
		{name: "mt940", account: "0000202051", ext: "sta", currency: "EUR", balances: true, period: true,
			texts: germanTexts, loose: true,
			traps: []string{"fields with numbers for names", "D and C"},
			bytes: func(b exportPaper) []byte { return []byte(mt940(b)) }},
		{name: "camt053", account: ibanDE, ext: "xml", currency: "EUR", balances: true, period: true,
			texts: germanTexts, loose: true, holder: true, bank: "Bank Beispiel",
			bytes: func(b exportPaper) []byte { return []byte(camt(b)) }},
		{name: "bai2", ext: "bai", currency: "USD", balances: true, number: true, loose: true, texts: businessTexts,
			traps: []string{"amounts in cents", "codes for kinds of entries"},
			bytes: func(b exportPaper) []byte { return []byte(bai(b)) }},
	}
}

// ofx writes an Open Financial Exchange statement: version 1 is SGML, version 2 XML.
func ofx(b exportPaper, xml bool) string {
	var out strings.Builder
	line := "\r\n"
	field := func(name, value string) {
		value = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(value)
		out.WriteString("<" + name + ">" + value)
		if xml {
			out.WriteString("</" + name + ">")
		}
		out.WriteString(line)
	}
	open := func(names ...string) {
		for _, n := range names {
			out.WriteString("<" + n + ">" + line)
		}
	}
	stamp := func(t time.Time) string { return t.Format("20060102") + "120000.000[-5:EST]" }
	if xml {
		out.WriteString(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + line +
			`<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>` + line)
	} else {
		out.WriteString("OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n")
	}
	open("OFX", "SIGNONMSGSRSV1", "SONRS", "STATUS")
	field("CODE", "0")
	field("SEVERITY", "INFO")
	open("/STATUS")
	field("DTSERVER", stamp(b.end))
	field("LANGUAGE", "ENG")
	open("FI")
	field("ORG", b.bank)
	field("FID", "00000")
	open("/FI", "/SONRS", "/SIGNONMSGSRSV1", "BANKMSGSRSV1", "STMTTRNRS")
	field("TRNUID", "0")
	open("STATUS")
	field("CODE", "0")
	field("SEVERITY", "INFO")
	open("/STATUS", "STMTRS")
	field("CURDEF", b.currency)
	open("BANKACCTFROM")
	field("BANKID", "021000000")
	field("ACCTID", b.number)
	field("ACCTTYPE", "CHECKING")
	open("/BANKACCTFROM", "BANKTRANLIST")
	field("DTSTART", stamp(b.start))
	field("DTEND", stamp(b.end))
	for i, p := range b.postings {
		open("STMTTRN")
		field("TRNTYPE", either(p, "DEBIT", "CREDIT"))
		field("DTPOSTED", stamp(p.date))
		field("TRNAMT", plain.print(p.amount))
		field("FITID", fmt.Sprint(100_000+i))
		field("NAME", p.text)
		open("/STMTTRN")
	}
	open("/BANKTRANLIST", "LEDGERBAL")
	field("BALAMT", plain.print(b.l.closing()))
	field("DTASOF", stamp(b.end))
	open("/LEDGERBAL", "AVAILBAL")
	field("BALAMT", plain.print(b.l.closing()))
	field("DTASOF", stamp(b.end))
	open("/AVAILBAL", "/STMTRS", "/STMTTRNRS", "/BANKMSGSRSV1", "/OFX")
	return out.String()
}

func qif(b exportPaper) string {
	var out strings.Builder
	out.WriteString("!Type:Bank\n")
	for _, p := range b.postings {
		fmt.Fprintf(&out, "D%s\nT%s\nC*\nP%s\n^\n", b.day(p.date), b.money.print(p.amount), p.text)
	}
	return out.String()
}

func mt940(b exportPaper) string {
	var out strings.Builder
	balance := func(tag string, t time.Time, c cents) {
		mark := "C"
		if c < 0 {
			mark, c = "D", -c
		}
		fmt.Fprintf(&out, ":%s:%s%s%s%s\r\n", tag, mark, t.Format("060102"), b.currency, plainComma.print(c))
	}
	out.WriteString(":20:STARTUMS\r\n:25:12030000/0000202051\r\n:28C:00006/001\r\n")
	balance("60F", b.start, b.l.opening)
	for _, p := range b.postings {
		fmt.Fprintf(&out, ":61:%s%s%s%sNTRFNONREF\r\n:86:%s?00%s?20%s?32MUSTER\r\n", p.date.Format("060102"),
			p.date.Format("0102"), either(p, "DR", "CR"), b.size2(p), either(p, "105", "166"), either(p,
				"LASTSCHRIFT", "GUTSCHRIFT"), p.text)
	}
	balance("62F", b.end, b.l.closing())
	out.WriteString("-\r\n")
	return out.String()
}

// size2 is the amount without its sign, with a decimal comma.
func (b exportPaper) size2(p posting) string { return plainComma.print(max(p.amount, -p.amount)) }

func camt(b exportPaper) string {
	var out strings.Builder
	balance := func(code string, t time.Time, c cents) {
		mark := "CRDT"
		if c < 0 {
			mark, c = "DBIT", -c
		}
		fmt.Fprintf(&out, "<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy=\"%s\">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Dt><Dt>%s</Dt></Dt></Bal>\n", code, b.currency, plain.print(c), mark, iso(t))
	}
	fmt.Fprintf(&out, `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>%[1]sT06:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>6</ElctrncSeqNb><CreDtTm>%[1]sT06:00:00</CreDtTm><FrToDt><FrDtTm>%[2]sT00:00:00</FrDtTm><ToDtTm>%[1]sT23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>%[3]s</IBAN></Id><Ccy>%[4]s</Ccy><Ownr><Nm>%[5]s</Nm></Ownr><Svcr><FinInstnId><BIC>MUSTDEFFXXX</BIC><Nm>%[6]s</Nm></FinInstnId></Svcr></Acct>
`, iso(b.end), iso(b.start), ibanDE, b.currency, b.holder.name(), b.bank)
	balance("OPBD", b.start, b.l.opening)
	balance("CLBD", b.end, b.l.closing())
	for _, p := range b.postings {
		text := strings.ReplaceAll(p.text, "&", "&amp;")
		fmt.Fprintf(&out, "<Ntry><Amt Ccy=\"%s\">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>%s</Dt></BookgDt><ValDt><Dt>%s</Dt></ValDt><NtryDtls><TxDtls><RmtInf><Ustrd>%s</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n",
			b.currency, plain.print(max(p.amount, -p.amount)), either(p, "DBIT", "CRDT"), iso(p.date), iso(p.date),
			text)
	}
	out.WriteString("</Stmt></BkToCstmrStmt></Document>\n")
	return out.String()
}

// bai writes a BAI2 report: a group and an account trailer for each day would be usual; one day's report is written
// here for each day with entries.
func bai(b exportPaper) string {
	var out strings.Builder
	fmt.Fprintf(&out, "01,021000000,CUST01,%s,0600,1,80,,2/\n", b.end.Format("060102"))
	opening := b.l.opening
	for i := 0; i < len(b.postings); {
		day := b.postings[i].date
		last := i
		for last < len(b.postings) && b.postings[last].date.Equal(day) {
			last++
		}
		closing := b.postings[last-1].balance
		fmt.Fprintf(&out, "02,CUST01,021000000,1,%s,2359,USD,2/\n03,%s,USD,010,%d,,,015,%d,,/\n",
			day.Format("060102"), b.number, opening, closing)
		for _, p := range b.postings[i:last] {
			fmt.Fprintf(&out, "16,%s,%d,Z,,,%s\n", either(p, "495", "195"), max(p.amount, -p.amount), p.text)
		}
		fmt.Fprintf(&out, "49,%d,%d/\n98,%d,1,%d/\n", opening+closing, last-i+2, opening+closing, last-i+4)
		opening, i = closing, last
	}
	fmt.Fprintf(&out, "99,0,1,0/\n")
	return out.String()
}
