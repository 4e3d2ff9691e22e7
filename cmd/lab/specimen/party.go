package specimen

import (
	"fmt"
	"strings"
)

// party is an invented person or business.
type party struct {
	first, last string // persons
	business    string // legal name; empty for persons
	street      string
	town        string
	state       string // two letters; the region elsewhere
	zip         string
	ein, ssn    string
	phone       string
	trade       string // what a business sells: "cabinetry"
}

// name is the party's full name as printed in mixed case.
func (p party) name() string {
	if p.business != "" {
		return p.business
	}
	return p.first + " " + p.last
}

// cityLine is the last line of the address.
func (p party) cityLine() string { return p.town + ", " + p.state + " " + p.zip }

// address is the postal address in lines, without the name.
func (p party) address() []string { return []string{p.street, p.cityLine()} }

var (
	firstNames = []string{"Amara", "Bennett", "Calla", "Desmond", "Elodie", "Fabian", "Greta", "Hollis", "Imani",
		"Jasper",
		"Kiran", "Leona", "Matteo", "Nadia", "Orson", "Priya", "Quentin", "Rosalind", "Silas", "Tamsin", "Ulric",
		"Vera", "Wendell", "Yusuf", "Zora"}
	lastNames = []string{"Abernathy", "Birchwood", "Castellane", "Dunmore", "Eastlake", "Fairweather", "Goldmann",
		"Hathersage",
		"Ironside", "Jessamine", "Kowalczyk", "Larkspur", "Montclaire", "Northcott", "Okonjo", "Pemberly",
		"Quillfeather",
		"Ravenscroft", "Silverlake", "Thistledown", "Underhill", "Vandermeer", "Whitlock", "Yarrow", "Zimmerlin"}
	streets = []string{"Alder Court", "Briar Lane", "Copperfield Road", "Dovetail Street", "Elmhurst Avenue",
		"Foxglove Way",
		"Granite Parkway", "Hollow Oak Drive", "Ironwood Terrace", "Juniper Street", "Kestrel Boulevard",
		"Lantern Hill Road"}
	towns = []struct{ town, state, zip string }{
		{"Eastbrook", "OH", "43099"}, {"Fallow Creek", "TX", "75999"}, {"Granite Bay Junction", "NH", "03099"},
		{"Harrowgate", "PA", "19699"}, {"Larkfield", "CO", "80699"}, {"Millstone Falls", "NC", "27899"},
		{"Port Amity", "WA", "98699"}, {"Quarry Hill", "VT", "05099"}, {"Silver Prairie", "KS", "66099"},
		{"Stonehollow", "MI", "48099"}, {"Willow Reach", "GA", "30099"}, {"Windmere", "IL", "60099"},
	}
	firmNouns = []string{"Alpenglow", "Bluestem", "Cedar Ridge", "Drumlin", "Evergreen", "Fernwood", "Gearhart",
		"Highline",
		"Ironbark", "Juniper", "Keystone Row", "Lakeshore", "Meadowlark", "Northgate", "Oak & Anvil", "Pinnacle"}
	firmTrades = []struct{ suffix, trade string }{{"Cabinetry", "cabinets"}, {"Coffee Roasters", "coffee"},
		{"Dental Supply", "dental supplies"},
		{"Electrical", "electrical work"}, {"Freight", "trucking"}, {"Landscaping", "landscaping"}, {"Machine Works",
			"machining"},
		{"Mechanical", "heating and air"}, {"Outfitters", "sporting goods"}, {"Printing", "printing"}, {"Roofing",
			"roofing"}, {"Veterinary Care", "veterinary"}}
	firmForms = []string{"LLC", "Inc.", "Co.", "Corp.", "LLC"}
)

// person invents a private person.
func person(d dice) party {
	t := pick(d, towns)
	return party{
		first: pick(d, firstNames), last: pick(d, lastNames),
		street: fmt.Sprintf("%d %s", d.between(11, 9899), pick(d, streets)),
		town:   t.town, state: t.state, zip: t.zip,
		ssn: fmt.Sprintf("9%s-%02d-%s", d.digits(2), d.between(10, 49), d.digits(4)),
		// 900-999 is never issued as an SSN
		phone: fmt.Sprintf("(%s) 555-01%02d", "555", d.IntN(100)),
	}
}

// firm invents a business and its address.
func firm(d dice) party {
	p, trade := person(d), pick(d, firmTrades)
	p.business = pick(d, firmNouns) + " " + trade.suffix + " " + pick(d, firmForms)
	p.trade = trade.trade
	p.ein = fmt.Sprintf("00-%s", d.digits(7)) // the prefix 00 is never assigned
	return p
}

// mask prints the last four digits of an account number.
func mask(number, fill string) string { return fill + number[len(number)-4:] }

// upperAddress is an address block in capitals, as windows in envelopes want it.
func upperAddress(p party) []string {
	var out []string
	for _, l := range append([]string{p.name()}, p.address()...) {
		out = append(out, strings.ToUpper(l))
	}
	return out
}
