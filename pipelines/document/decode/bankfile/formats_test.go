package bankfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// rowsOf are the rows of a sheet, cells parted by bars; the head of the entries is left out.
func rowsOf(p text.Page) string {
	var rows []string
	for _, l := range text.Lines(p) {
		var cells []string
		for _, c := range l.Cells() {
			cells = append(cells, c.Text())
		}
		if row := strings.Join(cells, "|"); !strings.HasPrefix(row, "Date|Description") {
			rows = append(rows, row)
		}
	}
	return strings.Join(rows, "\n")
}

// reads checks what the sheets of a file hold, row by row.
func reads(t *testing.T, name, mime, content string, want ...string) {
	t.Helper()
	d, err := Decode([]byte(content), mime)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(d.Pages) != len(want) {
		t.Errorf("%s: %d sheets, want %d", name, len(d.Pages), len(want))
		return
	}
	for i, p := range d.Pages {
		if got := rowsOf(p); got != want[i] {
			t.Errorf("%s: sheet %d:\n%s\nwant\n%s", name, i+1, got, want[i])
		}
	}
}

// refuses checks that a file is refused, and as what.
func refuses(t *testing.T, name, mime, content, code string) {
	t.Helper()
	_, err := Decode([]byte(content), mime)
	var r *refusal.Refusal
	if !errors.As(err, &r) || string(r.Code) != code {
		t.Errorf("%s: %v, want %s", name, err, code)
	}
}

// Cards, brokers and banks say the same under other names; what is said of another account, or of no entry, is not read.
func TestReadOFX(t *testing.T) {
	t.Parallel()
	entry := func(fields string) string { return "<STMTTRN>" + fields + "</STMTTRN>" }
	bank := func(inner string) string {
		return "OFXHEADER:100\r\n<OFX><STMTRS><BANKACCTFROM><BANKID>021000021<ACCTID>1122</BANKACCTFROM>" + inner + "</STMTRS></OFX>"
	}
	head := "Bank statement\nRouting number|021000021\nAccount number|1122\n"
	reads(t, "an entry", MIMEOFX, bank(entry("<DTPOSTED>20240603120000[-5:EST]<TRNAMT>-1,250.5<NAME>Rent")), head+"2024-06-03|Rent|-1250.50")
	reads(t, "the memo again", MIMEOFX, bank(entry("<DTPOSTED>20240603<TRNAMT>5<NAME>Rent<MEMO>Rent")), head+"2024-06-03|Rent|5.00")
	reads(t, "a memo alone", MIMEOFX, bank(entry("<DTPOSTED>20240603<TRNAMT>5<MEMO>Rent")), head+"2024-06-03|Rent|5.00")
	reads(t, "no amount", MIMEOFX, bank(entry("<DTPOSTED>20240603<NAME>Rent")+entry("<DTPOSTED>20240604<TRNAMT>5<NAME>Fee")), head+"2024-06-04|Fee|5.00")
	reads(t, "no such day", MIMEOFX, bank(entry("<DTPOSTED>20241303<TRNAMT>5<NAME>Rent")), head+"Rent|5.00")
	reads(t, "entries that nothing closes", MIMEOFX, bank("<BANKTRANLIST><STMTTRN><TRNAMT>1<NAME>A<STMTTRN><TRNAMT>2<NAME>B</BANKTRANLIST>"),
		head+"A|1.00\nB|2.00")
	reads(t, "another account's number", MIMEOFX, bank(entry("<TRNAMT>1<NAME>A<BANKACCTTO><ACCTID>9999</BANKACCTTO><MEMO>to savings")),
		head+"A to savings|1.00")
	reads(t, "balances", MIMEOFX, bank("<LEDGERBAL><BALAMT>1.035,50<DTASOF>20240630</LEDGERBAL><AVAILBAL><BALAMT>-7</AVAILBAL>"),
		head+"Ending balance|1035.50\nAvailable balance|-7.00")
	reads(t, "version 2", MIMEOFX, `<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><STMTRS><CURDEF>CAD</CURDEF><BANKACCTFROM><ACCTID>1122</ACCTID>`+
		`<ACCTTYPE>MONEYMRKT</ACCTTYPE></BANKACCTFROM><BANKTRANLIST><DTSTART>20240601</DTSTART><DTEND>20240630</DTEND>`+
		entry("<DTPOSTED>20240603</DTPOSTED><TRNAMT>5.00</TRNAMT><PAYEE>A &lt;B&gt;</PAYEE>")+`</BANKTRANLIST></STMTRS></OFX>`,
		"Bank statement\nCurrency|CAD\nAccount number|1122\nAccount type|Money market account\nStatement period|2024-06-01 - 2024-06-30\n2024-06-03|A <B>|5.00")
	reads(t, "a card", MIMEOFX, "<OFX><CCSTMTRS><CCACCTFROM><ACCTID>4111</CCACCTFROM>"+entry("<DTPOSTED>20240603<TRNAMT>-5<NAME>Fuel")+
		"<LEDGERBAL><BALAMT>-5</LEDGERBAL><AVAILBAL><BALAMT>900</AVAILBAL></CCSTMTRS></OFX>",
		"Credit card statement\nAccount number|4111\nNew balance|-5.00\nAvailable credit|900.00\n2024-06-03|Fuel|-5.00|4111")
	reads(t, "a broker", MIMEOFX, "<OFX><INVSTMTRS><INVACCTFROM><ACCTID>77</INVACCTFROM>"+entry("<DTPOSTED>20240603<TRNAMT>-5<NAME>Fund")+"</INVSTMTRS></OFX>",
		"Brokerage statement\nAccount number|77\n2024-06-03|Fund|-5.00|77")
	refuses(t, "no account", MIMEOFX, "<OFX><SIGNONMSGSRSV1></OFX>", "corrupt")
	refuses(t, "too many accounts", MIMEOFX, "<OFX>"+strings.Repeat("<STMTRS><ACCTID>1", 102), "too_many_pages")
}

