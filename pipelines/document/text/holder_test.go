package text_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func linesOf(lines ...string) []text.Line { return text.Lines(documenttest.Page(lines...)) }

// Whose account it is stands behind or below a caption, in the languages of the banks, or above the customer's address.
func TestHolderOf_captions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"English":                {[]string{"Account holder: Rosa Quill"}, "Rosa Quill"},
		"German":                 {[]string{"Kontoinhaber: Rosa Quill"}, "Rosa Quill"},
		"French, below":          {[]string{"Titulaire du compte", "Rosa Quill"}, "Rosa Quill"},
		"Spanish, beside":        {[]string{"Titular|Rosa Quill"}, "Rosa Quill"},
		"Dutch":                  {[]string{"Rekeninghouder: Rosa Quill"}, "Rosa Quill"},
		"Italian":                {[]string{"Intestatario|Rosa Quill"}, "Rosa Quill"},
		"a company":              {[]string{"Business name: Quill Press LLC"}, "Quill Press LLC"},
		"the colon apart":        {[]string{"Account name|: Rosa Quill"}, "Rosa Quill"},
		"what an account is":     {[]string{"Name: Konto Klassik"}, ""},
		"a number":               {[]string{"Account holder: 1234567"}, ""},
		"a word alone":           {[]string{"Account holder: Rosa"}, ""},
		"a sentence with name":   {[]string{"Name and address changes must be sent to us"}, ""},
		"the bank's department":  {[]string{"Account holder: Customer Service Department"}, ""},
		"an address in America":  {[]string{"ROSA QUILL", "12 ORCHARD LANE", "SPRINGFIELD, IL 62701"}, "ROSA QUILL"},
		"in Britain":             {[]string{"MRS R QUILL", "12 ORCHARD LANE", "MALVERN", "WR14 4XX"}, "MRS R QUILL"},
		"no number of a house":   {[]string{"QUILL PRESS LTD", "THE OLD MILL", "KELSO", "TD5 7AB"}, "QUILL PRESS LTD"},
		"a village and a code":   {[]string{"THE OLD MILL", "LITTLE KELSO", "NEAR MELROSE", "TD5 7AB"}, ""},
		"a mark before the name": {[]string{"*QUILL PRESS (PTY) LTD", "12 FIELD STREET", "DURBAN"}, "QUILL PRESS (PTY) LTD"},
		"the next caption":       {[]string{"Name|ROSA ADA QUILL Account Type Current Account"}, "ROSA ADA QUILL"},
		"a form alone":           {[]string{"Customer|QUILL PRESS NIG", "Name|LTD"}, "QUILL PRESS NIG LTD"},
		"several holders":        {[]string{"Titulares", "Rosa Quill"}, "Rosa Quill"},
		"in Canada":              {[]string{"ROSA QUILL", "12 ORCHARD LANE", "OTTAWA ON K1A 0B1"}, "ROSA QUILL"},
		"in France":              {[]string{"MADAME ROSA QUILL", "12 RUE DES LILAS", "75011 PARIS"}, "MADAME ROSA QUILL"},
		"in Australia":           {[]string{"ROSA QUILL", "12 ORCHARD LANE", "SYDNEY NSW 2000"}, "ROSA QUILL"},
		"two holders":            {[]string{"ROSA QUILL AND", "ADA QUILL", "12 ORCHARD LANE", "SPRINGFIELD, IL 62701"}, "ROSA QUILL AND ADA QUILL"},
		"a company and whom":     {[]string{"ATTN ROSA QUILL", "QUILL PRESS LLC", "12 ORCHARD LANE", "SPRINGFIELD, IL 62701"}, "QUILL PRESS LLC"},
		"a name and which":       {[]string{"QUILL PRESS LLC", "OPERATING ACCOUNT", "12 ORCHARD LANE", "SPRINGFIELD, IL 62701"}, "QUILL PRESS LLC"},
		"courtesy above":         {[]string{"Herrn", "Fabian Quill", "Voorbeeldweg 8", "10115 Berlin"}, "Fabian Quill"},
		"the bank's branch":      {[]string{"Votre agence", "Paris Bastille", "3 RUE DES LILAS", "75011 PARIS"}, ""},
		"above an unknown town":  {[]string{"ROSA QUILL", "12 ORCHARD LANE", "SOMEWHERE"}, "ROSA QUILL"},
		"an address and no name": {[]string{"12 ORCHARD LANE", "SPRINGFIELD, IL 62701"}, ""},
		"a month before a year":  {[]string{"ROSA QUILL", "12 ORCHARD LANE", "December 2024"}, "ROSA QUILL"},
		"nothing":                {[]string{"Beginning balance|1,204.50"}, ""},
	} {
		got, tokens := text.HolderOf(linesOf(c.lines...))
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got != "" && text.Join(tokens) != got {
			t.Errorf("%s: said to stand at %q", name, text.Join(tokens))
		}
	}
}

