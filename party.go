package dossier

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

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

// Answer is one filled item of a lead's checklist.
type Answer struct {
	Code      string
	Label     string
	FieldType FieldType
	Value     json.RawMessage
}

// Add takes what an answer says of the business or its owners. What an item asks is read from its type, else from
// the words of its code and label; an answer to anything else is not a name and is left out.
func (p *Party) Add(a Answer) {
	if a.FieldType == FieldAddress {
		var address Address
		if json.Unmarshal(a.Value, &address) == nil && address.Street != "" {
			p.Addresses = append(p.Addresses, address)
		}
		return
	}
	var text string
	if json.Unmarshal(a.Value, &text) != nil || strings.TrimSpace(text) == "" {
		return
	}
	asks := strings.ToLower(strings.ReplaceAll(a.Code, "_", " ") + " " + a.Label)
	switch {
	case a.FieldType == FieldEIN:
		p.EINs = append(p.EINs, text)
	case !strings.Contains(asks, "name") && !strings.Contains(asks, "dba"):
	case containsAny(asks, "owner", "guarantor", "partner", "principal", "member", "signer", "applicant", "borrower",
		"spouse"):
		p.Owners = append(p.Owners, text)
	case containsAny(asks, "business", "legal", "company", "trade", "dba", "entity"):
		p.Businesses = append(p.Businesses, text)
	}
}

