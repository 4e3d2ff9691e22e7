package bankanalysis

import (
	"regexp"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// What banks, processors and employers write into descriptions. All patterns see them folded: lower case, and blanks
// for everything but letters, digits, & and %.

// phrases are a pattern, and a pattern of similar phrases that do not count.
type phrases struct{ are, not *regexp.Regexp }

func newPhrases(are, not string) phrases {
	whole := func(pattern string) *regexp.Regexp { return regexp.MustCompile(`\b(?:` + pattern + `)\b`) }
	if not == "" {
		return phrases{are: whole(are)}
	}
	return phrases{whole(are), whole(not)}
}

func (w phrases) match(folded string) bool {
	return w.are.MatchString(folded) && (w.not == nil || !w.not.MatchString(folded))
}

var (
	// nsfPhrases name payments that the account did not cover, and the fees for them. A customer's returned check is a
	// deposit, and a transfer that covers an overdraft is none of these.
	nsfPhrases = newPhrases(`nsf|(?:non|not|in) ?sufficient funds?|uncollected funds?|unavailable funds?|overdraft`+
		`|overdrawn|unarranged|od (?:fee|charge|item|paid)|paid item fee`+
		`|unpaid (?:item|check|cheque|transaction|direct debit)s?|(?:returned|return|rtn|rtnd|retd) (?:item|check`+
		`|chk|cheque|payment|pmt|ach|debit|direct debit)s?`,
		`transfer|xfer|tfr|trsf|sweep|interest|protection|chargeback|deposit|deposited|depositor|dep item|refund`+
			`|reversal|waived?`)

	// ownTransfer matches descriptions of transfers between accounts of one holder that name the other account. Wires,
	// card networks and payment services also "transfer", but from others; and a payment to a loan or a card pays a
	// debt.
	ownTransfer = newPhrases(
		`(?:`+moved+`)(?: (?:ref|conf|confirmation|no|id|\w*\d\w*))* (?:to|from) (?:\w+ ){0,4}?(?:`+
			deposits+`)`+
			`|(?:`+moved+`)(?: (?:ref|conf|confirmation|no|id|\w*\d\w*))* (?:to|from) (?:(?:my|own|other|linked`+
			`|business|personal|operating|reserve|tax|bank) )*(?:x+\d+|\d{4,})`+
			`|(?:internal|book|own account|account to account|intra ?bank) (?:`+moved+
			`)|(?:overdraft protection|overdraft|sweep) (?:`+moved+`)|(?:`+moved+`) (?:overdraft protection|sweep)`,
		others+`|`+debts)

	// transferWords only say that money moved. They suffice when the other side of the transfer is shown too.
	transferWords = newPhrases(moved, others+`|`+debts)

	// bankMoves are transfers that may be to others or to oneself: both sides must match.
	bankMoves = newPhrases(`wire|zelle|`+moved, debts)
)

const (
	moved    = `transfer|xfer|tfr|trnsfr|trnsf|trsf`
	deposits = `checking|chk|chkg|ck|ckg|savings|svgs?|sav|share|money market|mmkt|mma|account|acct|a c|dda`
	others   = `wire|zelle|venmo|paypal|stripe|square|sq|cash app|western union|moneygram|ach credit|swift|sepa` +
		`|wise|revolut|remitly|shopify|etsy|amazon|ebay|airbnb|doordash|grubhub|uber|toast|clover|coinbase` +
		`|robinhood|real time|rtp|fednow`
	debts = `loans?|ln|mortgage|mtg|line of credit|credit line|loc|heloc|credit card|visa|mastercard|card|crd`
)

// kinds are recognized by words of descriptions; the first that matches counts.
var kinds = []struct {
	name string
	phrases
}{
	{"tax", newPhrases(`irs|eftps|us ?tax\w*|tax(?:es)? (?:pmt|pymt|pymnt|payment|pay|deposit|board|commission|comm`+
		`|dept)|(?:payroll|sales|state|franchise|property|excise|income|withholding|unemployment|fed|federal|gusto`+
		`|adp|paychex|paycom|paylocity|rippling|intuit|quickbooks|tps) tax(?:es)?`+
		`|(?:dept|department) (?:of )?(?:rev|revenue|taxation)|comptroller|cdtfa|hmrc`,
		`tax (?:prep|service|consult\w*|advis\w*)`)},
	{"payroll", newPhrases(`payroll|salary|salaries|wages?|paycheck|direct dep|direct deposit|dir dep|adp|gusto`+
		`|paychex|paycom|paylocity|paycor|justworks|rippling|trinet|surepayroll|ceridian|dayforce`, `fees?|401k`)},
	{"card", newPhrases(`credit ?card|credit crd|crd (?:autopay|epay|pmt|pymt)|crcardpmt|card (?:payment|pmt|pymt`+
		`|autopay|auto pay|serv\w*|svc)|cardmember|amex|american express|discover (?:card|e payment|dc)|capital one `+
		`(?:card|crcard\w*|mobile|online|pmt|autopay)|citi ?card|applecard|barclaycard|synchrony`,
		`(?:debit|check|gift|fuel|gas) ?card|checkcard|processing|merchant|settlement|discount`)},
	{"insurance", newPhrases(`insurance|insur|ins (?:prem|pmt|pymt|co)|prem|premium|geico|allstate|progressive|state `+
		`farm|liberty mutual|aflac|metlife|blue cross|bcbs|aetna|cigna|workers comp`,
		`leasing|lease|premium (?:outlets?|brands?)`)},
	{"loan", newPhrases(`capital one auto`, ``)},
	{"loan", newPhrases(`loans?|ln (?:pmt|pymt|payment)|lending|lender|lendingclub|mortgage|mtg|mtge|capital|funding`+
		`|financing|finance|advance|mca|sba|eidl|kabbage|ondeck|bluevine|fundbox|credibly|kapitus|lendio|navient`+
		`|nelnet|line of credit|loc pmt|note payment|leasing`+
		`|(?:equipment|auto|vehicle|truck|copier) lease|(?:ford|gm|toyota|honda|nissan|hyundai|bmw|chrysler|deere`+
		`|cat|caterpillar) (?:motor |mtr )?(?:credit|crd|financial|fin|lease)`,
		`capital (?:one|grille?|electric|lumber|supply|city)|advance (?:auto|stores)|finance charge|crowdfunding`)},
	{"rent", newPhrases(`rent|landlord|realty|propert(?:y|ies) (?:management|mgmt|mgt)|properties|lease|leasehold`+
		`|(?:office|store|shop|warehouse|space) rental`,
		`rent a|(?:car|truck|equipment|tool|uniform|party|tent) rent(?:al)?|hertz|avis`)},
	{"utility", newPhrases(`electric|electricity|energy|power|water|sewer|gas (?:co|company|bill)|utility|utilities`+
		`|broadband|internet serv\w*|telecom|telephone|wireless|comcast|xfinity|verizon|at&t|t mobile|spectrum|pg&e`+
		`|con ed|coned`, `power ?sports|energy drink`)},
}

// kindOf names what payments with this description are for, "other" when it does not say.
func kindOf(description string) string {
	folded := text.Fold(description)
	for _, k := range kinds {
		if k.match(folded) {
			return k.name
		}
	}
	return "other"
}

func describesTransfer(description string) bool { return ownTransfer.match(text.Fold(description)) }

// sidesOfTransfer reports whether two entries of equal amount, one leaving an own account and one reaching another, may
// be one transfer: one side says so, or both are bank transfers.
func sidesOfTransfer(out, in string) bool {
	out, in = text.Fold(out), text.Fold(in)
	return ownTransfer.match(out) || ownTransfer.match(in) || transferWords.match(out) || transferWords.match(in) ||
		bankMoves.match(out) && bankMoves.match(in)
}
