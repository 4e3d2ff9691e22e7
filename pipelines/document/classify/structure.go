package classify

import (
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// weighStructure adds what the layout of a page says, which outranks words: tax form titles, machine
// readable zones, balance sheet equations.
func weighStructure(p text.Page, lines []text.Line, folded, head string, scores map[dossier.DocType]float64,
	why map[dossier.DocType][]string, kind *pageKind) {
	add := scoring(scores, why)
	if isStateReturn(lines[:headLines(lines, p)], head) {
		add(dossier.DocTaxFormOther, 14, "return to a state p%d", p.Number)
	} else if f, ok := taxFormOf(folded, head+stackedTitles(lines[:headLines(lines, p)])); ok {
		kind.form, kind.year = f.name, yearOfTax(f, folded, head)
		if g := yearOfForm.FindStringSubmatch(folded); (kind.year == 0 || f.anyPage) && g != nil {
			// The large figures of the head are hard to read in a scan, and amounts of a later page may look like
			// years.
			kind.year, _ = strconv.Atoi(g[1])
		}
		if kind.year != 0 { // later pages of a scan may have lost theirs
			kind.key = baseForm(f.name) + "/" + strconv.Itoa(kind.year)
		}
		weight := 14.0
		if f.docType == dossier.DocTaxReturn && laterPages.MatchString(firstLines(head, 2)) &&
			text.HasWords(firstLines(head, 2), "page") {
			weight = 40 // a return prints balance sheets on its later pages
		}
		add(f.docType, weight, "form %s p%d", f.name, p.Number)
	}
	if p.Layer == text.LayerText && p.Width > 0 && p.Width < 330 && text.HasWords(folded, "total") {
		add(dossier.DocReceipt, 3, "set on a till's roll p%d", p.Number)
	}
	weighDeposits(p, lines, folded, scores, add)
	m, zone := text.FindMRZ(lines)
	if zone {
		weighZone(m, p, add)
	} else if text.HasPassportNames(lines) {
		zone = true
		add(dossier.DocPassport, 5, "names of a passport's machine readable zone p%d", p.Number)
	}
	weighCard(lines, folded, zone, scores)
	weighCodes(p, add)
}

// weighCodes says what the code on a card speaks for. Nothing else carries one, but a form may show a copied card among
// its own words.
func weighCodes(p text.Page, add func(dossier.DocType, float64, string, ...any)) {
	for _, c := range p.Codes {
		switch {
		case c.Name != text.CodedKind || len(p.Tokens) > mostCardWords:
		case c.Text == "ID" || c.Text == text.CodedAadhaar:
			add(dossier.DocNationalID, 14, "code of an identity card p%d", p.Number)
		default:
			add(dossier.DocDriversLicense, 14, "code of a driving licence p%d", p.Number)
		}
	}
}

// yearOfForm is the form's name with its year at the foot of a page: "Form 1120-S (2019)".
var yearOfForm = lazyregexp.New(`\b(?:form|schedule [a-z]) (?:\d{3,4}(?: [a-z]{1,2})? |form )*(20[0-4]\d)\b`)

// weighZone says what a machine readable zone speaks for: P is a passport; cards are national identity
// cards unless their issuer's code says residence.
func weighZone(m text.MRZ, p text.Page, add func(dossier.DocType, float64, string, ...any)) {
	weight := 5.0
	if m.Valid {
		weight = 9
	}
	switch {
	case m.Code == "V":
		add(dossier.DocPassport, -12, "machine readable zone of a visa p%d", p.Number)
	case m.Code == "P" || m.Code == "" && m.Format == "TD3":
		add(dossier.DocPassport, weight, "machine readable zone of a passport p%d", p.Number)
	case m.Issuer == "USA" && (m.Code == "C" || strings.HasPrefix(m.Lines[0], "IA")),
		strings.HasPrefix(m.Lines[0], "IR"), strings.HasPrefix(m.Lines[0], "AR"),
		strings.HasPrefix(m.Lines[0], "CR"):
		add(dossier.DocResidencePermit, weight, "machine readable zone of a residence card p%d", p.Number)
	case m.Code == "I" || m.Code == "A" || m.Code == "C":
		add(dossier.DocNationalID, weight, "machine readable zone of an identity card p%d", p.Number)
	}
}

// taxForm is how an official form says what it is.
type taxForm struct {
	name    string
	docType dossier.DocType
	title   string // folded; "+" joins parts that must all be there
	anyPage bool   // also a line that pages after the first carry
}

// taxForms are tried in order: a form whose title contains another form's title stands before it.
var taxForms = []taxForm{
	{"7004", dossier.DocTaxFormOther, "application for automatic extension of time to file certain business", false},
	{"7004", dossier.DocTaxFormOther, "automatic extension+certain business", false},
	{"4868", dossier.DocTaxFormOther, "application for automatic extension of time to file", false},
	{"4868", dossier.DocTaxFormOther, "automatic extension", false}, // what a scan leaves of the title
	{"4868", dossier.DocTaxFormOther, "extension of time", false},
	{"4868", dossier.DocTaxFormOther, "4868+individual income tax return", false},
	{"4506-T", dossier.DocTaxFormOther, "request for transcript of tax return", false},
	{"4506-C", dossier.DocTaxFormOther, "ives request for transcript of tax return", false},
	{"Transcript", dossier.DocTaxFormOther, "return transcript", false},
	{"Transcript", dossier.DocTaxFormOther, "account transcript", false},
	{"8879", dossier.DocTaxFormOther, "e file signature authorization", false},
	{"8453", dossier.DocTaxFormOther, "tax declaration for an irs e file return", false},
	{"8821", dossier.DocTaxFormOther, "tax information authorization", false},
	{"2848", dossier.DocTaxFormOther, "power of attorney and declaration of representative", false},
	{"1040-V", dossier.DocTaxFormOther, "1040 v+payment voucher", false},
	{"990-N", dossier.DocTaxFormOther, "990 n+postcard", false},
	{"1040-ES", dossier.DocTaxFormOther, "estimated tax for individuals", false},
	{"W-9", dossier.DocTaxFormOther, "request for taxpayer identification number", false},
	{"W-9", dossier.DocTaxFormOther, "request for taxpayer+identification number and certification", false},
	{"W-8BEN", dossier.DocTaxFormOther, "certificate of foreign status of beneficial owner", false},
	{"W-4", dossier.DocTaxFormOther, "employees withholding certificate", false},
	{"W-4", dossier.DocTaxFormOther, "employees withholding allowance certificate", false},
	{"W-3", dossier.DocTaxFormOther, "transmittal of wage and tax statements", false},
	{"W-2G", dossier.DocTaxFormOther, "certain gambling winnings", false},
	{"W-2c", dossier.DocTaxFormOther, "corrected wage and tax statement", false},
	{"W-2", dossier.DocTaxFormOther, "wage and tax statement", false},
	{"W-2", dossier.DocTaxFormOther, "w 2 wage and tax", false}, // four copies on a sheet: "Statement" stands below
	{"941", dossier.DocTaxFormOther, "employers quarterly federal tax return", false},
	{"940", dossier.DocTaxFormOther, "employers annual federal unemployment", false},
	{"944", dossier.DocTaxFormOther, "employers annual federal tax return", false},
	{"943", dossier.DocTaxFormOther, "employers annual federal tax return for agricultural employees", false},
	{"SS-4", dossier.DocTaxFormOther, "application for employer identification number", false},
	{"2553", dossier.DocTaxFormOther, "election by a small business corporation", false},
	{"8832", dossier.DocTaxFormOther, "entity classification election", false},
	{"1099-NEC", dossier.DocTaxFormOther, "1099 nec", false},
	{"1099-MISC", dossier.DocTaxFormOther, "1099 misc", false},
	{"1099-INT", dossier.DocTaxFormOther, "1099 int", false},
	{"1099-DIV", dossier.DocTaxFormOther, "1099 div", false},
	{"1099-K", dossier.DocTaxFormOther, "1099 k", false},
	{"1099-R", dossier.DocTaxFormOther, "1099 r", false},
	{"1099-G", dossier.DocTaxFormOther, "1099 g", false},
	{"1099-B", dossier.DocTaxFormOther, "1099 b", false},
	{"1099-S", dossier.DocTaxFormOther, "1099 s", false},
	{"1099-SA", dossier.DocTaxFormOther, "1099 sa", false},
	{"1099-Q", dossier.DocTaxFormOther, "1099 q", false},
	{"1099-OID", dossier.DocTaxFormOther, "1099 oid", false},
	{"1099-C", dossier.DocTaxFormOther, "1099 c", false},
	{"1099-A", dossier.DocTaxFormOther, "1099 a", false},
	{"SSA-1099", dossier.DocTaxFormOther, "ssa 1099", false},
	{"1098-E", dossier.DocTaxFormOther, "1098 e", false},
	{"1095-B", dossier.DocTaxFormOther, "1095 b+health coverage", false},
	{"1095-C", dossier.DocTaxFormOther, "1095 c+employer provided health insurance", false},
	{"5498", dossier.DocTaxFormOther, "5498+ira contribution information", false},
	{"1096", dossier.DocTaxFormOther, "annual summary and transmittal", false},
	{"1042-S", dossier.DocTaxFormOther, "1042 s+foreign persons", false},
	{"8822", dossier.DocTaxFormOther, "8822+change of address", false},
	{"433-A", dossier.DocTaxFormOther, "collection information statement for wage earners", false},
	{"9465", dossier.DocTaxFormOther, "installment agreement request", false},
	{"8962", dossier.DocTaxFormOther, "premium tax credit+8962", false},
	{"W-7", dossier.DocTaxFormOther, "application for irs individual taxpayer identification number", false},
	{"T4", dossier.DocTaxFormOther, "statement of remuneration paid", false},
	{"P60", dossier.DocTaxFormOther, "p60+end of year certificate", false},
	{"1098", dossier.DocTaxFormOther, "mortgage interest statement", false},
	{"1098", dossier.DocTaxFormOther, "form 1098+mortgage interest received", false}, // its title stands in three lines
	{"1098-T", dossier.DocTaxFormOther, "1098 t", false},
	{"1095-A", dossier.DocTaxFormOther, "health insurance marketplace statement", false},
	{"Schedule K-1", dossier.DocTaxFormOther, "schedule k 1+share of", false},
	{"5500", dossier.DocBenefitPlanReport, "annual return report of employee benefit plan", false},
	{"5500-SF", dossier.DocBenefitPlanReport, "short form annual return report of small employee benefit plan", false},
	{"1040-X", dossier.DocTaxReturn, "amended u s individual income tax return", false},
	{"1040-NR", dossier.DocTaxReturn, "nonresident alien income tax return", false},
	{"1040-SR", dossier.DocTaxReturn, "tax return for seniors", false},
	{"1040-EZ", dossier.DocTaxReturn, "income tax return for single and joint filers with no dependents", false},
	{"1040", dossier.DocTaxReturn, "individual income tax return", false},
	{"1120-S", dossier.DocTaxReturn, "income tax return for an s corporation", false},
	{"1120-X", dossier.DocTaxReturn, "amended u s corporation income tax return", false},
	{"1120-H", dossier.DocTaxReturn, "income tax return for homeowners associations", false},
	{"1120-F", dossier.DocTaxReturn, "income tax return of a foreign corporation", false},
	{"1120", dossier.DocTaxReturn, "u s corporation income tax return", false},
	{"1120", dossier.DocTaxReturn, "us corporation income tax return", false},
	{"1120", dossier.DocTaxReturn, "1120+corporation income tax return", false},
	{"1065", dossier.DocTaxReturn, "return of partnership income", false},
	{"1041", dossier.DocTaxReturn, "income tax return for estates and trusts", false},
	{"990-T", dossier.DocTaxReturn, "exempt organization business income tax return", false},
	{"990-EZ", dossier.DocTaxReturn, "short form return of organization exempt", false},
	{"990-EZ", dossier.DocTaxReturn, "990 ez+return of organization exempt", false}, // "Form" is set lower
	{"990-PF", dossier.DocTaxReturn, "return of private foundation", false},
	{"990", dossier.DocTaxReturn, "return of organization exempt from income tax", false},
	{"1040 Schedule C", dossier.DocTaxReturn, "profit or loss from business", false},
	{"1040 Schedule C", dossier.DocTaxReturn, "schedule c+sole proprietorship", false},
	{"1040 Schedule F", dossier.DocTaxReturn, "profit or loss from farming", false},
	{"1040 Schedule E", dossier.DocTaxReturn, "supplemental income and loss", false},
	{"1040 Schedule A", dossier.DocTaxReturn, "schedule a+itemized deductions", false},
	{"1040 Schedule B", dossier.DocTaxReturn, "interest and ordinary dividends", false},
	{"1040 Schedule D", dossier.DocTaxReturn, "schedule d+capital gains and losses", false},
	{"1040 Schedule SE", dossier.DocTaxReturn, "schedule se+self employment tax", false},
	{"1040 Schedule 1", dossier.DocTaxReturn, "additional income and adjustments to income", false},
	{"1040 Schedule 3", dossier.DocTaxReturn, "additional credits and payments", false},
	{"1040 Schedule 2", dossier.DocTaxReturn, "schedule 2+additional taxes", false},
}

// formMentioned matches what a head says of other forms: "unless the corporation has filed or is attaching Form 2553".
var formMentioned = lazyregexp.New(`\b(?:attach|attaching|filed|filing|file|see|with|from|or|and|of|using|by|on) ` +
	`forms? (?:[a-z] )?\d+[a-z]?`)

// partedNumber matches a social security number or a telephone's, whose last figures may be those of a form.
var partedNumber = lazyregexp.New(`\b\d{3} \d{2,3} \d{4}\b`)

// headsTranscript matches the title of a transcript of the tax office, and transcribed what one says of every form that
// it lists, on each of its pages.
var (
	headsTranscript = lazyregexp.New(`(?:^|\n) ?(?:wage and income|(?:tax )?return|(?:tax )?account` +
		`|record of account) transcript ?(?:\n|$)`)
	transcribed = lazyregexp.New(`\bsubmission type (?:original|amended|corrected) document\b`)
)

// taxFormOf finds which form a page is of, by its title, else by the header of a later page.
func taxFormOf(folded, head string) (taxForm, bool) {
	if explainsForm.MatchString(firstLines(head, 3)) {
		return taxForm{}, false
	}
	folded, head = partedNumber.ReplaceAllString(folded, " "), partedNumber.ReplaceAllString(head, " ")
	top := formMentioned.ReplaceAllString(firstLines(head, 4), " ")
	if transcribed.MatchString(folded) || headsTranscript.MatchString(firstLines(head, 6)) {
		return taxForm{name: "Transcript", docType: dossier.DocTaxFormOther}, true
	}
	if f, ok := laterPage(folded, head); ok && headsLaterPage.MatchString(firstLines(head, 2)) {
		return f, true // its margin may name other forms: "Attach Form(s) W-2. Also attach Form(s) W-2G and 1099-R"
	}
	for _, f := range taxForms { // a form's number in its corner outranks every title
		if f.docType != dossier.DocTaxReturn && text.HasWords(top, "form "+text.Fold(f.name)) {
			return f, true
		}
	}
	aside := isTaxAside(head)
	if f, ok := scheduleForm(folded, head); ok && !aside {
		return f, true
	}
	titles := strings.ReplaceAll(head, " \n ", " ") // a title may run over two lines
	for _, f := range taxForms {
		if hasParts(titles, f.title) && (f.docType != dossier.DocTaxReturn || !aside &&
			officialMark.MatchString(folded) && beginsLine(head, f.title)) {
			return f, true
		}
	}
	if f, ok := unreadTitle(folded, head); ok && !aside {
		return f, true
	}
	if f, ok := laterPage(folded, head); ok && !aside {
		return f, true
	}
	return smallForm(folded)
}

// smallForm finds which form of information a page is of: small forms print their title below the boxes, and their name
// at the foot of the page.
func smallForm(folded string) (taxForm, bool) {
	if !text.HasWords(folded, "omb no") && !text.HasWords(folded, "department of the treasury") {
		return taxForm{}, false
	}
	for _, f := range taxForms {
		if f.docType == dossier.DocTaxFormOther && (hasParts(folded, f.title) ||
			text.HasWords(folded, "form "+text.Fold(f.name)+" rev")) {
			return f, true
		}
	}
	return taxForm{}, false
}

func hasParts(s, title string) bool {
	for part := range strings.SplitSeq(title, "+") {
		if !text.HasWords(s, part) {
			return false
		}
	}
	return true
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

var yearWords = lazyregexp.New(`\b(20[0-4]\d|19[89]\d)\b`)

// Years that forms print which are none of theirs: of the form's revision, and of the returns that it may amend; the
// number of a house is none at all.
// taxPeriod is the period that transcripts, authorizations and amended returns are about.
var (
	otherYears = lazyregexp.New(`\brev (?:[a-z]+ )?(?:\d{1,2} )?(?:19|20)\d\d\b|\bamend (?:19|20)\d\d or later\b|` +
		`\b(?:19|20)\d\d(?: [a-z]+){1,3} (?:street|st|drive|dr|avenue|ave|road|rd|lane|ln|court|ct|boulevard|blvd)\b`)
	taxPeriod = lazyregexp.New(`\b(?:tax (?:period|year)(?: requested)?(?: ending)?|calendar year enter year) ` +
		`(?:\n )?(?:[a-z]{3,9} )?(?:\d{1,2} ){0,2}(20[0-4]\d)\b`)
)

// yearOfTax is the year of a form: the one it says it is about, else the one in its head; 0 when it names none.
func yearOfTax(f taxForm, folded, head string) int {
	switch {
	case f.docType == dossier.DocTaxFormOther, f.name == "1040-X":
		if g := taxPeriod.FindStringSubmatch(folded); g != nil {
			year, _ := strconv.Atoi(g[1])
			return year
		}
	}
	head = otherYears.ReplaceAllString(head, " ")
	year := yearIn(head)
	if f.name == "1040-X" && len(yearWords.FindAllString(head, -1)) > 1 {
		return 0 // one of several boxes
	}
	if year == 0 && f.docType == dossier.DocTaxFormOther {
		year = yearIn(otherYears.ReplaceAllString(folded, " ")) // small forms print it below their boxes
	}
	return year
}

// yearIn is the year that a form's head prints most often, the earlier on a tie; 0 when none.
func yearIn(head string) int {
	counts, best, most := map[string]int{}, "", 0
	for _, y := range yearWords.FindAllString(head, -1) {
		if counts[y]++; counts[y] > most {
			best, most = y, counts[y]
		}
	}
	year, _ := strconv.Atoi(best)
	if g := partedYear.FindStringSubmatch(head); best == "" && g != nil {
		year, _ = strconv.Atoi("20" + g[1])
	}
	return year
}

// partedYear matches the large year of a form's head, whose halves are set in an outlined and in a solid face.
var partedYear = lazyregexp.New(`\b20 ([12]\d)\b(?: ?\n| ?$)`)

// baseForm is the form that a schedule goes with: "1040" of "1040 Schedule C", and of its variants for seniors.
func baseForm(name string) string {
	base, _, _ := strings.Cut(name, " Schedule ")
	if base == "1040-SR" || base == "1040-NR" {
		return "1040"
	}
	return base
}

// sameReturn reports whether a form may follow in the return of another: the form itself, and its schedules.
func sameReturn(first, next string) bool {
	return first == next || baseForm(first) == baseForm(next) && strings.Contains(next, " Schedule ")
}

// scheduleHead matches the head of a schedule, which names the form that it is attached to.
var (
	scheduleHead = lazyregexp.New(`(?:^|\n ?)schedule (1 a|[1-3]|[a-fhjor]|se|eic|8812|m 3|k 2|k 3)\b`)
	scheduleOf   = lazyregexp.New(`\bforms? (1040|1120 s|1120s|1120|1065|1041|990)\b`)
)

// scheduleForm finds the schedule whose page it is by the letter in the corner of its head and the form below it.
func scheduleForm(folded, head string) (taxForm, bool) {
	top := firstLines(head, 6)
	letter := scheduleHead.FindStringSubmatch(top)
	of := scheduleOf.FindStringSubmatch(top)
	if letter == nil || of == nil || !officialMark.MatchString(folded) || strings.HasPrefix(top, "form ") {
		return taxForm{}, false // a later page of the form itself, where a schedule begins
	}
	form := strings.ToUpper(strings.NewReplacer("1120s", "1120-S", " ", "-").Replace(of[1]))
	return taxForm{name: form + " Schedule " + strings.ToUpper(strings.ReplaceAll(letter[1], " ", "-")),
		docType: dossier.DocTaxReturn}, true
}
