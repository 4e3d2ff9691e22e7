package identity_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestIdentity_licence(t *testing.T) {
	d := readtest.Lines(t, "CALIFORNIA|DRIVER LICENSE", "DL|D1234562", "EXP|08/31/2029", "LN|SAMPLE", "FN|AVA MARIE", "DOB|08/31/1990", "12 OAK STREET", "FRESNO, CA 93701", "SEX|F", "ISS|09/01/2024")
	if d.DocType != dossier.DocDriversLicense {
		t.Fatalf("read as %s", d.DocType)
	}
	f := d.Facts.Identity
	got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.IssueDate), documenttest.Shown(f.ExpiryDate), documenttest.Shown(f.State), documenttest.Shown(f.Country), documenttest.Shown(f.Sex)}, " ")
	if want := "D1234562 SAMPLE AVA MARIE 1990-08-31 2024-09-01 2029-08-31 CA USA F"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The specimen of ICAO 9303 part 4.
var specimenZone = []string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"}

func TestIdentity_zone(t *testing.T) {
	f := readtest.Lines(t, append([]string{"PASSPORT"}, specimenZone...)...).Facts.Identity
	got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.ExpiryDate), documenttest.Shown(f.Sex), documenttest.Shown(f.Country)}, " ")
	if want := "L898902C3 ERIKSSON ANNA MARIA 1974-08-12 2012-04-15 F UTO"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if f.MRZValid == nil || !*f.MRZValid {
		t.Error("the zone is valid")
	}
}

// A letter read for a figure is repaired when the check digit confirms it.
func TestIdentity_zoneRepaired(t *testing.T) {
	damaged := strings.Replace(strings.Replace(specimenZone[1], "L898902C3", "L8989O2C3", 1), "7408122", "74O8122", 1)
	f := readtest.Lines(t, "PASSPORT", specimenZone[0], damaged).Facts.Identity
	if documenttest.Shown(f.Number) != "L898902C3" || documenttest.Shown(f.DateOfBirth) != "1974-08-12" {
		t.Errorf("number %s, birth %s", documenttest.Shown(f.Number), documenttest.Shown(f.DateOfBirth))
	}
}

// A thin letter of a name that OCR lost in the zone, whose check digits say nothing of names, is the printed one, in
// the zone too. Another letter of so short a name is not believed.
func TestIdentity_zoneThinLetter(t *testing.T) {
	for printed, want := range map[string]string{"KAIM": "KAIM P<UTOKAIM<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<<<<",
		"KARM": "KAM P<UTOKAM<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<<<<<"} {
		first := "P<UTOKAM<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<<<<"
		f := readtest.Lines(t, "PASSPORT", "Surname", printed, "Given names", "ANNA MARIA", first, specimenZone[1]).Facts.Identity
		if f == nil || len(f.MRZ) != 2 || documenttest.Shown(f.LastName)+" "+f.MRZ[0] != want || len(f.MRZ[0]) != 44 {
			t.Errorf("printed %s: %+v", printed, f)
		}
	}
}

