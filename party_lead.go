package dossier

import (
	"slices"
	"time"
)

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