func TestReadQIF(t *testing.T) {
	t.Parallel()
	reads(t, "accounts", MIMEQIF, "!Account\nNHousehold\nTBank\n^\n!Type:Bank\nD6/1/24\nU1,250.00\nT1,250.00\nPPay\n^\n!Account\nNVisa\n^\n!Type:CCard\nD6/2'24\nT-5\nMFuel\n^\n",
		"Bank statement\nAccount|Household\n6/1/24|Pay|1250.00", "Credit card statement\nAccount|Visa\n6/2/2024|Fuel|-5.00|card")
	reads(t, "words in any order", MIMEQIF, "!Type:Cash\n\nD6/1/24\nMweekly\nT5\nPGrocer\n^\nD6/2/24\nPFee\nMFee\nT1\n^\n", "Bank statement\n6/1/24|Grocer weekly|5.00\n6/2/24|Fee|1.00")
	reads(t, "securities", MIMEQIF, "!Type:Invst\nD6/1/24\nNBuy\nT-50\nPFund\n^\n", "Brokerage statement\n6/1/24|Fund|-50.00|security")
	reads(t, "no amount", MIMEQIF, "!Type:Bank\nD6/1/24\nPGrocer\n^\nD6/2/24\nTabc\n^\nD6/3/24\nT1\n^\n", "Bank statement\n6/3/24|1.00")
	refuses(t, "categories alone", MIMEQIF, "!Type:Cat\nNFood\nE\n^\n", "corrupt")
	refuses(t, "nothing", MIMEQIF, "", "corrupt")
}

func TestReadMT940(t *testing.T) {
	t.Parallel()
	head := ":20:X\n:25:20041010/123456\n:28C:1/1\n"
	account := "Bank statement\nAccount number|123456\n"
	reads(t, "signs", MIMEMT940, head+":61:240603D12,5NTRF\n:61:240603C12,NTRF\n:61:240604RD3,NTRF\n:61:240604RC4,NTRF\n",
		account+"2024-06-03|-12.50\n2024-06-03|12.00\n2024-06-04|3.00\n2024-06-04|-4.00")
	reads(t, "booked in the new year", MIMEMT940, head+":61:2312310102C1,N\n:61:9912310101C1,N\n", account+"2024-01-02|1.00\n2000-01-01|1.00")
	reads(t, "no such booking day", MIMEMT940, head+":61:2406031399C1,N\n", account+"2024-06-03|1.00")
	reads(t, "words in chunks", MIMEMT940, head+":61:240603C1,N\n:86:166?00GUTSCHRIFT?20123456789012345678901234567?21tail?32ROSA?33QUILL?30BANK\n",
		account+"2024-06-03|123456789012345678901234567tail ROSA QUILL|1.00")
	reads(t, "words over lines", MIMEMT940, head+":61:240603C1,N\n:86:/EREF/A1/REMI/re\nnt June\n:86:of the statement\n", account+"2024-06-03|A1 rent June|1.00")
	reads(t, "damaged entries", MIMEMT940, head+":61:24AB03C1,N\n:61:240603X1,N\n:61:240603C1,N\n", account+"2024-06-03|1.00")
	reads(t, "balances", MIMEMT940, head+":60F:C240531EUR10,5\n:60M:C240601EUR99,\n:62M:C240615EUR5,\n:62F:D240630EUR0,5\n:64:C240630EUR7,\n",
		account+"Opening balance|10.50\nCurrency|EUR\nFrom|2024-05-31\nClosing balance|-0.50\nTo|2024-06-30\nAvailable balance|7.00")
	reads(t, "two accounts in turns", MIMEMT940, ":25:A1\n:28C:1\n:61:240603C1,N\n-\n:25:B2\n:28C:1\n:61:240603C2,N\n-}\n:25:A1\n:28C:2\n:61:240604C3,N\n",
		"Bank statement\nAccount number|A1\n2024-06-03|1.00\n2024-06-04|3.00", "Bank statement\nAccount number|B2\n2024-06-03|2.00")
	reads(t, "an IBAN and its currency", MIMEMT940, ":25:GB29NWBK60161331926819GBP\n:28C:1\n:61:240603C1,N\n", "Bank statement\nAccount number|GB29NWBK60161331926819\n2024-06-03|1.00")
	refuses(t, "entries of nobody", MIMEMT940, ":61:240603C1,N\n", "corrupt")
	var many strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, ":25:%d\n:61:240603C1,N\n", i)
	}
	refuses(t, "too many accounts", MIMEMT940, many.String(), "too_many_pages")
}

