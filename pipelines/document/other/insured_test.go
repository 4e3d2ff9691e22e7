package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// The box of who is insured stands beside the letters of the insurers, which are no names.
func TestInsurance_insuredBesideInsurers(t *testing.T) {
	d := readtest.Lines(t, "CERTIFICATE OF LIABILITY INSURANCE", "PRODUCER|INSURER(S) AFFORDING COVERAGE", "INSURED|INSURER B :", "Quillfeather Traders Inc", "2 Wharf Rd",
		"POLICY NUMBER|CGL-7710042")
	if got := d.Facts.Other["name"]; got == "INSURER B" || got == "INSURER B :" {
		t.Errorf("insured: %v", got)
	}
}

// Slips of South Africa say what is paid with two letters t.
func TestPay_nett(t *testing.T) {
	d := readtest.Lines(t, "MARLOW WIND SERVICES (PTY) LTD", "Employee Code|KW044", "Earnings|Amount", "Total Earnings|29,900.00", "NETT PAY|23,405.63")
	if got := d.Facts.Other["netPay"]; d.DocType != dossier.DocPayStub || got == nil {
		t.Errorf("read as %s with %v (%v)", d.DocType, got, d.Evidence)
	}
}
