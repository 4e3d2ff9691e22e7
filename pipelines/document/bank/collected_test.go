package bank_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// collected are statements and exports in the shapes that banks of the world give them, each for a class of faults.
var collected = []struct {
	name, text string
	want       map[string]any
}{
	{"turnovers exported like transactions, with marks of the Baltic", `"Konts";"T";"Datums";"Inf";"Summa";"Valūta";"D/K"
"LV67HABA0551000123456";"10";"01.04.2024";"Sākuma atlikums";"700,00";"EUR";"K"
"LV67HABA0551000123456";"20";"03.04.2024";"alga";"1200,00";"EUR";"K"
"LV67HABA0551000123456";"20";"05.04.2024";"īre";"400,00";"EUR";"D"
"LV67HABA0551000123456";"20";"09.04.2024";"veikals";"35,10";"EUR";"D"
"LV67HABA0551000123456";"20";"12.04.2024";"prēmija";"80,00";"EUR";"K"
"LV67HABA0551000123456";"20";"15.04.2024";"tirgus";"14,90";"EUR";"D"
"LV67HABA0551000123456";"20";"18.04.2024";"atmaksa";"20,00";"EUR";"K"
"LV67HABA0551000123456";"82";"30.04.2024";"Apgrozījums";"450,00";"EUR";"D"
"LV67HABA0551000123456";"82";"30.04.2024";"Apgrozījums";"1300,00";"EUR";"K"
"LV67HABA0551000123456";"86";"30.04.2024";"Beigu atlikums";"1550,00";"EUR";"K"
`, map[string]any{"openingBalance": "700.00", "closingBalance": "1550.00", "totalDeposits": "1300.00",
		"totalWithdrawals": "450.00", "transactions": 6.0, "reconciles": true, "currency": "EUR"}},
	{"marks of one way beside amounts that are signed", `Buchung;Buchungstext;Verwendungszweck;Betrag;Währung
28.03.2024;Lastschrift;Rückgabe Abo;45,00;EUR
21.03.2024;Lastschrift;Strom;-81,20;EUR
12.03.2024;Lastschrift;Miete;-640,00;EUR
`, map[string]any{"totalDeposits": "45.00", "totalWithdrawals": "721.20", "transactions": 3.0}},
	{"variable symbols are no securities", `"Posting date";"Amount CZK";"Variable symbol 1";"Constant symbol";"Message"
"2024/03/05";"-1500,00";"771";"0308";"najem"
"2024/03/19";"28000,00";"12";"0138";"mzda"
"2024/03/21";"-430,50";"";"0308";"obchod"
`, map[string]any{"currency": "CZK", "totalDeposits": "28000.00", "totalWithdrawals": "1930.50"}},
	{"heads in Russian", "Дата операции;Описание операции;Приход;Расход\n05.03.2024;Зарплата;52000,00;0\n" +
		"09.03.2024;Аренда;0;21000,00\n17.03.2024;Магазин;0;1830,40\n",
		map[string]any{"totalDeposits": "52000.00", "totalWithdrawals": "22830.40", "transactions": 3.0}},
	{"a number of an account without the country's letters", "#Numer rachunku;\n61 1090 1014 0000 0712 1981 2874;\n\n" +
		"#Data operacji;#Opis operacji;#Kwota;#Saldo po operacji;\n2024-03-04;ZAKUP;-50,00 PLN;950,00 PLN;\n" +
		"2024-03-11;PRZELEW;200,00 PLN;1 150,00 PLN;\n2024-03-12;ZAKUP;-30,00 PLN;1 120,00 PLN;\n",
		map[string]any{"accountNumber": "61 1090 1014 0000 0712 1981 2874", "closingBalance": "1120.00"}},
	{"heads a column too far to the right of amounts that say their way", "Opening Balance,CDF 900.00\n" +
		"Closing Balance,CDF 950.50\nTransaction Date,Value Date,Description,Currency,CREDIT,DEBIT,Currency,Balance\n" +
		"04 Mar 2024,04 Mar 2024,FRAIS,CDF,9.50Dr,CDF,890.50,\n11 Mar 2024,11 Mar 2024,VERSEMENT,CDF,60.00Cr,CDF,950.50,\n",
		map[string]any{"openingBalance": "900.00", "closingBalance": "950.50", "totalDeposits": "60.00",
			"totalWithdrawals": "9.50"}},
	{"amounts in the money of the place before those in that of the account", "Дата операции;Сумма операции;" +
		"Валюта операции;Сумма в валюте счета;Валюта счета;Основание\n2024-03-04;-5,00;EUR;-500,00;RUR;Кафе\n" +
		"2024-03-05;-200,00;RUR;-200,00;RUR;Метро\n2024-03-11;7000,00;RUR;7000,00;RUR;Зарплата\n",
		map[string]any{"currency": "RUB", "totalDeposits": "7000.00", "totalWithdrawals": "700.00"}},
	{"the branch's number under a title that ends in a word for accounts", "EXTRATO DE CONTA CORRENTE\nAgência;0931\n" +
		"Conta;20417-3\n\nData;Histórico;Crédito;Débito;Saldo\n04/03/2024;PIX;100,00;;400,00\n" +
		"15/03/2024;TARIFA;;30,00;370,00\n", map[string]any{"accountNumber": "20417-3", "openingBalance": "300.00"}},
	{"days without a year under a period, with a mark for text before them", "Nama : SRI LESTARI\n" +
		"No. rekening : 7710442290\nPeriode : 20/12/2023 - 15/01/2024\nKode Mata Uang : Rp\n" +
		"Tanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo\n'27/12,'SETORAN,'0000,\"400,000.00\",CR,\"900,000.00\"\n" +
		"'04/01,'TARIKAN,'0000,\"150,000.00\",DB,\"750,000.00\"\n'PEND,'BELANJA,'0000,\"10,000.00\",DB,\"740,000.00\"\n" +
		"Saldo Awal : 500000.00\n", map[string]any{"accountHolder": "SRI LESTARI", "accountNumber": "7710442290",
		"currency": "IDR", "periodStart": "2023-12-20", "periodEnd": "2024-01-15", "openingBalance": "500000.00",
		"closingBalance": "750000.00", "totalDeposits": "400000.00", "totalWithdrawals": "150000.00",
		"transactions": 2.0}},
	{"amounts with the letters of the lira", "Hesap Sahibi;AYLİN KORKMAZ\n\nTarih;Açıklama;Tutar;Bakiye\n" +
		"04.03.2024;EFT;1.500,00 TL;2.100,00 TL\n12.03.2024;FATURA;-250,75 TL;1.849,25 TL\n",
		map[string]any{"accountHolder": "AYLİN KORKMAZ", "currency": "TRY", "openingBalance": "600.00",
			"closingBalance": "1849.25", "totalWithdrawals": "250.75"}},
	{"months in Romanian, and details below each entry", "Titular cont: ELENA MARIN,,,,,,\n" +
		"Data,,,Detalii tranzactie,,,Debit,Credit\n04 martie 2024,,,Cumparare POS,,,\"45,50\",\n,,,Terminal: LIBRARIE,,,,\n" +
		"15 martie 2024,,,Incasare,,,,\"2.300,00\"\n", map[string]any{"accountHolder": "ELENA MARIN",
		"periodStart": "2024-03-04", "periodEnd": "2024-03-15", "totalDeposits": "2300.00", "totalWithdrawals": "45.50"}},
	{"an account and its bank", "Číslo účtu: 000019-2000145399/0800\n\nDatum;Popis;Částka;Zůstatek\n" +
		"04.03.2024;Nájem;-900,00;1100,00\n12.03.2024;Mzda;5000,00;6100,00\n",
		map[string]any{"accountNumber": "000019-2000145399/0800", "closingBalance": "6100.00"}},
}

