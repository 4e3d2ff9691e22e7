package classify

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// sign is a phrase that speaks for (or, with a negative weight, against) a type. Phrases are folded. A
// phrase joined with "+" needs all its parts. Head phrases count only in the top third of a page, where
// titles stand.
type sign struct {
	docType dossier.DocType
	weight  float64
	phrase  string
	head    bool
}

func (s sign) weigh(folded, head string) (float64, bool) {
	str := folded
	if s.head {
		str = head
	}
	if !strings.Contains(s.phrase, "+") {
		return s.weight, text.HasWords(str, s.phrase)
	}
	for part := range strings.SplitSeq(s.phrase, "+") {
		if !text.HasWords(str, part) {
			return 0, false
		}
	}
	return s.weight, true
}

// signs is the table of phrases. Neighbours that are easily confused speak against each other: what only a
// credit card, a broker or a utility prints is a negative sign of a bank statement.
var signs = joinSigns(
	bankSigns, cardSigns, brokerSigns, billSigns, paySigns, dealSigns, idSigns, reportSigns, worldSigns, pictureSigns,
)

func joinSigns(tables ...[]sign) []sign {
	var all []sign
	for _, t := range tables {
		all = append(all, t...)
	}
	return all
}

var billSigns = []sign{
	{dossier.DocUtilityBill, 3, "kwh", false},
	{dossier.DocUtilityBill, 3, "meter", false},
	{dossier.DocUtilityBill, 3, "meter reading", false},
	{dossier.DocUtilityBill, 3, "therms", false},
	{dossier.DocUtilityBill, 2, "electric", false},
	{dossier.DocUtilityBill, 2, "electricity", false},
	{dossier.DocUtilityBill, 2, "natural gas", false},
	{dossier.DocUtilityBill, 2, "energy", false},
	{dossier.DocUtilityBill, 2, "utility", false},
	{dossier.DocUtilityBill, 2, "utilities", false},
	{dossier.DocUtilityBill, 2, "water", false},
	{dossier.DocUtilityBill, 2, "sewer", false},
	{dossier.DocUtilityBill, 2, "service address", false},
	{dossier.DocUtilityBill, 2, "service for", false},
	{dossier.DocUtilityBill, 2, "amount due", false},
	{dossier.DocUtilityBill, 2, "total amount due", false},
	{dossier.DocUtilityBill, 2, "current charges", false},
	{dossier.DocUtilityBill, 2, "usage", false},
	{dossier.DocUtilityBill, 1, "due date", false},
	{dossier.DocUtilityBill, 2, "internet", false},
	{dossier.DocUtilityBill, 2, "wireless", false},
	{dossier.DocUtilityBill, 2, "broadband", false},
	{dossier.DocUtilityBill, -6, "minimum payment due", false},
	{dossier.DocUtilityBill, -4, "balance sheet", false},
	{dossier.DocUtilityBill, -4, "beginning balance", false},
	{dossier.DocInvoice, 6, "invoice", true},
	{dossier.DocInvoice, 3, "invoice", false},
	{dossier.DocInvoice, 3, "tax invoice", false},
	{dossier.DocInvoice, 3, "invoice number", false},
	{dossier.DocInvoice, 3, "invoice no", false},
	{dossier.DocInvoice, 2, "invoice date", false},
	{dossier.DocInvoice, 2, "bill to", false},
	{dossier.DocInvoice, 1, "ship to", false},
	{dossier.DocInvoice, 1, "unit price", false},
	{dossier.DocInvoice, 1, "qty", false},
	{dossier.DocInvoice, 1, "quantity", false},
	{dossier.DocInvoice, 1, "subtotal", false},
	{dossier.DocInvoice, -5, "rate confirmation", false},
	{dossier.DocInvoice, -4, "kwh", false},
	{dossier.DocInvoice, -4, "beginning balance", false},
	{dossier.DocInvoice, -15, "profit and loss", true}, // reports of a company's books list its invoices
	{dossier.DocInvoice, -15, "profit & loss", true},
	{dossier.DocInvoice, -15, "balance sheet", true},
	{dossier.DocInvoice, -15, "aging", true},
	{dossier.DocInvoice, -15, "general ledger", true},
	{dossier.DocReceipt, 5, "receipt", true},
	{dossier.DocReceipt, 2, "receipt", false},
	{dossier.DocReceipt, 2, "cashier", false},
	{dossier.DocReceipt, 2, "subtotal+tax+total", false},
	{dossier.DocReceipt, 2.5, "subtotal+total", false},
	{dossier.DocReceipt, 1, "thank you", false},
	{dossier.DocReceipt, 2, "change due", false},
	{dossier.DocReceipt, 2, "amount paid", false},
	{dossier.DocReceipt, 2, "return policy", false},
	{dossier.DocReceipt, 2, "thank you for shopping", false},
	{dossier.DocReceipt, 2, "thank you for your purchase", false},
	{dossier.DocReceipt, 2, "auth code", false},
	{dossier.DocReceipt, 1, "visa", false},
	{dossier.DocReceipt, 1, "transaction", false},
	{dossier.DocReceipt, -6, "invoice", true},
	{dossier.DocReceipt, -6, "beginning balance", false},
	{dossier.DocReceipt, -6, "gross receipts", false},
}