// The same where the captions of the page cannot be read: the given names say where the family name stands.
func TestIdentity_zoneThinLetterWithoutCaptions(t *testing.T) {
	first := "P<UTOKM<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<<<<<"
	for name, printed := range map[string][]string{"in one line": {"KIM, ANNA-MARIA"}, "above": {"KIM", "ANNA MARIA"}} {
		f := readtest.Lines(t, append(append([]string{"PASSPORT"}, printed...), first, specimenZone[1])...).Facts.Identity
		if f == nil || documenttest.Shown(f.LastName) != "KIM" || len(f.MRZ) != 2 || !strings.HasPrefix(f.MRZ[0], "P<UTOKIM<<ANNA") {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A zone whose check digits fail is reported and not used.
func TestIdentity_zoneFails(t *testing.T) {
	damaged := strings.Replace(specimenZone[1], "7408122", "7408127", 1)
	d := readtest.Lines(t, "PASSPORT", "Passport No", "L898902C3", "Date of birth", "13 Aug 1974", specimenZone[0], damaged)
	f := d.Facts.Identity
	if f.MRZValid == nil || *f.MRZValid {
		t.Error("the zone's check digits fail")
	}
	if documenttest.Shown(f.DateOfBirth) != "1974-08-13" || f.ExpiryDate != nil {
		t.Errorf("birth %s, expiry %s: printed fields only", documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.ExpiryDate))
	}
}

// Dates that cannot be right together are no facts.
func TestIdentity_impossibleDates(t *testing.T) {
	f := readtest.Lines(t, "CALIFORNIA|DRIVER LICENSE", "DOB|08/31/2029", "EXP|08/31/1990", "CLASS|C").Facts.Identity
	if f.DateOfBirth != nil || f.ExpiryDate != nil {
		t.Errorf("birth %s, expiry %s", documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.ExpiryDate))
	}
}

func TestIdentity_traps(t *testing.T) {
	if d := readtest.Lines(t, "SOCIAL SECURITY", "123-45-6789", "THIS NUMBER HAS BEEN ESTABLISHED FOR", "AVA SAMPLE"); d.FieldType != dossier.FieldFile {
		t.Errorf("a social security card was read as %s", d.DocType)
	}
	if d := readtest.Lines(t, "UNITED STATES OF AMERICA", "PERMANENT RESIDENT", "Surname", "SAMPLE", "Resident Since", "05/31/20"); d.DocType != dossier.DocResidencePermit {
		t.Errorf("a residence permit was read as %s", d.DocType)
	}
}

func FuzzMRZ(f *testing.F) {
	f.Add(specimenZone[0], specimenZone[1], "")
	f.Add("I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		m, ok := text.FindMRZ(text.Lines(documenttest.Page(a, b, c)))
		if ok && m.Valid && (!m.Birth.Valid() || m.Format != text.FormatFrench && !m.Expiry.Valid()) {
			t.Errorf("a valid zone with impossible dates: %+v", m)
		}
	})
}

// The small captions of names are often misread: the field's number, or the name beside it, still tells.
func TestIdentity_captionsLost(t *testing.T) {
	for name, lines := range map[string][]string{
		"letters of both misread":  {"1tN THISTLEDOWN", "2—=N TAMSIN LEONA"},
		"a letter read as two":     {"1LtN THISTLEDOWN", "2FrN TAMSIN LEONA"},
		"given names without one":  {"1 LN|THISTLEDOWN", "zzz|TAMSIN LEONA"},
		"family name without one":  {"zzz|THISTLEDOWN", "2 FN|TAMSIN LEONA"},
		"numbers alone":            {"1 THISTLEDOWN", "2 TAMSIN LEONA"},
		"numbers with their point": {"1. THISTLEDOWN", "2. TAMSIN LEONA"},
	} {
		t.Run(name, func(t *testing.T) {
			all := append([]string{"DRIVER LICENSE OHIO", "4d DLN|AB123456", "3 DOB 01/15/1980"}, lines...)
			e := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{documenttest.Page(append(all, "8 7957 JUNIPER STREET", "4b EXP 03/27/2033")...)}})
			f := e.Documents[0].Facts.Identity
			if f == nil || documenttest.OrEmpty(f.LastName) != "THISTLEDOWN" || documenttest.OrEmpty(f.FirstName) != "TAMSIN LEONA" {
				t.Errorf("read %+v", f)
			}
		})
	}
}