func TestLedger_collected(t *testing.T) {
	for _, c := range collected {
		t.Run(c.name, func(t *testing.T) {
			doc, facts := readtest.Facts(t, []byte(c.text))
			if doc.DocType != dossier.DocBankStatement {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, facts, c.want)
		})
	}
}

// Statements of two banks in one file are two documents, each with the amounts of its own country.
func TestBankStatement_packageOfBanks(t *testing.T) {
	us := documenttest.Page("Alder Valley Bank", "Account Number: 004411702", "Statement Period: 03/01/2024 - 03/31/2024",
		"Beginning Balance|$1,000.00", "Total Deposits|$500.00", "Total Withdrawals|$200.00", "Ending Balance|$1,300.00")
	de := documenttest.Page("Commerzbank Aktiengesellschaft", "Kontoauszug", "IBAN DE02100400000123456789",
		"Alter Saldo|2.000,00 EUR", "Datum|Verwendungszweck|Betrag EUR", "05.03.2024|Miete|-1.100,00",
		"12.03.2024|Gehalt|1.500,50", "Neuer Saldo|2.400,50 EUR")
	de.Number = 2
	for i := range de.Tokens {
		de.Tokens[i].Page = 2
	}
	got := document.Extract(text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{us, de}}).Documents
	if len(got) != 2 {
		t.Fatalf("%d documents, want 2", len(got))
	}
	for i, want := range []string{"1300.00", "2400.50"} {
		b := got[i].Facts.Bank
		if b == nil || b.ClosingBalance == nil || b.ClosingBalance.String() != want {
			t.Errorf("document %d: %s, closing balance %v, want %s", i, got[i].DocType, b, want)
		}
	}
}

// The head breaks the bank's name, which is no customer's above the bank's own address.
func TestBankStatement_brokenName(t *testing.T) {
	doc := readtest.Lines(t, "Alder Teachers Credit|Account Number: 004411702", "Union", "14 Poplar Ave", "Marlow, KS 66502", "",
		"ODILE S WREN", "508 Harbor St", "Marlow, KS 66502", "Statement Period: 03/01/2024 - 03/31/2024",
		"Beginning Balance|$1,000.00", "Total Deposits|$500.00", "Total Withdrawals|$200.00", "Ending Balance|$1,300.00")
	b := doc.Facts.Bank
	if b == nil || documenttest.OrEmpty(b.Institution) != "Alder Teachers Credit Union" ||
		documenttest.OrEmpty(b.AccountHolder) != "ODILE S WREN" {
		t.Errorf("read %+v", b)
	}
}
