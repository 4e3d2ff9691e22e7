package specimen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// cardPlan says how a jurisdiction lays out its driving licence. Source: the card design standard of the AAMVA, annex
// A, and the pictures of specimens that the jurisdictions publish of their current and previous designs.
type cardPlan struct {
	state, title, kind string
	number             string // caption of the licence's number
	pattern            string // of the number: A is a letter, 0 a figure
	dates              string // captions of birth, issue and expiry, parted by "|"
	layout             string // of dates
	names              string // how names are captioned: one of cardNames
	form               string // one of cardForms
	tight              bool   // captions touch their values
	previous           bool   // an older design, without numbers of fields
}

// licence draws the licence of a plan.
func (plan cardPlan) design() idDesign {
	name := strings.ToLower(plan.state) + "_card"
	if plan.previous {
		name += "_previous"
	}
	traps := []string{"document discriminator on the card"}
	if plan.tight {
		traps = append(traps, "captions touch their values")
	}
	return idDesign{name: name, docType: dossier.DocDriversLicense, idType: "DRIVERS_LICENSE", country: "USA",
		state: plan.state, title: plan.title,
		w: 486, h: 306, paper: ink{242, 244, 240}, accent: ink{40, 60, 120}, base: style{sans, 11, black}, traps: traps,
		draw: func(c *idCard) { c.drawPlan(plan) }}
}

// CardDesigns names the licences of the jurisdictions of the United States, current and previous.
func CardDesigns() []string {
	var names []string
	for _, plan := range cardPlans {
		names = append(names, plan.design().name)
	}
	return names
}

// Card draws the licence of a jurisdiction. An unknown design is the first.
func Card(seed uint64, design string) Specimen {
	at := max(0, slices.IndexFunc(cardPlans, func(p cardPlan) bool { return p.design().name == design }))
	return pictured(drawnCard(seed, cardPlans[at].design()))
}

// pictured is a drawn card as a picture.
func pictured(s Specimen) Specimen {
	s.Data = pngOf(s.sheet.pages[0].render(180))
	return s
}

// drawnCard draws one design; its picture is not taken yet.
func drawnCard(seed uint64, design idDesign) Specimen { return drawnSides(seed, design, 1) }

// drawnSides draws a card, or both of its sides beside one another: the zone is on the back.
func drawnSides(seed uint64, design idDesign, sides float64) Specimen {
	d := roll(seed, "card/"+design.name)
	c := newIDCard(d, IDOptions{Seed: seed, AsOf: date(2025, 6, 30)}, design)
	made := newSheet(design.w*sides, design.h, "", date(2025, 6, 30))
	c.p, c.back = made.add(), design.w*(sides-1)
	c.p.fill(0, 0, design.w*sides, design.h, design.paper)
	design.draw(c)
	if design.zone != nil {
		c.machineZone(false)
	}
	c.truth.Facts.Identity = c.facts
	return Specimen{Name: fmt.Sprintf("id/%s_%d.png", design.name, seed), MimeType: mimePNG, Truth: *c.truth,
		sheet: made}
}

// Printed is a drawn card as a page of a PDF, with its words as text.
func Printed(s Specimen) Specimen {
	s.Name, s.MimeType, s.Data = strings.TrimSuffix(s.Name, ".png")+".pdf", mimePDF, s.sheet.pdf()
	s.Truth.Layer, s.Truth.Pages = layerText, 1
	return s
}

// patterned fills a pattern: A is a letter, 0 a figure.
func patterned(d dice, pattern string) string {
	out := []byte(pattern)
	for i, c := range out {
		switch c {
		case 'A':
			out[i] = byte('A' + d.IntN(26))
		case '0':
			out[i] = byte('0' + d.IntN(10))
		}
	}
	return string(out)
}

// planned are the fields of a licence in the words of its plan.
type planned struct {
	number, born, issued, ends, sex [2]string
	names                           [][2]string
	street, city                    [2]string
	discriminator                   [2]string
}