var paySigns = []sign{
	{dossier.DocPayStub, 5, "earnings statement", false},
	{dossier.DocPayStub, 5, "pay stub", false},
	{dossier.DocPayStub, 5, "paystub", false},
	{dossier.DocPayStub, 4, "payslip", false},
	{dossier.DocPayStub, 4, "pay slip", false},
	{dossier.DocPayStub, 4, "net pay", false},
	{dossier.DocPayStub, 3, "gross pay", false},
	{dossier.DocPayStub, 3, "pay period", false},
	{dossier.DocPayStub, 3, "pay date", false},
	{dossier.DocPayStub, 2, "ytd", false},
	{dossier.DocPayStub, 2, "year to date", false},
	{dossier.DocPayStub, 2, "earnings", false},
	{dossier.DocPayStub, 2, "deductions", false},
	{dossier.DocPayStub, 2, "direct deposit", false},
	{dossier.DocPayStub, 1, "withholding", false},
	{dossier.DocPayStub, 1, "hours", false},
	{dossier.DocPayStub, -6, "beginning balance", false},
	{dossier.DocPayStub, -6, "omb no", false},
}

var dealSigns = []sign{
	{dossier.DocLease, 6, "lease agreement", false},
	{dossier.DocLease, 5, "rental agreement", false},
	{dossier.DocLease, 5, "tenancy agreement", false},
	{dossier.DocLease, 3, "landlord", false},
	{dossier.DocLease, 3, "tenant", false},
	{dossier.DocLease, 2, "lessor", false},
	{dossier.DocLease, 2, "lessee", false},
	{dossier.DocLease, 2, "premises", false},
	{dossier.DocLease, 2, "security deposit", false},
	{dossier.DocLease, -5, "rent roll", false},
	{dossier.DocLease, -5, "balance sheet", true},
	{dossier.DocInsurance, 6, "certificate of liability insurance", false},
	{dossier.DocInsurance, 5, "certificate of insurance", false},
	{dossier.DocInsurance, 5, "declarations page", false},
	{dossier.DocInsurance, 3, "insurance policy", false},
	{dossier.DocInsurance, 3, "policy number", false},
	{dossier.DocInsurance, 2, "insured", false},
	{dossier.DocInsurance, 2, "policy period", false},
	{dossier.DocInsurance, 2, "coverage", false},
	{dossier.DocInsurance, 2, "premium", false},
	{dossier.DocInsurance, 2, "insurance company", false},
	{dossier.DocInsurance, -5, "beginning balance", false},
	{dossier.DocInsurance, -5, "net income", false},
	{dossier.DocCheck, 5, "pay to the order of", false},
	{dossier.DocCheck, 2, "dollars", false},
	{dossier.DocCheck, 2, "memo", false},
	{dossier.DocCheck, 2, "void after", false},
	{dossier.DocCheck, -5, "beginning balance", false},
	{dossier.DocCheck, -6, "earnings", false},
	{dossier.DocBenefitPlanReport, 6, "form 5500", false},
	{dossier.DocBenefitPlanReport, 6, "annual return report of employee benefit plan", false},
	{dossier.DocBenefitPlanReport, 4, "annual return report+employee benefit plan", false},
	{dossier.DocBenefitPlanReport, 3, "plan administrator", false},
	{dossier.DocBenefitPlanReport, 3, "plan sponsor", false},
	{dossier.DocBenefitPlanReport, 3, "erisa", false},
	{dossier.DocBenefitPlanReport, 2, "plan year beginning", false},
	{dossier.DocRentRoll, 7, "rent roll", false},
	{dossier.DocRentRoll, 2, "unit+tenant+rent", false},
	{dossier.DocRentRoll, 2, "market rent", false},
	{dossier.DocRentRoll, 2, "vacant", false},
	{dossier.DocRentRoll, 2, "move in", false},
	{dossier.DocRentRoll, 2, "lease expiration", false},
	{dossier.DocRateConfirmation, 7, "rate confirmation", false},
	{dossier.DocRateConfirmation, 6, "load confirmation", false},
	{dossier.DocRateConfirmation, 3, "carrier+pickup", false},
	{dossier.DocRateConfirmation, 3, "carrier+shipper", false},
	{dossier.DocRateConfirmation, 2, "carrier+broker", false},
	{dossier.DocRateConfirmation, 2, "carrier+load", false},
	{dossier.DocRateConfirmation, 2, "consignee", false},
	{dossier.DocRateConfirmation, 2, "freight", false},
	{dossier.DocRateConfirmation, 1, "carrier+equipment", false},
	{dossier.DocRateConfirmation, -4, "insurance company", false},
}

