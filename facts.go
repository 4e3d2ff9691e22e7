package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// This file is a document format (facts.md): the parser process writes it, Postgres stores it, the API
// answers it, and spreads are computed from it. It is the same in every room, so unlike the other types
// of this package it carries its JSON names.

// DocType is what a document is (the table of facts.md).
type DocType string

// Document types.
const (
	DocBankStatement       DocType = "bank_statement"
	DocTaxReturn           DocType = "tax_return"
	DocDriversLicense      DocType = "drivers_license"
	DocPassport            DocType = "passport"
	DocNationalID          DocType = "national_id"
	DocResidencePermit     DocType = "residence_permit"
	DocFinancialStatement  DocType = "financial_statement"
	DocTaxFormOther        DocType = "tax_form_other"
	DocPayStub             DocType = "pay_stub"
	DocInvoice             DocType = "invoice"
	DocReceipt             DocType = "receipt"
	DocUtilityBill         DocType = "utility_bill"
	DocCreditCardStatement DocType = "credit_card_statement"
	DocBrokerageStatement  DocType = "brokerage_statement"
	DocInvestmentStatement DocType = "investment_statement"
	DocAssetVerification   DocType = "asset_verification"
	DocLease               DocType = "lease"
	DocInsurance           DocType = "insurance"
	DocCheck               DocType = "check"
	DocBenefitPlanReport   DocType = "benefit_plan_report"
	DocRentRoll            DocType = "rent_roll"
	DocRateConfirmation    DocType = "rate_confirmation"
	DocSocialSecurityCard  DocType = "social_security_card"
	DocOther               DocType = "other"
)

// DocTypes are all types of documents, in the order of facts.md.
var DocTypes = []DocType{DocBankStatement, DocTaxReturn, DocDriversLicense, DocPassport, DocNationalID,
	DocResidencePermit, DocFinancialStatement, DocTaxFormOther, DocPayStub, DocInvoice, DocReceipt, DocUtilityBill,
	DocCreditCardStatement, DocBrokerageStatement, DocInvestmentStatement, DocAssetVerification, DocLease,
	DocInsurance, DocCheck, DocBenefitPlanReport, DocRentRoll, DocRateConfirmation, DocSocialSecurityCard, DocOther}

// Extraction is what reading one stored file gave.
type Extraction struct {
	EngineVersion string         `json:"engineVersion"`
	MimeType      string         `json:"mimeType"`
	PageCount     int            `json:"pageCount"`
	Layer         string         `json:"layer"` // text, scanned, image, native
	Pages         []PageSize     `json:"pages"` // empty when an engine read the file that did not measure them
	Documents     []ReadDocument `json:"documents"`
	Model         *ModelUse      `json:"model"`    // nil when no model was asked
	Warnings      []FactWarning  `json:"warnings"` // about the reading of the file: model_unavailable, model_budget
}

// ModelUse is what a language model was asked of one file, and what came of it: how many facts were asked for, how many
// of its answers were taken and dropped, and what that cost.
type ModelUse struct {
	Name    string `json:"name"`
	Asked   int    `json:"asked"`
	Taken   int    `json:"taken"`
	Dropped int    `json:"dropped"`
	Tokens  int    `json:"tokens"`
}

// Listed is the extraction with a list of warnings, also when it was read before there were any.
func (e Extraction) Listed() Extraction {
	if e.Warnings == nil {
		e.Warnings = []FactWarning{}
	}
	return e
}

// ShowsSecrets reports whether a page shows what facts mask, or is of a document that proves who somebody is:
// whoever looks at its picture is noted.
func (e *Extraction) ShowsSecrets(page int) bool {
	for _, d := range e.Documents {
		if page < d.Pages[0] || page > d.Pages[1] {
			continue
		}
		if d.Facts.Identity != nil || d.DocType == DocSocialSecurityCard {
			return true
		}
		if facts, err := json.Marshal(d.Facts); err != nil || bytes.Contains(facts, []byte("***-**-")) {
			return true
		}
	}
	return false
}

// PageUnit is what a page and the boxes on it are measured in.
type PageUnit string

// Units of pages.
const (
	UnitPoint PageUnit = "pt"
	UnitPixel PageUnit = "px"
	UnitCell  PageUnit = "cell"
)

