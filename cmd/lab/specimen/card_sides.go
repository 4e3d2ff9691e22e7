package specimen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// Where a caption stands beside its value.
const (
	above  = 'A'
	before = 'B'
	under  = 'U'
	none   = 'N'
)

// sideCell is a caption with its value. what is a fact, or any other text as it is printed.
type sideCell struct {
	x, y    float64
	at      rune
	caption string
	what    string
}

// sidePlan is a card whose two sides lie in one picture. Sources: PRADO, the register of the Council of the European
// Union; the specimens that the issuers publish.
type sidePlan struct {
	name, country, title string
	docType              dossier.DocType
	idType               string
	pattern, layout      string
	front, back          []sideCell
	zone                 string // td1 on the back; empty: none
	stacked              bool   // the back lies below the front, not beside it
	months               string // of words, parted by blanks; empty: English
	state                string
}

const spanishMonths = "ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC"

var sidePlans = []sidePlan{
	{"estonia", "EST", "EESTI VABARIIK  REPUBLIC OF ESTONIA", dossier.DocNationalID, "NATIONAL_ID", "AA0000000",
		"02.01.2006",
		[]sideCell{{150, 60, above, "PEREKONNANIMI/SURNAME", "last"}, {150, 88, above, "EESNIMED/GIVEN NAMES",
			"first"}, {150, 116, above, "SUGU/SEX", "sex"},
			{230, 116, above, "KODAKONDSUS/CITIZENSHIP", "EST"}, {150, 144, above, "SÜNNIAEG/DATE OF BIRTH", "born"},
			{300, 144, above, "ISIKUKOOD/PERSONAL CODE", "code:00000000000"},
			{150, 172, above, "DOKUMENDI NUMBER/DOCUMENT NUMBER", "number"}, {340, 172, above,
				"KEHTIV KUNI/DATE OF EXPIRY", "expiry"}},
		[]sideCell{{20, 40, above, "VÄLJAANDMISKUUPÄEV/DATE OF ISSUE", "issue"}, {20, 70, above,
			"VÄLJAANDJA/AUTHORITY", "EXAMPLE OFFICE"}}, "td1", true, "", ""},
	{"germany", "DEU", "BUNDESREPUBLIK DEUTSCHLAND", dossier.DocNationalID, "NATIONAL_ID", "L0A0AA0A0", "02.01.2006",
		[]sideCell{{360, 52, none, "", "number"}, {150, 70, above, "[a] Name/Surname/Nom", "last"}, {150, 98, above,
			"Vornamen/Given names/Prénoms", "first"},
			{150, 126, above, "Geburtstag/Date of birth/", "born"}, {300, 126, above,
				"Staatsangehörigkeit/Nationality", "DEUTSCH"}, {150, 154, above, "Geburtsort/Place of birth",
				"BEISPIELSTADT"},
			{150, 182, above, "Gültig bis/Date of expiry/", "expiry"}},
		[]sideCell{{20, 40, above, "Augenfarbe/Colour of eyes", "GRÜN"}, {150, 40, above, "Größe/Height", "170 cm"},
			{20, 70, above, "Datum/Date/Date", "issue"},
			{150, 70, above, "Behörde/Authority", "STADT BEISPIELSTADT"}}, "td1", true, "", ""},
	{"chile", "CHL", "REPÚBLICA DE CHILE", dossier.DocNationalID, "NATIONAL_ID", "000000000", "02 Jan 2006",
		[]sideCell{{150, 60, above, "APELLIDOS", "last"}, {150, 92, above, "NOMBRES", "first"}, {150, 122, above,
			"NACIONALIDAD", "CHILENA"}, {280, 122, above, "SEXO", "sex"},
			{150, 150, above, "FECHA DE NACIMIENTO", "born"}, {300, 150, above, "NÚMERO DOCUMENTO", "number"}, {150,
				178, above, "FECHA DE EMISIÓN", "issue"},
			{300, 178, above, "FECHA DE VENCIMIENTO", "expiry"}, {30, 214, before, "RUN", "code:00.000.000-0"}},
		[]sideCell{{20, 40, before, "Nació en:", "EXAMPLE"}, {20, 56, before, "Profesión:", "NO INFORMADA"}}, "td1",
		false, spanishMonths, ""},
	{"switzerland", "CHE", "SCHWEIZERISCHE EIDGENOSSENSCHAFT CONFÉDÉRATION SUISSE", dossier.DocNationalID,
		"NATIONAL_ID", "A0000000", "02.01.06",
		[]sideCell{{150, 70, above, "Name • Nom • Cognome • Num • Surname", "last"}, {150, 98, above,
			"Vorname(n) • Prénom(s) • Nome(i) • Prenum(s) • Given name(s)", "first"},
			{150, 126, above, "Geburtsdatum • Date de naissance • Date of birth", "born"}, {350, 126, above,
				"Geschlecht • Sexe • Sex", "sex"}, {350, 60, above, "", "number"}},
		[]sideCell{{20, 40, above, "Heimatort • Lieu d'origine • Place of origin", "BEISPIEL ZH"}, {20, 68, above,
			"Ausgestellt am • Date d'établissement • Date of issue", "issue"},
			{20, 96, above, "Gültig bis • Date d'expiration • Date of expiry", "expiry"}}, "td1", true, "", ""},
	{"lithuania", "LTU", "LIETUVOS RESPUBLIKA  REPUBLIC OF LITHUANIA", dossier.DocNationalID, "NATIONAL_ID",
		"00000000", "2006-01-02",
		[]sideCell{{150, 60, under, "Pavardė / Surname", "last"}, {150, 90, under, "Vardai / Given names", "first"},
			{150, 120, under, "Lytis / Sex", "sex"},
			{240, 120, under, "Gimimo data / Date of birth", "born"}, {150, 150, under, "Asmens kodas / Personal No.",
				"code:00000000000"}, {320, 150, under, "Kortelės Nr. / Card No.", "number"},
			{150, 180, under, "Galioja iki / Date of expiry", "expiry"}},
		[]sideCell{{20, 46, under, "Išdavimo data / Date of issue", "issue"}}, "td1", false, "", ""},
	{"ontario", "CAN", "ONTARIO  CANADA", dossier.DocDriversLicense, "DRIVERS_LICENSE", "A0000-00000-00000",
		"2006/01/02",
		[]sideCell{{150, 60, before, "1,2 NAME/NOM", "last,"}, {222, 74, none, "", "first"}, {150, 92, before, "8",
			"100 EXAMPLE ST"}, {222, 104, none, "", "SAMPLETON, ON, K0K 0K0"},
			{150, 124, before, "4d NUMBER/NUMÉRO", "number"}, {150, 142, before, "4a ISS/DÉL", "issue"}, {310, 142,
				before, "4b EXP/EXP", "expiry"}, {150, 160, before, "5 DD/RÉF", "code:AA0000000"},
			{310, 160, before, "16 HGT/HAUT", "170 cm"}, {150, 178, before, "15 SEX/SEXE", "sex"}, {310, 178, before,
				"9 CLASS/CATÉG", "G"}, {150, 200, before, "3 DOB/DDN", "born"}},
		[]sideCell{{20, 60, before, "12 REST/COND", "NONE"}}, "", true, "", "ON"},
	{"queensland", "AUS", "QUEENSLAND AUSTRALIA", dossier.DocDriversLicense, "DRIVERS_LICENSE", "000000000",
		"02.01.2006",
		[]sideCell{{20, 60, before, "CRN", "number"}, {20, 84, none, "", "last"}, {20, 98, none, "", "first"}, {20,
			124, above, "Date of Birth", "born"},
			{130, 124, above, "Sex", "sex"}, {20, 152, above, "Class", "C"}, {80, 152, above, "Effective", "issue"},
			{170, 152, above, "Expiry", "expiry"}},
		[]sideCell{{20, 60, before, "Address", "1 EXAMPLE PARADE SAMPLEVALE 4999"}}, "", false, "", "QLD"},
	{"brazil", "BRA", "REPÚBLICA FEDERATIVA DO BRASIL", dossier.DocDriversLicense, "DRIVERS_LICENSE", "00000000000",
		"02/01/2006",
		[]sideCell{{150, 60, above, "2 e 1 NOME E SOBRENOME", "full"}, {150, 90, above,
			"3 DATA, LOCAL E UF DE NASCIMENTO", "born"}, {150, 120, above, "4a DATA EMISSÃO", "issue"},
			{250, 120, above, "4b VALIDADE", "expiry"}, {150, 150, above, "4c DOC. IDENTIDADE / ÓRG. EMISSOR / UF",
				"code:0000000 SSP SP"}, {150, 180, above, "4d CPF", "code:000.000.000-00"},
			{250, 180, above, "5 Nº REGISTRO", "number"}, {360, 180, above, "9 CAT HAB", "B"}},
		[]sideCell{{20, 60, above, "LOCAL", "EXEMPLO, SP"}}, "", true, "", ""},
	{"singapore", "SGP", "REPUBLIC OF SINGAPORE", dossier.DocNationalID, "NATIONAL_ID", "A0000000A", "02-01-2006",
		[]sideCell{{240, 34, before, "IDENTITY CARD NO.", "number"}, {150, 60, above, "Name", "full"}, {150, 100,
			above, "Race", "CHINESE"}, {150, 128, above, "Date of birth", "born"},
			{280, 128, above, "Sex", "sex"}, {150, 156, above, "Country/Place of birth", "SINGAPORE"}},
		[]sideCell{{20, 60, above, "Date of issue", "issue"}, {20, 100, above, "Address",
			"BLK 100 EXAMPLE AVE 1 #01-01"}}, "", false, "", ""},
}

