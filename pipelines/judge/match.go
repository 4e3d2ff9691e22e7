// Package judge says which items of a checklist a read document serves and which rules in natural language it
// meets, with the evidence. It is pure: facts in, verdicts out. Reading documents is pipelines/document.
package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// MatchItem is a file item of a lead's checklist as far as matching and judging need it. Hidden items are the
// caller's to leave out.
type MatchItem struct {
	Entry             dossier.EntryID
	Code, Label       string
	FieldType         dossier.FieldType
	Config            dossier.ItemConfig
	Rules             []string
	AgentInstructions string
	Whose             *dossier.Party // whose papers it takes, of a party of its own; nil: the lead's
}

// MatchDocument is one uploaded file with what was read in it.
type MatchDocument struct {
	Document dossier.DocumentID
	Filename string
	Assigned dossier.EntryID // the item it was uploaded for or a person put it on; "" when nobody said
	Read     []dossier.ReadDocument
}

// Pairing is one file that serves one item.
type Pairing struct {
	Document dossier.DocumentID
	Entry    dossier.EntryID
	Score    float64 // 0 to 1; 1 is somebody's word
	Reason   string  // one sentence for people
	Parts    []int   // which documents of the file serve the item, for Judgement.Parts
}

// enoughScore is the score below which a file is not put on an item. closeScore is how far below a file's
// best item another item may be and still get it: two items for the same thing both do, a second best does not.
const (
	enoughScore = 0.5
	closeScore  = 0.15
)

// Match says which files serve which items: type first, then the item's config, then the words of its label
// and rules, then names. A file may serve several items and an item several files. A look-alike (a credit card
// statement, a W-2, a social security card) never serves a BANK_STATEMENT, TAX_RETURN or ID item unless
// somebody put it there, and then Validate refuses it.
//
// The pairings come in the order of docs, then of items. A file that serves nothing is in none.
func Match(items []MatchItem, docs []MatchDocument, party dossier.Party) []Pairing {
	var all []Pairing
	for _, doc := range docs {
		all = append(all, matchOne(items, doc, party)...)
	}
	return all
}

func matchOne(items []MatchItem, doc MatchDocument, party dossier.Party) []Pairing {
	found := map[dossier.EntryID]*Pairing{}
	taken := map[int]bool{} // parts that serve the item they were uploaded for
	for _, item := range items {
		if doc.Assigned != "" && item.Entry == doc.Assigned && item.FieldType.TakesFiles() {
			p := assigned(item, doc)
			found[item.Entry] = &p
			for _, i := range p.Parts {
				fits, _ := fitsItem(doc.Read[i], item.FieldType, item.Config)
				taken[i] = fits
			}
		}
	}
	for i, part := range doc.Read {
		if taken[i] {
			continue
		}
		for _, s := range bestItems(items, doc, part, party) {
			if p := found[s.item.Entry]; p == nil {
				found[s.item.Entry] = &Pairing{doc.Document, s.item.Entry, s.score, s.reason, []int{i}}
			} else if p.Score < 1 {
				p.Parts = append(p.Parts, i)
				p.Score = max(p.Score, s.score)
			}
		}
	}
	var pairings []Pairing
	for _, item := range items {
		if p := found[item.Entry]; p != nil {
			pairings = append(pairings, *p)
		}
	}
	return pairings
}

// assigned honours somebody's word: the file is on the item, with the parts that fit, or all when none does.
func assigned(item MatchItem, doc MatchDocument) Pairing {
	p := Pairing{Document: doc.Document, Entry: item.Entry, Score: 1, Reason: "Uploaded for this item."}
	var all []int
	misfit := ""
	for i, part := range doc.Read {
		all = append(all, i)
		if fits, why := fitsItem(part, item.FieldType, item.Config); fits {
			p.Parts = append(p.Parts, i)
		} else {
			misfit = strings.TrimSuffix(lowerFirst(why.In(dossier.English)), ".")
		}
	}
	if p.Parts == nil {
		p.Parts = all
		if misfit != "" {
			p.Reason = fmt.Sprintf("Uploaded for this item, but %s.", misfit)
		}
	}
	return p
}

type scored struct {
	item   MatchItem
	score  float64
	reason string
}

// bestItems returns the items that one document serves: those that take its type, and among each type of item
// the best and what is close to it.
func bestItems(items []MatchItem, doc MatchDocument, part dossier.ReadDocument, party dossier.Party) []scored {
	byType := map[dossier.FieldType][]scored{}
	partys := ofPartyItem(items, part, party)
	for _, item := range items {
		score, reason := scoreItem(item, doc, part, party)
		if partys && item.Whose == nil {
			score -= 0.3 // it is made out to a party that is asked for its own
		}
		if score >= enoughScore {
			byType[item.FieldType] = append(byType[item.FieldType], scored{item, min(score, 0.99), reason})
		}
	}
	var chosen []scored
	for _, list := range byType {
		best := slices.MaxFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
		for _, s := range list {
			if s.score >= best.score-closeScore {
				chosen = append(chosen, s)
			}
		}
	}
	return chosen
}

// scoreItem says how well a document fits an item: 0 when its type or config excludes it.
func scoreItem(item MatchItem, doc MatchDocument, part dossier.ReadDocument, party dossier.Party) (float64, string) {
	if !item.FieldType.TakesFiles() {
		return 0, ""
	}
	if fits, _ := fitsItem(part, item.FieldType, item.Config); !fits {
		return 0, ""
	}
	name, whose := nameScore(item, part, party)
	if item.FieldType == dossier.FieldFile {
		score, why := fileScore(item, doc, part, party)
		if score == 0 {
			return 0, ""
		}
		return score + name, fmt.Sprintf("%s, %s%s.", capital(printedTitle(part)), why, whose)
	}
	words, why := labelScore(item, part)
	return 0.65 + 0.2*part.Confidence + words + name, fmt.Sprintf("%s%s%s.", capital(printedTitle(part)), why, whose)
}
