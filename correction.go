package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// CorrectionState says how a correction stands to what the machine reads.
type CorrectionState string

// States of a correction.
const (
	CorrectionApplied   CorrectionState = "applied"   // the machine reads what it read when the person wrote
	CorrectionConfirmed CorrectionState = "confirmed" // the machine reads the same as the person
	// it reads a third, or nothing that the correction fits: a person is asked
	CorrectionConflict CorrectionState = "conflict"
)

// Correction is what a person says of one fact, laid over what the machine read. Its JSON names are those of
// review.md section 2: corrections are stored as they are answered.
type Correction struct {
	Part         int             `json:"part"`         // index into extraction.documents
	Pointer      string          `json:"pointer"`      // into the facts of the part
	MachineValue json.RawMessage `json:"machineValue"` // what the machine read; null when nothing
	Value        json.RawMessage `json:"value"`        // null: the document does not show it
	Reason       *string         `json:"reason"`
	Page         *int            `json:"page"` // where it is printed; null: the machine's place
	Box          any             `json:"box"`
	Actor        string          `json:"actor"`
	At           time.Time       `json:"at"`
	State        CorrectionState `json:"state"`
}

func (c Correction) same(o Correction) bool {
	return c.Part == o.Part && c.Pointer == o.Pointer && bytes.Equal(c.Value, o.Value) &&
		Text(c.Reason) == Text(o.Reason) &&
		bytes.Equal(jsonOf(c.Page), jsonOf(o.Page)) &&
		bytes.Equal(jsonOf(c.Box), jsonOf(o.Box))
}

// FullPointer names the fact within the extraction: /documents/0/closingBalance.
func (c Correction) FullPointer() string { return fmt.Sprintf("/documents/%d%s", c.Part, c.Pointer) }

// ChangedCorrections lists the full pointers of what differs between two sets, sorted; none when they say the same.
func ChangedCorrections(before, after []Correction) []string {
	changed := []string{}
	for _, pair := range [2][2][]Correction{{before, after}, {after, before}} {
		for _, c := range pair[0] {
			held := slices.ContainsFunc(pair[1], func(o Correction) bool { return c.same(o) && c.State == o.State })
			if !held && !slices.Contains(changed, c.FullPointer()) {
				changed = append(changed, c.FullPointer())
			}
		}
	}
	slices.Sort(changed)
	return changed
}

// CheckCorrections says what is wrong with a set that a person sent for what the machine read, by JSON pointer into the
// request; nil when nothing is. Values are made canonical, and numbers of people are masked.
func (e Extraction) CheckCorrections(set []Correction) error {
	for i := range set {
		at := fmt.Sprintf("/corrections/%d", i)
		c := &set[i]
		if c.Part < 0 || c.Part >= len(e.Documents) {
			return invalidAt(at+"/part", "there is no such part; the file has %d, from 0", len(e.Documents))
		}
		for _, o := range set[:i] {
			if o.Part == c.Part &&
				(o.Pointer == c.Pointer || within(o.Pointer, c.Pointer) || within(c.Pointer, o.Pointer)) {
				return invalidAt(at+"/pointer", "this fact, or a part of it, is corrected twice in the set")
			}
		}
		part := e.Documents[c.Part]
		value, field, problem := part.checkFact(c.Pointer, c.Value)
		if problem != "" {
			return invalidAt(at+"/"+field, "%s", problem)
		}
		c.Value = value
		if field, problem := e.checkPlace(part, c.Page, c.Box); problem != "" {
			return invalidAt(at+"/"+field, "%s", problem)
		}
	}
	return nil
}

func invalidAt(pointer, format string, args ...any) error {
	return InvalidFaults([]Fault{{Pointer: pointer, Code: "invalid_value", Detail: fmt.Sprintf(format, args...)}})
}

// within reports whether a pointer leads into what another points to.
func within(parent, pointer string) bool { return strings.HasPrefix(pointer, parent+"/") }