func TestIsTown(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]bool{"SPRINGFIELD, IL 62701": true, "Springfield IL 62701-1234": true,
		"Ottawa ON K1A 0B1": true, "75011 PARIS": true, "1017 AB Amsterdam": true, "Wellington 6011": true,
		"1000-205 LISBOA": true, "00-950 Warszawa": true, "Mumbai - 400001": true, "December 2024": false,
		"IL 62701": false, "Statement 2024": false, "62701": false, "Rosa Quill": false} {
		if got := text.IsTown(printed); got != want {
			t.Errorf("%q: %v, want %v", printed, got, want)
		}
	}
}

func TestIsStreet(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]bool{"12 Orchard Lane": true, "P.O. Box 12": true, "PO BOX 12": true,
		"Lindenstraße 12": true, "Rue des Lilas 12": true, "Calle Mayor 3": true, "Flat 3": true, "ul. Lipowa 3": true,
		"Voorbeeldlaan 8": true, "Rosa Quill": false, "Statement 12": false, "Page 3": false, "": false} {
		if got := text.IsStreet(printed); got != want {
			t.Errorf("%q: %v, want %v", printed, got, want)
		}
	}
}

// Parties are the names above addresses; a bank is none.
func TestParties(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range text.Parties(linesOf("ROSA QUILL", "12 ORCHARD LANE", "SPRINGFIELD, IL 62701", "", "",
		"Severnside Bank plc", "14 LANTERN ROW", "MALVERN WR14 4XX", "", "", "QUILL PRESS LLC", "9 MILL ROAD, OTTAWA, ON 62701")) {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, ", "); got != "ROSA QUILL, QUILL PRESS LLC" {
		t.Errorf("got %s", got)
	}
}

func TestIsFieldWord(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]bool{"SURNAME": true, "Prénoms": true, "DOB": true, "QUILL": false, "": false} {
		if got := text.IsFieldWord(printed); got != want {
			t.Errorf("%q: %v, want %v", printed, got, want)
		}
	}
}

func TestStateNamed(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"STATE OF OHIO": "OH", "California Driver License": "CA", "NEWYORK": "NY",
		"West Virginia": "WV", "Commonwealth of Virginia": "VA", "New South Wales": "NSW", "Province of Ontario": "ON",
		"WASHINGTON": "WA", "Ohioan": "", "": "", "a letter to whom it may concern in Ohio today": ""} {
		if got := text.StateNamed(printed); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
	for code, want := range map[string]string{"OH": "USA", "ON": "CAN", "NSW": "AUS", "ZZ": ""} {
		if got := text.StateCountry(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// The bank is named by its letterhead, in the languages of the North and the East too, and never by who supervises it.
func TestInstitutionOf_names(t *testing.T) {
	t.Parallel()
	for want, lines := range map[string][]string{
		"Kōwhai Bank Limited":        {"Kōwhai Bank Limited|Statement", "Kōwhai Bank Limited is registered by the Reserve Bank of New Zealand"},
		"Merlin Banking Corporation": {"Merlin Banking Corporation|Statement", "Account 1"},
		"Fjellbanken":                {"Fjellbanken|KONTOUTDRAG", "Konto 1"},
		"SpareBank Lomvi":            {"SpareBank Lomvi|Kontoutskrift", "Konto 1"},
		"Bank Lipowy S.A.":           {"Bank Lipowy S.A.|WYCIĄG", "Rachunek 1"},
		"Alderbrook Trust":           {"Alderbrook Trust|Statement", "Account 1", "Please write to Alderbrook Trust, Canada"},
		"":                           {"Quill Family Trust|Statement", "Account 1", "The Quill Family Trust, Canada"},
	} {
		if got, _ := text.InstitutionOf(linesOf(lines...), text.DotDecimal); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
