package identity_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// The address of a card without a ZIP stands in its field; names stand in lines below one caption, or the family name
// last, as the country prints them.
func TestIdentity_fieldsOfCountries(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string // last, first, address, country
	}{
		{"field 8 of a British licence", []string{"DRIVING LICENCE", "UNITED KINGDOM", "1. FULMAR", "2. MISS ROWAN", "3. 27.10.1994",
			"4a. 15.09.2021", "4b. 14.09.2031", "5. FULMA960274RG9AB", "8. 3 GANNET TERRACE, POLPER, TR7 1AB", "9. AM/A/B1"},
			"FULMAR|ROWAN|3 GANNET TERRACE, POLPER, TR7 1AB|GBR"},
		{"caption of a Canadian licence", []string{"Ontario|DRIVER'S LICENCE", "CANADA", "1,2 NAME/NOM", "DUNLIN,", "MARGO", "8 ADDRESS/ADRESSE", "58 PLOVER CRES",
			"TERNHAM, ON, P3E 4M2", "4d NUMBER/NUMERO", "D2107-55019-65414"}, "DUNLIN|MARGO|58 PLOVER CRES, TERNHAM, ON, P3E 4M2|CAN"},
		{"voter's card of Mexico", []string{"INSTITUTO NACIONAL ELECTORAL", "CREDENCIAL PARA VOTAR", "NOMBRE|FECHA DE NACIMIENTO", "TORDO|30/06/1987",
			"GARZA", "HORTENSIA", "SEXO M", "DOMICILIO", "C GAVIOTAS 118", "COL LAS GARZAS 37480", "CURP TOGH870630MGTBRR05"},
			"TORDO GARZA|HORTENSIA|C GAVIOTAS 118, COL LAS GARZAS 37480|MEX"},
		{"Indian licence", []string{"INDIAN UNION DRIVING LICENCE", "DL No. : KA05 20140098127", "Name|:PRANAV MORE", "Date Of Birth|: 09-03-1990",
			"Issue Date|: 18-07-2014", "Validity (NT)|: 17-07-2034"}, "MORE|PRANAV|nil|IND"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := readtest.Lines(t, c.lines...).Facts.Identity
			if f == nil {
				t.Fatal("no card")
			}
			got := strings.Join([]string{documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.Address), documenttest.Shown(f.Country)}, "|")
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Numbers of fields with a point touch their captions and names.
func TestIdentity_numbersTouchCaptions(t *testing.T) {
	d := readtest.Lines(t, "NORTH DAKOTA|DRIVER LICENSE", "4d.DLN KES-88-4471", "3.DOB 09/17/1984", "4b.EXP 09/17/2029|4a.ISS 08/30/2023",
		"1.BITTERN", "2.AMOS RAY", "15.SEX M|16.HGT 5-11")
	if d.DocType != dossier.DocDriversLicense {
		t.Fatalf("read as %s", d.DocType)
	}
	f := d.Facts.Identity
	got := strings.Join([]string{documenttest.Shown(f.Number), documenttest.Shown(f.LastName), documenttest.Shown(f.FirstName), documenttest.Shown(f.Sex), documenttest.Shown(f.IssueDate)}, "|")
	if want := "KES-88-4471|BITTERN|AMOS RAY|M|2023-08-30"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
