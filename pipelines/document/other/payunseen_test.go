package other_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// A gross pay below the net is hours or a rate, and no gross pay; what is net before taxes is no net pay.
func TestPayStub_grossBelowNet(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]any
	}{
		"hours in the row": {[]string{"Earnings Statement", "Employee: Odette Farnsby", "Gross Pay 80.00", "Net Pay|2,070.01"},
			map[string]any{"totalEarnings": nil, "netPay": "2070.01"}},
		"net before the tax": {[]string{"BULLETIN DE PAIE", "Employeur : Ateliers Corlay SARL", "Salaire brut|2 499,52", "Net payé avant impôt|1 958,32",
			"NET PAYÉ|1 887,34"}, map[string]any{"totalEarnings": "2499.52", "netPay": "1887.34"}},
	} {
		t.Run(name, func(t *testing.T) {
			readtest.WantFacts(t, readtest.Lines(t, c.lines...).Facts.Other, c.want)
		})
	}
}

// The one company that a slip names, without an address or a caption, is who pays; of two none is.
func TestPayStub_onlyCompany(t *testing.T) {
	slip := []string{"Payslip for March 2024", "Employee: Odette Farnsby", "Basic pay|2,400.00", "Gross Pay|2,400.00",
		"Income tax|318.40", "Net Pay|2,081.60"}
	foot := "Corlay Workshops Limited"
	readtest.WantFacts(t, readtest.Lines(t, append(slip, "Page 1|"+foot)...).Facts.Other, map[string]any{"company": foot})
	readtest.WantFacts(t, readtest.Lines(t, append(slip, "Page 1|"+foot, "Printed by|Tarn Payroll Limited")...).Facts.Other,
		map[string]any{"company": nil})
}

// A box breaks the names of a slip into two lines, and the sums of the year stand in a box of their own.
func TestPayStub_brokenNames(t *testing.T) {
	doc := readtest.Lines(t, "Payslip", "Employer: Thorn Optical|Employee: Mrs J", "Instruments Ltd|Pemberly",
		"Pay Date: 28/06/2024|Tax Period: 3", "Payments|Units|Rate|Amount|Deductions|Amount",
		"Basic Pay|||1,950.00|PAYE Tax|180.20", "Total Payments|||1,950.00|Total Deductions|180.20",
		"Gross Pay YTD|5,850.00", "Net Pay|1,769.80")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"company": "Thorn Optical Instruments Ltd",
		"employee": "Mrs J Pemberly", "totalEarnings": "1950.00", "netPay": "1769.80"})
	alone := readtest.Lines(t, "Payslip", "Employer: Thorn Ltd|Employee: Mr T", "Pay Date: 28/06/2024",
		"Basic Pay|1,950.00", "Total Payments|1,950.00", "Net Pay|1,769.80")
	readtest.WantFacts(t, alone.Facts.Other, map[string]any{"employee": nil, "company": "Thorn Ltd"})
}