// checkPlace says what is wrong with where a person saw a fact.
func (e Extraction) checkPlace(part ReadDocument, page *int, box any) (field, problem string) {
	switch {
	case page == nil && box != nil:
		return "page", "a box needs the page that it lies on"
	case page == nil:
		return "", ""
	case *page < part.Pages[0] || *page > part.Pages[1]:
		return "page", fmt.Sprintf("the part has pages %d to %d", part.Pages[0], part.Pages[1])
	case box == nil:
		return "", ""
	}
	i := slices.IndexFunc(e.Pages, func(p PageSize) bool { return p.Page == *page })
	if cell, ok := box.(string); ok && (i < 0 || e.Pages[i].Unit == UnitCell) && cellName.MatchString(cell) {
		return "", ""
	}
	list, ok := box.([]any)
	if !ok || len(list) != 4 || i >= 0 && e.Pages[i].Unit == UnitCell {
		return "box", "must be [x0, y0, x1, y1] in the page's unit, or a cell such as Sheet1!C14 on a page of cells"
	}
	corners := [4]float64{}
	for k, v := range list {
		if corners[k], ok = v.(float64); !ok {
			return "box", "must be four numbers"
		}
	}
	size := PageSize{Width: math.Inf(1), Height: math.Inf(1)}
	if i >= 0 {
		size = e.Pages[i]
	}
	if !size.holds(corners) {
		return "box", "does not lie on the page"
	}
	return "", ""
}

// holds reports whether a box [x0, y0, x1, y1] lies on the page.
func (p PageSize) holds(box [4]float64) bool {
	const slack = 1 // of a unit: places are rounded
	return box[0] >= 0 && box[1] >= 0 && box[0] < box[2] && box[1] < box[3] && box[2] <= p.Width+slack &&
		box[3] <= p.Height+slack
}

var cellName = regexp.MustCompile(`^([^!]+!)?[A-Z]{1,3}[1-9][0-9]{0,6}$`)

// Correct lays corrections over what the machine read. It returns the facts that count and the corrections as they
// stand now, in their order: confirmed ones leave what the machine read as it is, so results and hashes do not
// move. A correction that fits nothing any more stays, in conflict.
func (e Extraction) Correct(set []Correction) (Extraction, []Correction) {
	out := e.clone()
	stand := slices.Clone(set)
	touched := map[int][]string{}
	for i := range stand {
		c := &stand[i]
		if c.Part >= len(out.Documents) {
			c.State = CorrectionConflict
			continue
		}
		part := &out.Documents[c.Part]
		reads, known := part.Facts.read(part.DocType, c.Pointer)
		if !known {
			c.State = CorrectionConflict
			continue
		}
		c.setState(reads)
		if c.State == CorrectionConfirmed {
			continue
		}
		if err := part.Facts.write(part.DocType, c.Pointer, c.Value); err != nil {
			c.State = CorrectionConflict
			continue
		}
		part.citePerson(*c)
		touched[c.Part] = append(touched[c.Part], c.Pointer)
	}
	for i := range out.Documents {
		touched[i] = append(touched[i], out.Documents[i].correctTwins(e.Documents[i], i, stand)...)
		touched[i] = append(touched[i], out.Documents[i].sumEntries(e.Documents[i], i, touched[i], stand)...)
		out.Documents[i].recheck(e.Documents[i], touched[i])
	}
	return out, stand
}

// correctTwins corrects the facts of a tax form that are the same printed line as one that a person corrected, unless
// the person says something of them too: line 9 is the total income, and is put right once. It returns their pointers.
func (d *ReadDocument) correctTwins(machine ReadDocument, part int, set []Correction) (twins []string) {
	if d.Facts.Tax == nil {
		return nil
	}
	for _, c := range set {
		line, read := machine.Sources[c.Pointer]
		if c.Part != part || !read || line.Box == nil || c.State == CorrectionConfirmed {
			continue
		}
		was, _ := machine.Facts.read(machine.DocType, c.Pointer)
		for at, source := range machine.Sources {
			said := func(o Correction) bool { return o.Part == part && o.Pointer == at }
			value, known := machine.Facts.read(machine.DocType, at)
			if !known || source.Page != line.Page || !bytes.Equal(jsonOf(source.Box), jsonOf(line.Box)) ||
				!sameFact(value, was) || slices.ContainsFunc(set, said) {
				continue
			}
			if d.Facts.write(d.DocType, at, c.Value) == nil {
				twin := c
				twin.Pointer = at
				d.citePerson(twin)
				twins = append(twins, at)
			}
		}
	}
	return twins
}