// What cards print beside and around their fields is no part of them.
func TestIdentity_fields(t *testing.T) {
	card := []string{"OHIO DRIVER LICENSE", "9 CLASS D|12 RESTR NONE"}
	for name, c := range map[string]struct {
		lines []string
		want  string // number, family name, given names, birth, issue, expiry, address
	}{
		"caption of two words": {[]string{"4d DL F1234 56789 01234", "1 QUILL", "2 ROSA"}, "F1234 56789 01234 QUILL ROSA nil nil nil nil"},
		"caption goes on":      {[]string{"4d NUMBER S12345678"}, "S12345678 nil nil nil nil nil nil"},
		"next field beside it": {[]string{"4d DL# 123456789 9 CLASS D"}, "123456789 nil nil nil nil nil nil"},
		"number of an ID":      {[]string{"ID 123 456 789"}, "123 456 789 nil nil nil nil nil nil"},
		"glued captions":       {[]string{"4dDLN123456789", "3DOB06/10/1984", "4bEXP06/10/2029", "4aISS06/10/2023", "1QUILL", "2ROSA ANN"}, "123456789 QUILL ROSA ANN 1984-06-10 2023-06-10 2029-06-10 nil"},
		"figures as letters":   {[]string{"3 D0B 04/22/1971", "4a lSS 04/20/2022", "4b EXP O4/22/2029"}, "nil nil nil 1971-04-22 2022-04-20 2029-04-22 nil"},
		"numbers before dates": {[]string{"3. 11.03.1976 UNITED KINGDOM", "4a. 19.01.2019|4c. DVLA", "4b. 18.01.2029"}, "nil nil nil 1976-03-11 2019-01-19 2029-01-18 nil"},
		"number 1 misread":     {[]string{"l QUILL", "2 ROSA ANN", "8 12 ELM ST", "DAYTON OH 45402"}, "nil QUILL ROSA ANN nil nil nil 12 ELM ST, DAYTON OH 45402"},
		"one line":             {[]string{"1 QUILL, ROSA ANN", "8 12 ELM ST", "DAYTON OH 45402"}, "nil QUILL ROSA ANN nil nil nil 12 ELM ST, DAYTON OH 45402"},
		"one line with suffix": {[]string{"1 QUILL, JR", "2 OTTO"}, "nil QUILL, JR OTTO nil nil nil nil"},
		"one caption for both": {[]string{"1,2 NAME", "QUILL", "ROSA ANN", "8 RESIDENCE ADDRESS", "12 ELM ST", "DAYTON OH 45402"}, "nil QUILL ROSA ANN nil nil nil 12 ELM ST, DAYTON OH 45402"},
		"name like a street":   {[]string{"1 LN QUILL", "2 FN ROSA", "8 ADD 12 CALLE ROJA", "DAYTON OH 45402"}, "nil QUILL ROSA nil nil nil 12 CALLE ROJA, DAYTON OH 45402"},
		"number of a permit":   {[]string{"DL/ID: 12345678|Class: C"}, "12345678 nil nil nil nil nil nil"},
		"number in a sentence": {[]string{"Number D123-456-789-012"}, "D123-456-789-012 nil nil nil nil nil nil"},
		"number of a customer": {[]string{"4d CUSTOMER IDENTIFIER", "T12345678"}, "T12345678 nil nil nil nil nil nil"},
		"number with hyphens":  {[]string{"4d NUMBER/NUMERO F4531 - 23456 - 84612"}, "F4531 - 23456 - 84612 nil nil nil nil nil nil"},
		"title before a name":  {[]string{"1. QUILL", "2. MRS ROSA ANN"}, "nil QUILL ROSA ANN nil nil nil nil"},
		"apartment":            {[]string{"8 12 ELM ST", "APT. 4", "DAYTON OH 45402"}, "nil nil nil nil nil nil 12 ELM ST APT. 4, DAYTON OH 45402"},
	} {
		t.Run(name, func(t *testing.T) {
			p := documenttest.Page(append(card, c.lines...)...)
			for i := range p.Tokens {
				p.Tokens[i].Method = text.MethodOCR
			}
			f := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0].Facts.Identity
			if f == nil {
				t.Fatal("read as no ID")
			}
			got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.IssueDate), documenttest.Shown(f.ExpiryDate), documenttest.Shown(f.Address)}, " ")
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What scans do to a zone that its check digits still prove.
func TestIdentity_zoneNoise(t *testing.T) {
	for name, c := range map[string]struct{ first, second, want string }{
		"fillers read as letters":      {strings.Replace(specimenZone[0], "MARIA<<<<<", "MARIAKKKKK", 1), specimenZone[1], "L898902C3 ERIKSSON ANNA MARIA"},
		"filler right after the name":  {strings.Replace(specimenZone[0], "MARIA<", "MARIAK", 1), specimenZone[1], "L898902C3 ERIKSSON ANNA MARIA"},
		"fillers between the names":    {strings.Replace(specimenZone[0], "ERIKSSON<<ANNA<", "ERIKSSONKKANNAK", 1), specimenZone[1], "L898902C3 ERIKSSON ANNA MARIA"},
		"fillers too many":             {specimenZone[0] + "<<<", specimenZone[1] + "<<<", "L898902C3 ERIKSSON ANNA MARIA"},
		"small letter among capitals":  {strings.Replace(specimenZone[0], "ERIKSSON", "ERlKSSON", 1), specimenZone[1], "L898902C3 ERIKSSON ANNA MARIA"},
		"all noughts read as letters":  {specimenZone[0], "ZEOOO5O9<9UTO74O8122F12O4159<<<<<<<<<<<<<<O2", "ZE000509 ERIKSSON ANNA MARIA"},
		"second line cannot be parted": {specimenZone[0], "L89890236UTO740812F1204159", "nil nil nil"},
	} {
		t.Run(name, func(t *testing.T) {
			d := readtest.Lines(t, "PASSPORT", "Surname", "ERIKSSON", "Given names", "ANNA MARIA", c.first, c.second)
			f := d.Facts.Identity
			if f == nil {
				t.Fatalf("read as %s", d.DocType)
			}
			if f.MRZValid == nil {
				return
			}
			if got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName)}, " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Older French cards print a zone of their own, of which scans lose fillers.
func TestIdentity_frenchZone(t *testing.T) {
	head := []string{"RÉPUBLIQUE FRANÇAISE", "CARTE NATIONALE D'IDENTITÉ", "Nom : QUILL", "Né(e) le : 12.06.1984", "à : LYON (69)"}
	for name, zone := range map[string][2]string{
		"whole":   {"IDFRAQUILL<<<<<<<<<<<<<<<<<<<<691012", "1205431001236DANA<<RUTH<<<<8406125F0"},
		"fillers": {"IDFRAQUILL<<<<<<<<<<<<691012", "1205431001236DANA<<RUTH<<8406125F0"},
	} {
		t.Run(name, func(t *testing.T) {
			d := readtest.Lines(t, append(head, zone[0], zone[1])...)
			f := d.Facts.Identity
			if f == nil || d.DocType != dossier.DocNationalID {
				t.Fatalf("read as %s", d.DocType)
			}
			got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.Sex), documenttest.Shown(f.Country), documenttest.Shown(f.ExpiryDate)}, " ")
			if want := "120543100123 QUILL DANA RUTH 1984-06-12 F FRA nil"; got != want || f.MRZValid == nil || !*f.MRZValid {
				t.Errorf("got %s, want %s; %v", got, want, d.Checks)
			}
		})
	}
}

