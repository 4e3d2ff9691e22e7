package barcode

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// Words from 900 on change how the following are read.
const (
	toText, toBytes, toNumbers   = 900, 901, 902
	oneByte, toSixes             = 913, 924
	eciUser, eciMore, eciCharset = 925, 926, 927
)

// unpack is the text of the words of a code. Words of no meaning end it.
func unpack(words []int) string {
	var out strings.Builder
	mode := toText
	for len(words) > 0 {
		switch w := words[0]; {
		case w == toText || w == toBytes || w == toNumbers || w == toSixes:
			mode, words = w, words[1:]
			if mode == toText && len(words) > 0 && words[0] >= toText && words[0] != oneByte {
				continue
			}
		case w == eciUser || w == eciCharset:
			words = words[min(2, len(words)):]
			continue
		case w == eciMore:
			words = words[min(3, len(words)):]
			continue
		case w >= toText && (w != oneByte || mode != toText):
			return printable(out.String())
		}
		n := runOf(mode, words)
		switch mode {
		case toText:
			unpackText(words[:n], &out)
		case toNumbers:
			unpackNumbers(words[:n], &out)
		default:
			unpackBytes(words[:n], mode == toSixes, &out)
		}
		words = words[n:]
	}
	return printable(out.String())
}

// runOf is how many words are read in a mode before one changes it.
func runOf(mode int, words []int) int {
	n := 0
	for n < len(words) && (words[n] < toText || mode == toText && words[n] == oneByte) {
		n++
		if mode == toText && words[n-1] == oneByte && n < len(words) {
			n++ // any byte
		}
	}
	return n
}

// printable is text in UTF-8: codes say it in Latin 1 where they do not say otherwise.
func printable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for i := range len(s) {
		out.WriteRune(rune(s[i]))
	}
	return out.String()
}

// The four alphabets of text, each with what its last values do: to another alphabet, or to one for one letter.
var alphabets = [4]string{
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ ",
	"abcdefghijklmnopqrstuvwxyz ",
	"0123456789&\r\t,:#-.$/+%*=^",
	";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'",
}

const upper, lower, mixed, points = 0, 1, 2, 3

func unpackText(words []int, out *strings.Builder) {
	alphabet, once := upper, -1
	letter := func(v int) {
		now := alphabet
		if once >= 0 {
			now, once = once, -1
		}
		if now == mixed && v == 26 {
			out.WriteByte(' ')
			return
		}
		if v < len(alphabets[now]) {
			out.WriteByte(alphabets[now][v])
			return
		}
		switch {
		case now == points:
			alphabet = upper
		case v == 29:
			once = points
		case now == mixed && v == 25:
			alphabet = points
		case now == mixed && v == 28:
			alphabet = upper
		case now == lower && v == 27:
			once = upper
		case v == 27:
			alphabet = lower
		case v == 28:
			alphabet = mixed
		}
	}
	for i := 0; i < len(words); i++ {
		if words[i] == oneByte {
			if i++; i < len(words) {
				out.WriteByte(byte(words[i]))
			}
			continue
		}
		letter(words[i] / 30)
		letter(words[i] % 30)
	}
}

// unpackBytes reads five words as six bytes, and the last ones as a byte each where there is a rest.
func unpackBytes(words []int, sixes bool, out *strings.Builder) {
	for len(words) > 5 || sixes && len(words) == 5 {
		var n int64
		for _, w := range words[:5] {
			n = n*900 + int64(w)
		}
		for shift := 40; shift >= 0; shift -= 8 {
			out.WriteByte(byte(n >> shift))
		}
		words = words[5:]
	}
	for _, w := range words {
		out.WriteByte(byte(w))
	}
}

// unpackNumbers reads fifteen words as up to 44 figures, behind a one.
func unpackNumbers(words []int, out *strings.Builder) {
	for len(words) > 0 {
		group := words[:min(15, len(words))]
		words = words[len(group):]
		n, base := new(big.Int), big.NewInt(900)
		for _, w := range group {
			n.Mul(n, base).Add(n, big.NewInt(int64(w)))
		}
		if s := n.String(); len(s) > 1 && s[0] == '1' {
			out.WriteString(s[1:])
		}
	}
}
