package tax

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// readLine is a line of a form as it was read.
type readLine struct {
	line   taxLine
	money  text.Money
	tokens []text.Token
}

// rounding is how far the lines of a form may miss their sum: whole dollars are rounded line by line.
var rounding = decimal.New(2, 0)

// mendLines makes facts of lines that were hard to read where a sum of the form confirms them, and corrects the one
// line through which a sum does not come out where one digit read otherwise makes it come out. What is left is left
// out.
func (r *taxReader) mendLines() {
	for range 2 { // the result of one sum is a term of the next
		for _, s := range r.sums() {
			r.mendSum(s)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.read)) {
		if _, have := r.facts.Lines[n]; !have {
			r.readable(r.read[n].tokens, r.read[n].line.words)
		}
	}
}

// sums are those that the form prints in this year.
func (r *taxReader) sums() []taxSum {
	var sums []taxSum
	for _, s := range taxSums {
		if (s.form == r.Form || s.form == "1040" && r.Form == "1040-SR") && r.Year >= s.from && r.Year <= s.to {
			sums = append(sums, s)
		}
	}
	return sums
}

// mendSum looks at one sum with every line as it was read.
func (r *taxReader) mendSum(s taxSum) {
	missed, ok := s.miss(r.readValue)
	if !ok {
		return
	}
	var doubted []string
	for _, n := range s.numbers() {
		if _, known := r.facts.Lines[n]; r.read[n].tokens != nil && !known {
			doubted = append(doubted, n)
		}
	}
	fixed, value := "", dossier.Amount{}
	if missed.Abs().GreaterThan(rounding) {
		if fixed, value = r.onlyOther(s, missed); fixed == "" || len(doubted) > 1 {
			return
		}
	}
	for _, n := range doubted {
		r.putLine(r.read[n], r.read[n].money.Value)
	}
	if fixed != "" {
		read := r.read[fixed]
		r.putLine(read, value)
		note := fmt.Sprintf("read as %s; the sum in line %s makes %s", read.money.Text, s.total, value)
		r.found.Derive(text.Pointer("lines", fixed), note)
		if read.line.fact != "" {
			r.found.Derive("/"+read.line.fact, note)
		}
		read.money.Value = value
		r.read[fixed] = read
	}
}

// onlyOther is the only line of a sum that was hard to read and that makes the sum come out when one of its digits is
// another that OCR takes for it.
func (r *taxReader) onlyOther(s taxSum, missed decimal.Decimal) (number string, value dossier.Amount) {
	for _, n := range s.numbers() {
		read, have := r.read[n]
		if !have || text.SurelyRead(read.tokens) {
			continue
		}
		meant := read.money.Value.Add(missed)
		if n == s.total || slices.Contains(s.minus, n) {
			meant = read.money.Value.Sub(missed)
		}
		if !text.Mistakable(read.money.Value.Decimal, meant) {
			continue
		}
		if number != "" {
			return "", value
		}
		number, value = n, dossier.Amount{Decimal: meant}
	}
	return number, value
}

// readValue is a line's amount as a fact, else as it was read.
func (r *taxReader) readValue(n string) (decimal.Decimal, bool) {
	if v, have := r.facts.Lines[n]; have {
		return v.Decimal, true
	}
	read, have := r.read[n]
	return read.money.Value.Decimal, have
}

// foots checks the sums that lines state of one another.
func (r *taxReader) foots() {
	for _, s := range r.sums() {
		missed, ok := s.miss(func(n string) (decimal.Decimal, bool) {
			v, have := r.facts.Lines[n]
			return v.Decimal,
				have
		})
		if !ok {
			continue
		}
		total := r.facts.Lines[s.total]
		floored := total.IsZero() && missed.IsPositive() && len(s.minus) > 0 // "if zero or less, enter 0"
		sum := dossier.Amount{Decimal: total.Sub(missed)}
		r.found.Check("lines_foot", floored || missed.Abs().LessThanOrEqual(rounding),
			"line %s: %s from lines %s, printed %s", s.total, sum, strings.Join(s.terms(), ", "), total)
	}
}

// taxSum says which lines make another.
type taxSum struct {
	form        string
	from, to    int
	total       string
	plus, minus []string
}

// terms are the lines that make the total, numbers those and the total.
func (s taxSum) terms() []string   { return slices.Concat(s.plus, s.minus) }
func (s taxSum) numbers() []string { return append(s.terms(), s.total) }

// miss is what the total is more than its lines make, where value knows the total and the first of them. A line that
// value does not know is blank.
func (s taxSum) miss(value func(string) (decimal.Decimal, bool)) (decimal.Decimal, bool) {
	missed, ok := value(s.total)
	if _, first := value(s.plus[0]); !ok || !first {
		return missed, false
	}
	for i, n := range s.terms() {
		v, _ := value(n)
		if i >= len(s.plus) {
			v = v.Neg()
		}
		missed = missed.Sub(v)
	}
	return missed, true
}

