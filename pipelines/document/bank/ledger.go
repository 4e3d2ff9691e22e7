package bank

import (
	"strings"
	"sync"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// columnKind is what a column of a table of transactions holds.
type columnKind int

const (
	roleNone columnKind = iota
	roleDate
	roleDescription
	roleCheck   // number of a check, reference
	roleCredit  // money in
	roleDebit   // money out
	roleAmount  // one column for both, signed
	roleBalance // running balance
	roleKind    // "debit" or "credit" as words
	roleIgnored // a second date, a category, a status
)

// columnWords name the columns of tables of transactions, folded. The longest match wins.
var columnWords = []struct {
	holds columnKind
	words []string
}{
	{roleDate, []string{"date", "posting date", "post date", "posted date", "transaction date", "trans date",
		"tran date", "completion time", "date posted", "booking date", "value date", "effective date", "day", "datum",
		"date de transaction", "posted", "posting", "buchungstag", "fecha", "buchung", "buchungsdatum",
		"date operation", "date de l operation", "date comptable", "date op", "data operazione", "data contabile",
		"bokforingsdag", "boekdatum", "bu tag", "buch tag", "fecha operacion", "data", "datum buchung", "oper", "liq",
		"fecha oper", "fecha liq", "dateop", "date comptabilisation", "data mov", "data lancamento", "data movimento",
		"boekingsdatum", "bookdate", "book date", "txn date", "booked at", "dato", "bokfort dato",
		"bokført", "rentedato",
		"bokforingsdatum", "bogforingsdato",
		"kirjauspaiva", "data operacji", "data ksiegowania", "datum provedeni", "datum zauctovani",
		"tranzakcio datuma", "konyveles datuma", "tarih", "datums", "kuupaev", "datum zauctovania",
		"data tranzactie", "islem tarihi", "tanggal", "tanggal transaksi", "дата", "дата операции",
		"дата операціі", "תאריך", "日付", "年月日", "取引日", "お取引日", "交易日期", "日期"}},
	{roleDescription, []string{"description", "details", "transaction description", "transaction details",
		"transaction", "transactions", "particulars", "narrative", "memo", "payee", "name",
		"payment type and details",
		"activity", "activity description", "description of transaction", "transaction type and details", "detail",
		"libelle", "verwendungszweck", "concepto", "vorgang", "buchungstext", "text", "operation", "operations",
		"descripcion", "descrizione", "omschrijving", "wir haben fur sie gebucht", "buchungsinformationen",
		"mededelingen", "nature des operations", "merchant", "narration", "number description",
		"check number description", "item", "historico", "descricao", "forklaring", "tekst", "beskrivning",
		"rubrik", "selitys", "viesti", "tytul", "opis operacji", "opis", "popis", "zprava pro prijemce", "kozlemeny",
		"aciklama", "informacija sanemejam", "selgitus", "paskirtis", "descriere", "keterangan", "описание",
		"описание операции", "деталі операціі", "תיאור", "פרטים", "摘要",
		"摘要内容", "お取り扱い内容", "取引内容", "入出金内容", "内容"}},
	{roleCheck, []string{"check number", "check no", "check", "check #", "cheque number", "cheque", "number",
		"reference", "ref", "ref no", "reference number", "serial", "chk", "num", "checknumber", "check or slip"}},
	{roleCredit, []string{"deposits", "deposit", "credits", "credit", "additions", "deposits additions",
		"deposits and additions", "deposits & other credits +", "deposits & other credits",
		"deposits and other credits", "deposits credits", "credits deposits", "deposits & credits", "money in",
		"paid in", "credit amount", "deposit amount", "amount credited", "receipts", "in", "depots", "haben",
		"gutschrift", "gutschriften", "abono", "abonos", "deposito", "ingreso", "entrate", "depositos", "bij",
		"credits +", "payments in",
		"amount credit", "+ credits", "deposits +", "deposits interest", "additions credits", "credit cr", "cr",
		"amounts credited",
		"depot", "bedrag bij", "bijgeschreven", "bijschrijving", "bijschrijvingen", "montant credite",
		"credits euros",
		"credit euros", "credito", "ingresos", "haber", "entrada", "entradas", "insattning", "insattningar",
		"accrediti", "avere", "crediti", "приход", "поступление", "зачисление", "сумма зачисления", "kredit",
		"prijem", "priliv", "inn pa konto", "inn", "uznania", "wplywy", "cheques y otros abonos",
		"depositos y abonos", "monto del deposito", "monto abono", "creditos", "zu ihren gunsten",
		"zu gunsten", "בזכות", "זכות", "お預入れ", "お預り金額", "預かり金額", "入金",
		"入金額", "入金金額"}},
	{roleDebit, []string{"withdrawals", "withdrawal", "debits", "debit", "subtractions", "withdrawals subtractions",
		"withdrawals and subtractions", "withdrawals & other debits", "withdrawals and other debits",
		"withdrawals debits", "debits withdrawals", "checks & debits", "checks and other debits",
		"checks & other debits", "money out", "paid out", "withdrawn", "debit amount", "withdrawal amount",
		"amount debited", "payments", "out", "retraits", "soll", "belastung", "belastungen", "lastschrift", "payment",
		"cargo", "cargos", "uscite", "retiros", "retiro", "egreso", "egresos", "af", "debits -", "payments out",
		"checks debits", "checks withdrawals",
		"withdrawals checks", "amount debit", "charges", "withdrawals fees", "checks and withdrawals",
		"debit dr", "dr",
		"amounts debited", "withdrawals payments",
		"retrait", "bedrag af", "afgeschreven", "afschrijving", "afschrijvingen", "montant debite", "debits euros",
		"debit euros", "debito", "debe", "salida", "salidas", "saida", "saidas", "uttag", "addebiti", "dare",
		"debiti", "расход", "списание", "сумма списания", "debet", "vydaj", "odliv", "zu ihren lasten",
		"zu lasten", "ut fra konto", "ut av konto", "ut", "obciazenia", "wydatki",
		"cheques y otros cargos", "monto del retiro", "monto cargo", "debitos", "giros y cargos", "בחובה",
		"חובה", "お引出し", "お支払金額", "支払い金額", "出金", "出金額", "出金金額"}},
	{roleBalance, []string{"balance", "running balance", "daily balance", "ending daily balance", "ending balance",
		"account balance", "available balance", "ledger balance", "closing balance", "solde", "saldo", "kontostand",
		"runningbalance", "resulting balance", "balance owing", "saldo contable", "saldo contabile", "nieuw saldo",
		"end of day balance", "balances", "saldo operacion", "saldo liquidacion", "liquidacion",
		"saldo po operacji", "saldo na mutatie", "saldo contabilistico", "bokfort saldo", "bakiye", "egyenleg",
		"zustatek", "zostatok", "likutis", "atlikums", "jaak", "sold", "sold contabil", "остаток", "залишок",
		"יתרה", "היתרה", "残高", "差引残高", "取引後残高", "saldo r"}},
	{roleAmount, []string{"amount", "transaction amount", "betrag", "montant", "importe", "bedrag", "monto", "importo",
		"belopp", "belob", "amount usd", "amount gbp", "amount eur", "amt", "value", "net amount",
		"gross amount", "maara", "kwota", "castka", "objem", "osszeg", "tranzakcio osszege",
		"tutar", "islem tutari", "jumlah", "summa", "suma", "iznos", "сумма", "сума", "סכום", "金額", "入出金",
		"valor r"}},
	{roleKind, []string{"type", "transaction type", "dr cr", "cr dr", "debit credit", "credit debit",
		"credit debit indicator", "credit or debit", "debit or credit"}},
	{roleIgnored, []string{"valuta", "frais", "valeur", "fecha valor", "data valuta", "valutadatum", "rentedatum",
		"wert", "wertstellung", "date valeur", "date de valeur", "status", "category", "tags", "currency", "account",
		"account number", "account name", "bank", "branch", "time", "code", "subcategory", "split", "card no",
		"accrued bank charges", "bank charges", "accrued charges",
		"card"}},
}

// roleOfColumn is what a column headed by caption holds.
func roleOfColumn(caption string) columnKind {
	folded := strings.TrimSpace(strings.Trim(text.Fold(caption), "%& "))
	if at := strings.LastIndexByte(folded, ' '); at > 0 && len(folded)-at == 4 {
		if code := strings.ToUpper(folded[at+1:]); text.SymbolCode(code) == code {
			folded = strings.TrimSuffix(strings.TrimSuffix(folded[:at], " in"), " en")
		}
	}
	for _, strip := range []string{" $", " £", " €", " in euro", " en euros"} {
		folded = strings.TrimSuffix(folded, strip)
	}
	return columnKinds()[folded]
}

// columnKinds are what columns hold, by their folded heads.
var columnKinds = sync.OnceValue(func() map[string]columnKind {
	kinds := map[string]columnKind{}
	for _, c := range columnWords {
		for _, w := range c.words {
			if _, known := kinds[text.Fold(w)]; !known {
				kinds[text.Fold(w)] = c.holds
			}
		}
	}
	return kinds
})
