package table

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// titleOf are the names of statements. Those with an empty kind end the statement before them.
var titleOf = []struct{ phrase, kind string }{
	{"statement of cash flow", captions.CashFlow}, {"statements of cash flow", captions.CashFlow},
	{"statement of cash flows", captions.CashFlow},
	{"statements of cash flows", captions.CashFlow}, {"cash flow statement", captions.CashFlow},
	{"cash flow statements", captions.CashFlow},
	{"cash flows statement", captions.CashFlow}, {"statement of cashflows", captions.CashFlow},
	{"changes in equity", ""}, {"stockholders equity statement", ""}, {"statement of stockholders equity", ""},
	{"statements of stockholders equity", ""}, {"statements of shareholders equity", ""},
	{"statement of shareholders equity", ""}, {"changes in stockholders equity", ""},
	{"changes in shareholders equity", ""}, {"changes in members equity", ""}, {"changes in partners capital", ""},
	{"changes in net assets", ""},
	{"statement of retained earnings", ""}, {"statements of retained earnings", ""},
	{"notes to financial statements", ""}, {"notes to the financial statements", ""},
	{"notes to consolidated financial statements", ""}, {"notes to condensed consolidated financial statements", ""},
	{"notes to the consolidated financial statements", ""}, {"trial balance", ""}, {"general ledger", ""},
	{"aging summary", ""}, {"ageing summary", ""}, {"aging detail", ""}, {"a r aging", ""}, {"a p aging", ""},
	{"accounts receivable aging", ""}, {"accounts payable aging", ""},
	{"schedule of", ""}, {"schedules of", ""}, {"sales by", ""}, {"transaction detail", ""},
	{"functional expenses", ""}, {"segment information", ""}, {"table of contents", ""}, {"reconciliation of", ""},
	{"supplemental schedule", ""}, {"supplementary information", ""},
	{"balance sheet", captions.BalanceSheet}, {"balance sheets", captions.BalanceSheet},
	{"statement of financial position", captions.BalanceSheet},
	{"statements of financial position", captions.BalanceSheet},
	{"statement of financial condition", captions.BalanceSheet},
	{"statements of financial condition", captions.BalanceSheet},
	{"statement of assets liabilities", captions.BalanceSheet},
	{"statements of assets liabilities", captions.BalanceSheet},
	{"statement of assets and liabilities", captions.BalanceSheet},
	{"income statement", captions.IncomeStatement}, {"income statements", captions.IncomeStatement},
	{"statement of income", captions.IncomeStatement}, {"statements of income", captions.IncomeStatement},
	{"statement of operations", captions.IncomeStatement}, {"statements of operations", captions.IncomeStatement},
	{"statement of earnings", captions.IncomeStatement}, {"statements of earnings", captions.IncomeStatement},
	{"profit and loss", captions.IncomeStatement}, {"profit & loss", captions.IncomeStatement},
	{"profit or loss", captions.IncomeStatement},
	{"statement of profit", captions.IncomeStatement}, {"statement of activities", captions.IncomeStatement},
	{"statements of activities", captions.IncomeStatement},
	{"statement of revenues and expenses", captions.IncomeStatement},
	{"statements of revenues and expenses", captions.IncomeStatement},
	{"statement of revenue and expenses", captions.IncomeStatement},
	{"statement of revenues", captions.IncomeStatement}, {"statements of revenues", captions.IncomeStatement},
	{"income and expense statement", captions.IncomeStatement},
	{"revenue and expense statement", captions.IncomeStatement},
	{"operating statement", captions.IncomeStatement}, {"statement of loss", captions.IncomeStatement},
	{"statements of consolidated income", captions.IncomeStatement},
	{"statement of consolidated income", captions.IncomeStatement},
	{"statements of consolidated operations", captions.IncomeStatement},
	{"statements of consolidated earnings", captions.IncomeStatement}, {"trading profit", captions.IncomeStatement},
	{"p&l", captions.IncomeStatement}, {"p & l", captions.IncomeStatement},
	{"statement of comprehensive income", captions.IncomeStatement},
	{"statements of comprehensive income", captions.IncomeStatement},
	{"statements of comprehensive loss", captions.IncomeStatement},
	{"statements of comprehensive earnings", captions.IncomeStatement},
	{"statements of profit", captions.IncomeStatement}, {"statements of net income", captions.IncomeStatement},
	{"income and retained earnings", captions.IncomeStatement},
	{"statement of consolidated operations", captions.IncomeStatement},
	{"statement of consolidated earnings", captions.IncomeStatement},
	{"consolidated results", captions.IncomeStatement},
	{"compte de resultat", captions.IncomeStatement}, {"comptes de resultat", captions.IncomeStatement},
	{"etat du resultat", captions.IncomeStatement}, {"etat des resultats", captions.IncomeStatement},
	{"bilan", captions.BalanceSheet},
	{"etat de la situation financiere", captions.BalanceSheet}, {"flux de tresorerie", captions.CashFlow},
	{"estado de resultados", captions.IncomeStatement}, {"estado de resultado integral", captions.IncomeStatement},
	{"estado del resultado integral", captions.IncomeStatement},
	{"estados de resultado integral", captions.IncomeStatement},
	{"estados de resultados", captions.IncomeStatement},
	{"consolidados de resultados", captions.IncomeStatement}, {"consolidado de resultados", captions.IncomeStatement},
	{"perdidas y ganancias", captions.IncomeStatement}, {"situacion financiera", captions.BalanceSheet},
	{"balance general", captions.BalanceSheet}, {"balance de situacion", captions.BalanceSheet},
	{"flujos de efectivo", captions.CashFlow},
	{"flujo de efectivo", captions.CashFlow},
	{"gewinn und verlustrechnung", captions.IncomeStatement}, {"bilanz", captions.BalanceSheet},
	{"konzernbilanz", captions.BalanceSheet},
	{"kapitalflussrechnung", captions.CashFlow}, {"konzern kapitalflussrechnung", captions.CashFlow},
	{"conto economico", captions.IncomeStatement}, {"stato patrimoniale", captions.BalanceSheet},
	{"rendiconto finanziario", captions.CashFlow},
	{"winst en verliesrekening", captions.IncomeStatement}, {"kasstroomoverzicht", captions.CashFlow},
	{"demonstracao do resultado", captions.IncomeStatement}, {"balanco patrimonial", captions.BalanceSheet},
	{"fluxos de caixa", captions.CashFlow},
	{"balans", captions.BalanceSheet}, {"balans per", captions.BalanceSheet},
	{"geconsolideerde balans", captions.BalanceSheet},
	{"verlies en winstrekening", captions.IncomeStatement}, {"staat van baten en lasten", captions.IncomeStatement},
	{"resultatrakning", captions.IncomeStatement}, {"balansrakning", captions.BalanceSheet},
	{"kassaflodesanalys", captions.CashFlow},
	{"resultatopgorelse", captions.IncomeStatement}, {"resultatregnskap", captions.IncomeStatement},
	{"cuenta de resultados", captions.IncomeStatement}, {"balance abreviado", captions.BalanceSheet},
	{"demonstracao dos resultados", captions.IncomeStatement},
	{"resultatopgørelse", captions.IncomeStatement}, {"balance 31 december", captions.BalanceSheet},
	{"balance pr", captions.BalanceSheet},
	{"balanse", captions.BalanceSheet}, {"pengestrømsopgørelse", captions.CashFlow},
	{"kontantstrømoppstilling", captions.CashFlow},
	{"rachunek zyskow i strat", captions.IncomeStatement}, {"bilans", captions.BalanceSheet},
	{"rachunek przepływow pienieznych", captions.CashFlow}, {"einnahmenuberschussrechnung", captions.IncomeStatement},
	{"einnahmen uberschuss rechnung", captions.IncomeStatement},
	{"einnahmen uberschussrechnung", captions.IncomeStatement},
	{"kurzfristige erfolgsrechnung", captions.IncomeStatement},
	{"betriebswirtschaftliche auswertung", captions.IncomeStatement},
	{"resultados por funcion", captions.IncomeStatement}, {"resultados por naturaleza", captions.IncomeStatement},
	{"estados consolidados de resultados", captions.IncomeStatement}, {"balancos patrimoniais", captions.BalanceSheet},
	{"demonstracoes do resultado", captions.IncomeStatement},
	{"demonstracoes dos resultados", captions.IncomeStatement},
	{"statement of results of operations", captions.IncomeStatement},
	{"statements of results of operations", captions.IncomeStatement},
	{"estado de situacion patrimonial", captions.BalanceSheet}, {"cash flows statements", captions.CashFlow},
	{"statements of consolidated cash flows", captions.CashFlow},
	{"statements of consolidated financial position", captions.BalanceSheet},
	{"erfolgsrechnung", captions.IncomeStatement}, {"tuloslaskelma", captions.IncomeStatement},
	{"tase", captions.BalanceSheet},
	{"statement of revenue expenses", captions.IncomeStatement},
	{"kar veya zarar tablosu", captions.IncomeStatement}, {"gelir tablosu", captions.IncomeStatement},
	{"kar veya zarar ve diger kapsamlı gelir tablosu", captions.IncomeStatement},
	{"kar veya zarar ve diger kapsamli gelir tablosu", captions.IncomeStatement},
	{"finansal durum tablosu", captions.BalanceSheet}, {"bilanco", captions.BalanceSheet},
	{"nakit akıs tablosu", captions.CashFlow}, {"nakit akis tablosu", captions.CashFlow},
	{"laporan laba rugi", captions.IncomeStatement}, {"laporan posisi keuangan", captions.BalanceSheet},
	{"neraca", captions.BalanceSheet}, {"laporan arus kas", captions.CashFlow},
}

