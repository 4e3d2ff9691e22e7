package specimen

import "fmt"

var (
	dutchTexts = phrases{
		in: []string{"Salaris Voorbeeld BV %s", "Overboeking van %n", "Storting %4"},
		out: []string{"Betaalautomaat Supermarkt %4", "Incasso Energie Voorbeeld", "Huur Woonstichting",
			"Geldautomaat %4"},
	}
	nordicTexts = phrases{
		in:  []string{"Lön Exempel AB", "Insättning %4", "Swish %n"},
		out: []string{"Kortköp Livs %4", "Hyra Bostad", "Autogiro El %s", "Uttag Bankomat %4"},
	}
	spanishTexts = phrases{
		in:  []string{"Transferencia recibida %n", "Nomina Empresa Ejemplo", "Ingreso en efectivo"},
		out: []string{"Recibo luz Ejemplo %s", "Compra tarjeta %4 Supermercado", "Alquiler local", "Cajero %4"},
	}
	italianTexts = phrases{
		in: []string{"Bonifico a vostro favore %n", "Stipendio Esempio SRL", "Versamento contanti"},
		out: []string{"Pagamento POS %4", "Addebito SDD Energia Esempio", "Prelievo bancomat %4",
			"Bonifico SEPA affitto"},
	}
	ibanDE = "DE02120300000000202051" // the published example of the German banks
)

