package specimen

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// worldPlan says how a country words a passport, an identity card or a licence.
type worldPlan struct {
	code, country, title string
	words                string // of the kind of document, then captions: number, surname, given names, birth, sex, issue, expiry; parted by "|"
	layout               string // of dates; "month" is a month in words of two languages
	pattern              string // of the number
	zone                 string // td1, td2, td3; empty: a licence by the fields 1 to 9 of the European Union
}

// worldPlans are passports, cards and licences. Sources: ICAO 9303; directive 2006/126/EC; the register of the Council
// of the European Union of documents (PRADO), for the captions.
var worldPlans = []worldPlan{
	{"passport", "FIN", "SUOMI FINLAND", "PASSI PASS PASSPORT|Passin nro / Passnr / Passport No|Sukunimi / Efternamn / Surname|Etunimet / Förnamn / Given names|Syntymäaika / Födelsetid / Date of birth|Sukupuoli / Kön / Sex|Myönnetty / Utfärdat / Date of issue|Voimassa / Giltigt / Date of expiry", "02.01.2006", "AA0000000", "td3"},
	{"passport", "DEU", "BUNDESREPUBLIK DEUTSCHLAND",
		"REISEPASS PASSPORT PASSEPORT|Pass-Nr. / Passport No.|Name / Surname / Nom|Vornamen / Given names / Prénoms|Geburtstag / Date of birth / Date de naissance|Geschlecht / Sex / Sexe|Ausstellungsdatum / Date of issue|Gültig bis / Date of expiry", "02.01.2006", "C0AAA0AA0", "td3"},
	{"passport", "GBR", "UNITED KINGDOM OF GREAT BRITAIN",
		"PASSPORT|Passport No./Passeport No.|Surname/Nom (1)|Given names/Prénoms (2)|Date of birth/Date de naissance (4)|Sex/Sexe (5)|Date of issue/Date de délivrance (7)|Date of expiry/Date d'expiration (9)", "month", "000000000", "td3"},
	{"passport", "IRL", "ÉIRE IRELAND", "PAS PASSPORT|Pas Uimh. / Passport No.|Sloinne / Surname|Réamhainm(neacha) / Forename(s)|Dáta breithe / Date of birth|Gnéas / Sex|Dáta eisiúna / Date of issue|As feidhm / Date of expiry", "02 Jan 2006", "AA0000000", "td3"},
	{"passport", "ITA", "REPUBBLICA ITALIANA",
		"PASSAPORTO PASSPORT|Passaporto N. / Passport No.|Cognome. Surname. (1)|Nome. Given names. (2)|Data di nascita. Date of birth. (4)|Sesso. Sex. (5)|Data di rilascio. Date of issue. (7)|Data di scadenza. Date of expiry. (8)", "02 Jan 2006", "AA0000000", "td3"},
	{"passport", "SWE", "SVERIGE SWEDEN",
		"PASS PASSPORT|Passnr. / Passport No.|Efternamn / Surname|Förnamn / Given names|Födelsedatum / Date of birth|Kön / Sex|Utfärdat / Date of issue|Sista giltighetsdag / Date of expiry", "02 Jan 2006", "00000000", "td3"},
	{"passport", "NLD", "KONINKRIJK DER NEDERLANDEN",
		"PASPOORT PASSPORT PASSEPORT|Paspoortnummer / Passport no.|Naam / Surname / Nom|Voornamen / Given names / Prénoms|Geboortedatum / Date of birth|Geslacht / Sex / Sexe|Datum van afgifte / Date of issue|Geldig tot / Date of expiry", "02 Jan 2006", "AAA000AA0", "td3"},
	{"passport", "POL", "RZECZPOSPOLITA POLSKA",
		"PASZPORT PASSPORT|Nr paszportu / Passport No.|Nazwisko / Surname|Imiona / Given names|Data urodzenia / Date of birth|Plec / Sex|Data wydania / Date of issue|Data uplywu waznosci / Date of expiry", "02 01 2006", "AA0000000", "td3"},
	{"passport", "ESP", "ESPAÑA", "PASAPORTE PASSPORT|Pasaporte Nº / Passport No.|Apellidos / Surname|Nombre / Given names|Fecha de nacimiento / Date of birth|Sexo / Sex|Fecha de expedición / Date of issue|Fecha de caducidad / Date of expiry", "02 01 2006", "AAA000000", "td3"},
	{"passport", "FRA", "RÉPUBLIQUE FRANÇAISE",
		"PASSEPORT PASSPORT|Passeport n° / Passport No|Nom / Surname (1)|Prénoms / Given names (2)|Date de naissance / Date of birth (4)|Sexe / Sex (5)|Date de délivrance / Date of issue (7)|Date d'expiration / Date of expiry (8)", "02 01 2006", "00AA00000", "td3"},
	{"passport", "CHE", "SCHWEIZ SUISSE SVIZZERA SVIZRA",
		"PASS PASSEPORT PASSPORT|Pass-Nr. / Passport No.|Name / Nom / Surname|Vorname(n) / Prénom(s) / Given name(s)|Geburtsdatum / Date of birth|Geschlecht / Sex|Ausstellungsdatum / Date of issue|Gültig bis / Date of expiry", "02.01.2006", "A0000000", "td3"},
	{"passport", "AUS", "AUSTRALIA", "PASSPORT|Document No.|Name|Given names|Date of birth|Sex|Date of issue|Date of expiry", "02 Jan 2006", "A0000000", "td3"},
	{"passport", "NZL", "NEW ZEALAND AOTEAROA",
		"PASSPORT URUWHENUA|Passport No. / Uruwhenua|Surname / Ingoa|Given names / Ingoa ake|Date of birth / Te ra whanau|Sex / Tane|Date of issue / Te ra|Date of expiry / Te ra whakamutunga", "02 Jan 2006", "AA000000", "td3"},
	{"passport", "IND", "REPUBLIC OF INDIA",
		"PASSPORT|Passport No.|Surname|Given Name(s)|Date of Birth|Sex|Date of Issue|Date of Expiry", "02/01/2006",
		"A0000000", "td3"},
	{"passport", "MEX", "ESTADOS UNIDOS MEXICANOS",
		"PASAPORTE PASSPORT|Pasaporte No. / Passport No.|Apellidos / Surname|Nombres / Given names|Fecha de nacimiento / Date of birth|Sexo / Sex|Fecha de expedición / Date of issue|Fecha de caducidad / Date of expiry", "02 01 2006", "A00000000", "td3"},
	{"passport", "BRA", "REPÚBLICA FEDERATIVA DO BRASIL",
		"PASSAPORTE PASSPORT|Passaporte Nº / Passport No.|Sobrenome / Surname|Nome / Given names|Data de nascimento / Date of birth|Sexo / Sex|Data de expedição / Date of issue|Válido até / Date of expiry", "02 Jan 2006", "AA000000", "td3"},
	{"passport", "TWN", "REPUBLIC OF CHINA TAIWAN",
		"PASSPORT|Passport No.|Name (Surname, Given names)|Also known as|Date of birth|Sex|Date of issue|Date of expiry", "02 Jan 2006", "000000000", "td3"},
	{"passport", "PHL", "REPUBLIKA NG PILIPINAS PHILIPPINES",
		"PASAPORTE PASSPORT|Pasaporte blg./Passport no.|Apelyido/Surname|Pangalan/Given names|Petsa ng kapanganakan/Date of birth|Kasarian/Sex|Petsa ng pagkakaloob/Date of issue|Petsa ng pagkawalang bisa/Valid until", "02 Jan 2006", "A0000000A", "td3"},
	{"passport", "ZAF", "REPUBLIC OF SOUTH AFRICA",
		"PASSPORT PASSEPORT|Passport No./No. du Passeport|Surname/Nom|Names/Prénoms|Date of birth/Date de naissance|Sex/Sexe|Date of issue/Date de délivrance|Date of expiry/Date d'expiration", "02 Jan 2006", "A00000000", "td3"},
	{"passport", "SGP", "REPUBLIC OF SINGAPORE",
		"PASSPORT|Passport No|Name|Given names|Date of birth|Sex|Date of issue|Date of expiry", "02 Jan 2006",
		"A0000000A", "td3"},

	{"id", "DEU", "BUNDESREPUBLIK DEUTSCHLAND",
		"PERSONALAUSWEIS IDENTITY CARD|Ausweisnr. / Document No.|Name / Surname / Nom|Vornamen / Given names / Prénoms|Geburtstag / Date of birth|Geschlecht / Sex|Ausgestellt am / Date of issue|Gültig bis / Date of expiry", "02.01.2006", "L0AA00AA0", "td1"},
	{"id", "ITA", "REPUBBLICA ITALIANA", "CARTA DI IDENTITÀ / IDENTITY CARD|Numero / Document No.|COGNOME / SURNAME|NOME / NAME|DATA DI NASCITA / DATE OF BIRTH|SESSO / SEX|EMISSIONE / ISSUING|SCADENZA / EXPIRY", "02.01.2006", "CA00000AA", "td1"},
	{"id", "ESP", "ESPAÑA", "DOCUMENTO NACIONAL DE IDENTIDAD|NUM SOPORT|APELLIDOS|NOMBRE|FECHA DE NACIMIENTO|SEXO|EMISIÓN|VALIDEZ", "02 01 2006", "AAA000000", "td1"},
	{"id", "NLD", "KONINKRIJK DER NEDERLANDEN",
		"IDENTITEITSKAART IDENTITY CARD|Documentnummer / Document no.|Naam / Surname|Voornamen / Given names|Geboortedatum / Date of birth|Geslacht / Sex|Datum van afgifte / Date of issue|Geldig tot / Date of expiry", "02 Jan 2006", "AAA000AA0", "td1"},
	{"id", "BEL", "BELGIË BELGIQUE BELGIEN",
		"IDENTITEITSKAART CARTE D'IDENTITÉ IDENTITY CARD|Kaartnr. / Card No.|Naam / Name|Voornamen / Given names|Geboortedatum / Date of birth|Geslacht / Sex|Datum van afgifte / Date of issue|Vervalt op / Expires on", "02.01.2006", "000000000", "td1"},
	{"id", "POL", "RZECZPOSPOLITA POLSKA",
		"DOWÓD OSOBISTY / IDENTITY CARD|Numer dowodu / Identity card number|Nazwisko / Surname|Imiona / Given names|Data urodzenia / Date of birth|Plec / Sex|Data wydania / Date of issue|Termin waznosci / Expiry date", "02.01.2006", "AAA000000", "td1"},
	{"id", "PRT", "REPÚBLICA PORTUGUESA",
		"CARTÃO DE CIDADÃO / CITIZEN CARD|Nº Documento / Document No.|Apelido / Surname|Nome / Given name|Data de nascimento / Date of birth|Sexo / Sex|Data de emissão / Date of issue|Data de validade / Expiry date", "02 01 2006", "000000000", "td1"},
	{"id", "ROU", "ROMÂNIA ROUMANIE", "CARTE DE IDENTITATE IDENTITY CARD|Seria / Nr.|Nume / Nom / Last name|Prenume / Prenom / First name|Data nasterii / Date of birth|Sex / Sexe|Emis / Date of issue|Valabilitate / Date of expiry", "02.01.2006", "AA000000", "td2"},

	{"licence", "DEU", "BUNDESREPUBLIK DEUTSCHLAND", "FÜHRERSCHEIN", "02.01.2006", "A000AAA00A0", ""},
	{"licence", "FRA", "RÉPUBLIQUE FRANÇAISE", "PERMIS DE CONDUIRE", "02.01.2006", "00AA00000", ""},
	{"licence", "ITA", "REPUBBLICA ITALIANA", "PATENTE DI GUIDA", "02/01/2006", "AA0000000A", ""},
	{"licence", "ESP", "REINO DE ESPAÑA", "PERMISO DE CONDUCCIÓN", "02-01-2006", "00000000-A", ""},
	{"licence", "NLD", "NEDERLAND", "RIJBEWIJS", "02.01.2006", "0000000000", ""},
	{"licence", "IRL", "ÉIRE IRELAND", "CEADÚNAS TIOMÁNA DRIVING LICENCE", "02.01.06", "000000000", ""},
	{"licence", "GBR", "UNITED KINGDOM", "DRIVING LICENCE", "02.01.2006", "AAAAA000000AA0AA", ""},
	{"licence", "SWE", "SVERIGE", "KÖRKORT DRIVING LICENCE", "02.01.2006", "00000000-0000", ""},
	{"licence", "BEL", "BELGIQUE", "PERMIS DE CONDUIRE RIJBEWIJS", "02.01.2006", "0000000000", ""},
	{"licence", "PRT", "PORTUGAL", "CARTA DE CONDUÇÃO", "02-01-2006", "AA-0000000 0", ""},
	{"licence", "AUT", "REPUBLIK ÖSTERREICH", "FÜHRERSCHEIN", "02.01.2006", "00000000", ""},
}