func TestReadBAI2(t *testing.T) {
	t.Parallel()
	group := "01,A,B,240603,0600,1,80,,2/\n02,B,A,1,240602,2359,USD,2/\n"
	account := "Bank statement\nAccount number|77\nCurrency|USD\n"
	reads(t, "credits and debits", MIMEBAI2, group+"03,77,,010,1000,,,015,-1250,,,045,99,,/\n16,195,250,,B1,C1,WIRE  IN/\n16,475,250,,B1,C1,CHECK/\n16,890,9,,B1,C1,NO MONEY/\n16,19,5,,B,C,SHORT/\n",
		account+"Opening balance|10.00\nClosing balance|-12.50\nAvailable balance|0.99\n2024-06-02|WIRE IN|2.50\n2024-06-02|CHECK|-2.50")
	reads(t, "funds of later days", MIMEBAI2, group+"03,77,,/\n16,195,250,V,240603,1200,B1,C1,VALUE/\n16,195,250,D,2,0,100,1,150,B1,C1,SPREAD/\n16,195,250,Z,B1,C1,NONE/\n",
		account+"2024-06-02|VALUE|2.50\n2024-06-02|SPREAD|2.50\n2024-06-02|NONE|2.50")
	reads(t, "the account's own currency", MIMEBAI2, group+"03,77,JPY,010,1000,,/\n16,195,250,,B,C,IN/\n", "Bank statement\nAccount number|77\nCurrency|JPY\nOpening balance|1000.00\n2024-06-02|IN|250.00")
	reads(t, "amounts that are none", MIMEBAI2, group+"03,77,,010,10.5,,,015,9999999999999999999,,/\n16,195,abc,,B,C,IN/\n", account+"2024-06-02|IN")
	reads(t, "words over records", MIMEBAI2, group+"03,77,,/\n16,195,250,,B,C,ONE/\n88,TWO,THREE/\n", account+"2024-06-02|ONE,TWO,THREE|2.50")
	reads(t, "over two days", MIMEBAI2, group+"03,77,,010,100,,,015,200,,/\n02,B,A,1,240603,2359,USD,2/\n03,77,,010,200,,,015,300,,/\n16,195,100,,B,C,IN/\n",
		account+"Opening balance|1.00\nClosing balance|3.00\n2024-06-03|IN|1.00")
	refuses(t, "an entry of nobody", MIMEBAI2, "16,195,250,,B,C,IN/\n", "corrupt")
}

