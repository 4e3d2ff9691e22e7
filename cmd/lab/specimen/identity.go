package specimen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// IDOptions chooses an identity document. Zero values are chosen by the seed.
type IDOptions struct {
	Seed        uint64
	Design      string    // one of IDDesigns
	First, Last string    // instead of an invented name
	AsOf        time.Time // the document is valid on this day; zero: 30 June 2025
	Expired     bool      // or ended before it
	BadMRZ      bool      // the zone fails its check digits
}

// idDesign is one kind of card or page.
type idDesign struct {
	name    string
	docType dossier.DocType
	idType  string
	country string
	state   string
	title   string
	w, h    float64
	paper   ink
	accent  ink
	base    style
	zone    func(mrzFields) []string
	code    string
	traps   []string
	draw    func(*idCard)
}

// IDDesigns names the designs: licences first, then passports and cards with a machine readable zone.
func IDDesigns() []string {
	var names []string
	for _, d := range idDesigns() {
		names = append(names, d.name)
	}
	return names
}

func idDesigns() []idDesign {
	card := func(d idDesign) idDesign {
		d.docType, d.idType, d.country, d.w, d.h = dossier.DocDriversLicense, "DRIVERS_LICENSE", "USA", 486, 306
		return d
	}
	sixteen := style{sans, 11, black}
	return []idDesign{
		card(idDesign{name: "ohio_licence", state: "OH", title: "OHIO", paper: ink{238, 244, 250}, accent: ink{160,
			20, 40}, base: sixteen, draw: drawLicenceNumbered}),
		card(idDesign{name: "colorado_licence", state: "CO", title: "COLORADO", paper: ink{240, 248, 238},
			accent: ink{30, 100, 60}, base: sixteen, draw: drawLicenceStacked}),
		card(idDesign{name: "washington_licence", state: "WA", title: "WASHINGTON", paper: ink{244, 244, 236},
			accent: ink{20, 70, 60}, base: style{sans, 10.5, black}, draw: drawLicenceNumbered,
			traps: []string{"document discriminator beside the licence number"}}),
		card(idDesign{name: "vermont_licence", state: "VT", title: "VERMONT", paper: ink{250, 246, 238},
			accent: ink{50, 60, 120}, base: style{sansBold, 10.5, black}, draw: drawLicencePlain,
			traps: []string{"captions without numbers"}}),
		{name: "usa_passport", docType: dossier.DocPassport, idType: "PASSPORT", country: "USA",
			title: "UNITED STATES OF AMERICA", w: 500, h: 352,
			paper: ink{246, 242, 232}, accent: ink{30, 50, 110}, base: style{sans, 11, black}, zone: mrzFields.td3,
			code: "P", draw: drawPassport},
		{name: "canada_passport", docType: dossier.DocPassport, idType: "PASSPORT", country: "CAN", title: "CANADA",
			w: 500, h: 352,
			paper: ink{242, 240, 246}, accent: ink{120, 20, 30}, base: style{sans, 11, black}, zone: mrzFields.td3,
			code: "P", draw: drawPassport,
			traps: []string{"captions in two languages"}},
		{name: "france_identity_card", docType: dossier.DocNationalID, idType: "NATIONAL_ID", country: "FRA",
			title: "RÉPUBLIQUE FRANÇAISE", w: 486, h: 306,
			paper: ink{236, 242, 248}, accent: ink{20, 50, 120}, base: style{sans, 10.5, black}, zone: mrzFields.td1,
			code: "I", draw: drawIdentityCard},
		{name: "spain_residence_permit", docType: dossier.DocResidencePermit, idType: "RESIDENCE_PERMIT",
			country: "ESP", title: "ESPAÑA", w: 486, h: 306,
			paper: ink{248, 240, 240}, accent: ink{130, 30, 50}, base: style{sans, 10.5, black}, zone: mrzFields.td1,
			code: "IR", draw: drawIdentityCard,
			traps: []string{"neither a licence nor a passport"}},
		{name: "austria_identity_card", docType: dossier.DocNationalID, idType: "NATIONAL_ID", country: "AUT",
			title: "REPUBLIK ÖSTERREICH", w: 486, h: 340,
			paper: ink{244, 246, 240}, accent: ink{140, 30, 30}, base: style{sans, 10.5, black}, zone: mrzFields.td2,
			code: "I", draw: drawIdentityCard},
	}
}

// idCard is a document being drawn.
type idCard struct {
	idDesign
	d      dice
	p      *page
	who    party
	middle string
	facts  *dossier.IdentityFacts
	truth  *Truth
	born   time.Time
	issued time.Time
	ends   time.Time
	// support is the number of the plastic, where the card's number is the person's.
	support string
	back    float64 // where the back begins, which has the zone, when both sides lie in one picture
}