// PageSize is how large a page is as people see it, which boxes are scaled by. A sheet or table is a page of cells:
// as wide as it has columns, as high as it has rows.
type PageSize struct {
	Page     int      `json:"page"` // from 1
	Width    float64  `json:"width"`
	Height   float64  `json:"height"`
	Unit     PageUnit `json:"unit"`
	Rotation int      `json:"rotation"` // 0, 90, 180 or 270: degrees clockwise that the stored page was turned by
}

// ReadDocument is one document found in a file: a package of seven has seven.
type ReadDocument struct {
	DocType    DocType           `json:"docType"`
	FieldType  FieldType         `json:"fieldType"`
	Pages      [2]int            `json:"pages"` // first and last, from 1
	Confidence float64           `json:"confidence"`
	Evidence   []string          `json:"evidence"`
	Facts      Facts             `json:"facts"`
	Sources    map[string]Source `json:"sources"` // by JSON pointer into Facts
	Derived    map[string]string `json:"derived"` // formula in words, by JSON pointer into Facts
	Checks     []FactCheck       `json:"checks"`
	Sums       []PrintedSum      `json:"sums,omitempty"` // of a statement; none in what was read before they were kept
	Warnings   []FactWarning     `json:"warnings"`
}

// Source says where a fact is printed.
type Source struct {
	Page       int     `json:"page"`
	Box        any     `json:"box"` // [x0,y0,x1,y1] points or pixels from the top left, or a cell "Sheet1!C14"
	Text       string  `json:"text"`
	Caption    string  `json:"caption,omitempty"`
	Confidence float64 `json:"confidence"`
	Method     string  `json:"method"`           // text, form, ocr, cell, barcode, person, model
	Prompt     string  `json:"prompt,omitempty"` // of a model's: which question it answered
}

// MarshalJSON writes a source; the page is null where a person gave none.
func (s Source) MarshalJSON() ([]byte, error) {
	type plain Source
	if s.Page > 0 {
		return json.Marshal(plain(s))
	}
	return json.Marshal(struct {
		Page *int `json:"page"`
		plain
	}{plain: plain(s)})
}

// FactCheck is an arithmetic or structural check over the facts of one document. Names: reconciles,
// balance_sheet_balances, income_statement_foots, cash_flow_foots, lines_foot, mrz_valid, all_pages_present.
type FactCheck struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	Detail string `json:"detail"`
}

// FactWarning is something a person should know about the reading.
// Codes: scale_unknown, currency_unknown, low_confidence, page_missing, possible_tampering, several_documents.
type FactWarning struct {
	Code    string `json:"code"`
	Detail  string `json:"detail"`
	Pointer string `json:"pointer,omitempty"` // of the one fact that is doubted
}

// Facts holds the facts of one document; the one field that fits its DocType is set. In JSON it is that
// field's object itself.
type Facts struct {
	Bank      *BankFacts
	Tax       *TaxFacts
	Identity  *IdentityFacts
	Statement *StatementFacts
	Other     map[string]any // every other type: the names of facts.md
}

// MarshalJSON writes the facts that are set, flat.
func (f Facts) MarshalJSON() ([]byte, error) {
	switch {
	case f.Bank != nil:
		return json.Marshal(f.Bank)
	case f.Tax != nil:
		return json.Marshal(f.Tax)
	case f.Identity != nil:
		return json.Marshal(f.Identity)
	case f.Statement != nil:
		return json.Marshal(f.Statement)
	case f.Other != nil:
		return json.Marshal(f.Other)
	}
	return []byte("{}"), nil
}

// UnmarshalJSON reads a document whose facts have the shape of its docType.
func (d *ReadDocument) UnmarshalJSON(data []byte) error {
	type plain ReadDocument
	var raw struct {
		*plain
		Facts json.RawMessage `json:"facts"`
	}
	raw.plain = (*plain)(d)
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if len(raw.Facts) == 0 {
		return nil
	}
	target := d.Facts.shapeFor(d.DocType)
	if err := json.Unmarshal(raw.Facts, target); err != nil {
		return fmt.Errorf("facts of %s: %w", d.DocType, err)
	}
	return nil
}

// shapeFor sets the field of f that holds the facts of t and returns a pointer to decode into.
func (f *Facts) shapeFor(t DocType) any {
	*f = Facts{}
	switch t {
	case DocBankStatement:
		f.Bank = new(BankFacts)
		return f.Bank
	case DocTaxReturn:
		f.Tax = new(TaxFacts)
		return f.Tax
	case DocDriversLicense, DocPassport, DocNationalID, DocResidencePermit:
		f.Identity = new(IdentityFacts)
		return f.Identity
	case DocFinancialStatement:
		f.Statement = new(StatementFacts)
		return f.Statement
	}
	return &f.Other
}

