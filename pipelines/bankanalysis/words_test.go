package bankanalysis

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// What descriptions say, in the manners of many banks and processors; beside each what looks like it and is not.
func TestWords_transfers(t *testing.T) {
	for description, want := range map[string]bool{
		"ONLINE TRANSFER TO SAVINGS XX9988":                       true,
		"Online Transfer Ref #IB0K2M from Business Checking":      true,
		"TRANSFER FROM CHK 4410 CONF 88213":                       true,
		"Mobile xfer to SAV ...1201":                              true,
		"INTERNET TRANSFER TO DDA ACCT NO. 000123-5":              true,
		"Funds Transfer (to) x4410":                               true,
		"TELEPHONE TRANSFER FROM MONEY MARKET":                    true,
		"TFR TO OWN 12345678":                                     true,
		"TRANSFER TO PAYROLL ACCOUNT":                             true,
		"OVERDRAFT PROTECTION TRANSFER FROM SAVINGS":              true,
		"OVERDRAFT XFER FROM SHARE 01":                            true,
		"ZBA SWEEP TRANSFER":                                      true,
		"Book transfer 2231":                                      true,
		"WIRE TRANSFER FROM ACCOUNT OF HOLLIS TRADING":            false,
		"VENMO TRANSFER FROM J OKAFOR":                            false,
		"PAYPAL TRANSFER 4410":                                    false,
		"STRIPE TRANSFER ST-K2M":                                  false,
		"SHOPIFY TRANSFER FROM ACCOUNT 88":                        false,
		"REAL TIME TRANSFER FROM THISTLEDOWN LLC ACCT 3321":       false,
		"TRANSFER FROM QUILLFEATHER LLC 0012345":                  false,
		"ONLINE TRANSFER TO LOAN 0004471882":                      false,
		"TRANSFER TO LINE OF CREDIT ACCOUNT 4410":                 false,
		"ONLINE BANKING TRANSFER TO CREDIT CARD ACCOUNT XXXX1234": false,
		"MORTGAGE TRANSFER TO ACCOUNT 4410":                       false,
		"TITLE TRANSFER FEE":                                      false,
		"TRANSFERWISE INC":                                        false,
		"POS PURCHASE TRANSFER STATION":                           false,
	} {
		if got := describesTransfer(description); got != want {
			t.Errorf("%q is a transfer: %v", description, got)
		}
	}
	for _, pair := range []struct {
		out, in string
		want    bool
	}{
		{"ONLINE TRANSFER", "DEPOSIT", true},
		{"WITHDRAWAL", "MOBILE XFER 220", true},
		{"WIRE OUT BENE EXAMPLE BAKERY", "INCOMING WIRE ORIG EXAMPLE BAKERY", true},
		{"ZELLE TO ADA EXAMPLE", "ZELLE FROM ADA EXAMPLE", true},
		{"CHECK 1044", "DEPOSIT", false},
		{"WIRE OUT BENE HOLLIS", "DEPOSIT", false},
		{"VENMO TRANSFER", "DEPOSIT", false},
		{"TRANSFER TO LOAN 4410", "MOBILE DEPOSIT", false},
	} {
		if got := sidesOfTransfer(pair.out, pair.in); got != pair.want {
			t.Errorf("%q and %q are sides of a transfer: %v", pair.out, pair.in, got)
		}
	}
}

func TestWords_uncovered(t *testing.T) {
	for description, want := range map[string]bool{
		"NSF FEE": true, "Non-Sufficient Funds Charge": true, "INSUFFICIENT FUNDS FEE - CHECK 1044": true, "OVERDRAFT ITEM FEE": true, "RETURNED ITEM CHECK 1051": true,
		"RTN ITEM FEE": true, "OD CHARGE": true, "UNPAID DIRECT DEBIT": true, "Paid item fee": true, "UNCOLLECTED FUNDS FEE": true, "RETURNED ACH DEBIT POWER CO": true,
		"OVERDRAFT PROTECTION TRANSFER TO CHECKING 4410": false, "RETURNED DEPOSITED ITEM": false, "DEPOSITED ITEM RETURNED FEE": false, "RETURN ITEM CHARGEBACK": false,
		"OVERDRAFT INTEREST": false, "OVERDRAFT FEE REFUND ADJUSTMENT": false, "POS RETURN HARBOR SUPPLY": false, "TAX RETURN PREPARATION": false, "FOOD FEE": false, "MONTHLY SERVICE FEE": false,
	} {
		entry := dossier.BankEntry{Description: description, Amount: dossier.Amount{Decimal: decimal.NewFromInt(-35)}}
		if got := len(entryFlags(entry)) == 1; got != want {
			t.Errorf("%q was not covered: %v", description, got)
		}
		if entry.Amount = (dossier.Amount{Decimal: decimal.NewFromInt(35)}); len(entryFlags(entry)) != 0 {
			t.Errorf("%q came in and counts as not covered", description)
		}
	}
}

