package specimen

import "github.com/dossierhq/dossier"

// tradeSheets are bills, invoices, receipts and checks of several countries.
func tradeSheets() []paperSheet {
	return []paperSheet{
		{name: "us_electric_boxes", doc: dossier.DocUtilityBill, note: "captions above values in boxes; the sender in the foot", body: `
#{issuer=Larkfield Light & Power}
!Account Number       Bill Date          Due Date           Amount Due>
0044 1170 09         {statementDate=2024-03-06~Mar 6, 2024}        {dueDate=2024-03-27~Mar 27, 2024}            {amountDue=142.18~$142.18}>

Service for: {name=Vera Hathersage}
22 Dovetail Street, Larkfield, CO 80699

!Electric charges
Meter 00448812     Previous read 41,220     Current read 42,061     Usage 841 kWh
Basic service charge                                         12.50>
Energy charge 841 kWh                                       117.74>
Taxes and fees                                               11.94>
Previous balance                                            133.02>
Payment received, thank you                                -133.02>
`},
		{name: "us_water_city", doc: dossier.DocUtilityBill, note: "a city's bill: customer's name above the service address, total in a stub", body: `
{issuer=City of Windmere}
Water and Sewer Department
PO Box 900, Windmere, IL 60099

Customer Name: {name=Silas Underhill}
Service Address: 9 Alder Court
Billing Date: {statementDate=2023-12-01~12/01/2023}
Due Date: {dueDate=2023-12-20~12/20/2023}
Meter readings   Previous 1180   Present 1196   Consumption 16 CCF
WATER                      38.40>
SEWER                      44.10>
GARBAGE                    18.00>
TOTAL AMOUNT DUE           {amountDue=100.50~$100.50}>
`},
		{name: "uk_energy", doc: dossier.DocUtilityBill, note: "a British bill in sentences", body: `
#{issuer=Pennine Energy}
{name=Miss Imani Whitlock}
4 Copperfield Road
HARROWGATE
HG9 9ZZ

Your electricity bill
Bill date: {statementDate=2024-02-14~14 February 2024}
Account number: 8500 1234 5678
For the period 10 November 2023 to 9 February 2024
Please pay by {dueDate=2024-03-01~1 March 2024}
Electricity used 912 kWh at 27.35p per kWh                           £249.43>
Standing charge 92 days at 53.35p                                     £49.08>
VAT at 5%                                                             £14.93>
Total amount due                                                     {amountDue=313.44~£313.44}>
`},
		{name: "fr_electricite", doc: dossier.DocUtilityBill, note: "a French electricity bill", body: `
#{issuer=Énergie Modèle}
FACTURE D'ÉLECTRICITÉ
Titulaire du contrat : {name=Mme Odile Marchandeau}
Référence client : 6 000 123 456
Facture du {statementDate=2024-01-15~15/01/2024}
Point de livraison : 00000000000000
Abonnement                                             42,10>
Consommation 1 204 kWh                                258,86>
Taxes et contributions                                 61,04>
Montant à payer                                       {amountDue=362.00~362,00 €}>
À régler avant le {dueDate=2024-02-05~05/02/2024}
`},
		{name: "de_strom", doc: dossier.DocUtilityBill, note: "a German bill for electricity", body: `
#{issuer=Stadtwerke Musterstadt GmbH}
Herr
{name=Ulric Dornhagen}
Lindenallee 12
70999 Musterstadt
                                                  Rechnungsdatum: {statementDate=2024-02-09~09.02.2024}
Ihre Stromrechnung                                Kundennummer: 1002003004
Zählerstand alt 12.040   Zählerstand neu 14.980   Verbrauch 2.940 kWh
Arbeitspreis                                          940,80>
Grundpreis                                            142,20>
Zu zahlender Betrag                                 {amountDue=1083.00~1.083,00 €}>
Fällig am: {dueDate=2024-02-26~26.02.2024}
`},
		{name: "us_invoice_boxes", doc: dossier.DocInvoice, note: "captions over values; bill-to is not the sender", body: `
{issuer=Ironbark Machine Works LLC}                                            INVOICE
1500 Kestrel Boulevard
Stonehollow, MI 48099

!Bill To                           Ship To                       Invoice #      Date           Terms
Alpenglow Outfitters Inc.         Alpenglow Outfitters Inc.     {number=20417}          {date=2024-04-09~4/9/2024}       Net 30
77 Juniper Street                 Dock 4
Eastbrook, OH 43099               Eastbrook, OH 43099

!Quantity>    Item             Description                          Rate>       Amount>
4>    BR-22            Bracket, machined                    118.00>        472.00>
1>    SET              Setup                                 75.00>         75.00>

                                                          Subtotal         547.00>
                                                          Sales Tax         38.29>
                                                          Total           {total=585.29~$585.29}>
                                                          Balance Due     {amountDue=585.29~$585.29}>
`},
		{name: "uk_tax_invoice", doc: dossier.DocInvoice, note: "a tax invoice with dates of three kinds", body: `
#TAX INVOICE
From                                         To
{issuer=Wattle Joinery Pty Ltd}                       Harbour Fitouts Limited
ABN 00 000 000 000                           8 Sample Road
12 Example Street                            Sydney NSW 2000
Newtown NSW 2042
Invoice number:  {number=INV-0338}
Invoice date:    {date=2024-06-11~11 June 2024}
Due date:        {dueDate=2024-06-25~25 June 2024}
!Description                       Qty>       Price>        Amount>
Shelving, oak                      6>       240.00>       1,440.00>
Installation                       8>        95.00>         760.00>
                                           Subtotal      2,200.00>
                                           GST 10%         220.00>
                                           Total AUD    {total=2420.00~$2,420.00}>
`},
		{name: "fr_facture", doc: dossier.DocInvoice, note: "a French invoice: sender left, receiver right", body: `
!{issuer=Menuiserie Modèle SARL}
14 rue des Exemples                               Client :
69099 VILLEMODÈLE                                 Boulangerie Specimen
                                                  3 place du Marché
                                                  69099 VILLEMODÈLE
#Facture n° {number=F2024-118}
Date de facturation : {date=2024-03-18~18/03/2024}
Échéance : {dueDate=2024-04-17~17/04/2024}
!Désignation                         Qté>       PU HT>      Total HT>
Comptoir sur mesure                   1>     1 850,00>     1 850,00>
Pose                                  6>        45,00>       270,00>
                                              Total HT     2 120,00>
                                              TVA 20 %       424,00>
                                              Total TTC    {total=2544.00~2 544,00 €}>
`},
		{name: "de_rechnung", doc: dossier.DocInvoice, note: "a German invoice as a letter", body: `
{issuer=Muster Metallbau GmbH}, Beispielweg 4, 70999 Musterstadt
Bäckerei Beispiel e.K.
Marktplatz 3
70999 Musterstadt
                                                  Rechnungs-Nr.: {number=RE-2024-0871}
                                                  Rechnungsdatum: {date=2024-05-06~06.05.2024}
#Rechnung
Sehr geehrte Damen und Herren, wir berechnen Ihnen wie folgt:
!Pos  Bezeichnung                     Menge>   Einzelpreis>       Gesamt>
1    Geländer, Stahl                      1>      1.250,00>     1.250,00>
2    Montage                              5>         62,00>       310,00>
                                       Nettobetrag            1.560,00>
                                       zzgl. 19 % MwSt.         296,40>
                                       Gesamtbetrag           {total=1856.40~1.856,40 €}>
Zahlbar bis {dueDate=2024-05-20~20.05.2024} ohne Abzug.
`},
		{name: "es_factura", doc: dossier.DocInvoice, note: "a Spanish invoice", body: `
#FACTURA
{issuer=Talleres Ejemplo S.L.}                              Nº factura: {number=2024/0093}
CIF B00000000                                       Fecha: {date=2024-04-22~22/04/2024}
Calle Muestra 8, 28099 Madrid                       Vencimiento: {dueDate=2024-05-22~22/05/2024}
Cliente: Panadería Modelo S.A.
!Concepto                       Cantidad>      Precio>       Importe>
Reparación de puerta                  1>      320,00>        320,00>
Materiales                            3>       41,50>        124,50>
                                      Base imponible        444,50>
                                      IVA 21 %               93,35>
                                      Total factura         {total=537.85~537,85 €}>
`},
		{name: "us_receipt_store", doc: dossier.DocReceipt, wide: 250, high: 460, note: "a shop's slip", body: `
        {merchant=JUNIPER STREET MARKET}
          500 Juniper Street
        Port Amity, WA 98699
          (555) 555-0147
Date: {date=2024-02-11~02/11/2024}     Time: 14:32
Cashier: 07        Reg: 2
MILK 2% GAL                 3.99>
BREAD WHEAT                 4.25>
COFFEE 12OZ                 9.49>
SUBTOTAL                   17.73>
TAX                         0.52>
TOTAL                      {total=18.25~$18.25}>
VISA ************4417      18.25>
CHANGE                      0.00>
   THANK YOU FOR SHOPPING
`},
		{name: "de_kassenbon", doc: dossier.DocReceipt, wide: 250, high: 460, note: "a German slip", body: `
        {merchant=Musterland Markt}
        Hauptstr. 12
        70999 Musterstadt
                                EUR
Butter                        2,29>
Brot                          3,49>
Apfel kg                      1,98>
SUMME                  EUR   {total=7.76~7,76}>
Bar                          10,00>
Rückgeld                      2,24>
Datum {date=2024-03-02~02.03.2024}     Uhrzeit 17:41
        Kassenbon Nr. 4417
`},
		{name: "us_payment_receipt", doc: dossier.DocReceipt, note: "a receipt by mail for a payment on the web", body: `
#Receipt
Receipt number: {number=2041-7731}
Date paid: {date=2024-05-08~May 8, 2024}
Payment method: Visa ending in 4417
{merchant=Highline Software Inc.}                        Bill to
548 Example Street                            Nadia Silverlake
Port Amity, WA 98699                          nadia@example.com
!$49.00 paid on May 8, 2024
!Description                 Qty>      Unit price>       Amount>
Team plan                    1>         $49.00>        $49.00>
                                       Subtotal       $49.00>
                                       Total          {total=49.00~$49.00}>
                                       Amount paid    $49.00>
`},
		{name: "check_business", doc: dossier.DocCheck, wide: 486, high: 216, note: "a check with its number in the corner", body: `
Northgate Printing Co.                                                     {number=10447}
31 Hollow Oak Drive
Willow Reach, GA 30099                              DATE {date=2024-01-23~01/23/2024}

PAY TO THE
ORDER OF   {name=Cedar Ridge Landscaping LLC}                              {total=860.00~$860.00}>
Eight hundred sixty and 00/100 ------------------------------------ DOLLARS
Tidewater Commerce Bank
MEMO  spring cleanup
|:000000000|: 0044170099|' 10447
`},
		{name: "check_canada", doc: dossier.DocCheck, wide: 486, high: 216, note: "a Canadian cheque with the letters of its date", body: `
BLUESTEM COFFEE ROASTERS INC.                                          {number=000318}
12 Foxglove Way, Larkfield ON  K0A 0A0                    DATE  {date=2024-02-09~2024-02-09}
                                                              Y Y Y Y M M D D
PAY TO THE
ORDER OF  {name=Prairie Rock Logistics Ltd.}                             $  {total=1240.50~1,240.50}
One thousand two hundred forty 50/100 DOLLARS
Northern Dominion Bank
MEMO
`},
	}
}
