package console

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// operand is what a derived figure was made of: a fact by its pointer, or words that the page prints and no fact holds.
// Of many elements of one list it is the same field of them all: a page stays small.
type operand struct {
	Pointer string `json:"p,omitempty"`
	Words   string `json:"w,omitempty"`
	List    string `json:"l,omitempty"`
	Field   string `json:"f,omitempty"`
	Items   []int  `json:"i,omitempty"`
}

// manyOperands are gathered by list.
const manyOperands = 20

// groupOperands merges operands that are the same field of elements of one list, when there are many.
func groupOperands(all []operand) []operand {
	if len(all) <= manyOperands {
		return all
	}
	var found []operand
	for _, one := range all {
		list, index, field, ok := element(one.Pointer)
		i, err := strconv.Atoi(index)
		if !ok || err != nil {
			found = append(found, one)
			continue
		}
		if n := len(found); n == 0 || found[n-1].List != list || found[n-1].Field != field {
			found = append(found, operand{List: list, Field: field})
		}
		last := &found[len(found)-1]
		last.Items = append(last.Items, i)
	}
	return found
}

// operands returns the operands of a derived fact as JSON, or "" when its formula names none. The engine gives formulas
// in words (facts.md: derived); every wording that refers to other facts is known here.
func operands(f fact, facts []fact, values factValues) string {
	if f.Derived == "" {
		return ""
	}
	of := formula{f, facts, values}
	found := of.byWording()
	if len(found) == 0 {
		found = of.byNames()
	}
	if len(found) == 0 {
		return ""
	}
	data, err := json.Marshal(groupOperands(found))
	if err != nil {
		return ""
	}
	return string(data)
}

type formula struct {
	fact
	all    []fact
	values factValues
}

// factValues are what facts say, by pointer: those that are printed.
type factValues map[string]string

func valuesOf(facts []fact) factValues {
	values := factValues{}
	for _, f := range facts {
		if f.Kind != "none" {
			values[f.Pointer] = f.Value
		}
	}
	return values
}

var (
	sumOfEntries = regexp.MustCompile(`^sum of \d+ (credits|debits)$`)
	sumOfNames   = regexp.MustCompile(`^sum of (.+)$`)
	lineOfForm   = regexp.MustCompile(`\bline ([A-Z0-9][A-Za-z0-9-]*)`)
)

// byWording are the operands of the formulas that the readers write.
func (f formula) byWording() []operand {
	says := f.Derived
	switch {
	case strings.HasPrefix(says, "opening balance plus credits minus debits"):
		return f.balance()
	case sumOfEntries.MatchString(says):
		return f.entries("amount", func(v string) bool {
			return strings.HasPrefix(v, "−") == strings.HasSuffix(says, "debits")
		})
	case strings.HasPrefix(says, "count of the "):
		return f.entries("amount", func(string) bool { return true })
	case strings.HasPrefix(says, "first running balance minus"):
		return f.balanceRun()
	case strings.HasPrefix(says, "last running balance"):
		balances := f.entries("balance", func(string) bool { return true })
		return balances[max(0, len(balances)-1):]
	case says == "the balance before it plus the amount":
		return f.precedingBalance()
	case says == "date of the first transaction", says == "date of the last transaction":
		dates := f.entries("date", func(string) bool { return true })
		slices.SortFunc(dates, func(a, b operand) int {
			return strings.Compare(f.value(a.Pointer), f.value(b.Pointer))
		})
		if len(dates) == 0 || strings.Contains(says, "first") {
			return dates[:min(1, len(dates))]
		}
		return dates[len(dates)-1:]
	case strings.HasPrefix(says, "months from "):
		return f.siblings("start", "end")
	case strings.HasPrefix(says, "check digits"):
		return f.siblings("mrz")
	case strings.HasPrefix(says, "calendar year of the form"):
		return f.siblings("taxYear")
	case strings.Contains(says, "is a person's or is not"):
		return f.siblings("form")
	}
	if lines := lineOfForm.FindAllStringSubmatch(says, -1); lines != nil {
		return f.lines(lines)
	}
	if names := sumOfNames.FindStringSubmatch(says); names != nil {
		return f.captions(strings.Split(names[1], ", "))
	}
	return nil
}

// value returns another fact's value, or "" when it is missing or not printed.
func (f formula) value(pointer string) string { return f.values[pointer] }

// operandsAt returns as operands those of the pointers whose facts have a value.
func (f formula) operandsAt(pointers ...string) []operand {
	var found []operand
	for _, p := range pointers {
		if p != f.Pointer && f.value(p) != "" {
			found = append(found, operand{Pointer: p})
		}
	}
	return found
}

