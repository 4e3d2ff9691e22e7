package specimen

import (
	"time"
)

// slot is one kind of document in a corpus.
type slot func(seed uint64) Specimen

// slots are all kinds, in an order that mixes them; a corpus of 60 has each once.
func slots() []slot {
	var banks, taxes, statements, ids, others []slot
	for _, layout := range BankLayouts() {
		banks = append(banks, func(seed uint64) Specimen {
			d := roll(seed, "options")
			return BankStatement(BankOptions{Seed: seed, Layout: layout, Business: d.chance(50), Broken: d.chance(8)})
		})
	}
	for _, layout := range BankCSVLayouts() {
		banks = append(banks, func(seed uint64) Specimen { return BankCSV(BankOptions{Seed: seed, Layout: layout}) })
	}
	for _, form := range TaxForms() {
		taxes = append(taxes, func(seed uint64) Specimen { return TaxReturn(TaxOptions{Seed: seed, Form: form}) })
	}
	taxes = append(taxes, func(seed uint64) Specimen {
		return TaxReturn(TaxOptions{Seed: seed, Form: "1120-S", YearEnd: time.June})
	})
	for _, layout := range StatementLayouts() {
		statements = append(statements, func(seed uint64) Specimen {
			return FinancialStatement(StatementOptions{Seed: seed, Layout: layout})
		})
	}
	for _, design := range IDDesigns() {
		ids = append(ids, func(seed uint64) Specimen {
			d := roll(seed, "options")
			return Identity(IDOptions{Seed: seed, Design: design, BadMRZ: d.chance(15), Expired: d.chance(20)})
		})
	}
	ids = append(ids, func(seed uint64) Specimen {
		return Identity(IDOptions{Seed: seed, Design: "usa_passport", BadMRZ: true})
	})
	for _, name := range Traps() {
		others = append(others, func(seed uint64) Specimen { return Trap(seed, name) })
	}
	return interleave(banks, others, ids, statements, taxes)
}

// interleave deals from each pile in turn until all are empty.
func interleave(piles ...[]slot) []slot {
	var out []slot
	for i := 0; ; i++ {
		before := len(out)
		for _, p := range piles {
			if i < len(p) {
				out = append(out, p[i])
			}
		}
		if len(out) == before {
			return out
		}
	}
}

// Corpus is n documents of all kinds for the scorer, in a fixed order for a seed.
func Corpus(seed uint64, n int) []Specimen {
	out := make([]Specimen, 0, n)
	for i := range n {
		out = append(out, CorpusDocument(seed, i))
	}
	return out
}

// CorpusDocument is document i of the corpus of a seed, for runs that hold one at a time. About two in five of those
// that can be printed are scans; in the first sixty fewer, so that a short run still sees the layouts as text.
func CorpusDocument(seed uint64, i int) Specimen {
	all := slots()
	at := seed*100_003 + uint64(i)
	s, d := all[i%len(all)](at), roll(at, "corpus")
	share := 40
	if i < len(all) {
		share = 20
	}
	if !d.chance(share) {
		return s
	}
	return Scan(s, at, [...]int{CleanScan, CleanScan, CleanScan, OfficeCopier, OfficeCopier, Phone}[d.IntN(6)])
}
