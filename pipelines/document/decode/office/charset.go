package office

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// legacyText turns text that is no Unicode into a string. Its character set is told by how its high bytes stand: alone
// within words (Western and Central Europe), in runs (Cyrillic and Hebrew letters), or in pairs (Japanese, Chinese and
// Korean).
func legacyText(data []byte) string {
	set := charsetOf(data)
	decoded, err := set.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "?")
	}
	return string(decoded)
}

func charsetOf(data []byte) encoding.Encoding {
	if end := bytes.LastIndexByte(data, '\n'); end > 0 {
		data = data[:end] // a part of a file may end within a character
	}
	if isShiftJIS(data) {
		return japanese.ShiftJIS
	}
	high := highBytes(data)
	switch {
	case high.pairs >= 4 && high.odd == 0 && high.outside == 0:
		return pairedCharset(high)
	case high.all >= 8 && high.inRuns*5 >= high.all*3 && high.beyondHebrew == 0:
		return charmap.Windows1255
	case high.all >= 8 && high.inRuns*5 >= high.all*3:
		return charmap.Windows1251
	case high.central >= 2 || high.czech == [3]bool{true, true, true}:
		return charmap.Windows1250
	}
	return charmap.Windows1252
}

// highRuns counts the bytes from 0x80, and the runs in which they stand.
type highRuns struct {
	all, inRuns  int     // bytes, and those in runs of at least three
	odd, pairs   int     // runs of odd length, and pairs in the others
	outside      int     // bytes below 0xA1, which no pair has
	kana, hangul int     // pairs that begin as kana do (Japanese), and as Hangul does (Korean)
	beyondHebrew int     // bytes that are no Hebrew letter
	central      int     // letters of Central Europe between others, where Windows-1252 has signs
	czech        [3]bool // the Czech letters that the others lack: whether each is there
}

func highBytes(data []byte) highRuns {
	var h highRuns
	for i := 0; i < len(data); {
		if data[i] < 0x80 {
			i++
			continue
		}
		end := i
		for end < len(data) && data[end] >= 0x80 {
			end++
		}
		h.run(data, i, end)
		i = end
	}
	return h
}

// run counts one run of high bytes, from i to end.
func (h *highRuns) run(data []byte, i, end int) {
	n := end - i
	h.all += n
	if n >= 3 {
		h.inRuns += n
	}
	if n%2 == 1 {
		h.odd++
	}
	for at := i; at < end; at++ {
		c := data[at]
		if c < 0xA1 {
			h.outside++
		}
		if c < 0xE0 || c > 0xFA {
			h.beyondHebrew++
		}
		if n := strings.IndexByte("\xEC\xF8\xF9", c); n >= 0 {
			h.czech[n] = true
		}
		within := at > 0 && isASCIILetter(data[at-1]) || at+1 < len(data) && isASCIILetter(data[at+1])
		if within && strings.IndexByte("\xB9\xBF\xB3\x9C\x9F\xA3\xA5\xAF", c) >= 0 {
			h.central++
		}
	}
	if n%2 == 1 {
		return
	}
	for at := i; at < end; at += 2 {
		h.pairs++
		switch c := data[at]; {
		case c == 0xA4 || c == 0xA5:
			h.kana++
		case c >= 0xB0 && c <= 0xC8:
			h.hangul++
		}
	}
}

func isASCIILetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// pairedCharset tells the character sets of pairs of high bytes apart.
func pairedCharset(h highRuns) encoding.Encoding {
	switch {
	case h.kana*4 >= h.pairs:
		return japanese.EUCJP
	case h.hangul*10 >= h.pairs*9:
		return korean.EUCKR
	}
	return simplifiedchinese.GB18030
}

// isShiftJIS reports whether bytes are Shift JIS: they decode without a fault, there are kana of full width, and these
// and Chinese characters are most of what is neither ASCII nor kana of half width.
func isShiftJIS(data []byte) bool {
	decoded, err := japanese.ShiftJIS.NewDecoder().Bytes(data)
	if err != nil {
		return false
	}
	kana, asian, others := 0, 0, 0
	for _, r := range string(decoded) {
		switch {
		case r == unicode.ReplacementChar:
			return false
		case r < 0x80:
		case r >= 0x3041 && r <= 0x30FC:
			kana, asian = kana+1, asian+1
		case unicode.Is(unicode.Han, r):
			asian++
		case r >= 0xFF61 && r <= 0xFF9F: // kana of half width: accented letters of the West are the same bytes
		default:
			others++
		}
	}
	return kana >= 2 && asian >= others
}