// setState sets the state of a correction by what the machine reads now, at the corrected fact.
func (c *Correction) setState(reads json.RawMessage) {
	switch {
	case sameFact(reads, c.Value):
		c.State = CorrectionConfirmed
	case c.MachineValue == nil || c.State != CorrectionConflict && sameFact(reads, c.MachineValue):
		c.State = CorrectionApplied
	default:
		c.State = CorrectionConflict
	}
	if c.MachineValue == nil || c.State == CorrectionConflict {
		c.MachineValue = reads
	}
}

// citePerson says in the part's sources that a person wrote the fact.
func (d *ReadDocument) citePerson(c Correction) {
	delete(d.Derived, c.Pointer)
	if d.Sources == nil {
		d.Sources = map[string]Source{}
	}
	source := d.Sources[c.Pointer]
	source.Text, source.Confidence, source.Method = factWords(c.Value), 1, MethodPerson
	if c.Page != nil {
		source.Page, source.Box = *c.Page, c.Box
	}
	d.Sources[c.Pointer] = source
}

// MethodPerson is the method of a source that a person gave.
const MethodPerson = "person"

func factWords(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	if string(value) == "null" {
		return ""
	}
	return string(value)
}

func (e Extraction) clone() Extraction {
	var out Extraction
	if err := json.Unmarshal(jsonOf(e), &out); err != nil {
		return e // it was read from its own JSON: it is written and read again
	}
	return out
}

// SignCorrections gives a set that a person sent its actor and time; what was there before keeps its own.
func SignCorrections(set, before []Correction, actor string, now time.Time) []Correction {
	signed := slices.Clone(set)
	for i := range signed {
		signed[i].Actor, signed[i].At = actor, now
		if k := slices.IndexFunc(before, signed[i].same); k >= 0 {
			signed[i].Actor, signed[i].At = before[k].Actor, before[k].At
		}
	}
	return signed
}

// SameFacts reports whether two readings of a file are the same, byte for byte.
func SameFacts(a, b Extraction) bool { return bytes.Equal(jsonOf(a), jsonOf(b)) }

// entryTotal is a total of a bank's statement that may be the sum of its entries: of those of one account, or of all.
type entryTotal struct {
	pointer string
	fact    **Amount
	account *string
	out     bool // of what went out
}

func (b *BankFacts) entryTotals() []entryTotal {
	totals := []entryTotal{
		{"/totalDeposits", &b.TotalDeposits, nil, false}, {"/totalWithdrawals", &b.TotalWithdrawals, nil, true},
	}
	for i := range b.Accounts {
		a, at := &b.Accounts[i], fmt.Sprintf("/accounts/%d", i)
		totals = append(totals, entryTotal{at + "/deposits", &a.Deposits, a.Name, false},
			entryTotal{at + "/withdrawals", &a.Withdrawals, a.Name, true})
	}
	return totals
}

// of adds up the entries that a total is the sum of, without sign, and counts them.
func (t entryTotal) of(entries []BankEntry) (sum decimal.Decimal, n int) {
	sum = decimal.New(0, -2)
	for _, e := range entries {
		if e.Amount.IsNegative() == t.out && (t.account == nil || Text(e.Account) == *t.account) {
			sum, n = sum.Add(e.Amount.Abs()), n+1
		}
	}
	return sum, n
}

// sumEntries lets the totals that the machine added up of a bank's entries follow corrected entries, unless the person
// says something of the total too. It returns the pointers of the totals that moved.
func (d *ReadDocument) sumEntries(machine ReadDocument, part int, touched []string, set []Correction) (moved []string) {
	entry := func(p string) bool { return within("/entries", p) && strings.HasSuffix(p, "/amount") }
	if d.Facts.Bank == nil || machine.Facts.Bank == nil || !slices.ContainsFunc(touched, entry) {
		return nil
	}
	were := machine.Facts.Bank.entryTotals()
	for i, t := range d.Facts.Bank.entryTotals() {
		said := func(c Correction) bool { return c.Part == part && c.Pointer == t.pointer }
		was := were[i]
		read, _ := was.of(machine.Facts.Bank.Entries)
		if d.Derived[t.pointer] == "" || *was.fact == nil || !read.Equal((*was.fact).Decimal) ||
			slices.ContainsFunc(set, said) {
			continue
		}
		sum, n := t.of(d.Facts.Bank.Entries)
		if sum.Equal(read) {
			continue
		}
		of := "credits"
		if t.out {
			of = "debits"
		}
		*t.fact = &Amount{Decimal: sum}
		d.Derived[t.pointer] = fmt.Sprintf("sum of %d %s", n, of)
		moved = append(moved, t.pointer)
	}
	return moved
}