func (c *idCard) planned(plan cardPlan) planned {
	f, dates := c.facts, strings.Split(plan.dates, "|")
	caption := map[bool][4]string{false: {"8", "15 SEX", "5 DD", "9 CLASS"}, true: {"", "SEX", "DD",
		"CLASS"}}[plan.previous]
	last, first := c.say(&f.LastName, c.who.last), c.say(&f.FirstName, c.given())
	return planned{
		number: [2]string{plan.number, c.say(&f.Number, patterned(c.d, plan.pattern))},
		born:   [2]string{dates[0], c.day(&f.DateOfBirth, c.born, plan.layout)},
		issued: [2]string{dates[1], c.day(&f.IssueDate, c.issued, plan.layout)},
		ends:   [2]string{dates[2], c.day(&f.ExpiryDate, c.ends, plan.layout)},
		sex:    [2]string{caption[1], c.say(&f.Sex, pick(c.d, []string{"M", "F"}))},
		names:  cardNames[plan.names](last, first),
		street: [2]string{caption[0], strings.ToUpper(c.who.street)},
		city:   [2]string{"", strings.ToUpper(c.town() + ", " + c.state + " " + c.who.zip)},
		discriminator: [2]string{caption[2], pick(c.d, []string{patterned(c.d, "0000000000000"), patterned(c.d,
			"A000000000A00000000"),
			patterned(c.d, "00/00/0000") + patterned(c.d, "00A00/AAFD/00")})},
	}
}

// cardNames are the ways to caption names.
var cardNames = map[string]func(last, first string) [][2]string{
	"numbered": func(last, first string) [][2]string { return [][2]string{{"1", last}, {"2", first}} },
	"lettered": func(last, first string) [][2]string { return [][2]string{{"LN", last}, {"FN", first}} },
	"both":     func(last, first string) [][2]string { return [][2]string{{"1 LN", last}, {"2 FN", first}} },
	"worded": func(last, first string) [][2]string {
		return [][2]string{{"1 LAST NAME", last}, {"2 FIRST NAME", first}}
	},
	"comma":     func(last, first string) [][2]string { return [][2]string{{"", last + ", " + first}} },
	"two lines": func(last, first string) [][2]string { return [][2]string{{"", last}, {"", first}} },
	"one":       func(last, first string) [][2]string { return [][2]string{{"", first + " " + last}} },
	"captioned": func(last, first string) [][2]string { return [][2]string{{"1,2 NAME", last + ", " + first}} },
}

// tagged draws a caption and its value on one line.
func (c *idCard) tagged(x, y float64, f [2]string, tight bool, size float64) {
	end := c.p.text(x, y, f[0], style{sans, size * 0.74, c.accent})
	if f[0] != "" {
		end += map[bool]float64{true: 0.6, false: 5}[tight]
	}
	c.p.text(end, y, f[1], style{sansBold, size, black})
}

// over draws a caption above its value.
func (c *idCard) over(x, y float64, f [2]string) {
	c.p.text(x, y, f[0], style{sans, 7, c.accent})
	c.p.text(x, y+12, f[1], style{sansBold, 10.5, black})
}

func (c *idCard) drawPlan(plan cardPlan) {
	c.p.fill(0, 0, c.w, 44, c.accent)
	c.p.text(16, 30, c.title, style{sansBold, 24, white})
	c.p.right(c.w-16, 20, plan.kind, style{sansBold, 12, white})
	c.p.right(c.w-16, 36, "USA", style{sansBold, 11, white})
	cardForms[plan.form](c, plan, c.planned(plan))
	c.p.text(18, 296, c.who.first+" "+c.who.last, style{serifItalic, 15, ink{30, 40, 90}})
}

// cardForms are the ways to lay a licence out.
var cardForms = map[string]func(*idCard, cardPlan, planned){
	"rows":    (*idCard).formRows,
	"stacked": (*idCard).formStacked,
	"dates":   (*idCard).formDates,
	"address": (*idCard).formAddress,
}

