package text_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A statement's currency is that of its codes and signs; a bare dollar is that of the country whose words it prints.
func TestCurrencyOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		order text.DateOrder
		want  string
	}{
		"a sign":                  {[]string{"Balance|£12.00"}, text.DayFirst, "GBP"},
		"a code":                  {[]string{"Balance|CHF|12.00"}, text.DayFirst, "CHF"},
		"a code apart from many":  {[]string{"All amounts in EUR", "Fee|€5.00", "USD 3.00 abroad"}, text.DayFirst, "EUR"},
		"dollars of America":      {[]string{"Balance|$12.00"}, text.MonthFirst, "USD"},
		"dollars, the day first":  {[]string{"Balance|$12.00"}, text.DayFirst, ""},
		"dollars of Canada":       {[]string{"Transit number 00012", "Balance|$12.00"}, text.MonthFirst, "CAD"},
		"of a Canadian city":      {[]string{"OTTAWA ON K1A 0B1", "Balance|$12.00"}, text.MonthFirst, "CAD"},
		"of Australia":            {[]string{"BSB 062-000", "Balance|$12.00"}, text.DayFirst, "AUD"},
		"once a code for many":    {[]string{"Amounts in CAD", "Balance|$12.00", "Fee|$1.00"}, text.MonthFirst, "CAD"},
		"of an IBAN":              {[]string{"IBAN DE89370400440532013000", "Saldo|12,00"}, text.DayFirst, "EUR"},
		"of a British IBAN":       {[]string{"IBAN GB29NWBK60161331926819", "Balance|12.00"}, text.DayFirst, "GBP"},
		"a payee's IBAN":          {[]string{"Transfer to GB29NWBK60161331926819", "Balance|12.00"}, text.DayFirst, ""},
		"a word of a country":     {[]string{"Paid in Singapore", "Balance|12.00"}, text.DayFirst, ""},
		"pesos of Mexico":         {[]string{"CLABE", "R F C", "Saldo|$12.00"}, text.DayFirst, "MXN"},
		"a Spanish paper's signs": {[]string{"Saldo|$12.00"}, text.MonthFirst, ""},
		"nothing":                 {[]string{"Balance|12.00"}, text.MonthFirst, ""},
		"naira by its name":       {[]string{"Nigeria", "Lagos", "Balance|12.00"}, text.DayFirst, "NGN"},
	} {
		if got, _ := text.CurrencyOf(linesOf(c.lines...), c.order); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, tokens := text.CurrencyOf(linesOf("Fee|€5.00"), text.DayFirst); text.Join(tokens) != "€5.00" {
		t.Errorf("said to stand at %q", text.Join(tokens))
	}
}

func TestSymbolCode_words(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"CAD$": "CAD", "AU$5": "AUD", "HK$": "HKD", "S$": "SGD", "MX$": "MXN",
		"Euros": "EUR", "(USD)": "USD", "円": "JPY", "TL": "TRY", "руб.": "RUB", "Rp": "IDR", "원": "KRW", "zł": "PLN", "Kč": "CZK",
		"₪12": "ILS", "(円)": "JPY", "SEK:": "SEK", "XYZ": "", "Usd": "", "LEG": "", "": ""} {
		if got := text.SymbolCode(printed); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

// Forms that one country's banks alone print say its currency, the surest first; those of America say nothing more.
func TestCountryCurrency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"of New Zealand's accounts":  {[]string{"Account 12-3456-0123456-00"}, "NZD"},
		"a BSB":                      {[]string{"BSB: 062-000"}, "AUD"},
		"an ABN":                     {[]string{"ABN 48 123 123 124"}, "AUD"},
		"a postcode of Australia":    {[]string{"SYDNEY NSW 2000"}, "AUD"},
		"a postal code of Canada":    {[]string{"OTTAWA, ON K1A 0B1"}, "CAD"},
		"a city of New Zealand":      {[]string{"Wellington 6011"}, "NZD"},
		"an Irish IBAN":              {[]string{"IBAN IE29AIBK93115212345678"}, "EUR"},
		"a sort code":                {[]string{"Sort code 20-11-43"}, "GBP"},
		"a sort code below":          {[]string{"Sort code|Account", "20-11-43|01234567"}, "GBP"},
		"a sort code far below":      {[]string{"Sort code|Account", "a", "b", "c", "20-11-43|01234567"}, ""},
		"in groups":                  {[]string{"IBAN IE29 AIBK 9311 5212 3456 78"}, "EUR"},
		"an IFSC":                    {[]string{"IFSC: HDFC0001234"}, "INR"},
		"a phone of Australia":       {[]string{"+61 2 9374 4000"}, "AUD"},
		"the surer of two":           {[]string{"+61 2 9374 4000", "12-3456-0123456-00"}, "NZD"},
		"American words":             {[]string{"BSB: 062-000", "Member FDIC"}, ""},
		"an American city":           {[]string{"BSB: 062-000", "SPRINGFIELD, IL 62701"}, ""},
		"a date like a sort code":    {[]string{"20-11-43"}, ""},
		"nothing":                    {[]string{"Balance|12.00"}, ""},
		"a word that begins like it": {[]string{"BSBX 062-000"}, ""},
	} {
		got, why := text.CountryCurrency(linesOf(c.lines...))
		if got != c.want || (why == "") != (got == "") {
			t.Errorf("%s: %q (%s), want %q", name, got, why, c.want)
		}
	}
}

