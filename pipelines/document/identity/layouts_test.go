package identity_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Cards and passports of other countries, and captions that touch what they caption.
func TestIdentity_layouts(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string // number, last name, given names, birth, issue, expiry
	}{
		"few figures in the number": {
			[]string{"WASHINGTON USA|DRIVER LICENSE", "FEDERAL LIMITS APPLY", "4d LIC#WDLABCD456DG|9 CLASS", "1 SAMPLE", "2 JELANI", "3 DOB 08/23/1992|4a ISS 08/24/2019", "15 SEX M|18 EYES BLU", "4b EXP 08/23/2025"},
			"WDLABCD456DG SAMPLE JELANI 1992-08-23 2019-08-24 2025-08-23",
		},
		"number that touches its caption": {
			[]string{"BRITISH COLUMBIA|DRIVER'S LICENCE", "CANADA", "DL:1234567|Class: 5", "Issued: 2020-Jun-15", "Expires: 2025-Jun-12", "SAMPLE,", "JANE MARIE", "123 MAIN ST", "VICTORIA, BC", "V8W 1A1", "DOB: 1984-Jun-12|Sex: F"},
			"1234567 SAMPLE JANE MARIE 1984-06-12 2020-06-15 2025-06-12",
		},
		"licence in German": {
			[]string{"FÜHRERSCHEIN|BUNDESREPUBLIK DEUTSCHLAND", "1. Mustermann", "2. Erika", "3. 12.08.1984 Berlin", "4a. 01.02.2020|4b. 31.01.2035", "4c. Landratsamt Mitte", "5. B072RRE2I55", "9. AM/B/L"},
			"B072RRE2I55 Mustermann Erika 1984-08-12 2020-02-01 2035-01-31",
		},
		"stroke set apart between two languages": {
			[]string{"ESTADOS UNIDOS MEXICANOS", "PASAPORTE|PASSPORT", "Tipo / Type||Pasaporte No. / Passport No.", "P||G12345678", "Apellidos / Surname", "LOPEZ HERNANDEZ", "Nombres / Given names", "MARIA ELENA", "Fecha de nacimiento / Date of birth", "12 06 1984", "Fecha de expedicion / Date of issue", "10 05 2021", "Fecha de caducidad / Date of expiry", "10 05 2031"},
			"G12345678 LOPEZ HERNANDEZ MARIA ELENA 1984-06-12 2021-05-10 2031-05-10",
		},
		"days before months": {
			[]string{"REPUBLIC OF INDIA|PASSPORT", "Type|Country Code|Passport No.", "P|IND|M1234567", "Surname", "SHARMA", "Given Name(s)", "ANIL KUMAR", "Nationality|Sex|Date of Birth", "INDIAN|M|12/06/1984", "Place of Birth", "PUNE", "Date of Issue|Date of Expiry", "10/05/2021|09/05/2031"},
			"M1234567 SHARMA ANIL KUMAR 1984-06-12 2021-05-10 2031-05-09",
		},
		"captions that touch the values": {
			[]string{"OHIO|DRIVER LICENSE", "4dDLNRT481902", "1|LNHOLLOWAY", "2|FNMARTIN", "8 12 ELM STREET", "DAYTON, OH 45402", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030"},
			"RT481902 HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
		"discriminator and no number": {
			[]string{"OHIO|DRIVER LICENSE", "1 HOLLOWAY", "2 MARTIN", "12 ELM STREET", "DAYTON, OH 45402", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030", "5 DD 0142229876543"},
			"nil HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
		"number that touches the field's, and the line of figures": {
			[]string{"PERMIS DE CONDUIRE|REPUBLIQUE FRANCAISE", "1. DURAND", "2. Claire", "3. 02.03.1979 Lyon", "4a. 05.06.2014|4c. 69000", "4b. 04.06.2029", "S14BC00017", "9. B", "D1FRA14BC000170290604DURAND<<0"},
			"14BC00017 DURAND Claire 1979-03-02 2014-06-05 2029-06-04",
		},
		"Italian captions": {
			[]string{"REPUBBLICA ITALIANA|PASSAPORTO", "Passaporto N.|Passport No.", "YA1234567", "Cognome / Surname", "ROSSI", "Nome / Given names", "ANNA", "Data di nascita / Date of birth", "12 06 1984", "Data di rilascio / Date of issue", "10 05 2021", "Data di scadenza / Date of expiry", "09 05 2031"},
			"YA1234567 ROSSI ANNA 1984-06-12 2021-05-10 2031-05-09",
		},
		"month twice without its stroke": {
			[]string{"CANADA|PASSPORT PASSEPORT", "Surname/Nom", "TREMBLAY", "Given names/Prénoms", "LUC", "Date of birth/Date de naissance", "03 MAY MAI 85", "Date of issue/Date de délivrance", "14 JAN 7JAN 21", "Date of expiry/Date d'expiration", "14 JAN /JAN 31"},
			"nil TREMBLAY LUC 1985-05-03 2021-01-14 2031-01-14",
		},
		"no number beside a date": {
			[]string{"REPUBLIQUE FRANCAISE", "CARTE NATIONALE D'IDENTITE / IDENTITY CARD", "NOM / Surname", "MARTIN", "Prenoms / Given names", "Maelys Gaelle", "No du document||Date d'expir.", "11 02 2030"},
			"nil MARTIN Maelys Gaelle nil nil nil",
		},
		"numbers of the fields over the names": {
			[]string{"MASSACHUSETTS|DRIVER'S LICENSE", "4d NUMBER||3 DOB", "S12345678||04/17/1986", "1", "HOLLOWAY", "2", "MARTIN LEE", "8", "12 ELM STREET", "LOWELL, MA 01850", "4a ISS|4b EXP|15 SEX", "05/02/2022|04/17/2030|M"},
			"S12345678 HOLLOWAY MARTIN LEE 1986-04-17 2022-05-02 2030-04-17",
		},
		"state with a country in its name": {
			[]string{"NEW MEXICO|DRIVER'S LICENSE", "4d DLN 123456789|9 CLASS D", "3 DOB 04/07/1986|4b EXP 06/07/2030", "1 HOLLOWAY", "2 MARTIN", "8 12 ELM STREET", "TAOS, NM 87571", "4a ISS 06/07/2022"},
			"123456789 HOLLOWAY MARTIN 1986-04-07 2022-06-07 2030-06-07",
		},
		"discriminator read as the number": {
			[]string{"MAINE|DRIVER'S LICENSE", "1 HOLLOWAY", "2 MARTIN", "8 12 ELM STREET", "BANGOR, ME 04401", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030", "ID 14222987", "5 DD 14222987"},
			"nil HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
		"number beside the title": {
			[]string{"BUNDESREPUBLIK DEUTSCHLAND|||L01X00T47", "PERSONALAUSWEIS|IDENTITY CARD", "Name/Surname/Nom", "MUSTERMANN", "Vornamen/Given names", "ERIKA", "Geburtstag/Date of birth", "12.08.1984", "Gültig bis/Date of expiry", "01.02.2031"},
			"L01X00T47 MUSTERMANN ERIKA 1984-08-12 nil 2031-02-01",
		},
		"two numbers without captions": {
			[]string{"BUNDESREPUBLIK DEUTSCHLAND|||L01X00T47", "PERSONALAUSWEIS|IDENTITY CARD||L01X00T48", "Name/Surname/Nom", "MUSTERMANN", "Vornamen/Given names", "ERIKA", "Geburtstag/Date of birth", "12.08.1984"},
			"nil MUSTERMANN ERIKA 1984-08-12 nil nil",
		},
		"captions in Finnish and Swedish": {
			[]string{"SUOMI FINLAND|PASSI PASS PASSPORT", "Passin nro / Passnr / Passport No", "XP1234567", "Sukunimi / Efternamn", "VIRTANEN", "Etunimet / Förnamn", "ANNA MARIA", "Syntymäaika / Födelsetid", "12.06.1984", "Myönnetty / Utfärdat", "10.05.2021", "Voimassa / Giltigt", "10.05.2031"},
			"XP1234567 VIRTANEN ANNA MARIA 1984-06-12 2021-05-10 2031-05-10",
		},
		"issue without its caption": {
			[]string{"OHIO|DRIVER LICENSE", "4d DLN RT481902", "1 HOLLOWAY", "2 MARTIN", "8 12 ELM STREET", "DAYTON, OH 45402", "3 DOB 04/17/1986|05/02/2022", "4b EXP 04/17/2030", "UNDER 21 UNTIL 04/17/2007"},
			"RT481902 HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
		"title of the card for a name": {
			[]string{"OHIO|DRIVER LICENSE", "4d DLN RT481902", "1 DRIVER LICENSE", "2 MARTIN", "8 12 ELM STREET", "DAYTON, OH 45402", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030"},
			"RT481902 nil MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
		"number that swallowed the next field's": {
			[]string{"MAINE|DRIVER'S LICENSE", "4d DLN 1234567 9", "1 HOLLOWAY", "2 MARTIN", "8 12 ELM STREET", "BANGOR, ME 04401", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030"},
			"1234567 HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
		"few figures in the card's number, two languages of the sex": {
			[]string{"RÉPUBLIQUE FRANÇAISE|CARTE NATIONALE D'IDENTITÉ / IDENTITY CARD", "NOM / Surname", "MARTIN", "Prénoms / Given names", "Maelys", "N° DU DOCUMENT / Document No", "X4RTBPFW4"},
			"X4RTBPFW4 MARTIN Maelys nil nil nil",
		},
		"names as South Africa asks for them": {
			[]string{"REPUBLIC OF SOUTH AFRICA|NATIONAL IDENTITY CARD", "Surname:", "DLAMINI", "Names:", "THANDEKA", "Identity Number:", "9107250418083", "Date of Birth:", "25 JUL 1991"},
			"9107250418083 DLAMINI THANDEKA 1991-07-25 nil nil",
		},
		"card of Colombia": {
			[]string{"REPUBLICA DE COLOMBIA", "CEDULA DE CIUDADANIA", "NUMERO 1.020.304.050", "APELLIDOS", "QUINTERO ROJAS", "NOMBRES", "DANIELA", "FECHA DE NACIMIENTO", "25-JUL-1991"},
			"nil QUINTERO ROJAS DANIELA 1991-07-25 nil nil",
		},
		"number with strokes": {
			[]string{"PRAWO JAZDY|RZECZPOSPOLITA POLSKA", "1. KOWALSKA", "2. DOROTA", "3. 03.10.1971 OLSZTYN", "4a. 28.01.2021|4c. STAROSTA", "4b. 28.01.2036", "5. 00417/21/2862", "9. AM/B"},
			"00417/21/2862 KOWALSKA DOROTA 1971-10-03 2021-01-28 2036-01-28",
		},
		"number whose caption was lost": {
			[]string{"CONNECTICUT|DRIVER'S LICENSE", "40 0LN|123456789", "1 HOLLOWAY", "2 MARTIN", "8 12 ELM STREET", "HARTFORD, CT 06103", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030", "5 DD 987654321"},
			"123456789 HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := readtest.Lines(t, c.lines...).Facts.Identity
			if f == nil {
				t.Fatal("read as no identity document")
			}
			got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.DateOfBirth), documenttest.Shown(f.IssueDate), documenttest.Shown(f.ExpiryDate)}, " ")
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Spain's card is known by the number of the person, which its control letter proves; the number of the plastic is
// another's, and stands in the zone where cards of other countries have theirs.
func TestIdentity_spanishNumber(t *testing.T) {
	card := []string{"REINO DE ESPAÑA|DOCUMENTO NACIONAL DE IDENTIDAD", "APELLIDOS", "ESPEJO ROBLES", "NOMBRE", "LUCIA",
		"FECHA DE NACIMIENTO", "12 06 1984", "NUM SOPORT", "BAA000589"}
	for name, c := range map[string]struct {
		more []string
		want string
	}{
		"printed":           {[]string{"DNI 99999999R"}, "99999999R"},
		"touches":           {[]string{"DNI:99999999-R"}, "99999999R"},
		"another letter":    {[]string{"DNI 99999999S"}, "nil"},
		"zone":              {[]string{"IDESPBAA000589599999999R<<<<<<", "8001014F3501014ESP<<<<<<<<<<<5", "ESPEJO<ROBLES<<LUCIA<<<<<<<<<<"}, "99999999R"},
		"number of plastic": {nil, "nil"},
	} {
		f := readtest.Lines(t, append(card, c.more...)...).Facts.Identity
		if f == nil || documenttest.Shown(f.Number) != c.want {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A sex in two languages is the one that ICAO writes.
func TestIdentity_sexTwice(t *testing.T) {
	for printed, want := range map[string]string{"K/F": "F", "M/M": "M", "F": "F", "K": "nil"} {
		f := readtest.Lines(t, "RZECZPOSPOLITA POLSKA|IDENTITY CARD", "NAZWISKO / SURNAME", "JAGIELSKA", "DATA URODZENIA / DATE OF BIRTH", "15.01.1992", "PLEC / SEX", printed).Facts.Identity
		if f == nil || documenttest.Shown(f.Sex) != want {
			t.Errorf("%s: %+v", printed, f)
		}
	}
}

// A comma between two names that a picture turned into a point parts them all the same.
func TestIdentity_commaReadAsPoint(t *testing.T) {
	page := documenttest.Page("MICHIGAN|DRIVER LICENSE", "4d LIC NO. K512803447619", "3 DOB 08-09-1990|4a ISS 08-01-2022", "4b EXP 08-09-2026",
		"KOWALCZYK.DESMOND PAUL", "4418 GRATIOT AVE", "PORT HURON, MI 48060")
	for i := range page.Tokens {
		page.Tokens[i].Method, page.Tokens[i].Confidence = text.MethodOCR, 0.95
	}
	f := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{page}}).Documents[0].Facts.Identity
	if f == nil || documenttest.Shown(f.LastName) != "KOWALCZYK" || documenttest.Shown(f.FirstName) != "DESMOND PAUL" {
		t.Errorf("%+v", f)
	}
}