// WorldDesigns names passports, identity cards and licences of other countries.
func WorldDesigns() []string {
	var names []string
	for _, w := range worldPlans {
		names = append(names, w.name())
	}
	return names
}

// BothSides draws both sides of an identity card beside one another, as people photograph them. An unknown design is
// the first card.
func BothSides(seed uint64, design string) Specimen {
	at := slices.IndexFunc(worldPlans, func(w worldPlan) bool { return w.code == "id" && w.name() == design })
	if at < 0 {
		at = slices.IndexFunc(worldPlans, func(w worldPlan) bool { return w.code == "id" })
	}
	s := pictured(drawnSides(seed, worldPlans[at].design(), 2))
	s.Name = strings.Replace(s.Name, "_id_", "_id_both_sides_", 1)
	return s
}

func (w worldPlan) name() string { return strings.ToLower(w.country) + "_" + w.code }

// WorldCard draws a document of another country. An unknown design is the first.
func WorldCard(seed uint64, design string) Specimen {
	at := max(0, slices.IndexFunc(worldPlans, func(w worldPlan) bool { return w.name() == design }))
	return pictured(drawnCard(seed, worldPlans[at].design()))
}

func (w worldPlan) design() idDesign {
	made := idDesign{name: w.name(), country: w.country, title: w.title, w: 486, h: 340, paper: ink{244, 242, 236},
		accent: ink{50, 60, 90}, base: style{sans, 11, black}}
	made.zone = map[string]func(mrzFields) []string{"td1": mrzFields.td1, "td2": mrzFields.td2,
		"td3": mrzFields.td3}[w.zone]
	switch w.code {
	case "passport":
		made.docType, made.idType, made.code, made.w, made.h = dossier.DocPassport, "PASSPORT", "P", 500, 352
		made.draw = func(c *idCard) { c.drawWorld(w) }
	case "id":
		made.docType, made.idType, made.code = dossier.DocNationalID, "NATIONAL_ID", "I"
		made.draw = func(c *idCard) { c.drawWorld(w) }
	default:
		made.docType, made.idType, made.h = dossier.DocDriversLicense, "DRIVERS_LICENSE", 306
		made.draw = func(c *idCard) { c.drawEuropean(w) }
	}
	made.traps = []string{"captions of another country"}
	return made
}

