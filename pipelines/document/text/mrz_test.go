package text

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// withCheck is a field of a zone, filled to its width, and its check digit.
func withCheck(field string, width int) string {
	field = pad(field, width)
	return field + string(dossier.CheckDigit(field))
}

// passport is the zone of a passport: its two lines.
func passport(issuer, names, number, birth, sex, expiry string) []string {
	number, birth, expiry = withCheck(number, 9), withCheck(birth, 6), withCheck(expiry, 6)
	optional := withCheck("", 14)
	return []string{pad("P<"+issuer+names, 44), number + issuer + birth + sex + expiry + optional +
		string(dossier.CheckDigit(number+birth+expiry+optional))}
}

// card is the zone of a card: its three lines.
func card(issuer, number, optional, birth, sex, expiry, names string) []string {
	number, birth, expiry = withCheck(number, 9), withCheck(birth, 6), withCheck(expiry, 6)
	optional = pad(optional, 15)
	rest := strings.Repeat("<", 11)
	return []string{"I<" + issuer + number + optional, birth + sex + expiry + issuer + rest +
		string(dossier.CheckDigit(number+optional+birth+expiry+rest)), pad(names, 30)}
}

// visa is a zone of two lines of 36, as some cards have.
func visa(issuer, names, number, birth, sex, expiry string) []string {
	number, birth, expiry = withCheck(number, 9), withCheck(birth, 6), withCheck(expiry, 6)
	rest := strings.Repeat("<", 7)
	return []string{pad("I<"+issuer+names, 36), number + issuer + birth + sex + expiry + rest +
		string(dossier.CheckDigit(number+birth+expiry+rest))}
}

// frenchCard is the zone of a French card of before 2021.
func frenchCard(last, number, given, birth, sex string) []string {
	first := pad("IDFRA"+pad(last, 25), 36)
	second := withCheck(number, 12) + pad(given, 14) + withCheck(birth, 6) + sex
	return []string{first, second + string(dossier.CheckDigit(first+second))}
}

// zoneLines are lines of a picture, one below the other.
func zoneLines(rows ...string) []Line {
	var lines []Line
	for i, row := range rows {
		l := rowOf(MethodOCR, row)
		l.Tokens[0].Y0, l.Tokens[0].Y1 = 10+20*float64(i), 19+20*float64(i)
		lines = append(lines, l)
	}
	return lines
}

func TestFindMRZ(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		zone                                                    []string
		format, issuer, number, last, first, birth, expiry, sex string
		country, optional                                       string
	}{
		"a passport": {zone: passport("UTO", "QUILLON<<ROSA<MAE", "L898902C", "740812", "F", "290415"), format: "TD3",
			issuer: "UTO", number: "L898902C", last: "QUILLON", first: "ROSA MAE", birth: "1974-08-12", expiry: "2029-04-15", sex: "F", country: "UTO"},
		"of Germany": {zone: passport("D<<", "QUILLON<<ROSA", "C01X00T47", "640812", "F", "270228"), format: "TD3",
			issuer: "D", number: "C01X00T47", last: "QUILLON", first: "ROSA", birth: "1964-08-12", expiry: "2027-02-28", sex: "F", country: "DEU"},
		"of Britain": {zone: passport("GBD", "QUILLON<<ROSA", "123456789", "640812", "M", "270228"), format: "TD3",
			issuer: "GBD", number: "123456789", last: "QUILLON", first: "ROSA", birth: "1964-08-12", expiry: "2027-02-28", sex: "M", country: "GBR"},
		"of a child": {zone: passport("UTO", "QUILLON<<ROSA", "L898902C", "110812", "<", "290415"), format: "TD3",
			issuer: "UTO", number: "L898902C", last: "QUILLON", first: "ROSA", birth: "2011-08-12", expiry: "2029-04-15", country: "UTO"},
		"a card": {zone: card("UTO", "D23145890", "A1B2", "740812", "F", "320415", "QUILLON<<ROSA<MAE"), format: "TD1",
			issuer: "UTO", number: "D23145890", last: "QUILLON", first: "ROSA MAE", birth: "1974-08-12", expiry: "2032-04-15", sex: "F",
			country: "UTO", optional: "A1B2"},
		"two lines of 36": {zone: visa("UTO", "QUILLON<<ROSA", "D23145890", "740812", "F", "320415"), format: "TD2",
			issuer: "UTO", number: "D23145890", last: "QUILLON", first: "ROSA", birth: "1974-08-12", expiry: "2032-04-15", sex: "F", country: "UTO"},
		"a French card": {zone: frenchCard("QUILLON", "880692310285", "ROSA<<MAE", "740812", "F"), format: "French",
			issuer: "FRA", number: "880692310285", last: "QUILLON", first: "ROSA MAE", birth: "1974-08-12", sex: "F", country: "FRA"},
		"of this century": {zone: frenchCard("QUILLON", "880692310285", "ROSA", "050812", "M"), format: "French",
			issuer: "FRA", number: "880692310285", last: "QUILLON", first: "ROSA", birth: "2005-08-12", sex: "M", country: "FRA"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := append(zoneLines("REPUBLIC OF UTOPIA", "SURNAME"), zoneLines(c.zone...)...)
			m, ok := FindMRZ(lines)
			if !ok {
				t.Fatal("none found")
			}
			expiry := ""
			if m.Expiry.Year != 0 {
				expiry = m.Expiry.String()
			}
			for what, pair := range map[string][2]string{"format": {m.Format, c.format}, "issuer": {m.Issuer, c.issuer},
				"number": {m.Number, c.number}, "last": {m.Last, c.last}, "first": {m.First, c.first}, "sex": {m.Sex, c.sex},
				"birth": {m.Birth.String(), c.birth}, "expiry": {expiry, c.expiry}, "country": {m.Country, c.country},
				"optional": {m.Optional, c.optional}} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
				}
			}
			if !m.Valid {
				t.Error("the check digits are not said to agree")
			}
		})
	}
}