func span(from, to int) []string {
	var numbers []string
	for n := from; n <= to; n++ {
		numbers = append(numbers, strconv.Itoa(n))
	}
	return numbers
}

// taxSums are the sums that the forms print in words. Source: the captions of the lines.
var taxSums = []taxSum{
	{"1040", 2020, 2024, "11", []string{"9"}, []string{"10", "10c"}},
	{"1040", 2015, 2017, "37", []string{"22"}, []string{"36"}},
	{"1040", 2015, 2017, "41", []string{"38"}, []string{"40"}},
	{"1040", 2018, 2018, "15", []string{"13", "14"}, nil},
	{"1040", 2018, 2018, "18", []string{"16", "17"}, nil},
	{"1040", 2019, 2019, "16", []string{"14", "15"}, nil},
	{"1040", 2022, 2024, "14", []string{"12", "13"}, nil},
	{"1040", 2020, 2024, "15", []string{"11"}, []string{"14"}},
	{"1040", 2025, 2025, "11a", []string{"9"}, []string{"10"}},
	{"1040", 2025, 2025, "14", []string{"12e", "13a", "13b"}, nil},
	{"1040", 2025, 2025, "15", []string{"11b"}, []string{"14"}},
	{"1040", 2020, 2025, "18", []string{"16", "17"}, nil},
	{"1040", 2020, 2025, "22", []string{"18"}, []string{"21"}},
	{"1040", 2020, 2025, "24", []string{"22", "23"}, nil},
	{"1040", 2020, 2025, "25d", []string{"25a", "25b", "25c"}, nil},
	{"1040", 2020, 2025, "33", []string{"25d", "26", "32"}, nil},
	{"1040", 2020, 2025, "34", []string{"33"}, []string{"24", "38"}},
	{"1040", 2020, 2025, "37", []string{"24", "38"}, []string{"33"}},
	{"1040", 2019, 2019, "8b", []string{"7b"}, []string{"8a"}},
	{proprietor, 2018, 2025, "3", []string{"1"}, []string{"2"}},
	{proprietor, 2018, 2025, "5", []string{"3"}, []string{"4"}},
	{proprietor, 2018, 2025, "7", []string{"5", "6"}, nil},
	{proprietor, 2018, 2025, "29", []string{"7"}, []string{"28"}},
	{proprietor, 2018, 2025, "31", []string{"29"}, []string{"30"}},
	{corporate, 2018, 2025, "1c", []string{"1a"}, []string{"1b"}},
	{corporate, 2018, 2025, "3", []string{"1c"}, []string{"2"}},
	{corporate, 2018, 2025, "11", span(3, 10), nil},
	{corporate, 2018, 2025, "27", span(12, 26), nil},
	{corporate, 2018, 2025, "28", []string{"11"}, []string{"27"}},
	{sCorp, 2018, 2025, "1c", []string{"1a"}, []string{"1b"}},
	{sCorp, 2018, 2025, "3", []string{"1c"}, []string{"2"}},
	{sCorp, 2018, 2025, "6", span(3, 5), nil},
	{sCorp, 2018, 2021, "20", span(7, 19), nil},
	{sCorp, 2018, 2021, "21", []string{"6"}, []string{"20"}},
	{sCorp, 2023, 2025, "21", span(7, 20), nil},
	{sCorp, 2023, 2025, "22", []string{"6"}, []string{"21"}},
	{partners, 2018, 2025, "1c", []string{"1a"}, []string{"1b"}},
	{partners, 2018, 2025, "3", []string{"1c"}, []string{"2"}},
	{partners, 2018, 2025, "8", span(3, 7), nil},
	{partners, 2018, 2021, "22", []string{"8"}, []string{"21"}},
	{partners, 2023, 2025, "23", []string{"8"}, []string{"22"}},
	{charity, 2018, 2025, "12", span(8, 11), nil},
	{charity, 2018, 2025, "18", []string{"13", "14", "15", "16a", "17"}, nil},
	{charity, 2018, 2025, "19", []string{"12"}, []string{"18"}},
	{charity, 2018, 2025, "22", []string{"20"}, []string{"21"}},
	{smallCharity, 2018, 2025, "9", []string{"1", "2", "3", "4", "5c", "6d", "7c", "8"}, nil},
	{smallCharity, 2018, 2025, "17", span(10, 16), nil},
	{smallCharity, 2018, 2025, "18", []string{"9"}, []string{"17"}},
	{smallCharity, 2018, 2025, "21", span(18, 20), nil},
}
