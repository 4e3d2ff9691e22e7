package text

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// FormatFrench is the zone of the French identity cards issued until 2021: two lines of 36, with the given names in the
// second and no expiry.
const FormatFrench = "French"

// frenchData is the second line: number, check digit, given names, birth, check digit, sex, check digit of both lines.
var frenchData = lazyregexp.New(`^([A-Z0-9]{12})([0-9])([A-Z<]{14})([0-9]{6})([0-9])([MF])([0-9])$`)

// readFrench reads the zone of an older French card, putting back the fillers that a scan lost.
func (m *MRZ) readFrench() bool {
	first, second := withFillers(m.Lines[0], 36), withFillers(m.Lines[1], 36)
	g := frenchData.FindStringSubmatch(second)
	if g == nil {
		return false
	}
	birth, shaped := mrzDate(g[4])
	if !shaped {
		return false
	}
	m.Lines = []string{first, second}
	m.Code, m.Issuer, m.Country = "I", "FRA", "FRA"
	m.Number, m.Sex, m.Birth = g[1], g[6], birth
	m.Birth.Year += 1900
	if birth.Year <= 21 { // the last cards are of 2021
		m.Birth.Year += 100
	}
	m.splitNames(strings.TrimRight(first[5:30], "<") + "<<" + strings.ReplaceAll(strings.TrimRight(g[3], "<"), "<<",
		"<"))
	m.Valid = dossier.CheckDigit(g[1]) == g[2][0] && dossier.CheckDigit(g[4]) == g[5][0] &&
		dossier.CheckDigit(first+second[:35]) == g[7][0]
	return true
}

// withFillers is a line of a zone as wide as it is printed: what is missing of it are fillers of its longest run.
func withFillers(s string, width int) string {
	at, most := 0, 0
	for i := 0; i < len(s); i++ {
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "<"))
		if n >= max(most, 1) { // of several the last: it ends the names
			at, most = i, n
		}
		i += n
	}
	if most == 0 || len(s) >= width {
		return s
	}
	return s[:at] + strings.Repeat("<", width-len(s)) + s[at:]
}
