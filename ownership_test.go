package dossier_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// edge reads "A>B 50", "A>B 50 k1", "A>B 50 2023".
func edge(t *testing.T, text string) dossier.OwnershipEdge {
	t.Helper()
	words := strings.Fields(text)
	owner, owned, _ := strings.Cut(words[0], ">")
	e := dossier.OwnershipEdge{OwnerID: dossier.PartyID(owner), OwnedID: dossier.PartyID(owned), Percent: decimal.RequireFromString(words[1]), Source: dossier.EdgeManual}
	if len(words) > 2 {
		e.Source = dossier.EdgeK1
		_, _ = fmt.Sscanf(words[2], "%d", &e.Year)
	}
	return e
}

func edges(t *testing.T, text string) []dossier.OwnershipEdge {
	t.Helper()
	var all []dossier.OwnershipEdge
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, edge(t, part))
		}
	}
	return all
}

// What is given by hand wins over K-1s, and of those the newest of each pair counts, as far as the whole makes sense.
func TestOwnership(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ manual, k1, want string }{
		"by hand alone":             {"A>X 60", "", "A>X 60"},
		"K-1s alone":                {"", "A>X 60 2023, B>X 40 2023", "A>X 60, B>X 40"},
		"by hand wins":              {"A>X 70", "A>X 60 2023, B>X 30 2023", "A>X 70, B>X 30"},
		"the newest of a pair":      {"", "A>X 50 2021, A>X 60 2023, A>X 55 2022", "A>X 60"},
		"no more than the whole":    {"A>X 70", "B>X 40 2023, C>X 30 2022", "A>X 70, C>X 30"},
		"sold on":                   {"", "A>X 100 2022, B>X 100 2023", "B>X 100"},
		"no circle":                 {"X>Y 10", "Y>Z 10 2023, Z>X 10 2023", "X>Y 10, Y>Z 10"},
		"thirds of a whole":         {"", "A>X 33.3333 2023, B>X 33.3333 2023, C>X 33.3334 2023", "A>X 33.3333, B>X 33.3333, C>X 33.3334"},
		"a holding between the two": {"H>X 100", "A>H 50 2023, A>X 5 2020", "H>X 100, A>H 50"},
	} {
		var got []string
		for _, e := range dossier.Ownership(edges(t, c.manual), edges(t, c.k1)) {
			got = append(got, fmt.Sprintf("%s>%s %s", e.OwnerID, e.OwnedID, e.Percent))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// What is wrong with edges is said where it stands.
func TestCheckOwnership(t *testing.T) {
	t.Parallel()
	var parties []dossier.LeadParty
	for _, id := range []string{"A", "B", "C", "X", "Y", "Z"} {
		kind := dossier.PartyPerson
		if id >= "X" {
			kind = dossier.PartyBusiness
		}
		parties = append(parties, dossier.LeadParty{ID: dossier.PartyID(id), Kind: kind})
	}
	for name, c := range map[string]struct{ edges, k1, kept, faults string }{
		"right":              {"A>X 60, B>X 40, X>Y 100", "", "A>X B>X X>Y", ""},
		"nobody":             {"Q>X 60, A>Q 5", "", "", "/edges/0/ownerId /edges/1/ownedId"},
		"a person":           {"X>A 60", "", "", "/edges/0/ownedId"},
		"nothing, too much":  {"A>X 0, A>Y 100.01, B>X -5", "", "", "/edges/0/percent /edges/1/percent /edges/2/percent"},
		"twice":              {"A>X 10, A>X 20", "", "A>X", "/edges/1"},
		"itself":             {"X>X 10", "", "", "/edges/0"},
		"a circle":           {"X>Y 10, Y>Z 10, Z>X 10", "", "X>Y Y>Z", "/edges/2"},
		"more than whole":    {"A>X 60, B>X 40, C>X 0.01", "", "A>X B>X", "/edges/2/percent"},
		"a K-1's, unchanged": {"A>X 60 k1, B>X 40", "A>X 60 2023", "B>X", ""},
		"a K-1's, changed":   {"A>X 61 k1", "A>X 60 2023", "", "/edges/0/source"},
		"no K-1's":           {"B>X 40 k1", "A>X 60 2023", "", "/edges/0/source"},
	} {
		kept, faults := dossier.CheckOwnership(edges(t, c.edges), edges(t, c.k1), parties)
		var got, at []string
		for _, e := range kept {
			got = append(got, fmt.Sprintf("%s>%s", e.OwnerID, e.OwnedID))
		}
		for _, f := range faults {
			at = append(at, f.Pointer)
		}
		if strings.Join(got, " ") != c.kept || strings.Join(at, " ") != c.faults {
			t.Errorf("%s: kept %v, faults at %v; want %s and %s", name, got, at, c.kept, c.faults)
		}
	}
}
