package identity_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Pictures of cards whose captions are too small to be read, and the layouts of numbers, names and dates that the
// countries have. A word behind "?" was read unsurely; an empty want is a fact that must not be found.
func TestIdentity_smallPrint(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]string
	}{
		"known by its title and two dates": {
			[]string{"EESTI VABARIIK|ISIKUTUNNISTUS", "?PEREKONNANINI", "TAMM", "?EESNIMFD", "KRISTA", "?SUNNTAEG", "06.11.1990|39011062714",
				"?KEHTV", "19.12.2028"},
			map[string]string{"/idType": "NATIONAL_ID", "/country": "EST", "/dateOfBirth": "1990-11-06", "/expiryDate": ""},
		},
		"names by the order of the fields": {
			[]string{"REPUBLIC OF SOUTH AFRICA", "NATIONAL IDENTITY CARD", "?Sumre", "MOLEFE", "", "THANDI GRACE", "?Idnty", "8807120418086",
				"?Dt", "12 JUL 1988"},
			map[string]string{"/lastName": "MOLEFE", "/firstName": "THANDI GRACE", "/dateOfBirth": "1988-07-12", "/number": "8807120418086"},
		},
		"two lines set tight are nobody's names": {
			[]string{"BUNDESREPUBLIK DEUTSCHLAND", "PERSONALAUSWEIS|IDENTITY CARD", "?Nme", "OSTER", "FEHR", "?Vrnmn", "LIESE ANNA",
				"?Gbrt", "27.03.1958", "?Gltg", "14.08.2031"},
			map[string]string{"/lastName": "", "/firstName": "", "/dateOfBirth": "1958-03-27", "/expiryDate": ""},
		},
		"number in groups below its caption": {
			[]string{"FEDERAL REPUBLIC OF NIGERIA", "NATIONAL IDENTITY CARD", "SURNAME/NOM", "ADEBAYO", "DATE OF BIRTH", "03 JUN 1991",
				"National Identification Number (NIN)", "4182 077 6315"},
			map[string]string{"/number": "4182 077 6315"},
		},
		"number of a house is none of a card": {
			[]string{"KAD PENGENALAN", "MALAYSIA|IDENTITY CARD", "840917-10-5436", "NO 27 JALAN INDAH", "68000 AMPANG"},
			map[string]string{"/number": "840917-10-5436"},
		},
		"number of one shape without a caption": {
			[]string{"REPUBLIKA NG PILIPINAS", "Philippine Identification Card", "4471-0826-3319-5507", "Apelyido/Last Name", "MACARAEG",
				"Date of Birth", "SEPTEMBER 18, 1994"},
			map[string]string{"/number": "4471-0826-3319-5507"},
		},
		"licence's number in groups whose caption was lost": {
			[]string{"MICHIGAN|DRIVER LICENSE", "?4 L 410 722 836 119", "1 LIND", "2 ERIK", "8 66 SHORE RD", "ALPENA.MI 49707", "3 DOB 01-17-1985",
				"4b EXP 01-17-2027|15 ?Se M"},
			map[string]string{"/number": "L 410 722 836 119", "/sex": "M", "/address": "66 SHORE RD, ALPENA, MI 49707"},
		},
		"captions of Puerto Rico": {
			[]string{"PUERTO RICO|DRIVER'S LICENSE", "4d NUM. 5820916|9 CATEGORIA 3", "1 APELLIDOS", "OCASIO", "2 NOMBRE", "YARITZA",
				"3 FECHA NAC.|4a FECHA EXP.|4b VENCE", "06/27/1995|06/02/2021|06/27/2027"},
			map[string]string{"/number": "5820916", "/lastName": "OCASIO"},
		},
		"family name in capitals": {
			[]string{"DRIVER LICENCE", "New South Wales, Australia", "Priya Anjali", "CHATTER", "UNIT 6", "41 BANKSIA STREET", "Licence No.|Licence Expiry",
				"20741186|11 AUG 2028"},
			map[string]string{"/lastName": "CHATTER", "/firstName": "Priya Anjali", "/expiryDate": "2028-08-11"},
		},
		"whole name that begins before its caption": {
			[]string{"REPUBLICA FEDERATIVA DO BRASIL", "CARTEIRA NACIONAL DE HABILITACAO", "2 e 1 NOME E SOBRENOME", "THAIS REGINA MONTEIRO",
				"4a DATA EMISSAO|4b VALIDADE", "19/07/2023|18/07/2033"},
			map[string]string{"/lastName": "MONTEIRO", "/firstName": "THAIS REGINA"},
		},
		"name with a word that was misread": {
			[]string{"REPUBLIC OF SINGAPORE|IDENTITY CARD", "Surname", "VAN D3R BERG", "Given names", "ANNA", "Date of birth", "24-02-1983"},
			map[string]string{"/lastName": ""},
		},
		"licence of India of twenty years": {
			[]string{"Indian Union Driving Licence", "DL No MH14 20190047731", "?Dtt", "08-02-2019", "?vldty", "07-02-2039", "Name : ROHAN MEHTA",
				"?Dt ?Bth 15-10-1996"},
			map[string]string{"/dateOfBirth": "1996-10-15", "/issueDate": "2019-02-08", "/expiryDate": "2039-02-07"},
		},
		"date after that of the first card": {
			[]string{"HONG KONG PERMANENT IDENTITY CARD", "CHEUNG, Ka Yan", "?u Date of Birth", "28-11-1992", "?l Date of lssue", "(05-19) 30-05-19",
				"K418207(A)"},
			map[string]string{"/dateOfBirth": "1992-11-28", "/issueDate": "2019-05-30", "/number": "K418207(A)"},
		},
		"restrictions whose number lost a figure": {
			[]string{"KANSAS|DRIVER'S LICENSE", "4d LIC.NO. K01-88-4417", "1 VAN DEN HEUVEL", "2 KATRIEN MARIA", "8 66 PRAIRIE RD",
				"TOPEKA, KS 66614", "3 DOB 12/02/1981|4b EXP 12/02/2027", "2 REST NONE"},
			map[string]string{"/lastName": "VAN DEN HEUVEL", "/firstName": "KATRIEN MARIA"},
		},
		"letter of a number that looks like a nought": {
			[]string{"ILLINOIS|DRIVER'S LICENSE", "4d Lic. No. 0526-4418-1073", "1 OKAFOR", "2 JAMES", "8 66 KIMBARK AVE", "CHICAGO, IL 60637",
				"3 DOB: 03/14/1981"},
			map[string]string{"/number": "O526-4418-1073"},
		},
		"whole name beside its caption": {
			[]string{"UNITED ARAB EMIRATES", "Identity Card", "ID Number", "784-1988-4418207-3", "Name: Rajesh Kumar Venkat", "Date of Birth: 19/04/1988",
				"Expiry Date: 11/01/2025"},
			map[string]string{"/lastName": "Venkat", "/firstName": "Rajesh Kumar", "/number": "784-1988-4418207-3"},
		},
		"whole name with a caption below it": {
			[]string{"REPUBLIC OF KENYA", "Identity Card", "Name: Rajesh Kumar Venkat", "Date of Birth: 19/04/1988"},
			map[string]string{"/lastName": "", "/firstName": ""},
		},
		"given names in small letters without a caption": {
			[]string{"Queensland|Australia|Driver Licence", "", "HILL-BROOK", "Keiko Jane", "?Dt", "04 12 1993|071 844 207", "?Eff|?Expry",
				"19.02.22|19.02.27"},
			map[string]string{"/lastName": "HILL-BROOK", "/firstName": "Keiko Jane"},
		},
		"number of Canada without a caption": {
			[]string{"Alberta|OPERATOR'S LICENCE|CAN", "?No", "148207-331", "?1 ROY", "?2 CLAIRE", "3 DOB", "17 OCT 1994"},
			map[string]string{"/number": "148207-331"},
		},
		"a sex that is nearly a caption": {
			[]string{"REPUBLICA DEL ECUADOR", "CEDULA DE IDENTIDAD", "APELLIDOS", "CEVALLOS", "FECHA DE NACIMIENTO|HOMBRE", "08 ENE 1990", "||t DOCUE NTO",
				"NUI.1304418207"},
			map[string]string{"/firstName": "", "/number": "1304418207"},
		},
		"months parted by strokes": {
			[]string{"REPUBLIC OF TURKEY|PASSPORT", "Surname", "YILDIZ", "Given names", "AYSE", "Date of birth", "04/SUB-FEB/1993", "Date of issue",
				"11/AGU-AUG/2019"},
			map[string]string{"/dateOfBirth": "1993-02-04", "/issueDate": "2019-08-11"},
		},
	} {
		t.Run(name, func(t *testing.T) { wantSmallPrint(t, c.lines, c.want) })
	}
}

