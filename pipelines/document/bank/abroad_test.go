package bank_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
)

// abroad are exports whose shapes need no words that are known: each with what must be read of it, "-" for null.
var abroad = []struct {
	name, text string
	charset    encoding.Encoding
	want       string // of: institution, holder, number, currency, start, end, opening, closing, in, out, entries
}{
	{"a preamble longer than the table, with decimal commas", `Bankleitzahl : 70099;Filiale : 12
Konto : 88310077;Produkt : Giro
Stand am Ende;;;1204,50

Datum;Nummer;Text;Soll;Haben;Notiz
28.03.2025;X1;Bäckerei;-60,50;;
25.03.2025;X2;Lohn;;+1900,00;
05.03.2025;X3;Miete;-615,00;;
`, charmap.Windows1252, "-|-|88310077|-|2025-03-05|2025-03-28|-|-|1900.00|675.50|3"},
	{"descriptions of several lines, quoted", "\nAbruf vom 07.05.2025;\n\nDate;Libellé;Débit euros;Crédit euros;\n" +
		"30/04/2025;\"VIREMENT\nPOUR LOYER\n\n\";150,00;;\n29/04/2025;\"CARTE\nX77 EPICERIE\n\n\";22,05;;\n" +
		"28/04/2025;\"RECU\nSOCIETE\n\n\";;2 380,60;\n", nil,
		"-|-|-|EUR|2025-04-28|2025-04-30|-|-|2380.60|172.05|3"},
	{"cells that are formulas, and a period on two lines", "Von:;=\"2025-02-01\"\nBis:;=\"2025-02-28\"\n" +
		"Konto:;=\"CH5604835012345678009\"\n\nBuchungsdatum;Avisierungstext;Gutschrift;Lastschrift\n" +
		"27.02.2025;KAUF KIOSK;;-45.30\n26.02.2025;ZUG;;-12.40\n25.02.2025;LOHN;5100.00;\n", nil,
		"-|-|CH5604835012345678009|CHF|2025-02-01|2025-02-28|-|-|5100.00|57.70|3"},
	{"times, one decimal and details below an entry", "IBAN;Booked At;Text;Credit/Debit Amount;Balance;Valuta Date\n" +
		"CH5604835012345678009;2025-01-02 00:00:00.0;Zahlung;-58.4;941.6;2025-01-02 00:00:00.0\n" +
		"CH5604835012345678009;2025-01-03 00:00:00.0;Sammel;-300;641.6;2025-01-03 00:00:00.0\n;;Garage (100);;;\n" +
		"CH5604835012345678009;2025-01-25 00:00:00.0;Lohn;4000;4641.6;2025-01-25 00:00:00.0\n", nil,
		"-|-|CH5604835012345678009|CHF|2025-01-02|2025-01-25|1000.00|4641.60|4000.00|358.40|3"},
	{"Japanese: whole figures, another character set", "お取引日,お引出し,お預入れ,お取り扱い内容,残高\n2025/4/2,1480,,券売機,461092\n" +
		"2025/4/10,,826,振込,461918\n2025/4/24,,35956,給料振込,497874\n", japanese.ShiftJIS,
		"-|-|-|-|2025-04-02|2025-04-24|462572.00|497874.00|36782.00|1480.00|3"},
	{"Japanese with kana of half width, and the account above", "口座番号,2210934\n\n取引日,摘要,お支払金額,お預り金額,残高\n" +
		"2025/04/02,ﾃﾞﾝｷﾀﾞｲ,4200,,95800\n2025/04/09,ﾌﾘｺﾐ ｶﾌﾞｼｷｶﾞｲｼﾔ,,18000,113800\n2025/04/24,ｽｲﾄﾞｳ,3100,,110700\n",
		japanese.ShiftJIS, "-|-|2210934|-|2025-04-02|2025-04-24|100000.00|110700.00|18000.00|7300.00|3"},
	{"whole figures under heads that no list holds", "Päev,Kes,Palju,Jääk\n2025-04-19,Kovas,-350,1995\n2025-04-18,Sabo,1290,2345\n" +
		"2025-04-17,Nagy,-45,1055\n2025-04-16,Kis,100,1100\n", nil,
		"-|-|-|-|2025-04-16|2025-04-19|1000.00|1995.00|1390.00|395.00|4"},
	{"Cyrillic in a set of one byte; refused payments", "Дата;Статус;Сумма;Валюта;Описание\n28.02.2025;OK;-345,00;RUB;Магазин\n" +
		"25.02.2025;OK;75000,00;RUB;Зарплата\n24.02.2025;FAILED;-1000,00;RUB;Отказ\n", charmap.Windows1251,
		"-|-|-|RUB|2025-02-25|2025-02-28|-|-|75000.00|345.00|2"},
	{"Polish letters in a set of one byte", "#Klient;\nEWA ŻÓŁTA;\n#Za okres:;\n01.01.2025;31.01.2025;\n\n#Data operacji;#Opis " +
		"operacji;#Tytuł;#Kwota;#Saldo po operacji;\n2025-01-15;PRZELEW;Faktura;1 230,00 PLN;11 230,00 PLN;\n" +
		"2025-01-16;PRZELEW;Płatność;2 460,00 PLN;13 690,00 PLN;\n2025-01-20;ZAKUP;Czynsz;-1 000,00 PLN;12 690,00 PLN;\n",
		charmap.Windows1250, "-|EWA ŻÓŁTA|-|PLN|2025-01-01|2025-01-31|10000.00|12690.00|3690.00|1000.00|3"},
	{"entries that are not booked, told in a column of remarks", "Konto;Tag;Zweck;Betrag;Währung;Info\n" +
		"DE02120300000000202051;22.02.25;Kabel;-36,99;EUR;Umsatz gebucht\n" +
		"DE02120300000000202051;20.02.25;Lohn;2.450,00;EUR;Umsatz gebucht\n" +
		"DE02120300000000202051;01.03.25;Laden;-45,10;EUR;Umsatz vorgemerkt\n", nil,
		"-|-|DE02120300000000202051|EUR|2025-02-20|2025-02-22|-|-|2450.00|36.99|2"},
	{"fees that the balance loses beside the amount", "Type,Started,Completed Date,Description,Amount,Fee,Currency,State,Balance\n" +
		"TOPUP,2025-03-01,2025-03-01,Top-Up,500.00,0.00,EUR,COMPLETED,520.00\n" +
		"CARD,2025-03-02,2025-03-03,Laden,-20.00,0.00,EUR,COMPLETED,500.00\n" +
		"TRANSFER,2025-03-05,2025-03-05,To John,-100.00,1.50,EUR,COMPLETED,398.50\n", nil,
		"-|-|-|EUR|2025-03-01|2025-03-05|20.00|398.50|500.00|121.50|3"},
	{"the currency of a purchase in a column", "Date,Partner,Amount (EUR),Original Amount,Original Currency\n" +
		"2025-05-02,Laden,-12.34,12.34,EUR\n2025-05-05,Lohn,2500.0,,\n2025-05-06,Shop,-20.00,22.10,USD\n", nil,
		"-|-|-|EUR|2025-05-02|2025-05-06|-|-|2500.00|32.34|3"},
	{"balances among the entries, letters spaced", "\"Data\",\"Histórico\",\"Documento\",\"Valor\",\n" +
		"\"27/02/2025\",\"Saldo Anterior\",\"0\",\"1000.00\",\n\"02/03/2025\",\"Pix - Enviado\",\"3\",\"-150.00\",\n" +
		"\"05/03/2025\",\"Pix - Recebido\",\"4\",\"4200.00\",\n\"31/03/2025\",\"S A L D O\",\"0\",\"5050.00\",\n", nil,
		"-|-|-|-|2025-03-02|2025-03-05|1000.00|5050.00|4200.00|150.00|2"},
	{"empty cells between tabs", "Account Number\t:\t_00000031900000890\nIFS Code\t:\t_TEST0001234\nBalance on 1 Apr 2025\t:\t5,000.00\n" +
		"Start Date\t:\t1 Apr 2025\nEnd Date\t:\t30 Apr 2025\n\nTxn Date\tDescription\tRef No.\t Debit\tCredit\tBalance\n" +
		"2 Apr 2025\tUPI SHOP\tA\t1,500.00\t \t3,500.00\n5 Apr 2025\tNEFT PAY\tB\t \t40,000.00\t43,500.00\n" +
		"9 Apr 2025\tATM\tC\t10,000.00\t \t33,500.00\n", nil,
		"-|-|00000031900000890|INR|2025-04-01|2025-04-30|5000.00|33500.00|40000.00|11500.00|3"},
	{"the account, its holder and its bank in every row", "Rekening,Naam rekeninghouder,Datum,Omschrijving,Bedrag,Saldo\n" +
		"NL02RABO0000000202,E. DE BOER,2025-02-20,HUUR,\"-76,65\",\"123,35\"\n" +
		"NL02RABO0000000202,E. DE BOER,2025-02-25,LOON,\"100,00\",\"223,35\"\n" +
		"NL02RABO0000000202,E. DE BOER,2025-02-28,KOSTEN,\"-3,40\",\"219,95\"\n", nil,
		"Rabobank|E. DE BOER|NL02RABO0000000202|EUR|2025-02-20|2025-02-28|200.00|219.95|100.00|80.05|3"},
}

