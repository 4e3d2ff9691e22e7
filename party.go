package dossier

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
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
