package classify

import (
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// forgetExamples takes the cards and the returns that a lesson or a handbook shows for what they are: its first page
// says that it teaches, which no card and no return does.
func forgetExamples(pages []text.Page, kinds []pageKind) {
	if !lecture.MatchString(text.Fold(text.Join(pages[0].Tokens))) {
		return
	}
	for i, k := range kinds {
		if k.docType == dossier.DocTaxReturn || slices.Contains(identities, k.docType) {
			kinds[i] = pageKind{docType: dossier.DocOther, number: k.number, of: k.of}
		}
	}
}

// lecture matches how lessons, handbooks and manuals speak of what they show.
var lecture = lazyregexp.New(`\b(?:lesson \d+|(?:training|staff|employee|student) (?:handbook|manual|guide|course` +
	`|material)s?|handbook for|what to look for|made up (?:taxpayer|person|client|customer|family)|completed example` +
	`|the example (?:below|above|on the)|chapter \d+ (?:what|how|why)|students (?:use|will|should))\b`)

// memberName matches the name of a value in program text: `"ending_balance":`.
var memberName = lazyregexp.New(`^[{\[,]?"[A-Za-z_]+":$`)

// leastMembers is how many of them program text has.
const leastMembers = 2

// weighProgram takes most of what its words gave to a page that shows program text: what a program reads or writes
// about papers is none of them.
func weighProgram(p text.Page, scores map[dossier.DocType]float64) {
	members := 0
	for _, t := range p.Tokens {
		if memberName.MatchString(t.Text) {
			members++
		}
	}
	if members < leastMembers {
		return
	}
	for t := range scores {
		scores[t] *= proseWorth
	}
}

// accountMark matches what every statement of an account says besides its balances. What has a balance and nothing of
// it is somebody's own sum.
var accountMark = lazyregexp.New(`\b(?:accounts?|accts?|statements?|banks?|banking|checking|savings|credit union` +
	`|shares?|deposits?|deposited|withdrawals?|withdrawn|debits?|transactions?|transfers?|sort code|bsb|iban|fdic` +
	`|checks?|cheques?|paid (?:in|out)|money (?:in|out)|customer|branch|currency)\b`)

// weighOwnSum takes from a page with balances that names no account what they gave it.
func weighOwnSum(folded string, scores map[dossier.DocType]float64) {
	if text.HasWords(folded, "balance") && !accountMark.MatchString(folded) {
		scores[dossier.DocBankStatement] *= proseWorth
	}
}