func TestLedger_abroad(t *testing.T) {
	for _, e := range abroad {
		t.Run(e.name, func(t *testing.T) {
			data := []byte(e.text)
			if e.charset != nil {
				var err error
				if data, err = e.charset.NewEncoder().Bytes(data); err != nil {
					t.Fatal(err)
				}
			}
			if got := decode.Sniff(data); got != decode.MIMECSV {
				t.Fatalf("sniffed %s", got)
			}
			d, err := office.CSV(data)
			if err != nil {
				t.Fatal(err)
			}
			read := document.Extract(d).Documents
			if len(read) != 1 || read[0].FieldType != dossier.FieldBankStatement {
				t.Fatalf("read as %+v", read)
			}
			if got := ledgerLine(read[0].Facts.Bank); got != e.want {
				t.Errorf("read  %s\nwant  %s\nderived %v", got, e.want, read[0].Derived)
			}
		})
	}
}

// ledgerLine is what an export says, in one line.
func ledgerLine(f *dossier.BankFacts) string {
	amount := func(a *dossier.Amount) string {
		if a == nil {
			return "-"
		}
		return a.StringFixed(2)
	}
	said := func(s *string) string {
		if got := documenttest.OrEmpty(s); got != "" {
			return got
		}
		return "-"
	}
	return strings.Join([]string{said(f.Institution), said(f.AccountHolder), said(f.AccountNumber), said(f.Currency),
		said(f.PeriodStart), said(f.PeriodEnd), amount(f.OpeningBalance), amount(f.ClosingBalance),
		amount(f.TotalDeposits), amount(f.TotalWithdrawals), string(rune('0' + len(f.Entries)))}, "|")
}