// euroExports are those of Germany, Austria, Switzerland, France, the Netherlands, Spain and Italy.
func euroExports() []exportLayout {
	return []exportLayout{
		{name: "de_own_account", account: ibanDE, currency: "EUR", comma: ';', money: plainComma, date: "02.01.06",
			newest: true, texts: germanTexts, charset: "latin1", loose: true,
			traps: []string{"the partner's account in a column beside one's own", "no balance", "year of two digits"},
			body: func(b exportPaper) [][]string {
				header := []string{"Auftragskonto", "Buchungstag", "Valutadatum", "Buchungstext", "Verwendungszweck",
					"Beguenstigter/Zahlungspflichtiger", "Kontonummer/IBAN", "BIC (SWIFT-Code)", "Betrag", "Waehrung",
					"Info"}
				return b.table(header, func(p posting) []string {
					return []string{ibanDE, b.day(p.date), b.day(p.date), either(p, "FOLGELASTSCHRIFT",
						"GUTSCHR. UEBERWEISUNG"), p.text, "Muster", "DE89370400440532013000", "COBADEFFXXX",
						b.money.print(p.amount), "EUR", "Umsatz gebucht"}
				})
			}},
		{name: "de_preamble", account: ibanDE, currency: "EUR", comma: ';', money: german.ending(" €"),
			date: "02.01.06", newest: true, texts: germanTexts, loose: true, closing: true, period: true,
			traps: []string{"product and IBAN as a pair", "period and balance in the preamble",
				"names of columns with a star"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{"Girokonto", ibanDE}, {"Zeitraum:", b.start.Format("02.01.2006") + " - " +
					b.end.Format("02.01.2006")}, {"Kontostand vom " + b.end.Format("02.01.2006") + ":",
					b.money.print(b.l.closing())}, {""}}
				header := []string{"Buchungsdatum", "Wertstellung", "Status", "Zahlungspflichtige*r",
					"Zahlungsempfänger*in", "Verwendungszweck", "Umsatztyp", "IBAN", "Betrag (€)", "Gläubiger-ID",
					"Mandatsreferenz", "Kundenreferenz"}
				return append(head, b.table(header, func(p posting) []string {
					return []string{b.day(p.date), b.day(p.date), "Gebucht", "Muster", "Beispiel", p.text, either(p,
						"Ausgang", "Eingang"), "DE89370400440532013000", b.money.plain().print(p.amount), "", "", ""}
				})...)
			}},
		{name: "de_soll_haben", currency: "EUR", comma: ';', money: german, date: "02.01.2006", newest: true,
			texts: germanTexts, charset: "latin1", balances: true,
			traps: []string{"S and H in a column without a name", "closing and opening balance below the entries"},
			body: func(b exportPaper) [][]string {
				rows := b.table([]string{"Buchungstag", "Valuta", "Vorgang/Verwendungszweck", "Währung", "Umsatz",
					" "}, func(p posting) []string {
					return []string{b.day(p.date), b.day(p.date), p.text, "EUR", b.size(p), either(p, "S", "H")}
				})
				return append(rows, []string{}, []string{b.day(b.start), "", "Anfangssaldo", "EUR",
					b.money.print(b.l.opening), "H"}, []string{b.day(b.end), "", "Endsaldo", "EUR",
					b.money.print(b.l.closing()), "H"})
			}},
		{name: "fr_two_columns", number: true, currency: "EUR", comma: ';', money: french, date: "02/01/2006",
			newest: true, texts: frenchTexts, charset: "latin1", closing: true,
			traps: []string{"blanks between thousands", "accents in Latin-1", "balance in the preamble"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{"Compte courant carte n° " + b.number}, {"Solde au " + b.day(b.end) + " " +
					b.money.print(b.l.closing()) + " €"}, {}}
				return append(head, b.table([]string{"Date", "Libellé", "Débit euros", "Crédit euros", ""},
					func(p posting) []string {
						return []string{b.day(p.date), p.text, b.out(p), b.in(p), ""}
					})...)
			}},
		{name: "nl_af_bij", bank: "ING", account: "NL69INGB0123456789", currency: "EUR", comma: ';', money: plainComma,
			date: "20060102", newest: true, texts: dutchTexts, balances: true, loose: true,
			traps: []string{"Af and Bij", "dates without separators", "the balance after each entry under a long name"},
			body: func(b exportPaper) [][]string {
				header := []string{"Datum", "Naam / Omschrijving", "Rekening", "Tegenrekening", "Code", "Af Bij",
					"Bedrag (EUR)", "Mutatiesoort", "Mededelingen", "Saldo na mutatie", "Tag"}
				return b.table(header, func(p posting) []string {
					return []string{b.day(p.date), p.text, "NL69INGB0123456789", "NL02ABNA0123456789", "BA", either(p,
						"Af", "Bij"), b.size(p), "Betaalautomaat", "Voorbeeld " + p.text, b.money.print(p.balance), ""}
				})
			}},
		{name: "nl_before_after", currency: "EUR", comma: '\t', money: plainComma, date: "20060102",
			texts: dutchTexts, balances: true, number: true, digits: 9,
			traps: []string{"no header, the balance before and after each entry, tabs"},
			body: func(b exportPaper) [][]string {
				return b.table(nil, func(p posting) []string {
					return []string{b.number, "EUR", b.day(p.date), b.money.print(p.balance - p.amount),
						b.money.print(p.balance), b.day(p.date), b.money.print(p.amount), p.text}
				})
			}},
		{name: "es_workbook", ext: "xlsx", currency: "EUR", money: plain, newest: true, texts: spanishTexts,
			balances: true, loose: true,
			traps: []string{"dates and numbers as cells", "empty first column and title above"},
			body: func(b exportPaper) [][]string {
				rows := [][]string{{}, {"", "Últimos movimientos"}, {"", "Movimientos de la cuenta"}, {}, {"",
					"F.Valor", "Fecha", "Concepto", "Movimiento", "Importe", "Divisa", "Disponible", "Divisa",
					"Observaciones"}}
				for _, p := range b.postings {
					rows = append(rows, []string{"", "date:" + iso(p.date), "date:" + iso(p.date), p.text, either(p,
						"Pago", "Abono"), "num:" + b.money.print(p.amount), "EUR", "num:" + b.money.print(p.balance),
						"EUR", ""})
				}
				return rows
			}},
		{name: "it_dare_avere", currency: "EUR", comma: ';', money: german, date: "02/01/2006", texts: italianTexts,
			balances: true,
			traps:    []string{"Dare and Avere", "opening and closing as rows"},
			body: func(b exportPaper) [][]string {
				rows := [][]string{{"Data contabile", "Data valuta", "Dare", "Avere", "Divisa",
					"Descrizione operazioni"}, {b.day(b.start), b.day(b.start), "", b.money.print(b.l.opening), "EUR",
					"Saldo iniziale"}}
				rows = append(rows, b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), b.day(p.date), b.out(p), b.in(p), "EUR", p.text}
				})...)
				return append(rows, []string{b.day(b.end), b.day(b.end), "", b.money.print(b.l.closing()), "EUR",
					"Saldo finale"})
			}},
		{name: "ch_swiss", account: "0000 00000000.00", currency: "CHF", comma: ';', money: swiss, date: "02.01.2006",
			newest: true, texts: germanTexts, balances: true, period: true,
			traps: []string{"apostrophes between thousands", "debits negative in a column of their own",
				"key:;value preamble"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{"Kontonummer:", "0000 00000000.00"}, {"IBAN:", "CH93 0076 2011 6238 5295 7"},
					{"Von:", b.day(b.start)}, {"Bis:", b.day(b.end)}, {"Anfangssaldo:", b.money.print(b.l.opening)},
					{"Schlusssaldo:", b.money.print(b.l.closing())}, {"Bewertet in:", "CHF"},
					{"Anzahl Transaktionen:", fmt.Sprint(len(b.postings))}, {}}
				return append(head, b.table([]string{"Abschlussdatum", "Buchungsdatum", "Valutadatum", "Währung",
					"Belastung", "Gutschrift", "Beschreibung1", "Saldo"}, func(p posting) []string {
					debit := ""
					if p.amount < 0 {
						debit = b.money.print(p.amount)
					}
					return []string{b.day(p.date), b.day(p.date), b.day(p.date), "CHF", debit, b.in(p), p.text,
						b.money.print(p.balance)}
				})...)
			}},
	}
}