// SidesDesigns names the cards whose two sides lie in one picture.
func SidesDesigns() []string {
	var names []string
	for _, p := range sidePlans {
		names = append(names, p.name)
	}
	return names
}

// Sides draws both sides of a card in one picture. An unknown design is the first.
func Sides(seed uint64, design string) Specimen {
	plan := sidePlans[max(0, slices.IndexFunc(sidePlans, func(p sidePlan) bool { return p.name == design }))]
	const w, h = 486, 306
	d := roll(seed, "sides/"+plan.name)
	made := idDesign{name: plan.name + "_sides", docType: plan.docType, idType: plan.idType, country: plan.country,
		title: plan.title, w: w, h: h,
		paper: ink{243, 244, 240}, accent: ink{40, 60, 110}, base: style{sans, 10.5, black}, code: "ID",
		traps: []string{"both sides in one picture"}}
	made.state = plan.state
	c := newIDCard(d, IDOptions{Seed: seed, AsOf: date(2025, 6, 30)}, made)
	width, height, right, down := float64(2*w+12), float64(h), float64(w+12), 0.0
	if plan.stacked {
		width, height, right, down = w, 2*h+12, 0, h+12
	}
	drawn := newSheet(width, height, "", date(2025, 6, 30))
	c.p = drawn.add()
	c.p.fill(0, 0, width, height, ink{200, 196, 190}) // the table
	c.p.fill(0, 0, w, h, made.paper)
	c.p.fill(right, down, w, h, made.paper)
	c.p.text(18, 24, plan.title, style{sansBold, 13, c.accent})
	if plan.docType == dossier.DocNationalID {
		c.p.right(w-18, 14, "IDENTITY CARD", style{sansBold, 8, c.accent})
	} else {
		c.p.right(w-18, 24, "DRIVER LICENCE", style{sansBold, 9, c.accent})
	}
	if plan.name == "queensland" {
		c.portrait(340, 50, 120, 150)
	} else {
		c.portrait(18, 46, 112, 148)
	}
	if c.facts.Number == nil {
		c.say(&c.facts.Number, patterned(d, plan.pattern))
		c.say(&c.facts.Sex, pick(d, []string{"M", "F"}))
	}
	shown := map[string]bool{}
	for _, cell := range plan.front {
		c.sideCell(plan, cell, 0, 0, shown)
	}
	for _, cell := range plan.back {
		c.sideCell(plan, cell, right, down, shown)
	}
	if plan.zone != "" {
		c.backZone(right, down)
		shown["sex"] = true
	}
	if !shown["sex"] {
		c.facts.Sex = nil
	}
	c.truth.Facts.Identity, c.truth.NotTested = c.facts, append(c.truth.NotTested, "address")
	if plan.name == "singapore" { // one caption for both names: which is which, the card does not say
		c.truth.NotTested = append(c.truth.NotTested, "firstName", "lastName")
	}
	return pictured(Specimen{Name: fmt.Sprintf("id/%s_%d.png", made.name, seed), MimeType: mimePNG, Truth: *c.truth,
		sheet: drawn})
}

