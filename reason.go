package dossier

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// ReasonCode names what a reason says; its words are in reason_words.go.
type ReasonCode string

// Reason is why a rule is met or not, or why an item is not right, as data: a code of the table in reason_words.go,
// what its sentence says beside the code, and where that is printed. The zero value is no reason. Its JSON names
// are those of review.md: verdicts are stored as they are answered.
type Reason struct {
	Code      ReasonCode `json:"code"`
	Args      ReasonArgs `json:"args"`      // never null; what it may hold stands in the words of the code
	Citations []Citation `json:"citations"` // never null; in the order in which the facts were looked at
}

// ReasonArgs are the values of a reason's sentence: texts, whole numbers, lists of texts; dates as YYYY-MM-DD,
// amounts as decimals. "file" is the file and "pages" the first and last page a sentence is about, "also" holds
// further reasons of the same verdict, "wouldPass" is what would have to be so for the rule to be met.
type ReasonArgs map[string]any

// Citation says where a fact that a reason rests on is printed. Page and Box are null when the fact is derived;
// Text then is how.
type Citation struct {
	DocumentID *DocumentID `json:"documentId"` // null when no stored document was judged
	Part       int         `json:"part"`       // index into extraction.documents
	Page       *int        `json:"page"`
	Box        any         `json:"box"`
	Text       string      `json:"text"`
	Pointer    string      `json:"pointer"` // into the facts of the part
}

// NewReason makes a reason without citations; args are pairs of name and value.
func NewReason(code ReasonCode, args ...any) Reason {
	r := Reason{Code: code, Args: ReasonArgs{}, Citations: []Citation{}}
	for i := 0; i+1 < len(args); i += 2 {
		r.Args[args[i].(string)] = args[i+1]
	}
	return r
}

// None reports that there is no reason.
func (r Reason) None() bool { return r.Code == "" }

// Asks reports that the code asks for a person: nobody could read or decide it.
func (r Reason) Asks() bool { return reasonWords[r.Code].asks }

// With returns the reason with one more value.
func (r Reason) With(name string, value any) Reason {
	args := ReasonArgs{name: value}
	for k, v := range r.Args {
		if k != name {
			args[k] = v
		}
	}
	r.Args = args
	return r
}

// ReasonCodes lists every code of a reason, sorted; those that only say what would let a rule pass are left out.
func ReasonCodes() []ReasonCode {
	codes := make([]ReasonCode, 0, len(reasonWords))
	for code := range reasonWords {
		if !strings.HasPrefix(string(code), "if_") {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// ReasonSample is the sentence of a code with its values left open, for the table of codes, and whether it asks for
// a person.
func ReasonSample(code ReasonCode) (sentence string, asks bool) {
	w := reasonWords[code]
	return reasonPlace.ReplaceAllStringFunc(w.en, func(place string) string {
		name, _, _ := strings.Cut(strings.Trim(place, "{}"), ":")
		if name == "" {
			return "…"
		}
		return "`" + name + "`"
	}), w.asks
}

// ReasonsText is what a list of reasons says in one line, nil when there is none: an item's validationError.
func ReasonsText(language Language, reasons []Reason) *string {
	if len(reasons) == 0 {
		return nil
	}
	said := reasons[0].In(language)
	return &said
}

// SameReasons reports whether two lists are the same, citations included.
func SameReasons(a, b []Reason) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return bytes.Equal(jsonOf(a), jsonOf(b))
}

// ReasonsOrNone makes a list for an answer, where no list is an empty one.
func ReasonsOrNone(reasons []Reason) []Reason {
	if reasons == nil {
		return []Reason{}
	}
	return reasons
}

// In says the reason in a sentence.
func (r Reason) In(language Language) string {
	return r.say(reasonVoice{language: language, sentence: true})
}

// Phrase says the reason for the middle of another sentence, with dates as people write them; no period at its end.
func (r Reason) Phrase(language Language) string {
	return strings.TrimRight(r.say(reasonVoice{language: language, day: reasonDay}), ". ")
}

// Foreign reports that the sentence quotes words of ours that are written in English only, and language is another:
// then it is not for a lead's eyes.
func (r Reason) Foreign(language Language) bool {
	if language == English {
		return false
	}
	for _, also := range nestedReasons(r.Args["also"]) {
		if also.Foreign(language) {
			return true
		}
	}
	return englishPlace.MatchString(reasonWords[r.Code].in(language))
}

// UnmarshalJSON reads a reason; lists and args that are missing are empty.
func (r *Reason) UnmarshalJSON(data []byte) error {
	type plain Reason
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	r.fill()
	return nil
}

func (r *Reason) fill() {
	if r.Args == nil {
		r.Args = ReasonArgs{}
	}
	if r.Citations == nil {
		r.Citations = []Citation{}
	}
}