// NoFacts are the facts of a document of type t that says none.
func NoFacts(t DocType) Facts {
	var f Facts
	f.shapeFor(t)
	if f.Bank == nil && f.Tax == nil && f.Identity == nil && f.Statement == nil {
		f.Other = map[string]any{}
	}
	if f.Statement != nil {
		f.Statement.Unit = 1
	}
	return f
}

// BankFacts are the facts of a deposit account's statement. Dates are YYYY-MM-DD; a nil fact is not shown.
// Source: facts.md, row bank_statement.
type BankFacts struct {
	Institution         *string       `json:"institution"`
	AccountHolder       *string       `json:"accountHolder"`
	AccountNumber       *string       `json:"accountNumber"`
	AccountType         *string       `json:"accountType"`
	Personal            *bool         `json:"personal"`
	Currency            *string       `json:"currency"`
	StatementDate       *string       `json:"statementDate"`
	PeriodStart         *string       `json:"periodStart"`
	PeriodEnd           *string       `json:"periodEnd"`
	OpeningBalance      *Amount       `json:"openingBalance"`
	ClosingBalance      *Amount       `json:"closingBalance"`
	AvailableBalance    *Amount       `json:"availableBalance"`
	TotalDeposits       *Amount       `json:"totalDeposits"`
	TotalWithdrawals    *Amount       `json:"totalWithdrawals"`
	TotalCredits        *Amount       `json:"totalCredits"`
	TotalDebits         *Amount       `json:"totalDebits"`
	DepositCount        *int          `json:"depositCount"`
	WithdrawalCount     *int          `json:"withdrawalCount"`
	Checks              *Amount       `json:"checks"`
	ServiceFees         *Amount       `json:"serviceFees"`
	Interest            *Amount       `json:"interest"`
	MinimumDailyBalance *Amount       `json:"minimumDailyBalance"`
	NegativeDays        *int          `json:"negativeDays"`
	Reconciles          *bool         `json:"reconciles"`
	Transactions        *int          `json:"transactions"`
	Accounts            []BankAccount `json:"accounts"`
	Entries             []BankEntry   `json:"entries"`
}

// BankAccount is one account of a statement that has several.
type BankAccount struct {
	Name           *string `json:"name"`
	AccountNumber  *string `json:"accountNumber"`
	OpeningBalance *Amount `json:"openingBalance"`
	Deposits       *Amount `json:"deposits"`
	Withdrawals    *Amount `json:"withdrawals"`
	Checks         *Amount `json:"checks"`
	Interest       *Amount `json:"interest"`
	Fees           *Amount `json:"fees"`
	ClosingBalance *Amount `json:"closingBalance"`
	Transactions   *int    `json:"transactions"`
}

// BankEntry is one posted transaction; Amount is signed by its effect on the balance.
type BankEntry struct {
	Date        string  `json:"date"`
	Description string  `json:"description"`
	Amount      Amount  `json:"amount"`
	Balance     *Amount `json:"balance"`
	Account     *string `json:"account"`
}

