package classify

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// aboutCards matches what papers print that name an identity document, or hold a number of one, and are none:
// applications, records, forms to fill in, a person's history, and cards of members, pupils, patients and staff.
var aboutCards = lazyregexp.New(`\b(?:` + strings.Join([]string{
	`social security (?:number|no)`, `(?:loan|credit|rental) application`, `omb (?:no|number|control|approval)`,
	`(?:application|petition|request|apply|applying) (?:for|to)`, `please (?:print|send|provide|attach|bring)`,
	`checklist`, `before me`, `personally appeared`, `acknowledg[a-z]*`, `notary`, `crash`, `report`, `certify`,
	`certificate`, `examiners?`, `for official use`, `eligibility verification`, `attestation`, `i 9`, `ds 11`,
	`most recent i 94`,
	`(?:driver|driving|motor vehicle) (?:record|history|abstract)`, `record abstract`, `violations?`, `convictions`,
	`vin`, `vehicle (?:id|identification|registration)`, `make model`, `body type`,
	`(?:work|professional|employment) (?:experience|history)`, `references`, `skills`, `education`, `curriculum vitae`,
	`insurance (?:company|identification|card)`, `policy (?:number|no)`,
	`(?:student|employee|member|membership|patient|staff|faculty|library|visitor|veteran) (?:identification|id|card` +
		`|no|number|name)`, `health plan`, `group (?:no|number)`, `rxbin`, `copay`,
	`voter`, `precinct`, `marijuana`, `cannabis`, `security guard`, `guard (?:card|registration)`,
	`(?:license|licence) renewal`, `notice`, `about to expire`,
	`uniformed services`, `armed forces`, `geneva conventions?`, `dod id`, `visa type`, `visa class`, `issuing post`,
	`(?:borrower|applicant|tenant|landlord|guarantor|beneficial owner)s?`, `concealed`, `firearm`, `fishing`, `hunting`,
}, "|") + `)\b`)

// identities are the types that serve as an ID.
var identities = []dossier.DocType{dossier.DocDriversLicense, dossier.DocNationalID, dossier.DocPassport,
	dossier.DocResidencePermit}

// mostCardWords is how many words both sides of an identity card, or a passport's open pages, have at most.
const mostCardWords = 330

// mostNumberCard is how many words a social security card has at most, with the sentences on its back.
const mostNumberCard = 160

// cardDate matches what captions the dates on a card: every identity document prints a birth or an expiry.
var cardDate = lazyregexp.New(`\b(?:\d?d[o0]b\w*|birth|birthdate|born|4?b?exp\d*|expires|expiry|expiration|4b\d*|3` +
	`|naissance|n(?:ee|e e|e) le|nacimiento|nascimento|geburtsdatum|geburtstag|nascita|valid|until|iss|issued|4a\d*` +
	`|caducidad|vencimiento|resident since)\b`)

// mostSideWords is how many words one side of a card has at most.
const mostSideWords = 120

// datedPicture reports whether a picture of few words prints two dates, as a card does whose captions are too small to
// be read: the birth and the end of its validity at least.
func datedPicture(lines []text.Line, words int) bool {
	if words > mostSideWords {
		return false
	}
	dates := map[string]bool{}
	for _, l := range lines {
		for _, d := range l.Dates(text.DayFirst) {
			if d.Complete() && d.Tokens[0].Method == text.MethodOCR {
				dates[d.Date.String()] = true
			}
		}
	}
	return len(dates) >= 2
}

// weighCard takes from the types of identity documents what a page says against it being one.
func weighCard(lines []text.Line, folded string, zone bool, scores map[dossier.DocType]float64) {
	if scores[dossier.DocSocialSecurityCard] <= 0 &&
		!slices.ContainsFunc(identities, func(t dossier.DocType) bool { return scores[t] > 0 }) {
		return
	}
	against := 0.0
	against += 4 * float64(len(aboutCards.FindAllString(folded, 4)))
	words := 0
	for _, l := range lines {
		words += len(l.Tokens)
	}
	if words > mostCardWords {
		against += 8
	}
	if !zone && !cardDate.MatchString(folded) && !datedPicture(lines, words) {
		against += 2
	}
	for _, t := range identities {
		if scores[t] > 0 {
			scores[t] -= against
		}
	}
	if words > mostNumberCard && scores[dossier.DocSocialSecurityCard] > 0 {
		scores[dossier.DocSocialSecurityCard] *= proseWorth
	}
}
