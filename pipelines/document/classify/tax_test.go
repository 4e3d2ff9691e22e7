package classify

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A head speaks of other forms, a title runs over two lines, and a scan loses a form's large figures.
func TestTaxForm_ofHead(t *testing.T) {
	for _, c := range []struct {
		name, head, form string
		year             int
	}{
		{"form mentioned", "Form 1120-S U.S. Income Tax Return for an S Corporation\nDo not file this form unless the corporation has filed or is attaching Form 2553 to elect\nDepartment of the Treasury", "1120-S", 0},
		{"title over two lines, number lost", "Application for Automatic Extension of Time\nTo File U.S. Individual Income Tax Return\nFor calendar year 2024", "4868", 2024},
		{"what a scan leaves of an extension", "rom A868\nAutomatic Extension of Tirne\nTo File U.S. Individual Income Tax Return", "4868", 0},
		{"number in the corner", "Form 2553\nElection by a Small Business Corporation", "2553", 0},
		{"year at the foot", "U.S. Corporation Income Tax Return\nGross receipts or sales\nCat. No. 11450Q Form 1120 (2019)", "1120", 2019},
		{"the number of a house", "Wage and Tax Statement\n2041 Weir Mill Drive 2041 Weir Mill Drive\nForm W-2 2023", "W-2", 2023},
		{"title among other columns, name at the foot", "Request for|Taxpayer Give Form to the\n(Rev. December 2019)|requester. Identification\nDepartment of the Treasury|Number and Certification\nName (as shown on your income tax return)\nCat. No. 10231X|Form W-9 (Rev. 12-2019)", "W-9", 0},
		{"title parted by other columns, number set apart", "990|Return of Organization Exempt From\nIRS 2020|Income Tax\nName of organization", "990", 2020},
		{"number set above its word", "990-EZ|Short Form|OMB No. 1545\nForm\nReturn of Organization Exempt From\n2022", "990-EZ", 2022},
		{"copies in small boxes, title in two lines", "a Employee's social security number|OMB No. 1545-0008\nb Employer number\nc Employer's name\nCorvo Mill\ne Employee\nForm W-2 Wage and Tax|2023\nStatement", "W-2", 2023},
		{"instructions of a form", "Instructions for Form 941\n(Rev. March 2024)\nDepartment of the Treasury\nEmployer's QUARTERLY Federal Tax Return", "", 0},
		{"schedule that speaks of a worksheet", "SCHEDULE D|Capital Gains and Losses\n(Form 1040)|2021\nDepartment of the Treasury\nEnter the amount from line 8 of your Capital Loss Carryover Worksheet", "1040 Schedule D", 2021},
		{"title lost, name at the foot", "Fom 1O4O|U.S. Individual Inc Tax Retu2 18\nYour first name and middle initial|Your social security number\nHome address\nCity, town or post office\nDependents\nFor Paperwork ct otice, see|Form 1040 (2018)", "1040", 2018},
		{"later page whose number is cut off", "Form 1040 (2022)|||Page\n16 Tax (see instructions) Check if any from Form 8814\n17 Amount from Schedule 2\n18 Add lines 16 and 17\n19 Child tax credit\n20 Form 1099 and others", "1040", 2022},
		{"title lost, address of the office", "SCH DU|(Form 1040)|2021\nGo to www.irs.gov/ScheduleSE for instructions and the latest information.\nDepartment of the Treasury", "1040 Schedule SE", 2021},
		{"a letter that names the office's page", "Bright Tax Services\nFor more go to www.irs.gov/Form1040 and call us.\nForm 1040 2018", "", 0},
		{"title in three lines beside the boxes", "RECIPIENT'S/LENDER'S name|OMB No. 1545-1380|Mortgage\nBirch Lending LLC|Form 1098|Interest\n12 Elm St|For calendar year 2024|Statement\n1 Mortgage interest received from payer(s)/borrower(s)\n$ 9,111.20", "1098", 2024},
		{"schedule with its year", "Profit or Loss From Business\n(Sole Proprietorship)\nSchedule C (Form 1040) 2022", "1040 Schedule C", 2022},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind := kindOfPage(documenttest.Page(strings.Split(c.head, "\n")...))
			if kind.form != c.form || kind.year != c.year {
				t.Errorf("form %q of %d, want %q of %d", kind.form, kind.year, c.form, c.year)
			}
		})
	}
}

// Later pages of a scan that lost their year belong to the return above them; those of another year do not.
func TestSegments_yearOfLaterPages(t *testing.T) {
	for name, c := range map[string]struct {
		second string
		want   int
	}{
		"year lost":    {"Form 1120-S Page 2", 1},
		"same year":    {"Form 1120-S (2019) Page 2", 1},
		"another year": {"Form 1120-S (2021) Page 2", 2},
	} {
		t.Run(name, func(t *testing.T) {
			pages := []text.Page{documenttest.Page("Form 1120-S U.S. Income Tax Return for an S Corporation", "For calendar year 2019"), documenttest.Page(c.second, "Schedule L Balance Sheets per Books")}
			pages[1].Number = 2
			if got := Segments(text.Decoded{PageCount: 2, Pages: pages}, nil); len(got) != c.want {
				t.Errorf("%d documents, want %d", len(got), c.want)
			}
		})
	}
}
