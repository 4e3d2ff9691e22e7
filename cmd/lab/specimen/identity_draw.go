package specimen

import (
	"fmt"
	"math"
	"strings"
)

func sqrt(v float64) float64 { return math.Sqrt(max(v, 0)) }

// licenceFields are what every licence prints, with the AAMVA numbers of the captions.
func (c *idCard) licenceFields() [][2]string {
	number := strings.ToUpper(pick(c.d, []string{"", "D", "RX"})) + c.d.digits(7)
	f := c.facts
	sex := pick(c.d, []string{"M", "F"})
	return [][2]string{
		{"4d DL NO.", c.say(&f.Number, number)},
		{"3 DOB", c.day(&f.DateOfBirth, c.born, "01/02/2006")},
		{"4a ISS", c.day(&f.IssueDate, c.issued, "01/02/2006")},
		{"4b EXP", c.day(&f.ExpiryDate, c.ends, "01/02/2006")},
		{"1 LN", c.say(&f.LastName, c.who.last)},
		{"2 FN", c.say(&f.FirstName, c.given())},
		{"8", strings.ToUpper(c.who.street)},
		{"", strings.ToUpper(c.town() + ", " + c.state + " " + c.who.zip)},
		{"15 SEX", c.say(&f.Sex, sex)},
		{"16 HGT", fmt.Sprintf("%d'-%02d\"", c.d.between(5, 6), c.d.between(0, 11))},
		{"18 EYES", pick(c.d, []string{"BRO", "BLU", "HAZ", "GRN"})},
	}
}

// town is the holder's town; the state is the card's.
func (c *idCard) town() string {
	address := strings.ToUpper(c.who.street + ", " + c.who.town + ", " + c.state + " " + c.who.zip)
	c.facts.Address = &address
	return c.who.town
}

func (c *idCard) licenceHead(title string) {
	c.p.fill(0, 0, c.w, 46, c.accent)
	c.p.text(18, 32, c.title, style{sansBold, 25, white})
	c.p.right(c.w-18, 22, title, style{sansBold, 13, white})
	c.p.right(c.w-18, 37, "USA   SAMPLE", style{sans, 9, white})
}

func (c *idCard) field(x, y float64, f [2]string) {
	c.p.text(x, y, f[0], style{sans, c.base.size * 0.72, c.accent})
	c.p.text(x+width(sans, c.base.size*0.72, f[0])+5, y, f[1], c.base.bold())
}

// drawLicenceNumbered: numbered captions before the values, portrait at the left.
func drawLicenceNumbered(c *idCard) {
	c.licenceHead("DRIVER LICENSE")
	c.portrait(18, 62, 122, 158)
	f := c.licenceFields()
	c.field(156, 74, f[0])
	c.p.text(340, 74, "9 CLASS", style{sans, 8, c.accent})
	c.p.text(380, 74, "D", c.base.bold())
	c.field(156, 94, f[1])
	c.field(340, 94, f[3])
	c.field(156, 118, f[4])
	c.field(156, 136, f[5])
	c.field(156, 158, f[6])
	c.p.text(156+width(sans, c.base.size*0.72, "8")+5, 172, f[7][1], c.base.bold())
	c.field(156, 198, f[8])
	c.field(230, 198, f[9])
	c.field(330, 198, f[10])
	c.field(156, 222, f[2])
	c.p.text(330, 222, "12 RESTR  NONE", style{sans, 8, c.accent})
	c.p.text(18, 248, "5 DD "+c.d.digits(12), style{sans, 8, c.accent})
	c.p.text(18, 284, c.who.first+" "+c.who.last, style{serifItalic, 16, ink{30, 40, 90}})
}

// drawLicenceStacked: captions above the values in two columns, portrait at the right.
func drawLicenceStacked(c *idCard) {
	c.licenceHead("DRIVER LICENSE")
	c.portrait(346, 60, 122, 158)
	f := c.licenceFields()
	stack := func(x, y float64, i int) {
		c.p.text(x, y, f[i][0], style{sans, 7.5, c.accent})
		c.p.text(x, y+13, f[i][1], c.base.bold())
	}
	stack(18, 64, 0)
	stack(190, 64, 1)
	stack(18, 96, 4)
	stack(18, 128, 5)
	stack(18, 160, 6)
	c.p.text(18, 186, f[7][1], c.base.bold())
	stack(18, 208, 2)
	stack(120, 208, 3)
	stack(220, 208, 8)
	stack(18, 244, 9)
	stack(120, 244, 10)
	c.p.text(220, 250, "DONOR", style{sansBold, 11, c.accent})
	c.p.text(330, 250, c.who.first+" "+c.who.last, style{serifItalic, 15, ink{30, 40, 90}})
}