// Tables with dates, amounts and even balances that no bank wrote.
func TestLedger_shops(t *testing.T) {
	for name, text := range map[string]string{
		"till": "Date,Receipt,Item,Qty,Price,Tax,Total,Tender,Drawer\n03/01/2025,1,Tea,2,3.50,0.56,7.56,Cash,107.56\n" +
			"03/01/2025,2,Bun,1,4.00,0.32,4.32,Cash,111.88\n03/01/2025,3,Cup,1,2.50,0.20,2.70,Cash,114.58\n",
		"card without balances": "Date Processed,Description,Amount,\nPending,SHOP,£67.40,\n12-Dec-2024,PENSION,\"£1,183.23\",\n" +
			"12-Dec-2024,FOOD,£18.89,\n02-Dec-2024,PAYMENT RECEIVED - THANK YOU,\"+ £1,100.00\",CR\n",
		"payment service": "id,Type,Amount,Fee,Net,Currency,Created (UTC)\nt1,charge,100.00,3.20,96.80,usd,2025-03-01 10:00\n" +
			"t2,charge,50.00,1.75,48.25,usd,2025-03-02 10:00\nt3,payout,-145.05,0.00,-145.05,usd,2025-03-05 10:00\n",
		"stock card": "Date,Document,Received,Issued,Stock\n03/01/2025,GRN 1,40,,140\n03/02/2025,ISS 7,,15,125\n" +
			"03/05/2025,ISS 8,,25,100\n03/09/2025,GRN 2,60,,160\n",
		"mileage": "Date,Trip,Driven,Clock\n03/01/2025,To the yard,40,10140\n03/02/2025,To town,15,10155\n" +
			"03/05/2025,Depot,25,10180\n03/09/2025,Coast,60,10240\n",
		"work": "Day,Task,Spent,So far\n03/01/2025,Drawing,4.5,4.5\n03/02/2025,Site,7.5,12.0\n03/03/2025,Site,8.0,20.0\n" +
			"03/04/2025,Drawing,3.5,23.5\n",
	} {
		d, err := office.CSV([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, read := range document.Extract(d).Documents {
			if read.FieldType == dossier.FieldBankStatement {
				t.Errorf("%s: taken for a bank's by %s", name, strings.Join(read.Evidence, "; "))
			}
		}
	}
}
