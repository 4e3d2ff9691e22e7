package text

import "slices"

// sides are words of captions that differ by a letter and mean the other side, and a sex that differs from a caption.
var sides = WordSet("hombre employer employers employee employees lessor lessee grantor grantee")

// misread reports whether a word of a picture is a caption's word but for one letter.
func (f *FieldFinder) misread(i, at int, word, want string) bool {
	if !f.Loose || len(want) < 6 || len(word) != len(want) || f.Lines[i].Tokens[at].Method != MethodOCR ||
		sides[word] {
		return false
	}
	wrong := 0
	for k := range want {
		if word[k] != want[k] {
			wrong++
		}
	}
	return wrong == 1
}

// misreadShort reports whether a word of a picture is a short word of a caption of several, as OCR reads it.
func (f *FieldFinder) misreadShort(i, at int, word, want string) bool {
	return f.Loose && f.Lines[i].Tokens[at].Method == MethodOCR && shortMisread[word] == want
}

// shortMisread are the short words of captions as OCR reads them in small print.
var shortMisread = map[string]string{"bith": "birth", "binth": "birth", "brth": "birth", "bitth": "birth",
	"beth":  "birth",
	"birih": "birth", "lssue": "issue", "issuo": "issue", "isue": "issue", "1ssue": "issue",
	"ghven": "given", "glven": "given", "gven": "given", "gwen": "given", "narne": "name", "namo": "name",
	"expity": "expiry", "explry": "expiry", "expry": "expiry", "validty": "validity", "valdity": "validity"}

// misreadBefore reports whether what stands before a caption of a picture is another script's, of which OCR makes a
// letter or two that it is unsure of.
func (f *FieldFinder) misreadBefore(i, first, at int) bool {
	if !f.Twins || first == at {
		return false
	}
	return !slices.ContainsFunc(f.Lines[i].Tokens[first:at], func(t Token) bool {
		return t.Method != MethodOCR || len(t.Text) > 2 || t.Confidence > 0.7
	})
}
