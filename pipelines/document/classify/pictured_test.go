package classify_test

import (
	"slices"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// What a lesson or a handbook shows serves nothing; the same card and the same return alone do.
func TestKind_lecture(t *testing.T) {
	card := []string{"OREGON|DRIVER LICENSE", "DL|4417720", "EXP|08/31/2029", "LN|TANAGER", "FN|AVA MARIE", "DOB|08/31/1990", "SEX|F", "ISS|09/01/2024"}
	for _, c := range []struct {
		name, above string
		want        dossier.DocType
	}{
		{"alone", "", dossier.DocDriversLicense},
		{"copied into a letter", "Here is my license as you asked.", dossier.DocDriversLicense},
		{"handbook", "Training handbook for tellers: licenses", dossier.DocOther},
		{"lesson", "Lesson 3: reading a card", dossier.DocOther},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := slices.Clone(card)
			if c.above != "" {
				lines = append([]string{c.above}, card...)
			}
			if doc := readtest.Lines(t, lines...); doc.DocType != c.want {
				t.Errorf("read as %s, want %s", doc.DocType, c.want)
			}
		})
	}
}

// Balances in program text, and those of a budget, are of no account.
func TestKind_balancesOfNoAccount(t *testing.T) {
	for name, lines := range map[string][]string{
		"program text": {"Sample output of our reader of bank statements", `{ "beginning_balance": 2317.44,`,
			`"ending_balance": 2788.27 }`, "Savings of hours"},
		"budget": {"Household plan 2024", "Opening balance|$1,204.00", "Wages|$4,100.00", "Rent|$1,300.00",
			"Closing balance|$4,004.00"},
	} {
		t.Run(name, func(t *testing.T) {
			if doc := readtest.Lines(t, lines...); doc.DocType != dossier.DocOther {
				t.Errorf("read as %s", doc.DocType)
			}
		})
	}
}

// Papers of further countries and offices say what they are in words of their own.
func TestKind_wordsOfOffices(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  dossier.DocType
	}{
		"voter's card of Mexico": {[]string{"INSTITUTO NACIONAL ELECTORAL", "CREDENCIAL PARA VOTAR", "NOMBRE|FECHA DE NACIMIENTO",
			"TORDO|02/11/1981"}, dossier.DocNationalID},
		"bill of Mexico": {[]string{"Suministrador de Servicios Básicos", "PERIODO FACTURADO|04 MAR 24 - 03 MAY 24", "Energía (kWh)|211",
			"TOTAL A PAGAR|$418.00"}, dossier.DocUtilityBill},
		"bill of a town": {[]string{"City of Larkmoor", "Billing period|11/15/23 to 12/14/23", "WATER 4,200 GAL|38.14", "SEWER|44.02",
			"REFUSE|19.50", "TOTAL DUE|101.66"}, dossier.DocUtilityBill},
	} {
		t.Run(name, func(t *testing.T) {
			if doc := readtest.Lines(t, c.lines...); doc.DocType != c.want {
				t.Errorf("read as %s, want %s", doc.DocType, c.want)
			}
		})
	}
}
