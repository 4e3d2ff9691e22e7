package statement

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// titleOf are the names of statements. Those with an empty kind end the statement before them.
var titleOf = []struct{ phrase, kind string }{
	{"statement of cash flow", cashFlow}, {"statements of cash flow", cashFlow}, {"statement of cash flows", cashFlow},
	{"statements of cash flows", cashFlow}, {"cash flow statement", cashFlow}, {"cash flow statements", cashFlow},
	{"cash flows statement", cashFlow}, {"statement of cashflows", cashFlow},
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
	{"balance sheet", balanceSheet}, {"balance sheets", balanceSheet},
	{"statement of financial position", balanceSheet}, {"statements of financial position", balanceSheet},
	{"statement of financial condition", balanceSheet}, {"statements of financial condition", balanceSheet},
	{"statement of assets liabilities", balanceSheet}, {"statements of assets liabilities", balanceSheet},
	{"statement of assets and liabilities", balanceSheet},
	{"income statement", incomeStatement}, {"income statements", incomeStatement},
	{"statement of income", incomeStatement}, {"statements of income", incomeStatement},
	{"statement of operations", incomeStatement}, {"statements of operations", incomeStatement},
	{"statement of earnings", incomeStatement}, {"statements of earnings", incomeStatement},
	{"profit and loss", incomeStatement}, {"profit & loss", incomeStatement}, {"profit or loss", incomeStatement},
	{"statement of profit", incomeStatement}, {"statement of activities", incomeStatement},
	{"statements of activities", incomeStatement}, {"statement of revenues and expenses", incomeStatement},
	{"statements of revenues and expenses", incomeStatement}, {"statement of revenue and expenses", incomeStatement},
	{"statement of revenues", incomeStatement}, {"statements of revenues", incomeStatement},
	{"income and expense statement", incomeStatement}, {"revenue and expense statement", incomeStatement},
	{"operating statement", incomeStatement}, {"statement of loss", incomeStatement},
	{"statements of consolidated income", incomeStatement}, {"statement of consolidated income", incomeStatement},
	{"statements of consolidated operations", incomeStatement},
	{"statements of consolidated earnings", incomeStatement}, {"trading profit", incomeStatement},
	{"p&l", incomeStatement}, {"p & l", incomeStatement},
	{"statement of comprehensive income", incomeStatement}, {"statements of comprehensive income", incomeStatement},
	{"statements of comprehensive loss", incomeStatement}, {"statements of comprehensive earnings", incomeStatement},
	{"statements of profit", incomeStatement}, {"statements of net income", incomeStatement},
	{"income and retained earnings", incomeStatement}, {"statement of consolidated operations", incomeStatement},
	{"statement of consolidated earnings", incomeStatement}, {"consolidated results", incomeStatement},
	{"compte de resultat", incomeStatement}, {"comptes de resultat", incomeStatement},
	{"etat du resultat", incomeStatement}, {"etat des resultats", incomeStatement}, {"bilan", balanceSheet},
	{"etat de la situation financiere", balanceSheet}, {"flux de tresorerie", cashFlow},
	{"estado de resultados", incomeStatement}, {"estado de resultado integral", incomeStatement},
	{"estado del resultado integral", incomeStatement}, {"estados de resultado integral", incomeStatement},
	{"estados de resultados", incomeStatement},
	{"consolidados de resultados", incomeStatement}, {"consolidado de resultados", incomeStatement},
	{"perdidas y ganancias", incomeStatement}, {"situacion financiera", balanceSheet},
	{"balance general", balanceSheet}, {"balance de situacion", balanceSheet}, {"flujos de efectivo", cashFlow},
	{"flujo de efectivo", cashFlow},
	{"gewinn und verlustrechnung", incomeStatement}, {"bilanz", balanceSheet}, {"konzernbilanz", balanceSheet},
	{"kapitalflussrechnung", cashFlow}, {"konzern kapitalflussrechnung", cashFlow},
	{"conto economico", incomeStatement}, {"stato patrimoniale", balanceSheet}, {"rendiconto finanziario", cashFlow},
	{"winst en verliesrekening", incomeStatement}, {"kasstroomoverzicht", cashFlow},
	{"demonstracao do resultado", incomeStatement}, {"balanco patrimonial", balanceSheet},
	{"fluxos de caixa", cashFlow},
	{"balans", balanceSheet}, {"balans per", balanceSheet}, {"geconsolideerde balans", balanceSheet},
	{"verlies en winstrekening", incomeStatement}, {"staat van baten en lasten", incomeStatement},
	{"resultatrakning", incomeStatement}, {"balansrakning", balanceSheet}, {"kassaflodesanalys", cashFlow},
	{"resultatopgorelse", incomeStatement}, {"resultatregnskap", incomeStatement},
	{"cuenta de resultados", incomeStatement}, {"balance abreviado", balanceSheet},
	{"demonstracao dos resultados", incomeStatement},
	{"resultatopgørelse", incomeStatement}, {"balance 31 december", balanceSheet}, {"balance pr", balanceSheet},
	{"balanse", balanceSheet}, {"pengestrømsopgørelse", cashFlow}, {"kontantstrømoppstilling", cashFlow},
	{"rachunek zyskow i strat", incomeStatement}, {"bilans", balanceSheet},
	{"rachunek przepływow pienieznych", cashFlow}, {"einnahmenuberschussrechnung", incomeStatement},
	{"einnahmen uberschuss rechnung", incomeStatement}, {"einnahmen uberschussrechnung", incomeStatement},
	{"kurzfristige erfolgsrechnung", incomeStatement}, {"betriebswirtschaftliche auswertung", incomeStatement},
	{"resultados por funcion", incomeStatement}, {"resultados por naturaleza", incomeStatement},
	{"estados consolidados de resultados", incomeStatement}, {"balancos patrimoniais", balanceSheet},
	{"demonstracoes do resultado", incomeStatement}, {"demonstracoes dos resultados", incomeStatement},
	{"statement of results of operations", incomeStatement}, {"statements of results of operations", incomeStatement},
	{"estado de situacion patrimonial", balanceSheet}, {"cash flows statements", cashFlow},
	{"statements of consolidated cash flows", cashFlow},
	{"statements of consolidated financial position", balanceSheet},
	{"erfolgsrechnung", incomeStatement}, {"tuloslaskelma", incomeStatement}, {"tase", balanceSheet},
	{"statement of revenue expenses", incomeStatement},
}

var contentsLine = lazyregexp.New(`\.{4,}|(?:\s\.){3,}|(?:[a-z)]\s{1,})\d{1,2}(?:\s*[-–]\s*\d{1,2})?$`)

// titledKind is the statement that a line names when it is a title: short, no sentence, no line of a table of contents.
func titledKind(l statementLine) (kind string, ok bool) {
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
	if contentsLine.MatchString(s) && len(text.FindDates(s, text.MonthFirst)) == 0 && !anyYear.MatchString(s) {
		return "", false
	}
	words := strings.Count(beforePeriod(folded, t.phrase), " ") + 1
	if strings.Count(t.phrase, " ")+9 < words || startsLower(s) {
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
