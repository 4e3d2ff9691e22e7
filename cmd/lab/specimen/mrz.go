package specimen

import (
	"strings"
	"time"
)

// mrzFields is what a machine readable zone holds.
type mrzFields struct {
	code        string // "P", "I", "C", "IR"
	country     string // issuing state
	nationality string
	last, first string
	number      string
	optional    string // of the first line of a card
	born, ends  time.Time
	sex         string
}

// checkDigit is the check digit of ICAO 9303 part 3, 4.9: weights 7, 3, 1; letters count from A = 10; < is 0.
func checkDigit(s string) string {
	sum := 0
	for i, r := range s {
		v := 0
		switch {
		case r >= '0' && r <= '9':
			v = int(r - '0')
		case r >= 'A' && r <= 'Z':
			v = int(r-'A') + 10
		}
		sum += v * [...]int{7, 3, 1}[i%3]
	}
	return string(rune('0' + sum%10))
}

// pad fills s with < to n characters, or cuts it.
func pad(s string, n int) string {
	if len(s) >= n {
		return s[:n]
	}
	return s + strings.Repeat("<", n-len(s))
}

// mrzName is a name in the characters of the zone.
func mrzName(last, first string) string {
	clean := func(s string) string {
		return strings.NewReplacer(" ", "<", "-", "<", "'", "", ".", "").Replace(strings.ToUpper(s))
	}
	return clean(last) + "<<" + clean(first)
}

func withCheck(s string) string { return s + checkDigit(s) }

// td3 is a passport's zone: two lines of 44 (ICAO 9303 part 4).
func (m mrzFields) td3() []string {
	number, born, ends := withCheck(pad(m.number, 9)), withCheck(m.born.Format("060102")),
		withCheck(m.ends.Format("060102"))
	personal := withCheck(pad("", 14))
	all := number + born + ends + personal
	return []string{
		pad(m.code+"<"+m.country+mrzName(m.last, m.first), 44),
		number + m.nationality + born + m.sex + ends + personal + checkDigit(all),
	}
}

// td2 is a card's zone: two lines of 36 (ICAO 9303 part 6).
func (m mrzFields) td2() []string {
	number, born, ends := withCheck(pad(m.number, 9)), withCheck(m.born.Format("060102")),
		withCheck(m.ends.Format("060102"))
	optional := pad("", 7)
	return []string{
		pad(pad(m.code, 2)+m.country+mrzName(m.last, m.first), 36),
		number + m.nationality + born + m.sex + ends + optional + checkDigit(number+born+ends+optional),
	}
}

// td1 is a card's zone: three lines of 30 (ICAO 9303 part 5).
func (m mrzFields) td1() []string {
	number, born, ends := withCheck(pad(m.number, 9)), withCheck(m.born.Format("060102")),
		withCheck(m.ends.Format("060102"))
	first := pad(pad(m.code, 2)+m.country+number+m.optional, 30)
	second := born + m.sex + ends + m.nationality + pad("", 11)
	return []string{first, second + checkDigit(first[5:]+born+ends+second[18:]), pad(mrzName(m.last, m.first), 30)}
}

// spoil makes the zone fail its check digits, as a forger who typed new dates would.
func spoil(lines []string) []string {
	out := append([]string{}, lines...)
	i := len(out) - 1
	if len(out) == 3 {
		i = 1
	}
	line := []byte(out[i])
	for k := len(line) - 1; k >= 0; k-- {
		if line[k] >= '0' && line[k] <= '9' {
			line[k] = '0' + (line[k]-'0'+4)%10
			break
		}
	}
	for k := range line { // and the check digit of the first field with one
		if k >= 6 && line[k] >= '0' && line[k] <= '9' {
			line[k] = '0' + (line[k]-'0'+3)%10
			break
		}
	}
	out[i] = string(line)
	return out
}
