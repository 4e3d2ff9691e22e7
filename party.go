package dossier

// Party is who a lead's documents are compared with: the lead's own record, and what its checklist says of
// the business and its owners. Anything may be missing; nothing is guessed.
type Party struct {
	People     []PersonName // the lead's person; usually one
	Businesses []string     // businessName of the lead, legal and trade names of the checklist
	Owners     []string     // full names of owners, from the checklist
	Addresses  []Address
	EINs       []string
	Email      string
}

// PersonName is a name in parts, as a lead has it.
type PersonName struct{ First, Middle, Last, Suffix string }

// Full returns the parts that are there, in order.
func (n PersonName) Full() string {
	full := ""
	for _, part := range []string{n.First, n.Middle, n.Last, n.Suffix} {
		if part != "" && full != "" {
			full += " "
		}
		full += part
	}
	return full
}

// Address is the value of an ADDRESS item (resources.md section 2). Country is US when not given.
type Address struct{ Street, City, State, PostalCode, Country string }

// String prints the parts that are there on one line.
func (a Address) String() string {
	line := ""
	for _, part := range []string{a.Street, a.City, a.State, a.PostalCode, a.Country} {
		if part != "" && line != "" {
			line += ", "
		}
		line += part
	}
	return line
}