// written is a date as the plan lays it out; months in words of two languages are abbreviated the same in both.
func (w worldPlan) written(c *idCard, fact **string, t time.Time) string {
	if w.layout != "month" {
		return c.day(fact, t, w.layout)
	}
	*fact = ptr(iso(t))
	french := []string{"JAN", "FEV", "MARS", "AVR", "MAI", "JUIN", "JUIL", "AOUT", "SEPT", "OCT", "NOV",
		"DEC"}[t.Month()-1]
	return strings.ToUpper(t.Format("02 Jan")) + " /" + french + " " + t.Format("06")
}

// drawWorld draws captions above values, and the zone below them.
func (c *idCard) drawWorld(w worldPlan) {
	words := strings.Split(w.words, "|")
	c.p.text(18, 22, c.title, style{sansBold, 12, c.accent})
	c.p.right(c.w-18, 22, words[0], style{sansBold, 9, c.accent})
	c.portrait(18, 40, 108, 140)
	f := c.facts
	label := func(x, y float64, caption, value string) {
		c.p.text(x, y, caption, style{sans, 6.5, c.accent})
		c.p.text(x, y+12, value, c.base.bold())
	}
	number := c.say(&f.Number, patterned(c.d, w.pattern))
	if w.code == "passport" {
		label(140, 44, "Type", "P")
		label(190, 44, "Code", w.country)
	}
	label(330, 44, words[1], number)
	if w.name() == "esp_id" {
		c.support = number
		label(140, 44, "DNI", c.say(&f.Number, spaniard(c.d)))
	}
	if strings.HasPrefix(words[2], "Name (") { // one line for both names
		c.p.text(140, 72, words[2], style{sans, 6.5, c.accent})
		c.p.text(140, 84, c.say(&f.LastName, c.who.last)+", "+c.say(&f.FirstName, c.given()), c.base.bold())
	} else {
		label(140, 72, words[2], c.say(&f.LastName, c.who.last))
		label(140, 99, words[3], c.say(&f.FirstName, c.given()))
	}
	label(140, 126, words[4], w.written(c, &f.DateOfBirth, c.born))
	label(360, 126, words[5], c.say(&f.Sex, pick(c.d, []string{"M", "F"})))
	label(140, 153, words[6], w.written(c, &f.IssueDate, c.issued))
	label(140, 180, words[7], w.written(c, &f.ExpiryDate, c.ends))
	if w.code == "passport" {
		label(140, 207, "Authority", "EXAMPLE OFFICE")
	}
}