// What OCR confuses in a zone is put right where the check digits prove it, and where they do not the zone is not valid.
func TestFindMRZ_damaged(t *testing.T) {
	t.Parallel()
	whole := passport("UTO", "QUILLON<<ROSA<MAE", "L89890237", "740812", "F", "290415")
	for name, c := range map[string]struct {
		damage func(first, second string) []string
		valid  bool
		number string
		last   string
	}{
		"noughts of the birth date": {func(a, b string) []string { return []string{a, strings.Replace(b, "740812", "74O8I2", 1)} }, true, "L89890237", "QUILLON"},
		"a nought of the number":    {func(a, b string) []string { return []string{a, strings.Replace(b, "L89890237", "L898902E7", 1)} }, false, "L898902E7", "QUILLON"},
		"another birth date":        {func(a, b string) []string { return []string{a, strings.Replace(b, "740812", "740912", 1)} }, false, "L89890237", "QUILLON"},
		"figures in the name":       {func(a, b string) []string { return []string{strings.Replace(a, "QUILLON", "QU1LL0N", 1), b} }, true, "L89890237", "QUILLON"},
		"a letter in the fillers":   {func(a, b string) []string { return []string{a[:33] + "C" + a[34:], b} }, true, "L89890237", "QUILLON"},
		"letters for fillers":       {func(a, b string) []string { return []string{a[:22] + "CCCC" + a[26:], b} }, true, "L89890237", "QUILLON"},
		"fillers lost":              {func(a, b string) []string { return []string{a[:36], b} }, true, "L89890237", "QUILLON"},
		"guillemets":                {func(a, b string) []string { return []string{strings.ReplaceAll(a, "<<", "«"), b} }, true, "L89890237", "QUILLON"},
		"the first line lost":       {func(_, b string) []string { return []string{b} }, true, "L89890237", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, ok := FindMRZ(zoneLines(c.damage(whole[0], whole[1])...))
			if !ok || m.Valid != c.valid || m.Number != c.number || m.Last != c.last {
				t.Errorf("%v %v %q %q, want %v %q %q", ok, m.Valid, m.Number, m.Last, c.valid, c.number, c.last)
			}
			if c.last != "" && m.First != "ROSA MAE" {
				t.Errorf("given names %q", m.First)
			}
		})
	}
}