// nordicExports are those of Sweden, Denmark, Norway and Finland.
func nordicExports() []exportLayout {
	return []exportLayout{
		{name: "se_amount_second", currency: "SEK", comma: ';', money: plainComma, date: "2006/01/02", newest: true,
			texts: nordicTexts, balances: true, loose: true,
			traps: []string{"year first with slashes", "amount right after the date"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Bokföringsdag", "Belopp", "Avsändare", "Mottagare", "Namn", "Rubrik",
					"Saldo", "Valuta"}, func(p posting) []string {
					return []string{b.day(p.date), b.money.print(p.amount), "3300 0011 223", "", "", p.text,
						b.money.print(p.balance), "SEK"}
				})
			}},
		{name: "dk_headless", currency: "DKK", silent: true, comma: ';', money: german, date: "02.01.2006",
			newest: true, texts: nordicTexts, balances: true,
			traps: []string{"no header, two dates"},
			body: func(b exportPaper) [][]string {
				return b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), b.day(p.date), p.text, b.money.print(p.amount),
						b.money.print(p.balance)}
				})
			}},
		{name: "no_out_in", currency: "NOK", silent: true, comma: ';', money: plainComma, date: "02.01.2006",
			newest: true, texts: nordicTexts,
			traps: []string{"out and in named in Norwegian"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Dato", "Forklaring", "Rentedato", "Ut fra konto", "Inn på konto"},
					func(p posting) []string {
						return []string{b.day(p.date), p.text, b.day(p.date), b.out(p), b.in(p)}
					})
			}},
		{name: "fi_headless_text", currency: "EUR", silent: true, comma: ';', money: nordic, date: "2.1.2006",
			texts: nordicTexts, balances: true,
			traps: []string{"unknown captions", "dates without leading zeros"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Kirjauspäivä", "Saaja/Maksaja", "Määrä", "Tilin loppu"},
					func(p posting) []string {
						return []string{b.day(p.date), p.text, b.money.print(p.amount), b.money.print(p.balance)}
					})
			}},
	}
}