func containsAny(s string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// PartyKind says what a party is.
type PartyKind string

// Kinds of parties.
const (
	PartyBusiness PartyKind = "business"
	PartyPerson   PartyKind = "person"
)

// Valid reports whether k is a kind.
func (k PartyKind) Valid() bool { return k == PartyBusiness || k == PartyPerson }

// PartyRole says what a party is in the loan.
type PartyRole string

// Roles of parties.
const (
	PartyBorrower  PartyRole = "borrower"
	PartyGuarantor PartyRole = "guarantor"
	PartyAffiliate PartyRole = "affiliate"
	PartyOwner     PartyRole = "owner"
)

// Valid reports whether r is a role.
func (r PartyRole) Valid() bool {
	return slices.Contains([]PartyRole{PartyBorrower, PartyGuarantor, PartyAffiliate, PartyOwner}, r)
}

// MaxParties is how many parties a lead may have.
const MaxParties = 100

// LeadParty is somebody whose papers are in the file of a lead: the borrower, a guarantor, an affiliate, an owner.
// Every lead has one that is primary. Source: relationships.md section 2.
type LeadParty struct {
	ID         PartyID
	LeadID     LeadID
	Name       string
	Kind       PartyKind
	Role       PartyRole
	TaxIDLast4 *string // the last four digits of an EIN or SSN
	IsPrimary  bool
	CreatedAt  time.Time
	UpdatedAt  time.Time

	// OtherNames are those under which papers may know the primary party: the lead's business name and person.
	OtherNames []string
}

// NewParty is a party to be made.
type NewParty struct {
	Name       string
	Kind       PartyKind
	Role       PartyRole
	TaxIDLast4 *string
}

// PartyChange is what a caller sent about a party. A nil or unsent field stays.
type PartyChange struct {
	Name       *string
	Kind       *PartyKind
	Role       *PartyRole
	TaxIDLast4 Patch[string]
}

// PrimaryName is what a lead's primary party is called until a person says otherwise, and what it is.
func (l Lead) PrimaryName() (string, PartyKind) {
	if l.BusinessName != nil && *l.BusinessName != "" {
		return l.Name(), PartyBusiness
	}
	return l.Name(), PartyPerson
}

// Compared is a party of the file as its documents are compared with it.
func (p LeadParty) Compared() Party {
	if p.Kind == PartyBusiness {
		return Party{Businesses: []string{p.Name}}
	}
	return Party{People: []PersonName{{First: p.Name}}}
}

// FindParty says whose a document is: the index of one of the parties, or -1 when it is nobody's for certain. It has
// no effects: the store calls it inside the transaction that holds the lead.
type FindParty func(read ReadDocument, parties []LeadParty) int

// EdgeSource says where a share of one party in another comes from.
type EdgeSource string

// Sources of shares.
const (
	EdgeK1     EdgeSource = "k1"
	EdgeManual EdgeSource = "manual"
)

// Valid reports whether s is a source.
func (s EdgeSource) Valid() bool { return s == EdgeK1 || s == EdgeManual }

// OwnershipEdge says that one party owns a share of another, in percent.
type OwnershipEdge struct {
	OwnerID    PartyID
	OwnedID    PartyID
	Percent    decimal.Decimal // above 0, at most 100
	Source     EdgeSource
	DocumentID *DocumentID
	Year       int // of a K-1: its tax year, 0 when it prints none
}

// Share is what a schedule K-1 says: which of the parties is owned, and how much of it its holder has.
type Share struct {
	Owned   int             // index of the party, or -1
	Percent decimal.Decimal // 0: not printed
	Year    int             // 0: not printed
}

// FindShare reads a schedule K-1; false for any other document. It has no effects.
type FindShare func(read ReadDocument, parties []LeadParty) (Share, bool)

// Relations are the rules by which documents say whose they are and who owns whom.
type Relations struct {
	Party  FindParty
	Share  FindShare
	Spouse FindParty // of a joint return: the other of the two
}

var wholePercent = decimal.NewFromInt(100)

// Ownership is who owns whom in all: what was given by hand, and of every other pair what its newest K-1 says. A K-1
// that would make a cycle, or more than the whole of a party, is left out. In the order of manual, then of the pairs'
// K-1s from the newest.
func Ownership(manual, k1 []OwnershipEdge) []OwnershipEdge {
	all := slices.Clone(manual)
	k1 = slices.Clone(k1)
	slices.SortStableFunc(k1, func(a, b OwnershipEdge) int { return cmp.Compare(b.Year, a.Year) })
	for _, e := range k1 {
		if pairAmong(all, e) >= 0 || closesCycle(all, e) || shareOf(all,
			e.OwnedID).Add(e.Percent).GreaterThan(wholePercent) {
			continue
		}
		all = append(all, e)
	}
	return all
}

// CheckOwnership says what is wrong with edges that are given by hand, among the parties of their lead and beside k1,
// the edges that stand of themselves. An entry that repeats one of those is left as it is. Pointers are into {edges}.
func CheckOwnership(edges, k1 []OwnershipEdge, parties []LeadParty) (manual []OwnershipEdge, faults []Fault) {
	fault := func(i int, field, detail string) {
		faults = append(faults, Fault{Pointer: fmt.Sprintf("/edges/%d%s", i, field), Code: "invalid_value",
			Detail: detail})
	}
	kinds := map[PartyID]PartyKind{}
	for _, p := range parties {
		kinds[p.ID] = p.Kind
	}
	var seen []OwnershipEdge
	for i, e := range edges {
		switch repeated := pairAmong(k1, e); {
		case kinds[e.OwnerID] == "":
			fault(i, "/ownerId", "ownerId is no party of this lead")
		case kinds[e.OwnedID] == "":
			fault(i, "/ownedId", "ownedId is no party of this lead")
		case kinds[e.OwnedID] == PartyPerson:
			fault(i, "/ownedId", "ownedId is a person; only businesses are owned")
		case !e.Percent.IsPositive() || e.Percent.GreaterThan(wholePercent):
			fault(i, "/percent", "percent must be above 0 and at most 100")
		case pairAmong(seen, e) >= 0:
			fault(i, "", "This pair is there twice")
		case e.Source == EdgeK1 && (repeated < 0 || !k1[repeated].Percent.Equal(e.Percent)):
			fault(i, "/source", "No K-1 of the file says this; leave source out, or say manual")
		case closesCycle(seen, e):
			fault(i, "", "This share closes a circle of owners")
		case shareOf(seen, e.OwnedID).Add(e.Percent).GreaterThan(wholePercent):
			fault(i, "/percent", "The shares of this party would be more than 100 percent in all")
		case e.Source != EdgeK1:
			manual = append(manual, e)
		}
		seen = append(seen, e)
	}
	return manual, faults
}

func pairAmong(edges []OwnershipEdge, e OwnershipEdge) int {
	return slices.IndexFunc(edges, func(o OwnershipEdge) bool {
		return o.OwnerID == e.OwnerID &&
			o.OwnedID == e.OwnedID
	})
}

func shareOf(edges []OwnershipEdge, owned PartyID) decimal.Decimal {
	sum := decimal.Zero
	for _, e := range edges {
		if e.OwnedID == owned {
			sum = sum.Add(e.Percent)
		}
	}
	return sum
}

// closesCycle reports whether an owner would, over others, own itself.
func closesCycle(edges []OwnershipEdge, e OwnershipEdge) bool {
	reached, next := map[PartyID]bool{}, []PartyID{e.OwnedID}
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		if at == e.OwnerID {
			return true
		}
		if reached[at] {
			continue
		}
		reached[at] = true
		for _, o := range edges {
			if o.OwnerID == at {
				next = append(next, o.OwnedID)
			}
		}
	}
	return false
}