// What is no zone is none: text, numbers of accounts, a zone cut short.
func TestFindMRZ_none(t *testing.T) {
	t.Parallel()
	whole := passport("UTO", "QUILLON<<ROSA", "L898902C", "740812", "F", "290415")
	for name, rows := range map[string][]string{
		"text":            {"STATEMENTOFACCOUNTFORTHEYEAR", "BEGINNINGBALANCEANDDEPOSITS"},
		"account numbers": {"000123456789012345678901", "000123456789012345678902"},
		"names alone":     {whole[0]},
		"no such days":    {whole[0], strings.NewReplacer("740812", "749912", "290415", "299915").Replace(whole[1])},
		"nothing":         {},
		"fillers alone":   {strings.Repeat("<", 44), strings.Repeat("<", 44)},
		"a short card":    {"I<UTO", "7408122F", "QUILLON<<ROSA"},
	} {
		if m, ok := FindMRZ(zoneLines(rows...)); ok {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if !HasPassportNames(zoneLines("PASSPORT", whole[0])) || HasPassportNames(zoneLines(whole[1])) {
		t.Error("a passport is known by the line of its names, and by no other")
	}
}

// Both sides of a card in one picture: the zone's line stands beside words of the other side.
func TestFindMRZ_beside(t *testing.T) {
	t.Parallel()
	rows := card("UTO", "D23145890", "", "740812", "F", "320415", "QUILLON<<ROSA")
	lines := zoneLines(rows...)
	beside := Token{Page: 1, Text: "ADDRESS", X0: 600, X1: 660, Y0: lines[0].Tokens[0].Y0, Y1: lines[0].Tokens[0].Y1, Confidence: 1, Method: MethodOCR}
	lines[0].Tokens = append(lines[0].Tokens, beside)
	if m, ok := FindMRZ(lines); !ok || !m.Valid || m.Number != "D23145890" {
		t.Errorf("%v %+v", ok, m)
	}
}

// A zone is shown as it is printed: with all its fillers, and figures where only figures can be.
func TestMRZ_AsPrinted(t *testing.T) {
	t.Parallel()
	zones := map[string][]string{"TD3": passport("UTO", "QUILLON<<ROSA", "L898902C", "740812", "F", "290415"),
		"TD1": card("UTO", "D23145890", "", "740812", "F", "320415", "QUILLON<<ROSA"),
		"TD2": visa("UTO", "QUILLON<<ROSA", "D23145890", "740812", "F", "320415"),
	}
	for format, zone := range zones {
		damaged := append([]string{}, zone...)
		data := 1
		damaged[data] = strings.Replace(damaged[data], "740812", "74O8I2", 1)
		names := map[string]int{"TD3": 0, "TD2": 0, "TD1": 2}[format]
		damaged[names] = strings.Replace(damaged[names], "QUILLON", "QU1LLON", 1)
		if format != "TD1" {
			damaged[names] = damaged[names][:len(damaged[names])-3]
		}
		m, ok := FindMRZ(zoneLines(damaged...))
		if !ok || m.Format != format {
			t.Fatalf("%s: %v %+v", format, ok, m)
		}
		if got := m.AsPrinted(); strings.Join(got, "\n") != strings.Join(zone, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", format, strings.Join(got, "\n"), strings.Join(zone, "\n"))
		}
	}
	french := frenchCard("QUILLON", "880692310285", "ROSA", "740812", "F")
	short := []string{strings.Replace(french[0], "<<<<", "<", 1), strings.Replace(french[1], "<<<<", "<", 1)}
	m, ok := FindMRZ(zoneLines(short...))
	if !ok || !m.Valid || strings.Join(m.AsPrinted(), "\n") != strings.Join(french, "\n") {
		t.Errorf("%v %v\n%s\nwant\n%s", ok, m.Valid, strings.Join(m.AsPrinted(), "\n"), strings.Join(french, "\n"))
	}
}

// The country's letter that OCR lost comes back from the second line, so that the name lacks none.
func TestFindMRZ_lostLetter(t *testing.T) {
	t.Parallel()
	zone := passport("IND", "QUILLON<<ROSA", "L89890237", "740812", "F", "290415")
	m, ok := FindMRZ(zoneLines(strings.Replace(zone[0], "P<IND", "P<ND", 1), zone[1]))
	if !ok || m.Issuer != "IND" || m.Last != "QUILLON" {
		t.Errorf("%v %q %q", ok, m.Issuer, m.Last)
	}
	zone[1] = strings.Replace(zone[1], "IND", "1ND", 1)
	if m, _ := FindMRZ(zoneLines(zone...)); m.AsPrinted()[1][10:13] != "IND" {
		t.Errorf("nationality %q", m.AsPrinted()[1][10:13])
	}
}

func FuzzFindMRZ(f *testing.F) {
	f.Add("P<UTOQUILLON<<ROSA", "L898902C<3UTO7408122F2904157")
	f.Add("IDFRAQUILLON<<<<", "880692310285")
	f.Fuzz(func(t *testing.T, a, b string) {
		if m, ok := FindMRZ(zoneLines(a, b)); ok {
			m.AsPrinted()
			if m.Valid && (m.Birth.Month < 1 || m.Birth.Month > 12) {
				t.Errorf("born in month %d", m.Birth.Month)
			}
		}
	})
}