var contentsLine = lazyregexp.New(`\.{4,}|(?:\s\.){3,}|(?:[a-z)]\s{1,})\d{1,2}(?:\s*[-–]\s*\d{1,2})?$`)

// TitledKind is the statement that a line names when it is a title: short, no sentence, no line of a table of contents.
func TitledKind(l Line) (kind string, ok bool) {
	s := l.Text()
	if len(l.Tokens) > 18 || strings.HasSuffix(s, ".") && len(l.Tokens) > 6 {
		return "", false
	}
	folded := text.Fold(s)
	if strings.HasPrefix(folded, "see ") || strings.Contains(folded, "accompanying") ||
		strings.Contains(folded, "integral part") || strings.HasPrefix(folded, "total ") ||
		strings.HasPrefix(folded, "net ") {
		return "", false
	}
	first := -1
	for i, t := range titleOf {
		if at := strings.Index(folded, t.phrase); text.HasWords(folded, t.phrase) &&
			(first < 0 || at < strings.Index(folded, titleOf[first].phrase)) {
			first = i // "Statement of operations and changes in net assets" is one of operations
		}
	}
	if first < 0 {
		return "", false
	}
	t := titleOf[first]
	if contentsLine.MatchString(s) && len(text.FindDates(s, text.MonthFirst)) == 0 && !AnyYear.MatchString(s) {
		return "", false
	}
	words := strings.Count(beforePeriod(folded, t.phrase), " ") + 1
	if strings.Count(t.phrase, " ")+9 < words || StartsLower(s) {
		return "", false
	}
	return t.kind, true
}

// beforePeriod is a title without the period that it prints behind the name of its statement: "Income Statements of
// ACME SE for the Years Ended December 31".
func beforePeriod(folded, phrase string) string {
	for _, begins := range []string{" for the ", " as at ", " as of "} {
		if at := strings.Index(folded, begins); at > 0 && text.HasWords(folded[:at], phrase) {
			return folded[:at]
		}
	}
	return folded
}