func TestWords_kinds(t *testing.T) {
	for kind, descriptions := range map[string][]string{
		"payroll": {"GUSTO PAYROLL 220114", "ADP WAGE PAY", "ACME FREIGHT DIR DEP", "HARBOR LTD DIRECT DEPOSIT 88", "PAYCHEX - RCX", "Salary Alder GmbH"},
		"tax": {"IRS USATAXPYMT 2270", "EFTPS PAYMENT", "GUSTO TAX 663", "ADP TAX ADP TAX", "PAYCHEX TPS TAXES", "ST SALES TAX PMT", "FLA DEPT REVENUE", "NC Department of Revenue",
			"ACH DEBIT EXAMPLE PAYROLL TAX", "FRANCHISE TAX BOARD"},
		"card": {"CAPITAL ONE CRCARDPMT", "CAPITAL ONE MOBILE PMT", "CHASE CREDIT CRD AUTOPAY", "AMEX EPAYMENT ACH PMT", "DISCOVER E-PAYMENT 4410", "APPLECARD GSBANK PAYMENT", "BUSINESS CARD PMT XXXX4410",
			"CARDMEMBER SERV WEB PYMT"},
		"loan": {"SWIFTBRIDGE LENDING PMT 0193", "SBA EIDL LOAN", "CAPITAL ONE AUTO FINANCE", "FORD MOTOR CREDIT", "ALDER CAPITAL LLC DAILY", "MERCHANT CASH ADVANCE", "ONLINE PMT SPECIMEN MORTGAGE",
			"EQUIPMENT LEASE 4410", "ONLINE TRANSFER TO LOAN 0004471882", "COBALT FUNDING ACH", "PROGRESSIVE LEASING"},
		"rent":      {"ACH DEBIT ALDER REALTY RENT", "RENT SPECIMEN PROPERTIES", "HOLLIS PROPERTY MGMT WEB PMT", "LEASE SUITE 4", "WAREHOUSE RENTAL UNIT 9"},
		"insurance": {"SAMPLE INSURANCE PREM 4410", "STATE FARM RO 27", "AFLAC INS PMT", "PROGRESSIVE PREM"},
		"utility":   {"ACH DEBIT EXAMPLE POWER & LIGHT", "COMCAST CABLE", "CITY WATER SEWER", "AT&T MOBILITY", "PG&E WEB ONLINE", "VERIZON WRLS"},
		"other": {"ADVANCE AUTO PARTS 3321", "CAPITAL GRILLE", "CAPITAL LUMBER CO", "ENTERPRISE RENT-A-CAR", "TRUCK RENTAL 88", "ADP PAYROLL FEES", "DEBIT CARD PAYMENT HARBOR CAFE", "AMERICAN EXPRESS SETTLEMENT 88",
			"FINANCE CHARGE", "MERCHANT CARD PROCESSING", "HARBOR CAFE", "COBALT FREIGHT INV 88", "H TAX SERVICE CO"},
	} {
		for _, description := range descriptions {
			if got := kindOf(description); got != kind {
				t.Errorf("%q is %s, want %s", description, got, kind)
			}
		}
	}
}

// A payment's counterparty is its name, whatever the bank puts around it.
func TestWords_counterparties(t *testing.T) {
	for description, want := range map[string]string{
		"ACH DEBIT COBALT FREIGHT INV 88 WEB ID: 4410": "cobalt freight inv",
		"POS PURCHASE 0114 HARBOR CAFE":                "harbor cafe",
		"CHECK 1044":                                   text.Fold("CHECK 1044"),
	} {
		if got := counterparty(description); got != want {
			t.Errorf("%q is with %q, want %q", description, got, want)
		}
	}
}