// DebtKind is what a debt is.
type DebtKind string

// Kinds of debts.
const (
	DebtTermLoan     DebtKind = "term_loan"
	DebtLineOfCredit DebtKind = "line_of_credit"
	DebtMortgage     DebtKind = "mortgage"
	DebtLease        DebtKind = "lease"
	DebtCreditCard   DebtKind = "credit_card"
	DebtAuto         DebtKind = "auto"
	DebtStudent      DebtKind = "student"
	DebtOther        DebtKind = "other"
)

// Valid reports whether k is a kind.
func (k DebtKind) Valid() bool {
	return slices.Contains([]DebtKind{DebtTermLoan, DebtLineOfCredit, DebtMortgage, DebtLease, DebtCreditCard,
		DebtAuto, DebtStudent, DebtOther}, k)
}

// DebtFrequency is how often a debt is paid.
type DebtFrequency string

// Frequencies of payments.
const (
	DebtWeekly    DebtFrequency = "weekly"
	DebtMonthly   DebtFrequency = "monthly"
	DebtQuarterly DebtFrequency = "quarterly"
	DebtAnnually  DebtFrequency = "annually"
)

var paymentsAYear = map[DebtFrequency]int64{DebtWeekly: 52, DebtMonthly: 12, DebtQuarterly: 4, DebtAnnually: 1}

// Valid reports whether f is a frequency.
func (f DebtFrequency) Valid() bool { return paymentsAYear[f] != 0 }

// DebtSource says where a debt is known from.
type DebtSource string

// Sources of debts.
const (
	DebtStatement DebtSource = "statement"
	DebtManual    DebtSource = "manual"
)

// Valid reports whether s is a source.
func (s DebtSource) Valid() bool { return s == DebtStatement || s == DebtManual }

// Debt is what a party owes. Amounts are in the currency of the lead's spreads. Source: relationships.md section 3.
type Debt struct {
	ID         DebtID
	PartyID    PartyID
	Lender     string
	Kind       DebtKind
	Balance    decimal.Decimal
	Rate       *decimal.Decimal // percent a year
	Payment    decimal.Decimal  // each time
	Frequency  DebtFrequency
	Maturity   *string // YYYY-MM-DD
	Secured    bool
	Source     DebtSource
	DocumentID *DocumentID
}

// Annual is what is paid on the debt in a year.
func (d Debt) Annual() decimal.Decimal {
	return d.Payment.Mul(decimal.NewFromInt(paymentsAYear[d.Frequency]))
}
