package dossier

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// ReasonCode names what a reason says; its words are in reason_words.go.
type ReasonCode string

// Reason is why a rule is met or not, or why an item is not right, as data: a code of the table in reason_words.go,
// what its sentence says beside the code, and where that is printed. The zero value is no reason. Its JSON names
// are those of review.md: verdicts are stored as they are answered.
type Reason struct {
	Code      ReasonCode `json:"code"`
	Args      ReasonArgs `json:"args"`      // never null; what it may hold stands in the words of the code
	Citations []Citation `json:"citations"` // never null; in the order in which the facts were looked at
}

// ReasonArgs are the values of a reason's sentence: texts, whole numbers, lists of texts; dates as YYYY-MM-DD,
// amounts as decimals. "file" is the file and "pages" the first and last page a sentence is about, "also" holds
// further reasons of the same verdict, "wouldPass" is what would have to be so for the rule to be met.
type ReasonArgs map[string]any

// Citation says where a fact that a reason rests on is printed. Page and Box are null when the fact is derived;
// Text then is how.
type Citation struct {
	DocumentID *DocumentID `json:"documentId"` // null when no stored document was judged
	Part       int         `json:"part"`       // index into extraction.documents
	Page       *int        `json:"page"`
	Box        any         `json:"box"`
	Text       string      `json:"text"`
	Pointer    string      `json:"pointer"` // into the facts of the part
}

// NewReason makes a reason without citations; args are pairs of name and value.
func NewReason(code ReasonCode, args ...any) Reason {
	r := Reason{Code: code, Args: ReasonArgs{}, Citations: []Citation{}}
	for i := 0; i+1 < len(args); i += 2 {
		r.Args[args[i].(string)] = args[i+1]
	}
	return r
}

// None reports that there is no reason.
func (r Reason) None() bool { return r.Code == "" }

// Asks reports that the code asks for a person: nobody could read or decide it.
func (r Reason) Asks() bool { return reasonWords[r.Code].asks }

// With returns the reason with one more value.
func (r Reason) With(name string, value any) Reason {
	args := ReasonArgs{name: value}
	for k, v := range r.Args {
		if k != name {
			args[k] = v
		}
	}
	r.Args = args
	return r
}

