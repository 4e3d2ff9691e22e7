package classify_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// What papers say they are. Each of those that end as FILE shares its title, its captions or its equations with one
// that a checklist asks for.
func TestClassify_kin(t *testing.T) {
	for name, c := range map[string]struct {
		want  dossier.FieldType
		lines []string
	}{
		"return to Illinois":          {dossier.FieldFile, []string{"Illinois Department of Revenue", "2023 Form IL-1040 Individual Income Tax Return", "Step 1: Personal Information", "A|DANA FIELDING|Your Social Security number", "1 Federal adjusted gross income from your federal Form 1040, Line 11.|1|92,310.00"}},
		"return to Connecticut":       {dossier.FieldFile, []string{"Department of Revenue Services|2023 Form CT-1040", "State of Connecticut|Connecticut Resident Income Tax Return", "1. Federal adjusted gross income from federal Form 1040, Line 11|1.|92310"}},
		"notice of the tax office":    {dossier.FieldFile, []string{"Department of the Treasury|Notice CP2000", "Internal Revenue Service|Tax Year 2022", "Notice date|October 9, 2024", "Your 2022 Form 1040 individual income tax return does not match our records", "Amount due: $1,220"}},
		"election accepted":           {dossier.FieldFile, []string{"Department of the Treasury", "Internal Revenue Service", "Date of this notice: June 4, 2019", "NOTICE OF ACCEPTANCE AS AN S-CORPORATION", "You must file Form 1120-S, U.S. Income Tax Return for an S Corporation"}},
		"letter of an accountant":     {dossier.FieldFile, []string{"FIRR & CO, CPAs", "We prepared the 2022 Form 1040 U.S. Individual Income Tax Return for Dana Fielding.", "Adjusted gross income was $92,310."}},
		"engagement of an accountant": {dossier.FieldFile, []string{"ENGAGEMENT LETTER", "We will prepare your Form 1120-S U.S. Income Tax Return for an S Corporation", "for calendar year 2023"}},
		"filing instructions":         {dossier.FieldFile, []string{"2023 TAX RETURN FILING INSTRUCTIONS", "U.S. INDIVIDUAL INCOME TAX RETURN", "FOR THE YEAR ENDING DECEMBER 31, 2023", "Total tax|$12,430"}},
		"comparison of two years":     {dossier.FieldFile, []string{"Tax Return Comparison", "2022 and 2023|Form 1040", "Name(s) shown on return|DANA FIELDING", "Total income|88,400|92,510"}},
		"summary of a program":        {dossier.FieldFile, []string{"Form 1040|Tax Return Summary|2023", "DANA FIELDING", "Adjusted Gross Income|$ 92,310.00", "Total Tax|$ 12,430.00"}},
		"e-file confirmation":         {dossier.FieldFile, []string{"Electronic Filing Confirmation", "Form 1040 U.S. Individual Income Tax Return", "Your federal return was accepted by the IRS on 04/02/2024", "Social security number|XXX-XX-4321"}},
		"payment voucher":             {dossier.FieldFile, []string{"Form 1040-V|2023|Payment Voucher", "Department of the Treasury", "Internal Revenue Service", "3 Amount you are paying by check|1,220"}},
		"postcard of a small charity": {dossier.FieldFile, []string{"Form 990-N|Electronic Notice (e-Postcard)", "for Tax-Exempt Organizations not Required To File Form 990 or Form 990-EZ|2022", "Department of the Treasury"}},
		"return":                      {dossier.FieldTaxReturn, []string{"Form 1040|Department of the Treasury-Internal Revenue Service|2023", "U.S. Individual Income Tax Return|OMB No. 1545-0074", "Filing Status|X Single"}},
		"second page of a return":     {dossier.FieldTaxReturn, []string{"Form 1040 (2023)", "16 Tax (see instructions)|16|12,430", "37 Amount you owe|37"}},
		"schedule of a landlord":      {dossier.FieldTaxReturn, []string{"SCHEDULE E (Form 1040)|Supplemental Income and Loss||2023", "Income:|Properties:|A|B"}},

		"plan statement":                        {dossier.FieldFile, []string{"Quarterly Account Statement", "Marlow Savings Plan", "Statement Period|January 1, 2024 - March 31, 2024", "Opening Balance|$41,002.00", "Deposits|1,800.00", "Withdrawals|300.00", "Closing Balance|$42,502.00", "Vested|$40,000.00"}},
		"investment report":                     {dossier.FieldFile, []string{"INVESTMENT REPORT", "March 1, 2024 - March 31, 2024", "Your Account Value:|$84,212.11", "Beginning balance|$1,000.00", "Ending balance|$2,112.11"}},
		"payouts of a processor":                {dossier.FieldFile, []string{"Balance summary", "Starting balance (2024-03-01)|$1,202.10", "Account activity before fees|$48,211.10", "Total payouts|-$47,402.10", "Ending balance (2024-03-31)|$2,011.10"}},
		"wallet":                                {dossier.FieldFile, []string{"Venmo", "Account Statement - (@dana)", "Account Activity", "Beginning Balance|$12.00", "Ending Balance|$40.00", "Statement Period Venmo Fees|$0.00"}},
		"reconciliation of books":               {dossier.FieldFile, []string{"Checking, Period Ending 03/31/2024", "RECONCILIATION REPORT", "Statement beginning balance|16,002.00", "Checks and payments cleared (3)|-2,100.00", "Deposits and other credits cleared (2)|4,318.10", "Statement ending balance|18,220.10", "Register balance as of 03/31/2024|18,220.10"}},
		"statement of an owner":                 {dossier.FieldFile, []string{"OWNER STATEMENT", "Beginning Balance|1,000.00", "Rent income|2,400.00", "Owner distribution|-2,000.00", "Ending Balance|1,400.00"}},
		"payments to other houses":              {dossier.FieldBankStatement, []string{"Business Checking", "Beginning Balance|8,100.25", "Deposits and Credits|5,000.00", "Withdrawals and Debits|3,600.00", "Ending Balance|9,500.25", "03/07 BANKCARD INTERCHANGE FEE|600.00", "03/08 401K EMPLOYER CONTRIBUTIONS|1,000.00"}},
		"balances in the words of a small bank": {dossier.FieldBankStatement, []string{"FIRST VALLEY", "COMMERCIAL CHECKING", "BALANCE LAST STATEMENT|5,100.00", "2 CREDITS|...3,000.00", "2 DEBITS|...1,270.50", "SERVICE CHARGE|.00", "BALANCE THIS STATEMENT|6,829.50"}},
		"summary in columns of two lines":       {dossier.FieldBankStatement, []string{"Business Checking", "For the Period 03/01/2024 to 03/29/2024", "Beginning|Deposits and|Checks and other|Ending", "balance|other additions|deductions|balance", "8,100.25|5,000.00|3,600.00|9,500.25", "Date posted|Amount|Transaction description"}},
		"wallet of a month":                     {dossier.FieldFile, []string{"Cash App||Account Statement March 2024", "Beginning balance|$12.00", "Deposits|$400.00", "Withdrawals|$372.00", "Ending balance|$40.00"}},
		"this and the last statement":           {dossier.FieldBankStatement, []string{"SUMMIT BANK", "Business Checking", "Previous statement 02/29/24||$4,120.33", "Deposits/Credits 1||+6,300.00", "Checks/Debits 2||-5,110.20", "Current statement 03/29/24||$5,310.13", "Minimum daily balance $3,010.13", "Average balance $3,999.00"}},
		"share draft account":                   {dossier.FieldBankStatement, []string{"STATEMENT OF ACCOUNT", "SHARE DRAFT 0070", "03-01 BALANCE FORWARD||1,002.11", "03-04 DIRECT DEPOSIT|1,702.10|2,704.21", "03-09 DRAFT 1021|-500.00|2,204.21", "03-31 NEW BALANCE||2,204.21"}},
		"overdraft line beside the account":     {dossier.FieldBankStatement, []string{"BUSINESS CHECKING STATEMENT", "Beginning balance|5,100.00", "Deposits|3,000.00", "Withdrawals|1,270.50", "Ending balance|6,829.50", "Overdraft line|Credit limit 5,000.00|Available credit 5,000.00", "Minimum payment due 0.00|Payment due date 04/20/24"}},
		"card whose payments clear it":          {dossier.FieldFile, []string{"Previous Balance|$1,240.11", "Payments and credits|-$1,240.11", "Purchases|+$902.33", "New Balance|$902.33", "Minimum Payment Due|$35.00", "Payment Due Date|04/22/24"}},

		"résumé":                     {dossier.FieldFile, []string{"DANA FIELDING", "PROFESSIONAL EXPERIENCE", "Operations Manager, 2016-present", "EDUCATION|BS, 2009", "Class A commercial driver license"}},
		"driving record":             {dossier.FieldFile, []string{"DRIVER RECORD ABSTRACT", "FIELDING, DANA R|DL Number RZ123456|DOB 06/12/1984", "License Class D|Expiration 06/12/2026", "Restrictions NONE|Endorsements NONE", "Violations: 04/02/2021 SPEED|Points 2"}},
		"visa":                       {dossier.FieldFile, []string{"VISA|UNITED STATES OF AMERICA", "Issuing Post Name|Control Number", "Visa Type/Class|R B1/B2", "Passport Number|Nationality", "FX123456|BRAZ", "VNUSAFIRMANI<<LEA<<<<<<<<<<<<<<<<<<<<<<<<<<<", "FX123456<6BRA8504036F3212304B3SAO12345678901"}},
		"employment form":            {dossier.FieldFile, []string{"Employment Eligibility Verification|USCIS", "Department of Homeland Security|Form I-9", "OMB No. 1615-0047", "Date of Birth 04/03/1985", "A lawful permanent resident (Enter USCIS or A-Number)"}},
		"application for a passport": {dossier.FieldFile, []string{"APPLICATION FOR A U.S. PASSPORT", "Please Print Legibly Using Black Ink Only", "U.S. Passport Book|U.S. Passport Card", "Date of Birth 06/12/1984|Place of Birth TOLEDO"}},
		"insurance card":             {dossier.FieldFile, []string{"OHIO INSURANCE IDENTIFICATION CARD", "POLICY NUMBER PA1234567|EXPIRATION DATE 07/01/2024", "YEAR 2019|MAKE/MODEL FORD TRANSIT", "INSURED DANA FIELDING"}},
		"card of a school":           {dossier.FieldFile, []string{"UNIVERSITY OF TOLEDO", "STUDENT IDENTIFICATION CARD", "DANA FIELDING", "ID No. 01223344|Expires 05/31/2026"}},
		"card of a soldier":          {dossier.FieldFile, []string{"United States Uniformed Services Identification Card", "FIELDING, DANA RUTH", "Expiration Date 2026MAY19", "DoD ID Number 1234567890"}},
		"card of a voter":            {dossier.FieldFile, []string{"VOTER IDENTIFICATION CARD", "ID NUMBER 12345678|DOB 06/12/1984", "FIELDING, DANA", "123 MAIN ST", "AUSTIN TX 78701", "EXP 12/31/2025"}},
		"card of a patient":          {dossier.FieldFile, []string{"MEDICAL MARIJUANA IDENTIFICATION CARD", "PATIENT DANA FIELDING", "ID NO 12345678", "DOB 06/12/1984|EXP 06/12/2026"}},
		"card of a guard":            {dossier.FieldFile, []string{"SECURITY GUARD REGISTRATION IDENTIFICATION CARD", "DANA FIELDING", "REG NO 12345678|DOB 06/12/1984|EXP 06/12/2026"}},
		"renewal of a licence":       {dossier.FieldFile, []string{"DEPARTMENT OF MOTOR VEHICLES", "DRIVER LICENSE RENEWAL NOTICE", "DL NO D1234562|DOB 06/12/1984|EXP 06/12/2025", "DANA FIELDING", "123 MAIN ST", "FRESNO CA 93701", "Your license is about to expire"}},
		"reconciliation of a book":   {dossier.FieldFile, []string{"ACME TOOLS LLC", "Reconciliation Detail", "1000 - Checking, Period Ending 03/31/2024", "Type Date Num Name|Clr|Amount|Balance", "Beginning Balance|5,000.00", "Cleared Transactions", "Checks and Payments - 1 item", "Check 03/04/2024 1001 Landlord|X|-1,200.00|-1,200.00", "Deposits and Credits - 1 item", "Deposit 03/05/2024|X|2,000.00|2,000.00", "Ending Balance|5,800.00"}},
		"card of a state":            {dossier.FieldID, []string{"OHIO|IDENTIFICATION CARD", "4d ID No RZ123456", "1 FIELDING", "2 DANA RUTH", "3 DOB 06/12/1984|4b EXP 06/12/2028", "15 SEX F"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := readtest.Lines(t, c.lines...); d.FieldType != c.want {
				t.Errorf("read as %s (%v), want %s", d.DocType, d.Evidence, c.want)
			}
		})
	}
}

// Reports of a company's books list its invoices, and are none.
func TestClassify_reportsOfInvoices(t *testing.T) {
	entries := []string{"01/05/2023|Invoice 1001|Invoice number 77|1,200.00", "01/09/2023|Invoice 1002|Bill to Hill School|2,450.00", "01/11/2023|Invoice 1003|Invoice date 01/09|310.00"}
	for title, want := range map[string]dossier.DocType{
		"Profit and Loss Detail": dossier.DocFinancialStatement, "A/R Aging Detail": dossier.DocOther, "General Ledger": dossier.DocOther, "INVOICE": dossier.DocInvoice,
	} {
		lines := append([]string{"Cedar Plumbing LLC", title}, entries...)
		if want == dossier.DocFinancialStatement {
			lines = append(lines, "Total Income|||3,960.00", "Net Income|||3,960.00")
		}
		if d := readtest.Lines(t, lines...); d.DocType != want {
			t.Errorf("%s: read as %s (%v)", title, d.DocType, d.Evidence)
		}
	}
}