// sideCell prints one cell of a side.
func (c *idCard) sideCell(plan sidePlan, cell sideCell, right, down float64, shown map[string]bool) {
	f := c.facts
	day := func(fact **string, t time.Time) string {
		*fact = ptr(iso(t))
		printed := strings.ToUpper(t.Format(plan.layout))
		if plan.months != "" {
			printed = strings.Replace(printed, strings.ToUpper(t.Format("Jan")),
				strings.Fields(plan.months)[t.Month()-1], 1)
		}
		return printed
	}
	value := cell.what
	shown[cell.what] = true
	switch cell.what {
	case "number":
		value = *f.Number
	case "last":
		value = c.say(&f.LastName, c.who.last)
	case "last,":
		value = c.say(&f.LastName, c.who.last) + ","
	case "first":
		value = c.say(&f.FirstName, c.given())
	case "full":
		value = c.say(&f.FirstName, c.given()) + " " + c.say(&f.LastName, c.who.last)
	case "born":
		value = day(&f.DateOfBirth, c.born)
	case "issue":
		value = day(&f.IssueDate, c.issued)
	case "expiry":
		value = day(&f.ExpiryDate, c.ends)
	case "sex":
		value = *f.Sex
	default:
		if pattern, coded := strings.CutPrefix(value, "code:"); coded {
			value = patterned(c.d, pattern)
		}
	}
	small, x, y := style{sans, 6.8, c.accent}, cell.x+right, cell.y+down
	switch cell.at {
	case above:
		c.p.text(x, y, cell.caption, small)
		c.p.text(x, y+12, value, c.base.bold())
	case under:
		c.p.text(x, y, value, c.base.bold())
		c.p.text(x, y+9, cell.caption, small)
	case before:
		end := c.p.text(x, y, cell.caption, small)
		c.p.text(end+6, y, value, c.base.bold())
	default:
		c.p.text(x, y, value, c.base.bold())
	}
}

// backZone prints the zone of a card at the foot of its back.
func (c *idCard) backZone(right, down float64) {
	lines := c.zoneFields().td1()
	const size, lead = 17, 26
	top := down + c.h - lead*float64(len(lines)) + 8
	c.p.fill(right, top-lead, c.w, c.h+down-top+lead, white)
	for i, l := range lines {
		c.p.text(right+60, top+lead*float64(i), l, style{mono, size, black})
	}
	c.facts.MRZ, c.facts.MRZValid = lines, ptr(true)
	c.facts.ExpiryDate = ptr(iso(c.ends))
}