var idSigns = []sign{
	{dossier.DocSocialSecurityCard, 5, "this number has been established for", false},
	{dossier.DocSocialSecurityCard, 4, "social security+signature", false},
	{dossier.DocSocialSecurityCard, 2, "social security", true},
	{dossier.DocSocialSecurityCard, 2, "social security administration", false},
	{dossier.DocSocialSecurityCard, -9, "omb no", false},
	{dossier.DocSocialSecurityCard, -9, "wages", false},
	{dossier.DocSocialSecurityCard, -9, "form", false},
	{dossier.DocSocialSecurityCard, -9, "earnings", false},
	{dossier.DocResidencePermit, 6, "permanent resident", false},
	{dossier.DocResidencePermit, 5, "resident since", false},
	{dossier.DocResidencePermit, 5, "residence permit", false},
	{dossier.DocResidencePermit, 5, "employment authorization card", false},
	{dossier.DocResidencePermit, 2, "uscis", false},
	{dossier.DocResidencePermit, 2, "country of birth", false},
	{dossier.DocPassport, 5, "passport", false},
	{dossier.DocPassport, 4, "passeport", false},
	{dossier.DocPassport, 3, "pasaporte", false},
	{dossier.DocPassport, 2, "passport no", false},
	{dossier.DocPassport, 2, "place of birth", false},
	{dossier.DocPassport, 2, "nationality", false},
	{dossier.DocPassport, 1, "authority", false},
	{dossier.DocPassport, -4, "permanent resident", false},
	{dossier.DocPassport, -6, "form", false},
	{dossier.DocDriversLicense, 6, "driver license", false},
	{dossier.DocDriversLicense, 6, "drivers license", false},
	{dossier.DocDriversLicense, 6, "driving licence", false},
	{dossier.DocDriversLicense, 6, "drivers licence", false},
	{dossier.DocDriversLicense, 6, "driver licence", false},
	{dossier.DocDriversLicense, 6, "fuhrerschein", false},
	{dossier.DocDriversLicense, 6, "permis de conduire", false},
	{dossier.DocDriversLicense, 6, "licencia de conducir", false},
	{dossier.DocDriversLicense, 6, "permiso de conduccion", false},
	{dossier.DocDriversLicense, 6, "patente di guida", false},
	{dossier.DocDriversLicense, 6, "rijbewijs", false},
	{dossier.DocDriversLicense, 5, "operator license", false},
	{dossier.DocDriversLicense, 3, "commercial driver", false},
	{dossier.DocDriversLicense, 4, "driver+dob", false}, // the second word of the title is often lost under a pattern
	{dossier.DocDriversLicense, 3, "driver+exp", false},
	{dossier.DocDriversLicense, 2, "4d", false},
	{dossier.DocDriversLicense, 2, "endorsements", false},
	{dossier.DocDriversLicense, 2, "restrictions", false},
	{dossier.DocDriversLicense, 2, "class", false},
	{dossier.DocDriversLicense, 1, "dob", false},
	{dossier.DocDriversLicense, 1, "exp", false},
	{dossier.DocDriversLicense, 1, "iss", false},
	{dossier.DocDriversLicense, 1, "donor", false},
	{dossier.DocDriversLicense, 1, "hgt", false},
	{dossier.DocDriversLicense, 1, "eyes", false},
	{dossier.DocDriversLicense, -7, "permanent resident", false},
	{dossier.DocDriversLicense, -7, "identification card", false},
	{dossier.DocDriversLicense, -9, "not a driver license", false},
	{dossier.DocDriversLicense, -9, "not a license to drive", false},
	{dossier.DocDriversLicense, -5, "account", false},
	{dossier.DocDriversLicense, -5, "agreement", false},
	{dossier.DocDriversLicense, -6, "policy", false},
	{dossier.DocDriversLicense, -5, "employer", false},
	{dossier.DocNationalID, 6, "not a driver license", false},
	{dossier.DocNationalID, 6, "not a license to drive", false},
	{dossier.DocNationalID, 6, "identity card", false},
	{dossier.DocNationalID, 6, "identification card", false},
	{dossier.DocNationalID, 5, "carte nationale d identite", false},
	{dossier.DocNationalID, 5, "carte nationale didentite", false},
	{dossier.DocNationalID, 5, "personalausweis", false},
	{dossier.DocNationalID, 5, "documento nacional de identidad", false},
	{dossier.DocNationalID, 5, "national identity", false},
	{dossier.DocNationalID, -6, "permanent resident", false},
	{dossier.DocNationalID, -5, "employer identification", false},
	{dossier.DocNationalID, -5, "taxpayer", false},
}