// TaxFacts are the facts of an income tax return. Source: facts.md, row tax_return.
type TaxFacts struct {
	Form                   *string           `json:"form"`
	TaxYear                *int              `json:"taxYear"`
	PeriodStart            *string           `json:"periodStart"`
	PeriodEnd              *string           `json:"periodEnd"`
	Taxpayer               *string           `json:"taxpayer"`
	Spouse                 *string           `json:"spouse"`
	EntityName             *string           `json:"entityName"`
	BusinessName           *string           `json:"businessName"`
	EIN                    *string           `json:"ein"`
	SSN                    *string           `json:"ssn"`
	FilingStatus           *string           `json:"filingStatus"`
	Dependents             *int              `json:"dependents"`
	Personal               *bool             `json:"personal"`
	AccountingMethod       *string           `json:"accountingMethod"`
	Lines                  map[string]Amount `json:"lines"`
	TotalIncome            *Amount           `json:"totalIncome"`
	AdjustedGrossIncome    *Amount           `json:"adjustedGrossIncome"`
	TaxableIncome          *Amount           `json:"taxableIncome"`
	TotalTax               *Amount           `json:"totalTax"`
	AmountOwed             *Amount           `json:"amountOwed"`
	Overpaid               *Amount           `json:"overpaid"`
	Refund                 *Amount           `json:"refund"`
	GrossReceipts          *Amount           `json:"grossReceipts"`
	NetRevenues            *Amount           `json:"netRevenues"`
	CostOfGoodsSold        *Amount           `json:"costOfGoodsSold"`
	GrossProfit            *Amount           `json:"grossProfit"`
	OfficerCompensation    *Amount           `json:"officerCompensation"`
	SalariesWages          *Amount           `json:"salariesWages"`
	Rent                   *Amount           `json:"rent"`
	InterestExpense        *Amount           `json:"interestExpense"`
	TotalDeductions        *Amount           `json:"totalDeductions"`
	TotalExpenses          *Amount           `json:"totalExpenses"`
	TotalRevenue           *Amount           `json:"totalRevenue"`
	NetProfit              *Amount           `json:"netProfit"`
	OrdinaryBusinessIncome *Amount           `json:"ordinaryBusinessIncome"`
	TotalAssets            *Amount           `json:"totalAssets"`
	TotalLiabilities       *Amount           `json:"totalLiabilities"`
	NetAssets              *Amount           `json:"netAssets"`
	PriorYear              *TaxFacts         `json:"priorYear,omitempty"`
	Preparer               *string           `json:"preparer"`
}

// IdentityFacts are the facts of an identity document. Source: facts.md.
type IdentityFacts struct {
	IDType      *string  `json:"idType"` // DRIVERS_LICENSE, PASSPORT, NATIONAL_ID, RESIDENCE_PERMIT
	Country     *string  `json:"country"`
	State       *string  `json:"state"`
	Number      *string  `json:"number"`
	LastName    *string  `json:"lastName"`
	FirstName   *string  `json:"firstName"`
	DateOfBirth *string  `json:"dateOfBirth"`
	IssueDate   *string  `json:"issueDate"`
	ExpiryDate  *string  `json:"expiryDate"`
	Sex         *string  `json:"sex"`
	Address     *string  `json:"address"`
	MRZ         []string `json:"mrz"`
	MRZValid    *bool    `json:"mrzValid"`
}

// StatementFacts are the facts of a financial statement. Source: facts.md, row financial_statement.
type StatementFacts struct {
	EntityName *string    `json:"entityName"`
	Currency   *string    `json:"currency"`
	Basis      *string    `json:"basis"` // accrual, cash, tax
	Unit       int64      `json:"unit"`  // 1, 1000, 1000000: what printed figures were multiplied by
	Audited    *bool      `json:"audited"`
	Statements Statements `json:"statements"`
}

// Statements holds the printed columns of each statement, in printed order.
type Statements struct {
	IncomeStatement []StatementColumn `json:"incomeStatement"`
	BalanceSheet    []StatementColumn `json:"balanceSheet"`
	CashFlow        []StatementColumn `json:"cashFlow"`
}

// StatementColumn is one period of one statement: Values by row key of spread-template.yaml (or
// netOperatingIncome); captions that fit no row are in Unmapped, in printed order.
type StatementColumn struct {
	Label    string            `json:"label"`
	Start    *string           `json:"start"`
	End      *string           `json:"end"`
	Months   *int              `json:"months"`
	Values   map[string]Amount `json:"values"`
	Unmapped []UnmappedCaption `json:"unmapped"`
	// Coverage says where the printed lines went; nil in facts that were read before there was any.
	Coverage *StatementCoverage `json:"coverage,omitempty"`
}

// StatementCoverage counts the lines that print an amount in a column: PrintedLines is the sum of the others.
// Figures per share, share counts and percentages are no lines.
type StatementCoverage struct {
	PrintedLines int `json:"printedLines"`
	Mapped       int `json:"mapped"`
	Unmapped     int `json:"unmapped"` // entries of Unmapped that say their row
	Totals       int `json:"totals"`
	Unexplained  int `json:"unexplained"` // entries of Unmapped that do not, and figures too hard to read
}

// UnmappedCaption is a printed line that is no row of the template by itself.
type UnmappedCaption struct {
	Caption string `json:"caption"`
	Amount  Amount `json:"amount"`
	Section string `json:"section,omitempty"` // the template's section it stood in, when known
	Row     string `json:"row,omitempty"`     // the row it is one of several lines of, when their sum is not printed
}