// drawLicencePlain: words for captions, as older cards have.
func drawLicencePlain(c *idCard) {
	c.licenceHead("OPERATOR LICENSE")
	c.portrait(18, 62, 112, 146)
	f := c.licenceFields()
	captions := map[int]string{0: "LICENSE NO", 1: "DATE OF BIRTH", 2: "ISSUED", 3: "EXPIRES", 4: "LAST NAME",
		5: "FIRST NAME", 8: "SEX"}
	y := 72.0
	for _, i := range []int{0, 4, 5, 1, 2, 3, 8} {
		c.p.text(146, y, captions[i], style{sans, 8, c.accent})
		c.p.text(232, y, f[i][1], c.base)
		y += 18
	}
	c.p.text(146, y+4, "ADDRESS", style{sans, 8, c.accent})
	c.p.text(232, y+4, f[6][1], c.base)
	c.p.text(232, y+18, f[7][1], c.base)
	c.p.text(18, 284, c.who.first+" "+c.who.last, style{serifItalic, 16, ink{30, 40, 90}})
}

// drawPassport is the data page of a passport.
func drawPassport(c *idCard) {
	french := c.country == "CAN"
	caption := func(english, other string) string {
		if french {
			return english + "/" + other
		}
		return english
	}
	c.p.text(20, 30, caption("PASSPORT", "PASSEPORT"), style{sansBold, 13, c.accent})
	c.p.centre(270, 30, c.title, style{sansBold, 14, c.accent})
	c.p.right(482, 46, "SPECIMEN", style{sans, 8, grey})
	c.portrait(20, 60, 118, 152)
	f := c.facts
	label := func(x, y float64, caption, value string) {
		c.p.text(x, y, caption, style{sans, 7, c.accent})
		c.p.text(x, y+13, value, c.base.bold())
	}

	layout := "02 Jan 2006"
	label(154, 62, caption("Type", "Type"), "P")
	label(214, 62, caption("Code", "Code"), c.country)
	label(330, 62, caption("Passport No.", "Nº de passeport"), c.say(&f.Number, pick(c.d, []string{"", "GA",
		"X"})+c.d.digits(7)))
	label(154, 90, caption("Surname", "Nom"), c.say(&f.LastName, c.who.last))
	label(154, 118, caption("Given Names", "Prénoms"), c.say(&f.FirstName, c.given()))
	label(154, 146, caption("Nationality", "Nationalité"), map[bool]string{true: "CANADIAN/CANADIENNE",
		false: c.title}[french])
	label(154, 174, caption("Date of birth", "Date de naissance"), c.day(&f.DateOfBirth, c.born, layout))
	label(330, 174, caption("Sex", "Sexe"), c.say(&f.Sex, pick(c.d, []string{"M", "F"})))
	label(154, 202, caption("Date of issue", "Date de délivrance"), c.day(&f.IssueDate, c.issued, layout))
	label(330, 202, caption("Place of birth", "Lieu de naissance"), strings.ToUpper(c.who.town))
	label(154, 230, caption("Date of expiration", "Date d'expiration"), c.day(&f.ExpiryDate, c.ends, layout))
	label(330, 230, caption("Authority", "Autorité"), "EXAMPLE PASSPORT OFFICE")
}

// drawIdentityCard is a card of a European pattern: captions above values, zone below.
func drawIdentityCard(c *idCard) {
	words := map[string][8]string{
		"FRA": {"CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", "Nom / Surname", "Prénoms / Given names", "Sexe / Sex",
			"Date de naissance / Date of birth", "N° du document / Document No", "Date d'expir. / Expiry date",
			"Délivrée le / Date of issue"},
		"ESP": {"PERMISO DE RESIDENCIA / RESIDENCE PERMIT", "APELLIDOS / SURNAME", "NOMBRE / NAME", "SEXO / SEX",
			"FECHA DE NACIMIENTO / DATE OF BIRTH", "NÚM. / DOCUMENT NO.", "VÁLIDO HASTA / VALID UNTIL",
			"FECHA DE EXPEDICIÓN / DATE OF ISSUE"},
		"AUT": {"PERSONALAUSWEIS / IDENTITY CARD", "Familienname / Surname", "Vorname / Given names",
			"Geschlecht / Sex", "Geburtsdatum / Date of birth", "Nr. / Document No.", "Gültig bis / Date of expiry",
			"Ausgestellt am / Date of issue"},
	}[c.country]
	c.p.text(18, 24, c.title, style{sansBold, 12, c.accent})
	c.p.text(18, 38, words[0], style{sansBold, 9, c.accent})
	c.p.right(c.w-18, 24, "SPECIMEN", style{sans, 8, grey})
	c.portrait(18, 48, 98, 128)
	f := c.facts
	label := func(x, y float64, caption, value string) {
		c.p.text(x, y, caption, style{sans, 7, c.accent})
		c.p.text(x, y+12.5, value, c.base.bold())
	}
	layout := map[string]string{"FRA": "02 01 2006", "ESP": "02-01-2006", "AUT": "02.01.2006"}[c.country]
	label(132, 58, words[1], c.say(&f.LastName, c.who.last))
	label(132, 85, words[2], c.say(&f.FirstName, c.given()))
	label(132, 112, words[3], c.say(&f.Sex, pick(c.d, []string{"M", "F"})))
	label(240, 112, words[4], c.day(&f.DateOfBirth, c.born, layout))
	label(132, 139, words[5], c.say(&f.Number, pick(c.d, []string{"X", "ZE", "T"})+c.d.digits(7)))
	label(300, 139, words[6], c.day(&f.ExpiryDate, c.ends, layout))
	label(132, 166, words[7], c.day(&f.IssueDate, c.issued, layout))
}