// ReasonCodes lists every code of a reason, sorted; those that only say what would let a rule pass are left out.
func ReasonCodes() []ReasonCode {
	codes := make([]ReasonCode, 0, len(reasonWords))
	for code := range reasonWords {
		if !strings.HasPrefix(string(code), "if_") {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// ReasonSample is the sentence of a code with its values left open, for the table of codes, and whether it asks for
// a person.
func ReasonSample(code ReasonCode) (sentence string, asks bool) {
	w := reasonWords[code]
	return reasonPlace.ReplaceAllStringFunc(w.en, func(place string) string {
		name, _, _ := strings.Cut(strings.Trim(place, "{}"), ":")
		if name == "" {
			return "…"
		}
		return "`" + name + "`"
	}), w.asks
}

// ReasonsText is what a list of reasons says in one line, nil when there is none: an item's validationError.
func ReasonsText(language Language, reasons []Reason) *string {
	if len(reasons) == 0 {
		return nil
	}
	said := reasons[0].In(language)
	return &said
}

// SameReasons reports whether two lists are the same, citations included.
func SameReasons(a, b []Reason) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return bytes.Equal(jsonOf(a), jsonOf(b))
}

// ReasonsOrNone makes a list for an answer, where no list is an empty one.
func ReasonsOrNone(reasons []Reason) []Reason {
	if reasons == nil {
		return []Reason{}
	}
	return reasons
}

// In says the reason in a sentence.
func (r Reason) In(language Language) string {
	return r.sentence(reasonVoice{language: language, sentence: true})
}

// Phrase says the reason for the middle of another sentence, with dates as people write them; no period at its end.
func (r Reason) Phrase(language Language) string {
	return strings.TrimRight(r.sentence(reasonVoice{language: language, day: FormatDay}), ". ")
}

// Foreign reports that the sentence quotes words of ours that are written in English only, and language is another:
// then it is not for a lead's eyes.
func (r Reason) Foreign(language Language) bool {
	if language == English {
		return false
	}
	for _, also := range nestedReasons(r.Args["also"]) {
		if also.Foreign(language) {
			return true
		}
	}
	return englishPlace.MatchString(reasonWords[r.Code].in(language))
}

// UnmarshalJSON reads a reason; lists and args that are missing are empty.
func (r *Reason) UnmarshalJSON(data []byte) error {
	type plain Reason
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	r.fill()
	return nil
}

func (r *Reason) fill() {
	if r.Args == nil {
		r.Args = ReasonArgs{}
	}
	if r.Citations == nil {
		r.Citations = []Citation{}
	}
}

// RuleResult is the answer to one rule; its JSON names are those of api.md (validationResults) and review.md
// section 1. The reason decides: IsValidReason and WouldPassIf are what it says, in English where they are stored,
// and are never read back.
type RuleResult struct {
	RuleName      string `json:"ruleName"` // the rule as the workspace wrote it
	IsValid       bool   `json:"isValid"`
	IsValidReason string `json:"isValidReason"` // one sentence with the printed evidence
	// what would have to be so for the rule to be met; null when it is, or nothing was found
	WouldPassIf *string `json:"wouldPassIf"`
	Reason
}

// NewRuleResult says a reason's verdict on a rule.
func NewRuleResult(rule string, valid bool, why Reason) RuleResult {
	r := RuleResult{RuleName: rule, IsValid: valid, Reason: why}
	r.fill()
	return r.InLanguage(English)
}

// InLanguage returns the result with its sentences in a language.
func (r RuleResult) InLanguage(language Language) RuleResult {
	if r.None() {
		return r // of an answer that was told before there were codes
	}
	r.IsValidReason, r.WouldPassIf = r.In(language), nil
	if change, ok := r.Args["wouldPass"]; ok && !r.IsValid {
		if nested, ok := nestedReason(change); ok {
			said := nested.sentence(reasonVoice{language: language})
			r.WouldPassIf = &said
		}
	}
	return r
}

// UnmarshalJSON reads a result as it is stored: the reason's own reading must not take the place of this one.
func (r *RuleResult) UnmarshalJSON(data []byte) error {
	type flat struct {
		RuleName      string     `json:"ruleName"`
		IsValid       bool       `json:"isValid"`
		IsValidReason string     `json:"isValidReason"`
		WouldPassIf   *string    `json:"wouldPassIf"`
		Code          ReasonCode `json:"code"`
		Args          ReasonArgs `json:"args"`
		Citations     []Citation `json:"citations"`
	}
	var f flat
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*r = RuleResult{f.RuleName, f.IsValid, f.IsValidReason, f.WouldPassIf, Reason{f.Code, f.Args, f.Citations}}
	r.fill()
	return nil
}

// Unsure reports that the rule was neither met nor broken as far as anybody could read.
func (r RuleResult) Unsure() bool { return !r.IsValid && r.Asks() }

// ValidationResult is what one document is worth for one checklist item (api.md, validationResult).
type ValidationResult struct {
	OtherNotes   string       `json:"otherNotes"`
	OverallValid bool         `json:"overallValid"`
	Results      []RuleResult `json:"validationResults"` // in the order of the rules
}

// InLanguage returns the result with its sentences in a language.
func (v ValidationResult) InLanguage(language Language) ValidationResult {
	results := make([]RuleResult, len(v.Results))
	for i, r := range v.Results {
		results[i] = r.InLanguage(language)
	}
	v.Results = results
	return v
}

// NeedsReview reports that nothing is wrong with the document but something is left for a person to decide.
// A broken rule is stronger than an unsure one.
func (v ValidationResult) NeedsReview() bool {
	return !v.OverallValid && v.Broken() == nil
}

// Broken returns the first rule that the document breaks, nil when it breaks none.
func (v ValidationResult) Broken() *RuleResult {
	for i, r := range v.Results {
		if !r.IsValid && !r.Unsure() {
			return &v.Results[i]
		}
	}
	return nil
}

// Doubt returns the first rule that waits for a person, nil when none does.
func (v ValidationResult) Doubt() *RuleResult {
	for i, r := range v.Results {
		if r.Unsure() {
			return &v.Results[i]
		}
	}
	return nil
}

// reasonNouns are the words of values in reasons, in English and Spanish; a table of its own stands before the point.
var reasonNouns = map[string][2]string{
	"the_document": {"The document", "El documento"},

	"account_holder": {"account holder", "titular de la cuenta"},
	"spouse":         {"spouse", "cónyuge"},
	"preparer":       {"preparer", "preparador"},
	"taxpayer":       {"taxpayer", "contribuyente"},
	"name":           {"name", "nombre"},
	"entity":         {"entity", "entidad"},
	"employer":       {"employer", "empleador"},
	"employee":       {"employee", "empleado"},
	"tenant":         {"tenant", "inquilino"},
	"landlord":       {"landlord", "arrendador"},
	"company":        {"company", "empresa"},
	"insured":        {"insured", "asegurado"},
	"entityName":     {"entity name", "nombre de la entidad"},
	"accountHolder":  {"account holder", "titular de la cuenta"},
	"who.lead":       {"the lead", "la persona"},
	"who.business":   {"the business", "el negocio"},
	"who.owner":      {"an owner", "un dueño"},

	"institution":         {"institution", "institución"},
	"date_of_birth":       {"date of birth", "fecha de nacimiento"},
	"ein":                 {"EIN", "EIN"},
	"address":             {"address", "dirección"},
	"date":                {"date", "fecha"},
	"year":                {"year", "año"},
	"form_number":         {"form number", "número de formulario"},
	"currency":            {"currency", "moneda"},
	"type_of_account":     {"type of account", "tipo de cuenta"},
	"accounting_basis":    {"accounting basis", "base contable"},
	"country_of_issue":    {"country of issue", "país de expedición"},
	"period":              {"period", "período"},
	"expiry_date":         {"expiry date", "fecha de vencimiento"},
	"account_number":      {"account number", "número de cuenta"},
	"full_account_number": {"account number in full", "número de cuenta completo"},
	"document_number":     {"document number", "número de documento"},
	"transactions":        {"transactions", "movimientos"},

	"statement_date":  {"statement date", "fecha del estado de cuenta"},
	"period_end":      {"end of the statement's period", "fin del período"},
	"issue_date":      {"date of issue", "fecha de expedición"},
	"tax_period_end":  {"end of the tax period", "fin del período fiscal"},
	"tax_year_end":    {"end of the tax year", "fin del año fiscal"},
	"tax_year":        {"tax year", "año fiscal"},
	"column_end":      {"latest period's end", "fin del último período"},
	"pay_date":        {"pay date", "fecha de pago"},
	"figures_date":    {"date of the figures", "fecha de las cifras"},
	"report_date":     {"report date", "fecha del informe"},
	"request_date":    {"date of the request", "fecha de la solicitud"},
	"end_of_period":   {"end of the period", "fin del período"},
	"start_of_period": {"start of the period", "inicio del período"},

	"average_daily_balance":               {"average daily balance", "saldo diario promedio"},
	"lowest_balance":                      {"lowest balance", "saldo más bajo"},
	"closing_balance":                     {"closing balance", "saldo final"},
	"opening_balance":                     {"opening balance", "saldo inicial"},
	"available_balance":                   {"available balance", "saldo disponible"},
	"total_of_deposits":                   {"total of deposits", "total de depósitos"},
	"total_of_withdrawals":                {"total of withdrawals", "total de retiros"},
	"service_fees":                        {"service fees", "comisiones"},
	"number_of_negative_days":             {"number of negative days", "días en negativo"},
	"number_of_NSF_and_overdraft_entries": {"number of NSF and overdraft entries", "cargos por fondos insuficientes"},
	"number_of_deposits":                  {"number of deposits", "número de depósitos"},
	"number_of_withdrawals":               {"number of withdrawals", "número de retiros"},
	"number_of_transactions":              {"number of transactions", "número de movimientos"},
	"adjusted_gross_income":               {"adjusted gross income", "ingreso bruto ajustado"},
	"gross_receipts":                      {"gross receipts", "ingresos brutos"},
	"taxable_income":                      {"taxable income", "ingreso gravable"},
	"total_income":                        {"total income", "ingreso total"},
	"ordinary_business_income":            {"ordinary business income", "ingreso ordinario del negocio"},
	"total_tax":                           {"total tax", "impuesto total"},
	"revenue":                             {"revenue", "ingresos"},
	"gross_profit":                        {"gross profit", "ganancia bruta"},
	"net_income":                          {"net income", "ganancia neta"},
	"total_assets":                        {"total assets", "activo total"},
	"total_liabilities":                   {"total liabilities", "pasivo total"},
	"total_equity":                        {"total equity", "capital total"},
	"cash":                                {"cash", "efectivo"},
	"net_pay":                             {"net pay", "pago neto"},
	"total_earnings":                      {"total earnings", "ingresos totales"},
	"wages":                               {"wages", "salarios"},
	"portfolio_value":                     {"portfolio value", "valor de la cartera"},
	"total":                               {"total", "total"},

	"op.>=": {"at least", "al menos"},
	"op.<=": {"at most", "como máximo"},
	"op.>":  {"more than", "más de"},
	"op.<":  {"less than", "menos de"},
	"op.=":  {"exactly", "exactamente"},

	"owner.personal": {"a personal", "personal"},
	"owner.business": {"a business", "del negocio"},

	"kind.bank_statement":      {"a bank statement", "un estado de cuenta bancario"},
	"kind.tax_return":          {"an income tax return", "una declaración de impuestos"},
	"kind.drivers_license":     {"a driver's license", "una licencia de conducir"},
	"kind.passport":            {"a passport", "un pasaporte"},
	"kind.national_id":         {"a national identity card", "una tarjeta de identidad"},
	"kind.residence_permit":    {"a residence permit", "un permiso de residencia"},
	"kind.financial_statement": {"a financial statement", "un estado financiero"},
	"kind.tax_form_other": {
		"a tax form that is no income tax return",
		"un formulario de impuestos que no es una declaración",
	},
	"kind.pay_stub":                  {"a pay stub", "un recibo de nómina"},
	"kind.invoice":                   {"an invoice", "una factura"},
	"kind.receipt":                   {"a receipt", "un recibo"},
	"kind.utility_bill":              {"a utility bill", "un recibo de servicios"},
	"kind.credit_card_statement":     {"a credit card statement", "un estado de tarjeta de crédito"},
	"kind.brokerage_statement":       {"a brokerage statement", "un estado de cuenta de corretaje"},
	"kind.investment_statement":      {"an investment statement", "un estado de inversiones"},
	"kind.asset_verification":        {"an asset verification report", "un informe de activos"},
	"kind.lease":                     {"a lease", "un contrato de alquiler"},
	"kind.insurance":                 {"an insurance document", "un documento de seguro"},
	"kind.check":                     {"a check", "un cheque"},
	"kind.benefit_plan_report":       {"a benefit plan report", "un informe de un plan de beneficios"},
	"kind.rent_roll":                 {"a rent roll", "una lista de alquileres"},
	"kind.rate_confirmation":         {"a rate confirmation", "una confirmación de tarifa"},
	"kind.social_security_card":      {"a social security card", "una tarjeta de seguro social"},
	"kind.other":                     {"a document of no known type", "un documento de tipo desconocido"},
	"kind.identity_document":         {"an identity document", "un documento de identidad"},
	"kind.income_tax_return":         {"an income tax return", "una declaración de impuestos"},
	"kind.insurance_document":        {"an insurance document", "un documento de seguro"},
	"kind.asset_verification_report": {"an asset verification report", "un informe de activos"},
	"kind.state_id":                  {"a national or state identity card", "una tarjeta de identidad"},
	"kind.income_statement":          {"an income statement", "un estado de resultados"},
	"kind.balance_sheet":             {"a balance sheet", "un balance general"},
	"kind.cash_flow_statement":       {"a cash flow statement", "un estado de flujo de efectivo"},

	"layer.text":       {"a document with a text layer", "un documento con texto"},
	"layer.scanned":    {"a scan", "un escaneo"},
	"layer.image":      {"an image", "una imagen"},
	"layer.native":     {"a data file", "un archivo de datos"},
	"layer.":           {"of unknown make", "de origen desconocido"},
	"layer.scan":       {"a scan", "un escaneo"},
	"layer.photo":      {"a photo", "una foto"},
	"layer.screenshot": {"a screenshot", "una captura de pantalla"},

	"check.reconciles":             {"Reconciles", "los saldos cuadran"},
	"check.balance_sheet_balances": {"Balance sheet balances", "el balance cuadra"},
	"check.income_statement_foots": {"Income statement foots", "el estado de resultados suma"},
	"check.cash_flow_foots":        {"Cash flow foots", "el flujo de efectivo suma"},
	"check.lines_foot":             {"Lines foot", "las líneas suman"},

	"model.addressed": {
		"the document's text speaks to a language model, so none was asked",
		"el texto del documento se dirige a un modelo de lenguaje, y no se preguntó a ninguno",
	},
	"model.dropped": {
		"a language model's answer had no evidence in the document",
		"la respuesta de un modelo de lenguaje no tenía prueba en el documento",
	},
	"model.silent": {"a language model gave no answer", "un modelo de lenguaje no respondió"},
	"model.undecided": {
		"a language model found nothing in the document that decides it",
		"un modelo de lenguaje no halló nada en el documento que lo decida",
	},

	"failure.encrypted": {
		"it is protected by a password; send it without one",
		"está protegido con contraseña; envíelo sin ella",
	},
	"failure.corrupt": {"the file is damaged; send it again", "el archivo está dañado; envíelo de nuevo"},
	"failure.unsupported_type": {
		"this type of file is not supported; send a PDF, an image, a workbook, a text document, a CSV or a bank's " +
			"export",
		"este tipo de archivo no sirve; envíe un PDF, una imagen, una hoja de cálculo, un documento de texto, un " +
			"CSV o la exportación de un banco",
	},
	"failure.too_large": {"the file is too large", "el archivo es demasiado grande"},
	"failure.too_many_pages": {
		"it has too many pages; send only what was asked for",
		"tiene demasiadas páginas; envíe solo lo que se pidió",
	},
	"failure.ocr_unavailable": {"reading images is not available here", "aquí no se pueden leer imágenes"},
	"failure.timeout":         {"reading took too long", "la lectura tardó demasiado"},
	"failure.memory":          {"reading needed too much memory", "la lectura necesitó demasiada memoria"},
}