// siblings returns as operands fields of the same object.
func (f formula) siblings(names ...string) []operand {
	above, _, _ := cutLast(f.Pointer)
	for i := range names {
		names[i] = above + "/" + names[i]
	}
	return f.operandsAt(names...)
}

// balance returns the figures of an account, or of the whole statement, that must reconcile.
func (f formula) balance() []operand {
	found := f.siblings("openingBalance", "totalCredits", "totalDebits")
	if len(found) < 3 {
		found = f.siblings("openingBalance", "deposits", "totalDeposits", "interest", "withdrawals", "totalWithdrawals",
			"checks", "serviceFees")
	}
	return append(found, f.siblings("closingBalance")...)
}

// entries are the fields of the listed transactions that have a value that fits: those of the formula's own account.
func (f formula) entries(field string, fits func(value string) bool) []operand {
	account := ""
	if list, index, _, ok := element(f.Pointer); ok && list == "/accounts" {
		account = f.value(list + "/" + index + "/accountNumber")
	}
	var found []operand
	for _, other := range f.all {
		list, index, name, ok := element(other.Pointer)
		if !ok || list != "/entries" || name != field || other.Kind == "none" || !fits(other.Value) {
			continue
		}
		if of := f.value(list + "/" + index + "/account"); account == "" || of == "" || of == account {
			found = append(found, operand{Pointer: other.Pointer})
		}
	}
	return found
}

// balanceRun returns the first running balance and the amounts up to it.
func (f formula) balanceRun() []operand {
	balances := f.entries("balance", func(string) bool { return true })
	if len(balances) == 0 {
		return nil
	}
	first := balances[0]
	_, last, _, _ := element(first.Pointer)
	end, err := strconv.Atoi(last)
	if err != nil {
		return nil
	}
	found := []operand{first}
	for _, amount := range f.entries("amount", func(string) bool { return true }) {
		_, index, _, _ := element(amount.Pointer)
		if i, err := strconv.Atoi(index); err == nil && i <= end {
			found = append(found, amount)
		}
	}
	return found
}

// precedingBalance returns the balance of the previous entry and the amount of this one.
func (f formula) precedingBalance() []operand {
	list, index, _, ok := element(f.Pointer)
	i, err := strconv.Atoi(index)
	if !ok || err != nil {
		return nil
	}
	return f.operandsAt(list+"/"+strconv.Itoa(i-1)+"/balance", list+"/"+index+"/amount")
}

// lines are those of a tax form that the formula names.
func (f formula) lines(named [][]string) []operand {
	var pointers []string
	for _, match := range named {
		pointers = append(pointers, "/lines/"+match[1])
	}
	return f.operandsAt(pointers...)
}

// captions returns the facts with these captions; a caption without a fact is returned as words.
func (f formula) captions(names []string) []operand {
	var found []operand
	for _, name := range names {
		one := operand{Words: name}
		for _, other := range f.all {
			if other.Pointer != f.Pointer && other.Kind != "none" && strings.EqualFold(other.Label, name) {
				one = operand{Pointer: other.Pointer}
			}
		}
		found = append(found, one)
	}
	return found
}

// byNames returns the facts of the same object whose names the formula contains.
func (f formula) byNames() []operand {
	says := strings.ToLower(f.Derived)
	above, _, _ := cutLast(f.Pointer)
	var found []operand
	for _, other := range f.all {
		of, _, _ := cutLast(other.Pointer)
		name := strings.ToLower(other.Label)
		if of == above && other.Pointer != f.Pointer && other.Kind != "none" && len(name) > 3 &&
			strings.Contains(says, name) {
			found = append(found, operand{Pointer: other.Pointer})
		}
	}
	return found
}

// periodWords groups the facts of a statement's column under the document's own caption of that column, in place of its
// index.
func periodWords(facts []fact) {
	labels := map[string]string{}
	for _, f := range facts {
		if list, index, name, ok := element(f.Pointer); ok && name == "label" && f.Value != "" {
			labels[list+"/"+index] = f.Value
		}
	}
	for i := range facts {
		for at, label := range labels {
			if rest, ok := strings.CutPrefix(facts[i].Pointer, at+"/"); ok {
				list, _, _ := cutLast(at)
				_, name, _ := cutLast(list)
				words := []string{nameWords(name) + ", " + label}
				if inner, _, nested := strings.Cut(rest, "/"); nested && inner != "values" {
					words = append(words, nameWords(inner))
				}
				facts[i].Group = strings.Join(words, ": ")
			}
		}
	}
}