// A passport in two languages: captions as "Surname/Nom", months as "JUNE/JUIN".
func TestIdentity_twoLanguages(t *testing.T) {
	f := readtest.Lines(t, "CANADA|PASSPORT / PASSEPORT", "Passport No./N° de passeport", "AB123456", "Surname/Nom", "QUILL", "Given names/Prénoms", "ROSA ANN",
		"Nationality/Nationalité", "CANADIAN/CANADIENNE", "Date of birth/Date de naissance", "12 JUNE/JUIN 84", "Date of issue/Date de délivrance", "20 MAY/MAI 22", "Date of expiry/Date d'expiration", "20 MAY/MAI 32").Facts.Identity
	if f == nil {
		t.Fatal("read as no ID")
	}
	got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.IssueDate), documenttest.Shown(f.ExpiryDate)}, " ")
	if want := "AB123456 QUILL ROSA ANN 1984-06-12 2022-05-20 2032-05-20"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Dates of the 31st begin with the figure that numbers a field.
func TestIdentity_datesOfThe31st(t *testing.T) {
	f := readtest.Lines(t, "REPUBLIC OF EXAMPLIA|IDENTITY CARD", "Surname", "QUILL", "Given names", "ROSA", "Bir1h dale", "14.11.1979",
		"Issuing date|Expiry date", "31.05.2016|31.05.2026").Facts.Identity
	if f == nil {
		t.Fatal("read as no ID")
	}
	got := strings.Join([]string{documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.IssueDate), documenttest.Shown(f.ExpiryDate)}, " ")
	if want := "1979-11-14 2016-05-31 2026-05-31"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A line of a zone whose other line is lost may be of another page in the picture: what this one prints comes first.