var reportSigns = []sign{
	{dossier.DocFinancialStatement, 5, "balance sheet", true},
	{dossier.DocFinancialStatement, 5, "balance sheets", true},
	{dossier.DocFinancialStatement, 5, "income statement", true},
	{dossier.DocFinancialStatement, 5, "statement of income", true},
	{dossier.DocFinancialStatement, 5, "statements of income", true},
	{dossier.DocFinancialStatement, 5, "statement of operations", true},
	{dossier.DocFinancialStatement, 5, "statements of operations", true},
	{dossier.DocFinancialStatement, 5, "statement of earnings", true},
	{dossier.DocFinancialStatement, 5, "statements of earnings", true},
	{dossier.DocFinancialStatement, 5, "profit and loss", true},
	{dossier.DocFinancialStatement, 5, "profit & loss", true},
	{dossier.DocFinancialStatement, 5, "p&l", true},
	{dossier.DocFinancialStatement, 5, "profit or loss", true},
	{dossier.DocFinancialStatement, 5, "statement of activities", true},
	{dossier.DocFinancialStatement, 5, "statements of activities", true},
	{dossier.DocFinancialStatement, 5, "statement of revenues and expenses", true},
	{dossier.DocFinancialStatement, 5, "statements of revenues and expenses", true},
	{dossier.DocFinancialStatement, 5, "statement of revenue and expenses", true},
	{dossier.DocFinancialStatement, 5, "income and expense statement", true},
	{dossier.DocFinancialStatement, 5, "cash flow statement", true},
	{dossier.DocFinancialStatement, 5, "statement of cash flows", true},
	{dossier.DocFinancialStatement, 5, "statements of cash flows", true},
	{dossier.DocFinancialStatement, 5, "statement of financial position", true},
	{dossier.DocFinancialStatement, 5, "statements of financial position", true},
	{dossier.DocFinancialStatement, 3, "net income", false},
	{dossier.DocFinancialStatement, 2, "net loss", false},
	{dossier.DocFinancialStatement, 2, "net profit", false},
	{dossier.DocFinancialStatement, 2, "gross profit", false},
	{dossier.DocFinancialStatement, 2, "cost of goods sold", false},
	{dossier.DocFinancialStatement, 2, "cost of sales", false},
	{dossier.DocFinancialStatement, 2, "operating expenses", false},
	{dossier.DocFinancialStatement, 2, "total expenses", false},
	{dossier.DocFinancialStatement, 2, "total revenue", false},
	{dossier.DocFinancialStatement, 2, "total income", false},
	{dossier.DocFinancialStatement, 3, "total assets", false},
	{dossier.DocFinancialStatement, 2, "total current assets", false},
	{dossier.DocFinancialStatement, 2, "total current liabilities", false},
	{dossier.DocFinancialStatement, 3, "total liabilities", false},
	{dossier.DocFinancialStatement, 2, "total equity", false},
	{dossier.DocFinancialStatement, 2, "stockholders equity", false},
	{dossier.DocFinancialStatement, 2, "shareholders equity", false},
	{dossier.DocFinancialStatement, 2, "retained earnings", false},
	{dossier.DocFinancialStatement, 2, "accounts receivable", false},
	{dossier.DocFinancialStatement, 2, "accounts payable", false},
	{dossier.DocFinancialStatement, 2, "cash provided by operating activities", false},
	{dossier.DocFinancialStatement, 2, "operating activities", false},
	{dossier.DocFinancialStatement, 2, "investing activities", false},
	{dossier.DocFinancialStatement, 2, "financing activities", false},
	{dossier.DocFinancialStatement, 2, "cogs", false},
	{dossier.DocFinancialStatement, 2, "gross margin", false},
	{dossier.DocFinancialStatement, 2, "total sales", false},
	{dossier.DocFinancialStatement, 2, "total revenues", false},
	{dossier.DocFinancialStatement, -7, "trial balance", true},
	{dossier.DocFinancialStatement, -12, "personal financial statement", true}, // of a person, not of books
	{dossier.DocFinancialStatement, -7, "omb no", false},
	{dossier.DocFinancialStatement, -7, "internal revenue service", false},
	{dossier.DocFinancialStatement, -5, "statement period", false},
	{dossier.DocFinancialStatement, -5, "portfolio value", false},
	{dossier.DocFinancialStatement, -5, "net pay", false},
}