// drawEuropean draws a licence by the numbers of its fields, which are the same in every language.
func (c *idCard) drawEuropean(w worldPlan) {
	c.p.fill(0, 0, c.w, 40, ink{240, 214, 220})
	c.p.text(60, 26, w.words, style{sansBold, 14, c.accent})
	c.p.text(300, 26, c.title, style{sansBold, 8, c.accent})
	c.portrait(16, 56, 110, 142)
	f := c.facts
	row := func(x, y float64, number, value string) {
		c.p.text(x, y, number, style{sans, 8.5, c.accent})
		c.p.text(x+20, y, value, c.base)
	}
	row(140, 66, "1.", c.say(&f.LastName, c.who.last))
	row(140, 84, "2.", c.say(&f.FirstName, c.given()))
	row(140, 102, "3.", w.written(c, &f.DateOfBirth, c.born)+" "+strings.ToUpper(c.who.town))
	row(140, 124, "4a.", w.written(c, &f.IssueDate, c.issued))
	row(300, 124, "4c.", "EXAMPLE OFFICE")
	row(140, 142, "4b.", w.written(c, &f.ExpiryDate, c.ends))
	row(140, 162, "5.", c.say(&f.Number, patterned(c.d, w.pattern)))
	row(140, 200, "7.", "")
	if w.country == "GBR" || w.country == "IRL" {
		row(140, 222, "8.", strings.ToUpper(c.who.street)+", "+strings.ToUpper(c.who.town))
		c.truth.NotTested = append(c.truth.NotTested, "address")
	}
	row(140, 262, "9.", "AM/B1/B")
}

// spaniard is the number of a Spaniard: eight figures and the control letter of their remainder after division by 23.
func spaniard(d dice) string {
	n := 10_000_000 + d.IntN(80_000_000)
	return strconv.Itoa(n) + "TRWAGMYFPDXBNJZSQVHLCKE"[n%23:n%23+1]
}