func TestIdentity_zoneAlone(t *testing.T) {
	f := readtest.Lines(t, "PASSPORT|UNITED STATES OF AMERICA", "Surname", "ERIKSSON", "Date of birth", "13 Aug 1979", "Date of expiry", "14 Apr 2029", specimenZone[1]).Facts.Identity
	if documenttest.Shown(f.DateOfBirth) != "1979-08-13" || documenttest.Shown(f.ExpiryDate) != "2029-04-14" {
		t.Errorf("birth %s, expiry %s: the printed ones", documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.ExpiryDate))
	}
}

// Both sides of a card lie side by side in one picture, and OCR lost fillers of the zone's long runs.
func TestIdentity_zoneBeside(t *testing.T) {
	first, second, third := "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"
	for name, zone := range map[string][3]string{
		"whole":        {first, second, third},
		"fillers lost": {first[:19], second[:23], third[:24]},
	} {
		t.Run(name, func(t *testing.T) {
			f := readtest.Lines(t, "UTOPIA|IDENTITY CARD", "SURNAME|"+zone[0], "ERIKSSON|"+zone[1], "GIVEN NAMES|"+zone[2], "ANNA MARIA").Facts.Identity
			if f == nil || f.MRZValid == nil || !*f.MRZValid {
				t.Fatalf("no valid zone: %+v", f)
			}
			got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.ExpiryDate), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName)}, " ")
			if want := "D23145890 1974-08-12 2012-04-15 ERIKSSON ANNA MARIA"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// The dates of a card's zone are proven by their own check digits when the line of its number is damaged; printed ones come first.
func TestIdentity_datesOfZone(t *testing.T) {
	zone := []string{"I<UTOD23145X907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"}
	for name, c := range map[string]struct {
		second, want string
	}{
		"proven": {zone[1], "1974-08-12 2012-04-15 F"},
		"not":    {"7408123F1204159UTO<<<<<<<<<<<6", "nil nil nil"},
	} {
		f := readtest.Lines(t, "UTOPIA|IDENTITY CARD", "SURNAME", "ERIKSSON", "GIVEN NAMES", "ANNA MARIA", zone[0], c.second, zone[2]).Facts.Identity
		if f == nil {
			t.Fatalf("%s: read as no card", name)
		}
		if got := strings.Join([]string{documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.ExpiryDate), documenttest.Shown(f.Sex)}, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Two noughts that OCR takes for the letter weigh the same in the check digits of a zone.
func TestIdentity_noughtsOfZone(t *testing.T) {
	doc := readtest.Lines(t, "PASSPORT", "P<UTOKORHONEN<<AINO<MARIA<<<<<<<<<<<<<<<<<<<", "XP8OO11024UTO8504124F2907033<<<<<<<<<<<<<<<4")
	if f := doc.Facts.Identity; f == nil || documenttest.OrEmpty(f.Number) != "XP8001102" {
		t.Errorf("read as %s, %+v", doc.DocType, doc.Facts.Identity)
	}
}
