package specimen

import "github.com/dossierhq/dossier"

// fieldGuides are papers that show or speak of a statement, a return or a card and are none: leaflets, lessons,
// articles, manuals of programs, forms to reconcile an account, letters and reports about accounts.
func fieldGuides() []paperSheet {
	other := dossier.DocOther
	return []paperSheet{
		{name: "leaflet_callouts", doc: other, note: "a bank's leaflet about its new statement, with the statement pictured on the page", body: `
#Get to know your new statement
We have redesigned your monthly statement to make it easier to read. Here is what you will find on it:
1  Your name and address as they appear in our records.
2  Account summary: a snapshot of your balance at the beginning and at the end of the period.
3  Deposits and other additions, listed by date.
4  Withdrawals, listed by date.

Lakehouse Savings Bank                                 Statement Period: 03/01/2024 - 03/31/2024
JANE SAMPLE                                            Account Number: 000000000
!Account summary
Beginning balance                       $1,204.18>
Deposits and additions                    $850.00>
Withdrawals                              -$412.20>
Ending balance                          $1,641.98>
03/04   Payroll deposit                   850.00>
03/11   Grocery store                      88.40>
`},
		{name: "lesson_worksheet", doc: other, note: "a lesson with a statement to read and questions to answer", body: `
#Activity: Reading a bank statement
Name: ____________________     Class: ____________     Date: ____________
Directions: Use the bank statement below to answer the questions on the next page.

Example Savings Bank                                   Account Number: 1234567
Marisela Quintana                                      Statement Period: 09/01/23 - 09/30/23
!Date        Description                    Withdrawal>      Deposit>       Balance>
09/01       Beginning balance                                              $400.00>
09/05       Deposit                                           250.00>        650.00>
09/12       ATM withdrawal                      60.00>                       590.00>
09/20       Check 101                           45.20>                       544.80>
09/30       Ending balance                                                  $544.80>
%%
!Questions
1. What was the balance on September 5? ____________
2. How much did Marisela withdraw in all? ____________
3. Which transaction would you ask the bank about, and why? ____________
4. What is the ending balance? ____________
Answer key for teachers: 650.00; 105.20; answers vary; 544.80.
`},
		{name: "lesson_reconcile", doc: other, note: "a handout on balancing a checkbook", body: `
#Lesson 4: Balancing your checkbook
Objective: Students will be able to compare a check register with a monthly bank statement.
Materials: handout, calculator. Time: 45 minutes.
Scenario: Rufus received the statement shown here. Compare it with his register and find his true balance.
%%
Copper Basin Community Bank
Account of: Rufus Castellane            Checking account 99-4417
Statement date: October 31, 2023
Previous balance                         $318.44>
Total deposits                           $900.00>
Total checks and withdrawals             $655.12>
Current balance                          $563.32>
Checks paid:   204  $40.00    205  $115.12    206  $500.00
%%
!Worksheet
1. Write the ending balance from the statement here.                    ______
2. Add deposits that are in the register but not on the statement.      ______
3. Subtract checks that are outstanding.                                ______
4. The result should equal the balance of your register.                ______
`},
		{name: "article_example", doc: other, note: "an article on what a statement is, with an example", body: `
#What is a bank statement? Definition and example
By the editors. Updated May 2, 2024. Fact checked.
A bank statement is a summary of the transactions of an account during a period, usually a month. It is issued by the
bank and lists deposits, withdrawals, fees and interest, together with the balance at the start and at the end.
!Key takeaways
A statement helps you to track your spending and to find errors. Lenders ask for statements when you apply for a loan.
!Example of a bank statement
Suppose that a customer begins March with a balance of $2,000. In the month the following happens:
Date         Transaction              Amount>       Balance>
March 1      Beginning balance                    $2,000.00>
March 3      Direct deposit        $1,500.00>     $3,500.00>
March 10     Rent                 -$1,100.00>     $2,400.00>
March 31     Ending balance                       $2,400.00>
As the table shows, the ending balance of one period is the beginning balance of the next one.
`},
		{name: "import_manual", doc: other, note: "a program's manual on importing statements", body: `
#Importing bank statements
This topic explains how to import an electronic bank statement and how to map its fields.
!To import a statement
1. On the Cash Management page, select Bank statements, and then select Import.
2. Select the format of the file. BAI2, MT940 and ISO 20022 are supported.
3. Choose the bank account and the statement date, and then select OK.
!Fields
Opening balance       The balance of the account at the start of the statement period.
Closing balance       The balance at the end. It must equal the opening balance plus credits less debits.
Transaction date      The date on which the bank posted the transaction.
!Sample file
Date          Description        Debit>      Credit>      Balance>
01/03/2024    Opening balance                             1,000.00>
04/03/2024    Invoice 4417                    250.00>     1,250.00>
09/03/2024    Bank fee           12.00>                   1,238.00>
`},
		{name: "underwriting_guide", doc: other, note: "a lender's guide for its staff with a statement on the second page", body: `
#Underwriting reference: reviewing deposit documentation
Audience: processors and underwriters. Version 3.2
When you review an account statement, verify the following items before you approve the file:
The name of the account holder matches the application. The period covers sixty days. Large deposits are explained.
The sample below illustrates where each item is found. The letters refer to the notes on page 3.
%%
(A) Fallow Creek Bank              (B) Statement period 01/01/2024 to 01/31/2024
(C) ORSON JESSAMINE                (D) Account number XXXX4417
Beginning balance on 01/01/2024          $9,120.40>
Deposits and credits                     $4,400.00>
Withdrawals and debits                   $3,020.15>
Ending balance on 01/31/2024            $10,500.25>
01/05   Payroll                          2,200.00>
01/19   Payroll                          2,200.00>
%%
(A) The institution must be insured. (B) Two consecutive periods are required.
(C) The holder must be a borrower. (D) Numbers may be truncated.
Contact the help desk with questions about documentation that is not described here.
`},
		{name: "reconcile_form", doc: other, note: "a form to balance an account that nobody filled in", body: `
#How to balance your account
Use this form to reconcile your checkbook with your statement.
List your outstanding checks and withdrawals      Number ______  Amount ______
Ending balance shown on this statement            $ ____________
Add deposits not shown on this statement          $ ____________
Subtotal                                          $ ____________
Subtract total outstanding checks                 $ ____________
Adjusted balance                                  $ ____________
In case of errors or questions about your electronic transfers, write to us at the address shown on your statement.
`},
		{name: "change_letter", doc: other, note: "a letter to customers about the new look of their statements", body: `
Severnside Building Society
14 March 2024
Dear customer,
From May your statements will look different. We are changing the layout so that your balance, the money that came in
and the money that went out are shown at the top of the first page. For example:
Your balance on 1 May 2024                       £812.40>
Money in                                        £1,400.00>
Money out                                         £977.12>
Your balance on 31 May 2024                     £1,235.28>
You do not need to do anything. Your account number and sort code remain the same.
Yours sincerely,
`},
		{name: "es_guia", doc: other, note: "a Spanish leaflet that explains the estado de cuenta", body: `
#Conozca su estado de cuenta
Le explicamos paso a paso cada sección de su nuevo estado de cuenta. Ejemplo ilustrativo.
1. Datos del cliente. 2. Resumen de movimientos. 3. Detalle de operaciones.
Banco Ejemplo del Golfo                     Periodo del 01/03/2024 al 31/03/2024
Saldo anterior                  $4,120.00>
Depósitos                       $2,000.00>
Retiros                         $1,120.00>
Saldo final                     $5,000.00>
`},
		{name: "paystub_lesson", doc: other, note: "a lesson on a pay stub", body: `
#Understanding your paycheck
Directions: Study the pay stub and answer the questions. An example of a pay stub is shown here.
Fennimore Glass Inc        Employee: Desmond Pell        Pay date: 03/29/2024
!               Current>        YTD>
Gross pay      $1,859.00>   $9,163.00>
Deductions       $363.90>   $1,795.14>
Net pay        $1,495.10>   $7,367.86>
1. What is Desmond's gross pay? ______   2. Which deductions are mandatory? ______
`},
		{name: "tax_lesson", doc: other, note: "a lesson that speaks of Form 1040 and fills in its lines", body: `
#Simulation: completing Form 1040
Directions: Use the W-2 of Rosalind Quist to fill in the lines of the individual income tax return below.
Line 1a   Total amount from Form W-2, box 1         24,100
Line 11   Adjusted gross income                     24,100
Line 12   Standard deduction                        13,850
Line 15   Taxable income                            10,250
Line 16   Tax                                        1,028
Discuss: would Rosalind get a refund? Explain your answer.
`},
		{name: "id_article", doc: other, note: "a page of an agency on its new licences", body: `
#Our new driver license design
The Department of Motor Vehicles introduces a more secure driver license and identification card this summer.
Numbered fields follow the national standard: 1 last name, 2 first name, 3 date of birth, 4a date of issue,
4b date of expiration, 4d license number, 5 document discriminator, 8 address, 9 class, 12 restrictions, 15 sex,
16 height, 18 eyes.
SAMPLE    DL 123456789    EXP 06/03/2029    LN SAMPLE    FN JELANI    DOB 06/03/1978
Licenses that were issued earlier remain valid until they expire. Visit any office for details.
`},
	}
}