// Zones that lost characters: what the print proves is taken from it, and nothing that neither shows.
func TestIdentity_lostCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]string
	}{
		"letters of the issuer and the names": {
			[]string{"PASSPORT", "CHN|EJ4182077", "CHEN, XIAOMING", "16 MAR 1987", "26 1 /JAN 2020", "25 1 /JAN 2030",
				"P<HNHEN<<XAOMNG<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", "EJ41820770CHN8703167M3001259NCOMMNPDLJPHA918"},
			map[string]string{"/country": "CHN", "/lastName": "CHEN", "/firstName": "XIAOMING"},
		},
		"names that the print does not show": {
			[]string{"PASSPORT|REPUBLIC OF KOREA", "P0RHOZG<<SEOOZ<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", "M418207732KOR9805301M32011631204418<<<<<<<08"},
			map[string]string{"/country": "KOR", "/lastName": "", "/firstName": "", "/number": "M41820773"},
		},
		"first character of the number": {
			[]string{"BUNDESREPUBLIK DEUTSCHLAND|REISEPASS", "P|D|C4VK18207", "P<D<<SCHOENFELD<<JUERGEN<<<<<<<<<<<<<<<<<<<<<",
				"4VK182079D6508221M3103049<<<<<<<<<<<<<<02"},
			map[string]string{"/number": "C4VK18207", "/dateOfBirth": "1965-08-22", "/expiryDate": "2031-03-04"},
		},
		"letters of the names alone": {
			[]string{"REPUBLIKA HRVATSKA|PASSPORT", "VUKOVIC", "", "IVANA", "", "27.02.1990", "", "14.06.2021", "", "14.06.2031",
				"P<HRVU0V<<VANA<<<<<<<<<<<<<<<<<<<<<<<<<", "1182044772HRV9002270F310614327029004418<<<34"},
			map[string]string{"/lastName": "VUKOVIC", "/firstName": "IVANA", "/number": "118204477"},
		},
		"thin letter of a licence's printed name": {
			[]string{"PERMIS DE CONDUIRE|REPUBLIQUE FRANCAISE", "1. MARLN", "2. Claire", "3. 02.03.1979 Lyon", "4a. 05.06.2014|4c. 69000",
				"4b. 04.06.2029", "D1FRA14BC000170290604MARLIN<<0"},
			map[string]string{"/lastName": "MARLIN", "/firstName": "Claire", "/number": "14BC00017"},
		},
		"letters that a zone spells out": {
			[]string{"BUNDESREPUBLIK DEUTSCHLAND|REISEPASS", "SCHONFELD", "P<D<<SCHOENFELD<<ANNA<<<<<<<<<<<<<<<<<<<<<<<<",
				"C4VK182079D<<6508221M3103049<<<<<<<<<<<<<<02"},
			map[string]string{"/lastName": "SCHONFELD", "/firstName": "ANNA"},
		},
		"filler too many within the family name": {
			[]string{"KINGDOM OF THE NETHERLANDS|PASSPORT", "Surname", "VAN DER BERG", "Given names", "ANNA",
				"P<NLDVAN<<DER<BERG<<ANNA<<<<<<<<<<<<<<<<<<<<", "SPE2K41H82NLD7704304F3006177<<<<<<<<<<<<<<04"},
			map[string]string{"/lastName": "VAN DER BERG", "/firstName": "ANNA"},
		},
		"number that is printed in groups": {
			[]string{"UNITED STATES OF AMERICA", "USCIS", "118-204-477", "IAUSA1182044772SRC2041820771<<", "9001147M2609304HND<<<<<<<<<<<7",
				"RAMOS<TORRES<<LUIS<FERNANDO<<<"},
			map[string]string{"/idType": "RESIDENCE_PERMIT", "/number": "118-204-477"},
		},
	} {
		t.Run(name, func(t *testing.T) { wantSmallPrint(t, c.lines, c.want) })
	}
}

func wantSmallPrint(t *testing.T, lines []string, want map[string]string) {
	t.Helper()
	p := documenttest.Page(lines...)
	p.Layer = text.LayerImage
	for i := range p.Tokens {
		p.Tokens[i].Method, p.Tokens[i].Confidence = text.MethodOCR, 0.95
		if word, unsure := strings.CutPrefix(p.Tokens[i].Text, "?"); unsure {
			p.Tokens[i].Text, p.Tokens[i].Confidence = word, 0.5
		}
	}
	doc := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0]
	for at, want := range want {
		if got := document.FactAt(doc.Facts, at); got != want {
			t.Errorf("%s: %s = %q, want %q", doc.DocType, at, got, want)
		}
	}
}