// Identity draws an identity document as a PNG. An unknown design is the first one.
func Identity(o IDOptions) Specimen {
	d := roll(o.Seed, "id/"+o.Design)
	designs := idDesigns()
	design := pick(d, designs)
	if o.Design != "" {
		design = designs[max(0, slices.IndexFunc(designs, func(i idDesign) bool { return i.name == o.Design }))]
	}
	if o.AsOf.IsZero() {
		o.AsOf = date(2025, 6, 30)
	}
	c := newIDCard(d, o, design)
	made := newSheet(design.w, design.h, "", o.AsOf)
	c.p = made.add()
	c.p.fill(0, 0, design.w, design.h, design.paper)
	design.draw(c)
	if design.zone != nil {
		c.machineZone(o.BadMRZ)
	}
	c.truth.Facts.Identity = c.facts
	return Specimen{Name: fmt.Sprintf("id/%s_%d%s.png", design.name, o.Seed,
		map[bool]string{true: "_bad_mrz"}[o.BadMRZ && design.zone != nil]),
		MimeType: mimePNG, Data: pngOf(made.pages[0].render(180)), Truth: *c.truth, sheet: made}
}

func newIDCard(d dice, o IDOptions, design idDesign) *idCard {
	c := &idCard{idDesign: design, d: d, who: person(d), facts: &dossier.IdentityFacts{}}
	c.middle = pick(d, firstNames)
	if o.First != "" {
		c.who.first, c.middle = o.First, ""
	}
	if o.Last != "" {
		c.who.last = o.Last
	}
	c.born = date(d.between(1949, 2003), time.Month(d.between(1, 12)), d.between(1, 28))
	c.issued = o.AsOf.AddDate(-d.between(0, 3), -d.between(1, 11), -d.between(0, 20))
	if o.Expired {
		c.issued = o.AsOf.AddDate(-9, -d.between(1, 11), -3)
	}
	c.ends = c.issued.AddDate(8, 0, 0)
	c.truth = &Truth{DocType: design.docType, FieldType: dossier.FieldID, Layer: layerImage, Kind: design.name,
		Traps: slices.Clone(design.traps)}
	c.facts.IDType, c.facts.Country = ptr(design.idType), ptr(design.country)
	if design.state != "" {
		c.facts.State = ptr(design.state)
	}
	return c
}

// given is the given names as printed, first and middle.
func (c *idCard) given() string { return strings.TrimSpace(c.who.first + " " + c.middle) }

// say states a fact as printed in capitals.
func (c *idCard) say(fact **string, printed string) string {
	printed = strings.ToUpper(printed)
	*fact = ptr(printed)
	return printed
}

func (c *idCard) day(fact **string, t time.Time, layout string) string {
	*fact = ptr(iso(t))
	return strings.ToUpper(t.Format(layout))
}

// zoneFields are what the zone holds.
func (c *idCard) zoneFields() mrzFields {
	m := mrzFields{code: c.code, country: c.country, nationality: c.country, last: c.who.last, first: c.given(),
		number: *c.facts.Number, born: c.born, ends: c.ends, sex: *c.facts.Sex}
	if c.support != "" {
		m.number, m.optional = c.support, *c.facts.Number
	}
	return m
}

// machineZone prints the zone at the foot of the document.
func (c *idCard) machineZone(bad bool) {
	lines := c.zone(c.zoneFields())
	if bad {
		lines = spoil(lines)
		c.truth.Traps = append(c.truth.Traps,
			"the machine readable zone fails its check digits: the printed fields are true")
	}
	size := min(17, (c.w-40)/(float64(len(lines[0]))*0.6))
	lead := size * 1.45
	top := c.h - lead*float64(len(lines)) - 4
	c.p.fill(c.back, top-size-4, c.w, c.h-top+size+4, white)
	for i, l := range lines {
		c.p.text(c.back+20, top+lead*float64(i)+2, l, style{mono, size, black})
	}
	c.facts.MRZ, c.facts.MRZValid = lines, ptr(!bad)
}

// portrait draws a head in a frame.
func (c *idCard) portrait(x, y, w, h float64) {
	c.p.fill(x, y, w, h, ink{206, 214, 222})
	tone := pick(c.d, []ink{{188, 150, 128}, {140, 104, 84}, {214, 182, 158}, {104, 78, 62}})
	for i := range 40 {
		t := float64(i)/20 - 1 // -1..1 over the head
		half := w * 0.21 * sqrt(1-t*t)
		c.p.fill(x+w/2-half, y+h*0.4+t*h*0.2, 2*half, h*0.0105, tone)
		c.p.fill(x+w/2-w*0.42*sqrt(1-(1-float64(i)/40)*(1-float64(i)/40)), y+h*0.66+float64(i)/40*h*0.34,
			2*w*0.42*sqrt(1-(1-float64(i)/40)*(1-float64(i)/40)), h*0.0095, ink{70, 84, 104})
	}
}
