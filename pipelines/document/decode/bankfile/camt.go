package bankfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// camtAccount is a statement (053), report (052) or notification (054) of ISO 20022. Source: camt.053.001.02 to .13;
// the names are the same in all, whatever the name space.
type camtAccount struct {
	Acct struct {
		Id struct {
			IBAN string
			Othr struct {
				Id string
			}
		}
		Ccy, Nm string
		Ownr    camtParty
		Svcr    struct {
			FinInstnId struct {
				Nm, BIC, BICFI string
			}
		}
	}
	FrToDt struct{ FrDtTm, ToDtTm string }
	Bal    []struct {
		Tp struct {
			CdOrPrtry struct{ Cd string }
		}
		Amt       camtAmount
		CdtDbtInd string
		Dt        camtDate
	}
	Ntry []camtEntry
}

type camtAmount struct {
	Ccy  string `xml:",attr"`
	Text string `xml:",chardata"`
}

type camtDate struct{ Dt, DtTm string }

type camtParty struct {
	Nm  string
	Pty struct{ Nm string }
}

type camtEntry struct {
	Amt       camtAmount
	CdtDbtInd string
	Sts       struct {
		Cd   string
		Text string `xml:",chardata"`
	}
	BookgDt, ValDt camtDate
	AddtlNtryInf   string
	NtryDtls       []struct {
		TxDtls []struct {
			RmtInf struct {
				Ustrd []string
			}
			RltdPties struct{ Dbtr, Cdtr camtParty }
		}
	}
}

// maxXMLDepth is how deep elements of a bank's file may be nested.
const maxXMLDepth = 60

// readCAMT reads the accounts of a CAMT file. A notification (054) is no statement and says so.
func readCAMT(data []byte) ([]*accountSheet, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = charset.NewReaderLabel
	d.Strict = true
	var sheets []*accountSheet
	depth := 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return sheets, nil
		}
		if err != nil {
			return nil, refusal.New(refusal.Corrupt, "The XML of the file is damaged.")
		}
		switch e := t.(type) {
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				return nil, refusal.New(refusal.Corrupt, "The XML of the file is nested too deep.")
			}
			if name := e.Name.Local; name == "Stmt" || name == "Rpt" || name == "Ntfctn" {
				var a camtAccount
				if err := d.DecodeElement(&a, &e); err != nil {
					return nil, refusal.New(refusal.Corrupt, "The XML of the file is damaged.")
				}
				depth--
				a.sheet(&sheets, name)
				if len(sheets) > office.MaxSheets {
					return nil, refusal.New(refusal.TooManyPages,
						"The file has more than %d accounts.", office.MaxSheets)
				}
			}
		case xml.EndElement:
			depth--
		}
	}
}

// sheet sets an account's statement; those of one account follow each other in one sheet.
func (a camtAccount) sheet(sheets *[]*accountSheet, element string) {
	number := strings.TrimSpace(a.Acct.Id.IBAN)
	if number == "" {
		number = strings.TrimSpace(a.Acct.Id.Othr.Id)
	}
	title := "Bank statement"
	if element == "Ntfctn" {
		title = "Notification"
	}
	first := len(*sheets)
	s := sheetOf(sheets, element+" "+number, title)
	if first != len(*sheets) {
		s.pair("Bank", firstText(a.Acct.Svcr.FinInstnId.Nm, a.Acct.Svcr.FinInstnId.BICFI, a.Acct.Svcr.FinInstnId.BIC),
			"Acct/Svcr")
		s.pair("Account holder", firstText(a.Acct.Ownr.Nm, a.Acct.Ownr.Pty.Nm), "Acct/Ownr/Nm")
		s.pair("Account number", number, "Acct/Id")
		s.pair("Currency", a.Acct.Ccy, "Acct/Ccy")
		if element == "Ntfctn" {
			s.extra, s.value = "Reconciliation status", "notified"
		}
	}
	if from := a.FrToDt.FrDtTm; len(from) >= 10 && s.said("From") == "" {
		s.pair("From", from[:10], "FrToDt/FrDtTm")
	}
	if to := a.FrToDt.ToDtTm; len(to) >= 10 {
		s.replace("To", to[:10], "FrToDt/ToDtTm")
	}
	for _, b := range a.Bal {
		v := pointed(b.Amt.Text, b.CdtDbtInd == "DBIT")
		switch b.Tp.CdOrPrtry.Cd {
		case "OPBD", "PRCD":
			if s.said("Opening balance") == "" {
				s.pair("Opening balance", v, "Bal/"+b.Tp.CdOrPrtry.Cd)
			}
		case "CLBD":
			s.replace("Closing balance", v, "Bal/CLBD")
		case "CLAV":
			s.replace("Available balance", v, "Bal/CLAV")
		}
		if s.said("Currency") == "" {
			s.pair("Currency", b.Amt.Ccy, "Bal/Amt/@Ccy")
		}
	}
	for _, e := range a.Ntry {
		if sts := strings.TrimSpace(e.Sts.Cd + e.Sts.Text); sts == "PDNG" || sts == "INFO" {
			continue
		}
		s.entries = append(s.entries, e.entry(len(s.entries)+1))
	}
}

func (e camtEntry) entry(n int) fileEntry {
	day := firstText(e.BookgDt.Dt, e.BookgDt.DtTm, e.ValDt.Dt, e.ValDt.DtTm)
	var words []string
	for _, d := range e.NtryDtls {
		for _, t := range d.TxDtls {
			other := t.RltdPties.Cdtr
			if e.CdtDbtInd == "CRDT" {
				other = t.RltdPties.Dbtr
			}
			words = append(words, firstText(other.Nm, other.Pty.Nm))
			words = append(words, t.RmtInf.Ustrd...)
		}
	}
	text := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	if text == "" {
		text = strings.Join(strings.Fields(e.AddtlNtryInf), " ")
	}
	if len(text) > 500 {
		text = strings.ToValidUTF8(text[:500], "")
	}
	return fileEntry{date: day[:min(len(day), 10)], text: text, amount: pointed(e.Amt.Text, e.CdtDbtInd == "DBIT"),
		where: atLine(n, "Ntry")}
}

// firstText is the first that says something.
func firstText(all ...string) string {
	for _, s := range all {
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}