// formRows has captions before values, number first.
func (c *idCard) formRows(plan cardPlan, f planned) {
	c.portrait(16, 56, 120, 150)
	c.tagged(150, 66, f.number, plan.tight, 12)
	c.tagged(372, 66, [2]string{map[bool]string{false: "9 CLASS", true: "CLASS"}[plan.previous], "D"}, plan.tight, 11)
	c.tagged(150, 86, f.born, plan.tight, 11)
	c.tagged(340, 86, f.ends, plan.tight, 11)
	y := 108.0
	for _, n := range f.names {
		c.tagged(150, y, n, plan.tight, 12)
		y += 17
	}
	c.tagged(150, y+4, f.street, plan.tight, 11)
	c.tagged(150, y+18, f.city, plan.tight, 11)
	c.tagged(150, y+40, f.sex, plan.tight, 11)
	c.tagged(240, y+40, [2]string{"16 HGT", "5'-06\""}, plan.tight, 11)
	c.tagged(350, y+40, [2]string{"18 EYES", "BRO"}, plan.tight, 11)
	c.tagged(150, y+60, f.issued, plan.tight, 11)
	c.tagged(340, y+60, [2]string{"12 REST", "NONE"}, plan.tight, 11)
	c.tagged(150, 262, f.discriminator, plan.tight, 9)
}

// formStacked has captions above values, in columns.
func (c *idCard) formStacked(plan cardPlan, f planned) {
	c.portrait(350, 56, 120, 150)
	c.over(18, 58, f.number)
	c.over(200, 58, f.born)
	y := 86.0
	for _, n := range f.names {
		c.over(18, y, n)
		y += 28
	}
	c.over(18, y, f.street)
	c.over(18, y+13, f.city)
	c.over(18, y+44, f.issued)
	c.over(122, y+44, f.ends)
	c.over(226, y+44, f.sex)
	c.over(18, y+74, [2]string{"9 CLASS", "D"})
	c.over(122, y+74, [2]string{"12 REST", "NONE"})
	c.over(226, y+74, f.discriminator)
}

// formDates has the dates above the names.
func (c *idCard) formDates(plan cardPlan, f planned) {
	c.portrait(16, 56, 120, 150)
	c.tagged(150, 64, f.number, plan.tight, 12)
	c.tagged(150, 82, f.discriminator, plan.tight, 8)
	c.tagged(150, 102, f.born, plan.tight, 11)
	c.tagged(150, 118, f.ends, plan.tight, 11)
	c.tagged(330, 118, f.issued, plan.tight, 11)
	y := 142.0
	for _, n := range f.names {
		c.tagged(150, y, n, plan.tight, 12)
		y += 16
	}
	c.tagged(150, y+2, f.street, plan.tight, 11)
	c.tagged(150, y+16, f.city, plan.tight, 11)
	c.tagged(150, y+40, f.sex, plan.tight, 11)
	c.tagged(236, y+40, [2]string{"17 WGT", "150 lb"}, plan.tight, 11)
	c.tagged(350, y+40, [2]string{"18 EYES", "BLU"}, plan.tight, 11)
	c.tagged(150, y+58, [2]string{"9 CLASS", "C"}, plan.tight, 11)
}

// formAddress has the number and the expiry at the head, the birth below the address and the issue at the foot.
func (c *idCard) formAddress(plan cardPlan, f planned) {
	c.portrait(16, 56, 120, 156)
	c.tagged(150, 66, f.number, plan.tight, 15)
	c.tagged(370, 66, [2]string{"CLASS", "C"}, plan.tight, 11)
	c.tagged(150, 88, f.ends, plan.tight, 13)
	y := 108.0
	for _, n := range f.names {
		c.tagged(150, y, n, plan.tight, 12)
		y += 15
	}
	c.tagged(150, y, f.street, plan.tight, 11)
	c.tagged(150, y+13, f.city, plan.tight, 11)
	c.tagged(150, y+34, f.born, plan.tight, 13)
	c.tagged(150, y+50, [2]string{"RSTR", "NONE"}, plan.tight, 9)
	c.tagged(400, y+50, [2]string{"DONOR", ""}, plan.tight, 9)
	c.tagged(150, y+70, f.sex, plan.tight, 11)
	c.tagged(230, y+70, [2]string{"HAIR", "BRN"}, plan.tight, 11)
	c.tagged(320, y+70, [2]string{"EYES", "HAZ"}, plan.tight, 11)
	c.tagged(150, y+86, [2]string{"HGT", "5'-06\""}, plan.tight, 11)
	c.tagged(230, y+86, [2]string{"WGT", "125 lb"}, plan.tight, 11)
	c.tagged(330, y+86, f.issued, plan.tight, 10)
	c.tagged(150, 274, f.discriminator, plan.tight, 8)
}
