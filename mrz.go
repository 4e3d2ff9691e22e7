package dossier

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
