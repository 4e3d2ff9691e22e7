package dossier

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

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
