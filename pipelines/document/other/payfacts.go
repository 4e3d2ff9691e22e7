package other

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func payFacts(s text.Segment) []otherFact {
	return []otherFact{
		personFact("employee", "employee name", "employee", "pay to the order of", "to the order of", "pay to",
			"salarie", "employe",
			"nom de l employe", "mitarbeiter", "arbeitnehmer", "trabajador", "empleado", "nombre del trabajador",
			"nome do funcionario", "funcionario", "dipendente", "werknemer", "apellido y nombre", "apellidos y nombre",
			"apellidos y nombres", "cognome e nome", "nome e cognome", "nombre y apellido",
			"nombre y apellidos", "nom et prenom", "nom prenom",
			"name vorname",
			"vorname name", "name"),
		nameFact("company", "company name", "employer name", "employer", "company", "employed by", "employeur",
			"arbeitgeber", "empresa", "empleador", "azienda", "datore di lavoro", "ditta", "werkgever", "empregador"),
		dateFact(s, "periodStart", "period start", "pay period start", "period beginning", "pay begin date",
			"pay period begin", "period begin", "period begin date", "pay period begin date", "pay begin",
			"beginning date", "period from", "start date"),
		dateFact(s, "periodEnd", "period end", "pay period end", "period ending", "pay end date", "period ended",
			"period end date", "pay period end date", "pay period ended", "pay end", "pay pd end", "pp end",
			"ending date", "period to", "periodo al", "fin de periode", "end date"),
		dateFact(s, "payDate", "pay date", "check date", "payment date", "paid date", "pay day", "payday", "date paid",
			"paid on", "advice date", "deposit date", "payroll date", "warrant date", "paycheck date",
			"pay check date", "issue date", "date of pay", "process date", "date de paiement", "date de paie",
			"paiement le", "paye le", "date du virement", "fecha de pago", "auszahlungsdatum", "zahltag",
			"data de pagamento", "data di pagamento", "datum betaling", "betaaldatum"),
		paySumFact(s, "totalEarnings", "gross pay this period", "total earnings this period", "total earnings",
			"gross pay", "gross earnings", "total gross pay", "total gross", "gross wages", "gross", "salaire brut",
			"total brut", "total des gains", "bruttolohn", "bruttogehalt",
			"gesamtbrutto", "gesamt brutto", "bruttoverdienst", "total devengado",
			"total percepciones", "total haberes", "total de vencimentos", "totale competenze", "bruto loon",
			"brutoloon", "total payments", "total entitlements", "tot ent"),
		paySumFact(s, "totalEarningsYtd", "gross pay year to date", "gross pay ytd", "total earnings ytd", "ytd gross",
			"year to date gross", "gross ytd", "total gross pay td", "total gross td", "gross pay td", "gross to date",
			"gross for tax td", "brut cumule", "cumul brut"),
		paySumFact(s, "netPay", "net pay this period", "net pay for the month", "net pay", "nett pay", "net amount",
			"take home pay", "net check", "total net pay",
			"net paye", "paie nette", "net a payer", "auszahlungsbetrag", "auszahlungs betrag",
			"nettolohn", "nettogehalt",
			"nettoverdienst", "liquido total a percibir", "liquido a percibir", "neto a percibir", "neto a pagar",
			"neto a cobrar", "valor liquido", "netto in busta", "netto del mese", "netto loon", "nettoloon",
			"net amt", "netto uit te betalen", "netto te betalen", "uit te betalen", "netto betaling", "do wyplaty",
			"kwota do wyplaty", "cista mzda", "netto utbetalt", "nettolon", "utbetalas"),
	}
}

// paySumFact is a sum of a pay stub: "YTD gross" is no "gross".
func paySumFact(s text.Segment, name string, captions ...string) otherFact {
	f := moneyFact(s, name, captions...)
	f.Begins = true
	f.Not = anotherSum
	return f
}

// anotherSum are words that make another sum of a caption: "Net payé avant impôt", "Net imposable", "Gross pay YTD".
var anotherSum = text.WordSet("avant imposable fiscal social before taxable vor antes ytd year td pay earnings wages")