// CheckEffect is a check that corrections turn: nil where there is none of its name.
type CheckEffect struct {
	Part   int    `json:"part"`
	Name   string `json:"name"`
	Before *bool  `json:"before"`
	After  *bool  `json:"after"`
}

// CheckEffects lists the checks that differ between two readings of a file, in the order of its parts.
func CheckEffects(before, after Extraction) []CheckEffect {
	effects := []CheckEffect{}
	for i := range min(len(before.Documents), len(after.Documents)) {
		was, is := passedByName(before.Documents[i]), passedByName(after.Documents[i])
		names := []string{}
		for _, c := range slices.Concat(before.Documents[i].Checks, after.Documents[i].Checks) {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
		for _, name := range names {
			b, a := was[name], is[name]
			if (b == nil) != (a == nil) || b != nil && *b != *a {
				effects = append(effects, CheckEffect{i, name, b, a})
			}
		}
	}
	return effects
}

// passedByName says of each kind of check whether all of them passed.
func passedByName(d ReadDocument) map[string]*bool {
	passed := map[string]*bool{}
	for _, c := range d.Checks {
		all := c.Passed && (passed[c.Name] == nil || *passed[c.Name])
		passed[c.Name] = &all
	}
	return passed
}

// CheckDigit is the check digit of a field of a machine readable zone: weights 7, 3, 1. Source: ICAO 9303 part 3.
func CheckDigit(s string) byte {
	sum := 0
	for i := range len(s) {
		v := 0
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			v = int(c - '0')
		case c >= 'A' && c <= 'Z':
			v = int(c-'A') + 10
		}
		sum += v * [3]int{7, 3, 1}[i%3]
	}
	return byte('0' + sum%10)
}

// zoneFields are where number, birth and expiry stand in a zone, each with its check digit behind it: line, from, to.
// By how many lines it has and how long they are. Source: ICAO 9303 parts 4 to 6.
var zoneFields = map[[2]int][][3]int{
	{2, 44}: {{1, 0, 9}, {1, 13, 19}, {1, 21, 27}},
	{2, 36}: {{1, 0, 9}, {1, 13, 19}, {1, 21, 27}},
	{3, 30}: {{0, 5, 14}, {1, 0, 6}, {1, 8, 14}},
}

// zoneHolds reports whether the check digits of a zone agree; ok is false of lines that are none.
func zoneHolds(lines []string) (holds, ok bool) {
	if len(lines) == 0 {
		return false, false
	}
	fields, ok := zoneFields[[2]int{len(lines), len(lines[0])}]
	for _, at := range fields {
		line := lines[at[0]]
		if len(line) != len(lines[0]) {
			return false, false
		}
		if CheckDigit(line[at[1]:at[2]]) != line[at[2]] {
			return false, true
		}
	}
	return ok, ok
}

// recheckZone says anew whether the check digits of a machine readable zone agree. fact: the fact mrzValid is the
// machine's to say.
func (d *ReadDocument) recheckZone(machine ReadDocument, fact bool) {
	was, read := zoneHolds(machine.Facts.Identity.MRZ)
	is, ok := zoneHolds(d.Facts.Identity.MRZ)
	for i, c := range d.Checks {
		switch {
		case c.Name != "mrz_valid":
		case !read || !ok || was != c.Passed: // a digit that was hard to read was taken for what proves it
			d.leaveAsRead("mrz_valid", "")
		default:
			if d.Checks[i].Passed = is; fact {
				d.Facts.Identity.MRZValid = &is
			}
		}
	}
}
