package identity_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// What a picture makes of cards: captions of dates with figures for letters, and captions of two languages with a wrong
// letter or without their stroke. A line of an address is no name; an empty want is a fact that must not be found.
func TestIdentity_misread(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]string
	}{
		"captions of dates": {
			[]string{"OHIO|DRIVER LICENSE", "4d DLN 31 408 922", "1 HOLLOWAY", "2 MARTIN", "8 12 ELM STREET", "DAYTON, OH 45402",
				"3 00804/17/1986", "4b EXP04/17/2030|4a 155 05/02/2022"},
			map[string]string{"/dateOfBirth": "1986-04-17", "/issueDate": "2022-05-02", "/expiryDate": "2030-04-17",
				"/number": "31 408 922"},
		},
		"number in groups that touches its caption": {
			[]string{"PENNSYLVANIA|DRIVER'S LICENSE", "4d DLN31 408 922", "1 HOLLOWAY", "2 MARTIN", "12 ELM STREET",
				"ERIE, PA 16501", "3 D0B04-17-1986", "4b EXP 04-18-2028|4a i5s 04-02-2024"},
			map[string]string{"/dateOfBirth": "1986-04-17", "/issueDate": "2024-04-02", "/number": "31 408 922"},
		},
		"letter of a number in groups that touches its caption": {
			[]string{"MICHIGAN|DRIVER LICENSE", "4d DLNR 421 118 604 732", "1 HOLLOWAY", "2 MARTIN", "12 ELM STREET",
				"DETROIT, MI 48204", "3 DOB 04-17-1986"},
			map[string]string{"/number": "R 421 118 604 732"},
		},
		"house of a grid": {
			[]string{"WISCONSIN|DRIVER LICENSE", "4d DLN H425-5478-6137-02", "1 HOLLOWAY", "2 MARTIN", "8 N4417 COUNTY ROAD K",
				"PORTAGE, WI 53901", "3 DOB 04/17/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030"},
			map[string]string{"/address": "N4417 COUNTY ROAD K, PORTAGE, WI 53901"},
		},
		"address below a caption of the name": {
			[]string{"ARIZONA|DRIVER LICENSE", "D08172654|04/17/2034", "4d LIC. NO.|4b EXP", "1, 2 NAME", "PO BOX 114",
				"TUBA CITY, AZ 86045", "8 ADDRESS", "04/17/1986|05/02/2022", "3 DOB|4a ISS"},
			map[string]string{"/lastName": "", "/firstName": ""},
		},
		"stroke of two languages lost": {
			[]string{"RZECZPOSPOLITA POLSKA", "DOWOD OSOBISTY / IDENTITY CARD", "NAZWISKO / SURNAME", "NOWAK", "HIONA T GIVEN NAMES",
				"ANNA MARIA", "DATA URODZENIA / DATE OF BIRTH", "17.04.1986", "NUMER DOWODU / IDENTITY CARD NUMBER", "ABC123456"},
			map[string]string{"/lastName": "NOWAK", "/firstName": "ANNA MARIA", "/number": "ABC123456"},
		},
		"letter of a caption wrong": {
			[]string{"BELGIE BELGIQUE BELGIEN BELGIUM", "IDENTITEITSKAART|IDENTITY CARD", "Naam / Name", "Peeters", "Voormamen / Given names",
				"Anne Marie", "Kaartnr. / Card No.", "592-8140276-31"},
			map[string]string{"/lastName": "Peeters", "/firstName": "Anne Marie"},
		},
		"card of Germany in small print": {
			[]string{"BUNDESREPUBLIK DEUTSCHLAND|||L01X00T47", "PERSONALAUSWEIS|IDENTITY CARD", "a Name/Sumame/Nom", "MUSTERMANN",
				"b Geburtsname/Name at birth", "GABLER", "Vornamen/Given names", "ERIKA", "Geburtstag/Date of birth", "12.08.1984"},
			map[string]string{"/lastName": "MUSTERMANN", "/firstName": "ERIKA", "/number": "L01X00T47"},
		},
		"citizen's card": {
			[]string{"CARTAO DE CIDADAO / CITIZEN CARD", "APELIDO[S / SURNAME", "MONTEIRO PINTO", "NOME[S / GIVEN NAME[S", "BEATRIZ SOFIA",
				"DATA DE NASCIMENTO / DATE OF BIRTH", "25 10 1999"},
			map[string]string{"/lastName": "MONTEIRO PINTO", "/firstName": "BEATRIZ SOFIA", "/dateOfBirth": "1999-10-25"},
		},
		"title with a broken word": {
			[]string{"ESPANA DOCUMENTO NA CIONAL DE IDENTIDAD", "DNI", "12345678Z", "APELLIDOS", "GARCIA", "LOPEZ", "NOMBRE", "MARIA",
				"FECHA DE NACIMIENTO", "04 08 1995"},
			map[string]string{"/idType": "NATIONAL_ID", "/number": "12345678Z", "/lastName": "GARCIA LOPEZ", "/firstName": "MARIA"},
		},
		"number of the person beside the licence's": {
			[]string{"DRIVING LICENCE|IRELAND", "1. MURPHY", "2. NIAMH", "3. 08.02.1991 IRELAND", "4a. 14.09.2020|4b. 13.09.2030",
				"4d. 418290376", "5. 0241837265", "9. AM, B"},
			map[string]string{"/number": "0241837265"},
		},
		"province": {
			[]string{"ONTARIO DRIVER'S LICENCE / PERMIS DE CONDUIRE CANAD", "1,2 NAME/NOM", "THIBODEAU,", "ANNE", "8 ADDRESS/ADRESSE",
				"418 RIDEAU ST", "OTTAWA, ON, K1N 5Y9", "4d NUMBER/NUMERO", "T4418-72910-85314", "3 DOB/DDN|15 SEX/SEXE", "1985/03/14|F"},
			map[string]string{"/state": "ON", "/country": "CAN"},
		},
		"months in two languages, of which one is known": {
			[]string{"KONINKRIJK DER NEDERLANDEN|IDENTITY CARD", "naam / surname", "DE VRIES", "voornamen / given names", "ANNA",
				"datum van afgifte / date of issue|||geldig tot / date of expiry", "10 MAA/MAR 2021|||10 MAA/MAR 2031"},
			map[string]string{"/issueDate": "2021-03-10", "/expiryDate": "2031-03-10"},
		},
		"authority of the United Kingdom": {
			[]string{"DRIVING LICENCE UK", "1. ASHE", "2. MR DANIEL", "3. 19.11.1985", "4a. 02.04.2021|4C. DVLA", "4b. 01.04.2031"},
			map[string]string{"/country": "GBR", "/firstName": "DANIEL"},
		},
		"sign of multiplication in a zone": {
			[]string{"P<D<<SCHAFER<LINDNER<<KATHARINA<<<<<<<<<<<<<", "C4VN7R2×K9D<<7906145F3008317<<<<<<<<<<<<<<<6"},
			map[string]string{"/number": "C4VN7R2XK", "/lastName": "SCHAFER LINDNER", "/dateOfBirth": "1979-06-14"},
		},
		"thin letter of a zone": {
			[]string{"REPUBLIC OF INDIA|PASSPORT", "Surname", "IYER", "Given Name(s)", "LALITHA",
				"P<INDLYER<<LALITHA<<<<<<<<<<<<<<<<<<<<<<<<<<", "Z4918207<0IND8501190F2706041<<<<<<<<<<<<<<<6"},
			map[string]string{"/lastName": "IYER", "/firstName": "LALITHA", "/number": "Z4918207"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := documenttest.Page(c.lines...)
			p.Layer = text.LayerImage
			for i := range p.Tokens {
				p.Tokens[i].Method, p.Tokens[i].Confidence = text.MethodOCR, 0.95
			}
			doc := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0]
			for at, want := range c.want {
				if got := document.FactAt(doc.Facts, at); got != want {
					t.Errorf("%s: %s = %q, want %q", doc.DocType, at, got, want)
				}
			}
		})
	}
}