// The bank that a statement is from: the one that its head and its own words name, never one of an entry.
func TestInstitutionOf(t *testing.T) {
	t.Parallel()
	filler := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a known one":             {[]string{"Chase Bank", "Statement"}, "Chase"},
		"an unknown one":          {[]string{"Severnside Bank plc", "Statement"}, "Severnside Bank plc"},
		"short and whole":         {[]string{"Severnside Bank", "Severnside Bank", "Severnside Bank plc"}, "Severnside Bank plc"},
		"a credit union":          {[]string{"Orchard Valley Credit Union"}, "Orchard Valley Credit Union"},
		"of a town":               {[]string{"First National Bank of Malvern"}, "First National Bank of Malvern"},
		"of Germany":              {[]string{"Volksbank Musterstadt eG"}, "Volksbank Musterstadt eG"},
		"of France":               {[]string{"Banque Rurale du Marais"}, "Banque Rurale du Marais"},
		"of the Netherlands":      {[]string{"Modelbank N.V."}, "Modelbank N.V."},
		"a name in two lines":     {[]string{"ORCHARD VALLEY", "BANK"}, "ORCHARD VALLEY BANK"},
		"an entry's bank":         {append([]string{"Severnside Bank plc"}, "TRANSFER TO CHASE BANK|12.00"), "Severnside Bank plc"},
		"an entry, amount apart":  {append([]string{"Severnside Bank plc"}, "01/02 TRANSFER TO CHASE BANK"), "Severnside Bank plc"},
		"who supervises":          {[]string{"Quillon Money", "Authorised by the Bank of Lithuania", "Quillon Money is an electronic money institution regulated in Utopia"}, "Quillon Money"},
		"no bank by its own word": {[]string{"Quillon, Inc is a financial technology company and not a bank. Services by Severnside Bank"}, "Quillon"},
		"only its site":           {append([]string{"Orchardly", "Statement"}, "help at www.orchardly.com"), "Orchardly"},
		"only its domain":         {append([]string{"Hello"}, "www.orchardbank.com"), "Orchard Bank"},
		"insured":                 {[]string{"Quillon Thrift, Member FDIC"}, "Quillon Thrift"},
		"the rights":              {append([]string{"Quillon Holdings"}, append(filler, "© 2024 Quillon Holdings LLC")...), "Quillon Holdings"},
		"what is no name":         {[]string{"Your Bank", "The bank", "Write to Bank"}, ""},
		"a column of credits":     {[]string{"Credito EUR"}, ""},
		"by its routing number":   {[]string{"Routing number 021000021"}, "Chase"},
		"nothing":                 {[]string{"Beginning balance|12.00"}, ""},
	} {
		if got, _ := text.InstitutionOf(linesOf(c.lines...), text.DotDecimal); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The heading of the first page is the last resort: set larger than the text, and no title.
func TestInstitutionOf_largeType(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{"Orchardly": "Orchardly", "Account Summary": "", "Page 3": "", "Q": ""} {
		p := documenttest.Page(append([]string{head}, strings.Fields("a b c d e f g h i")...)...)
		for i := range p.Tokens {
			if p.Tokens[i].Y0 < 25 {
				p.Tokens[i].Y0 -= 10
			}
		}
		if got, _ := text.InstitutionOf(text.Lines(p), text.DotDecimal); got != want {
			t.Errorf("%s: %q, want %q", head, got, want)
		}
	}
}

func TestBankCurrency(t *testing.T) {
	t.Parallel()
	for bank, want := range map[string]string{"Chase": "USD", "Citibank": "", "no such bank": ""} {
		if got := text.BankCurrency(bank); got != want {
			t.Errorf("%s: %q, want %q", bank, got, want)
		}
	}
	for iban, want := range map[string]string{"GB29 NWBK 6016 1331 9268 19": "NatWest", "DE89370400440532013000": "", "GB29": "",
		"FR29NWBK60161331926819": ""} {
		if got := text.BankOfIBAN(iban); got != want {
			t.Errorf("%s: %q, want %q", iban, got, want)
		}
	}
}
