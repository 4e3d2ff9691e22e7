package bankfile

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// bankFiles are small files in the banks' own formats, with what their sheets must hold.
var bankFiles = []struct {
	name, mime, content string
	sheets              int
	holds               []string // cells
}{
	{"OFX of two accounts", MIMEOFX, "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>Example Bank</FI></SONRS></SIGNONMSGSRSV1>" +
		"<BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>111122<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST><DTSTART>20240601<DTEND>20240630120000" +
		"<STMTTRN><DTPOSTED>20240603<TRNAMT>-12,5<NAME>A &amp; B<MEMO>rent<BANKACCTTO><ACCTID>99</BANKACCTTO></STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>7.5<DTASOF>20240630</LEDGERBAL></STMTRS></STMTTRNRS>" +
		"<STMTTRNRS><STMTRS><BANKACCTFROM><ACCTID>222233</BANKACCTFROM></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
		2, []string{"Example Bank", "EUR", "111122", "Savings account", "2024-06-01 - 2024-06-30", "2024-06-03", "-12.50", "A & B rent", "7.50", "222233"}},
	{"QIF with lists that are no entries", MIMEQIF, "!Account\nNHousehold\nTBank\n^\n!Type:Cat\nNFood\nE\n^\n!Type:Bank\nD6/ 1'24\nT-1,234.5\nPGrocer\nMweekly\n^\n",
		1, []string{"Household", "6/1/2024", "-1234.50", "Grocer weekly"}},
	{"MT940 over two pages", MIMEMT940, "{1:F01}{4:\r\n:20:X\r\n:25:DE02120300000000202051EUR\r\n:28C:1/1\r\n:60F:D240630EUR10,\r\n:61:2406300701CR30,5NTRFX\r\n:86:166?00GUT?20Rech?21nung 7?32MUSTER\r\n:62M:C240630EUR20,5\r\n-}\r\n" +
		":20:X\r\n:25:DE02120300000000202051EUR\r\n:28C:1/2\r\n:60M:C240630EUR20,5\r\n:61:231231" + "0102RC20,5N\r\n:86:/NAME/A B/REMI/rent\r\n:62F:C240630EUR0,\r\n-\r\n",
		1, []string{"DE02120300000000202051", "-10.00", "30.50", "2024-07-01", "Rech nung 7 MUSTER", "-20.50", "2024-01-02", "A B rent", "0.00"}},
	{"CAMT with a pending entry", MIMECAMT, `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>` +
		`<Acct><Id><Othr><Id>4711</Id></Othr></Id><Svcr><FinInstnId><BICFI>MUSTDEFF</BICFI></FinInstnId></Svcr></Acct><Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5</Amt><CdtDbtInd>DBIT</CdtDbtInd></Bal>` +
		`<Ntry><Amt Ccy="EUR">8.10</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-06-05</Dt></BookgDt><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>C D</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>` +
		`<Ntry><Amt Ccy="EUR">9.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2024-06-06</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`,
		1, []string{"4711", "MUSTDEFF", "-5.00", "EUR", "2024-06-05", "8.10", "C D"}},
	{"BAI2 with funds of later days", MIMEBAI2, "01,0001,CUST,240603,0600,1,80,,2/\n02,CUST,0001,1,240602,2359,USD,2/\n03,77123,,010,1000,,,100,250,1,S,100,100,50/\n88,015,1250,,/\n16,195,250,S,100,100,50,B1,C1,WIRE IN\n88,MORE WORDS/\n49,0,3/\n98,0,1,5/\n99,0,1,7/\n",
		1, []string{"77123", "USD", "10.00", "12.50", "2024-06-02", "2.50", "WIRE IN,MORE WORDS"}},
}

func TestBankFiles(t *testing.T) {
	for _, f := range bankFiles {
		t.Run(f.name, func(t *testing.T) {
			if got := Sniff(f.content); got != f.mime {
				t.Fatalf("sniffed %s, want %s", got, f.mime)
			}
			d, err := Decode([]byte(f.content), f.mime)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Pages) != f.sheets {
				t.Errorf("%d sheets, want %d", len(d.Pages), f.sheets)
			}
			cells := map[string]bool{}
			for _, p := range d.Pages {
				for _, token := range p.Tokens {
					cells[token.Text] = true
				}
			}
			for _, want := range f.holds {
				if !cells[want] {
					t.Errorf("no cell %q in %v", want, cells)
				}
			}
			if cells["9.99"] {
				t.Error("a pending entry is listed")
			}
		})
	}
}

// Places of values are lines of the file, so that a reviewer finds them.
func TestBankFiles_places(t *testing.T) {
	d, err := Decode([]byte(bankFiles[1].content), MIMEQIF)
	if err != nil {
		t.Fatal(err)
	}
	var at text.Token
	for _, token := range d.Pages[0].Tokens {
		if token.Text == "-1234.50" {
			at = token
		}
	}
	if !strings.HasPrefix(at.Cell, "line 11") {
		t.Errorf("the amount stands at %q", at.Cell)
	}
}

func FuzzDecodeBankFile(f *testing.F) {
	for _, file := range bankFiles {
		f.Add([]byte(file.content), file.mime)
	}
	f.Fuzz(func(_ *testing.T, data []byte, mime string) {
		Sniff(string(data))
		for _, m := range []string{MIMEOFX, MIMEQIF, MIMEMT940, MIMECAMT, MIMEBAI2} {
			if mime == m || len(data) < 2000 {
				_, _ = Decode(data, m)
			}
		}
	})
}

// Programs write the amounts of these formats as their country does.
func TestUngrouped(t *testing.T) {
	for printed, want := range map[string]string{"-1.035,50": "-1035.50", "1,035.50": "1035.50", "1,250": "1250.00",
		"-12,5": "-12.50", "1.234.567": "1234567.00", "1,234,567": "1234567.00", "0,125": "0.125", "20": "20.00"} {
		if got := pointed(ungrouped(printed), false); got != want {
			t.Errorf("%s is read as %s, want %s", printed, got, want)
		}
	}
}
