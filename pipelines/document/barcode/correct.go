package barcode

import (
	"slices"
	"sync"
)

// The words of a code are elements of the field of 929 elements, which 3 generates.
const (
	prime = 929
	root  = 3
)

type field struct{ exp, log [prime]int }

var gf = sync.OnceValue(func() *field {
	f := &field{}
	for i, x := 0, 1; i < prime-1; i++ {
		f.exp[i], f.log[x] = x, i
		x = x * root % prime
	}
	return f
})

// power is 3 to the n.
func (f *field) power(n int) int { return f.exp[((n%(prime-1))+prime-1)%(prime-1)] }

func (f *field) inverse(x int) int { return f.power(-f.log[x]) }

// value is a polynomial at x, its lowest term first.
func value(p []int, x int) int {
	sum := 0
	for _, c := range slices.Backward(p) {
		sum = (sum*x + c) % prime
	}
	return sum
}

// multiply is the product of two polynomials up to a number of terms.
func multiply(a, b []int, terms int) []int {
	out := make([]int, min(len(a)+len(b)-1, terms))
	for i, x := range a {
		for k, y := range b {
			if i+k < len(out) {
				out[i+k] = (out[i+k] + x*y) % prime
			}
		}
	}
	return out
}

func syndromes(words []int, count int) (s []int, clean bool) {
	f := gf()
	s, clean = make([]int, count), true
	for i := range s {
		x, sum := f.power(i+1), 0
		for _, w := range words {
			sum = (sum*x + w) % prime
		}
		s[i] = sum
		clean = clean && sum == 0
	}
	return s, clean
}

// kept is how many correction words prove that what was corrected is right, and correct nothing.
const kept = 2

// correct mends words in place by their last count ones, those known to be lost twice as many as those that are wrong.
// Source: Blahut, Theory and Practice of Error Control Codes, errors and erasures by Berlekamp and Massey.
func correct(words, lost []int, count int) bool {
	if len(lost) > count-kept {
		return false
	}
	s, clean := syndromes(words, count)
	if clean {
		return true
	}
	f := gf()
	locator := []int{1}
	for _, at := range lost {
		locator = multiply(locator, []int{1, prime - f.power(len(words)-1-at)}, count+1)
	}
	locator, errors := berlekampMassey(locator, s, len(lost))
	if 2*errors-len(lost) > count-kept || len(locator)-1 != errors {
		return false
	}
	evaluator := multiply(s, locator, count)
	slope := make([]int, 0, len(locator))
	for i := 1; i < len(locator); i++ {
		slope = append(slope, i*locator[i]%prime)
	}
	found := 0
	for at := range words {
		x := f.power(-(len(words) - 1 - at))
		if value(locator, x) != 0 {
			continue
		}
		found++
		below := value(slope, x)
		if below == 0 {
			return false
		}
		words[at] = (words[at] + value(evaluator, x)*f.inverse(below)) % prime
	}
	_, clean = syndromes(words, count)
	return clean && found == errors
}

// berlekampMassey is the shortest polynomial whose roots are the positions of lost and wrong words, and their number
// (Berlekamp-Massey).
func berlekampMassey(locator, s []int, lost int) ([]int, int) {
	f := gf()
	before, errors := slices.Clone(locator), lost
	for r := lost + 1; r <= len(s); r++ {
		wrong := 0
		for i := 0; i < len(locator) && i < r; i++ {
			wrong = (wrong + locator[i]*s[r-1-i]) % prime
		}
		before = append([]int{0}, before...)
		if wrong == 0 {
			continue
		}
		next := slices.Clone(locator)
		for len(next) < len(before) {
			next = append(next, 0)
		}
		for i, c := range before {
			next[i] = (next[i] + (prime-wrong)*c) % prime
		}
		if 2*errors <= r+lost-1 {
			errors = r + lost - errors
			before = slices.Clone(locator)
			for i := range before {
				before[i] = before[i] * f.inverse(wrong) % prime
			}
		}
		locator = next
	}
	for len(locator) > 1 && locator[len(locator)-1] == 0 {
		locator = locator[:len(locator)-1]
	}
	return locator, errors
}
