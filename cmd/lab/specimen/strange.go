package specimen

import (
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// Strange is a bank's statement of one month in words that no rule of the reader knows: what a second reader is for.
// Its facts are by JSON pointer, as they are printed there; docType and title say what it is. below is printed below
// them, a line each; "|" parts it in two columns.
func Strange(holder string, month time.Time, below ...string) (Specimen, map[string]string) {
	first := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	sheet := newSheet(letterWidth, letterHeight, "Account statement", last.AddDate(0, 0, 2))
	p := sheet.add()
	plain := style{face: sans, size: 11}
	p.text(60, 70, "Riverbank Thrift", plain.at(18).bold())
	p.text(60, 92, "Account statement", plain.at(13))
	for i, line := range [][2]string{
		{"Held for", holder},
		{"Reference", "00447-12209"},
		{"First day covered", first.Format("January 2, 2006")},
		{"Last day covered", last.Format("January 2, 2006")},
		{"Money you had at first", "12,904.11"},
		{"Money that came in", "8,250.40"},
		{"Money that went out", "6,118.75"},
		{"Left over", "15,035.76"},
	} {
		y := 140 + 24*float64(i)
		p.text(60, y, line[0], plain)
		p.text(300, y, line[1], plain)
	}
	for i, line := range below {
		y := 360 + 24*float64(i)
		left, right, _ := strings.Cut(line, "|")
		p.text(60, y, left, plain)
		p.text(300, y, right, plain)
	}
	return Specimen{Name: "bank_statement/riverbank_" + first.Format("2006-01") + ".pdf", MimeType: mimePDF,
			Data: sheet.pdf(), sheet: sheet, Truth: Truth{DocType: dossier.DocBankStatement,
				FieldType: dossier.FieldBankStatement, Layer: "text layer", Pages: 1}}, map[string]string{
			"docType": string(dossier.DocBankStatement), "title": "Account statement",
			"/accountHolder": holder, "/accountNumber": "00447-12209", "/periodStart": first.Format(time.DateOnly),
			"/periodEnd": last.Format(time.DateOnly), "/openingBalance": "12904.11", "/totalDeposits": "8250.40",
			"/totalWithdrawals": "6118.75", "/closingBalance": "15035.76"}
}