func TestReadCAMT(t *testing.T) {
	t.Parallel()
	file := func(inner string) string {
		return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>` + inner + `</BkToCstmrStmt></Document>`
	}
	acct := `<Acct><Id><IBAN>GB29NWBK60161331926819</IBAN></Id><Ccy>GBP</Ccy><Ownr><Nm>Rosa Quill</Nm></Ownr><Svcr><FinInstnId><Nm>Severnside</Nm></FinInstnId></Svcr></Acct>`
	head := "Bank statement\nBank|Severnside\nAccount holder|Rosa Quill\nAccount number|GB29NWBK60161331926819\nCurrency|GBP\n"
	bal := func(code, amount, way string) string {
		return `<Bal><Tp><CdOrPrtry><Cd>` + code + `</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">` + amount + `</Amt><CdtDbtInd>` + way + `</CdtDbtInd></Bal>`
	}
	entry := func(amount, way, more string) string {
		return `<Ntry><Amt Ccy="GBP">` + amount + `</Amt><CdtDbtInd>` + way + `</CdtDbtInd>` + more + `</Ntry>`
	}
	reads(t, "days one after another", MIMECAMT, file(`<Stmt>`+acct+`<FrToDt><FrDtTm>2024-06-01T00:00:00</FrDtTm><ToDtTm>2024-06-01T23:59:59</ToDtTm></FrToDt>`+
		bal("OPBD", "1.00", "CRDT")+bal("CLBD", "2.00", "CRDT")+`</Stmt><Stmt>`+acct+`<FrToDt><FrDtTm>2024-06-02T00:00:00</FrDtTm><ToDtTm>2024-06-02T23:59:59</ToDtTm></FrToDt>`+
		bal("OPBD", "2.00", "CRDT")+bal("CLBD", "3.5", "DBIT")+bal("CLAV", "4", "CRDT")+`</Stmt>`),
		head+"From|2024-06-01\nTo|2024-06-02\nOpening balance|1.00\nClosing balance|-3.50\nAvailable balance|4.00")
	reads(t, "words and parties", MIMECAMT, file(`<Stmt>`+acct+
		entry("5.00", "DBIT", `<BookgDt><DtTm>2024-06-05T10:00:00</DtTm></BookgDt><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Rosa Quill</Nm></Dbtr><Cdtr><Nm>Mill  Ltd</Nm></Cdtr></RltdPties><RmtInf><Ustrd>rent</Ustrd><Ustrd>June</Ustrd></RmtInf></TxDtls></NtryDtls>`)+
		entry("6.00", "CRDT", `<ValDt><Dt>2024-06-06</Dt></ValDt><AddtlNtryInf>interest</AddtlNtryInf>`)+
		entry("7.00", "CRDT", `<Sts>INFO</Sts>`)+`</Stmt>`),
		head+"2024-06-05|Mill Ltd rent June|-5.00\n2024-06-06|interest|6.00")
	reads(t, "a notification", MIMECAMT, file(`<Ntfctn>`+acct+entry("5.00", "CRDT", `<BookgDt><Dt>2024-06-05</Dt></BookgDt>`)+`</Ntfctn>`),
		strings.Replace(head, "Bank statement", "Notification", 1)+"2024-06-05|5.00|notified")
	reads(t, "in another character set", MIMECAMT, strings.Replace(file(`<Rpt><Acct><Id><Othr><Id>77</Id></Othr></Id><Nm>x</Nm><Ownr><Pty><Nm>Ren`+"\xe9"+`e</Nm></Pty></Ownr></Acct></Rpt>`),
		`"1.0"`, `"1.0" encoding="ISO-8859-1"`, 1), "Bank statement\nAccount holder|Renée\nAccount number|77")
	refuses(t, "cut short", MIMECAMT, strings.TrimSuffix(file(`<Stmt>`+acct), "</BkToCstmrStmt></Document>"), "corrupt")
	refuses(t, "no statement", MIMECAMT, file(""), "corrupt")
	refuses(t, "nested too deep", MIMECAMT, file(strings.Repeat("<a>", 70)+strings.Repeat("</a>", 70)), "corrupt")
	var many strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, `<Stmt><Acct><Id><Othr><Id>%d</Id></Othr></Id></Acct></Stmt>`, i)
	}
	refuses(t, "too many accounts", MIMECAMT, file(many.String()), "too_many_pages")
}

// What is no bank's file is none of them, however much of one it quotes.
func TestSniff(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"\ufeff":                              "",
		"<?xml version=\"1.0\"?>\n<OFX>":      MIMEOFX,
		"  ofxheader:100":                     MIMEOFX,
		"!Type:Bank\nD1":                      MIMEQIF,
		"!Option:AutoSwitch":                  MIMEQIF,
		"!important":                          "",
		":20:X\n:25:A\n:28C:1":                MIMEMT940,
		":20:X\n:28C:1":                       "",
		"01,A,B,240603,0600,1,80,,2/\n02,B,A": MIMEBAI2,
		"01,A,B,240603,0600,1\n03,77":         "",
		"<Document xmlns=\"urn:camt.052\">":   MIMECAMT,
		"<Document xmlns=\"urn:pain.001\">":   "",
		"A letter about OFXHEADER:100":        "",
	} {
		if got := Sniff(content); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

func TestPointed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed  string
		negative bool
		want     string
	}{{"12", false, "12.00"}, {"+12,5", true, "-12.50"}, {"-12", true, "12.00"}, {"-0,00", false, "0.00"}, {".5", false, "0.50"}, {"1 234,5", false, "1234.50"},
		{"12.345", false, "12.345"}, {"1.2.3", false, ""}, {"--5", false, ""}, {"", false, ""}, {"1e5", false, ""}, {strings.Repeat("9", 25), false, ""}} {
		if got := pointed(c.printed, c.negative); got != c.want {
			t.Errorf("%q, %v: %q, want %q", c.printed, c.negative, got, c.want)
		}
	}
	for figures, want := range map[string]string{"240630": "2024-06-30", "20240630120000": "2024-06-30", "20241330": "", "2024063": "", "24063O": "", "18990101": "", "": ""} {
		if got := bankDay(figures); got != want {
			t.Errorf("%q: %q, want %q", figures, got, want)
		}
	}
}
