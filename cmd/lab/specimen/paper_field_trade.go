package specimen

import "github.com/dossierhq/dossier"

// fieldTrade are invoices, bills, receipts and reports of more countries and programs.
func fieldTrade() []paperSheet {
	return []paperSheet{
		{name: "gt_fel", doc: dossier.DocInvoice, note: "Guatemala: serie and number of the document in a frame, the receiver below", body: `
{issuer=DISTRIBUIDORA EL QUETZAL, SOCIEDAD ANONIMA}                    FACTURA
NIT Emisor: 0000000-0                                          NÚMERO DE AUTORIZACIÓN:
6A AVENIDA 4-41 ZONA 9, GUATEMALA                              7C1D2E3F-0000-4000-8000-A1B2C3D4E5F6
                                                               Serie: 7C1D2E3F  Número de DTE: {number=1073741824}
NIT Receptor: CF
Nombre Receptor: LUISA FERNANDA TZUL                           Fecha y hora de emision: {date=2024-02-17~17-feb-2024} 09:12:44
                                                               Moneda: GTQ
!#No     B/S      Cantidad     Descripcion                    P. Unitario con IVA (Q)>     Descuentos (Q)>     Total (Q)>
1       Bien     2            Cemento gris 42.5 kg                        88.00>                0.00>          176.00>
2       Bien     1            Pala punta redonda                          95.50>                0.00>           95.50>
!                                                              TOTALES:                          0.00>          {total=271.50~271.50}>
`},
		{name: "mx_cfdi", doc: dossier.DocInvoice, note: "Mexico: folio of the firm, fiscal folio of the state", body: `
#{issuer=Aceros y Perfiles Montaña S.A. de C.V.}
RFC emisor: APM000000XX0                          Folio: {number=A-8841}
Régimen fiscal: General de Ley Personas Morales   Folio fiscal: 0A1B2C3D-1111-4222-8333-444455556666
RFC receptor: XAXX010101000                       Fecha y hora de emisión: {date=2024-03-05~2024-03-05}T10:22:31
Nombre receptor: TALLER MODELO                    Uso CFDI: Gastos en general
Factura
!Clave      Cantidad>     Unidad     Descripción                  Valor unitario>      Importe>
30102400        10.00>     Pieza     Perfil tubular 2 x 1                210.00>      2,100.00>
                                                     Subtotal                  $2,100.00>
                                                     IVA 16.00%                  $336.00>
                                                     Total                    {total=2436.00~$2,436.00}>
Importe con letra: DOS MIL CUATROCIENTOS TREINTA Y SEIS PESOS 00/100 M.N.
`},
		{name: "ar_factura", doc: dossier.DocInvoice, note: "Argentina: the letter of the kind, the point of sale before the number", body: `
                                        ORIGINAL
                                          B
#{issuer=Maderas del Litoral S.R.L.}                 FACTURA
Razón Social: Maderas del Litoral S.R.L.             Punto de Venta: 00003   Comp. Nro: {number=00004417}
Domicilio Comercial: Av. Ejemplo 1200, Rosario       Fecha de Emisión: {date=2024-04-11~11/04/2024}
Condición frente al IVA: Responsable Inscripto       CUIT: 00-00000000-0
Período Facturado Desde: 01/04/2024  Hasta: 30/04/2024      Fecha de Vto. para el pago: {dueDate=2024-04-21~21/04/2024}
Apellido y Nombre / Razón Social: ROBLEDO PARRA IGNACIO
!Código    Producto / Servicio            Cantidad>     Precio Unit.>     % Bonif>      Subtotal>
001        Tabla de pino 1 x 6               12,00>          4300,00>         0,00>     51600,00>
                                                       Subtotal: $             51600,00>
                                                       Importe Otros Tributos: $   0,00>
                                                       Importe Total: $        {total=51600.00~51600,00}>
`},
		{name: "co_electronica", doc: dossier.DocInvoice, note: "Colombia: an electronic invoice of sale", body: `
{issuer=Ferretería La Palma S.A.S.}                        FACTURA ELECTRÓNICA DE VENTA
NIT 000.000.000-0                                  No. {number=FELP-2210}
Carrera 00 No. 00-00, Medellín                     Fecha de emisión: {date=2024-01-30~30/01/2024}
Cliente: Constructora Ejemplo S.A.                 Fecha de vencimiento: {dueDate=2024-02-29~29/02/2024}
!Ítem     Descripción                 Cant.>      Vr. unitario>         Vr. total>
1         Varilla corrugada 1/2           40>         28.500,00>      1.140.000,00>
                                             Subtotal          1.140.000,00>
                                             IVA 19%             216.600,00>
                                             Total a pagar     {total=1356600.00~1.356.600,00}>
`},
		{name: "cl_electronica", doc: dossier.DocInvoice, note: "Chile: the frame with R.U.T., kind and number; amounts without cents", body: `
                                                              R.U.T.: 00.000.000-0
#{issuer=Comercial Araucaria Limitada}                   FACTURA ELECTRÓNICA
Giro: venta de maquinaria                                     N° {number=18442}
Av. Ejemplo 900, Temuco                                       S.I.I. - TEMUCO
SEÑOR(ES): AGRÍCOLA LOS BOLDOS SpA                            Fecha Emisión: {date=2024-05-08~08 de Mayo de 2024}
R.U.T.: 11.111.111-1
!Descripción                     Cantidad>      Precio>          Valor>
Bomba sumergible 1 HP                  2>     189.900>         379.800>
                                       MONTO NETO $            379.800>
                                       I.V.A. 19% $             72.162>
                                       TOTAL $                 {total=451962~451.962}>
`},
		{name: "pe_boleta", doc: dossier.DocInvoice, note: "Peru: series and number in one", body: `
{issuer=INVERSIONES QUEÑUAL E.I.R.L.}                           RUC: 00000000000
JR. LOS EJEMPLOS 220, AREQUIPA                         FACTURA ELECTRÓNICA
                                                       {number=F001-00004417}
Fecha de Emisión : {date=2024-06-19~19/06/2024}
Señor(es) : MINERA EJEMPLO S.A.C.
RUC : 11111111111
Tipo de Moneda : SOLES
!Cantidad>    Unidad Medida     Descripción                       Valor Unitario>
     3.00>    UNIDAD            MANGUERA HIDRAULICA 1"                   120.00>
                                               Valor de Venta :       S/ 360.00>
                                               IGV :                   S/ 64.80>
                                               Importe Total :        S/ {total=424.80~424.80}>
`},
		{name: "br_servico", doc: dossier.DocInvoice, note: "Brazil: an invoice of services of a town", body: `
#NOTA FISCAL DE SERVIÇOS ELETRÔNICA - NFS-e
Número da Nota: {number=00002210}                   Data de Emissão: {date=2024-03-12~12/03/2024}
PRESTADOR DE SERVIÇOS
Razão Social: {issuer=Estúdio Modelo Comunicação Ltda}
CNPJ: 00.000.000/0001-00
TOMADOR DE SERVIÇOS
Razão Social: Editora Exemplo S.A.
DISCRIMINAÇÃO DOS SERVIÇOS
Criação de identidade visual
VALOR TOTAL DA NOTA = R$ {total=4800.00~4.800,00}
Valor do ISS                           R$ 240,00
`},
		{name: "it_fattura", doc: dossier.DocInvoice, note: "Italy: number and day in one line", body: `
{issuer=Officine Esempio S.r.l.}
Via dei Campioni 4 - 20099 Esempio (MI)                     Spett.le
P.IVA 00000000000                                           Trattoria Modello S.n.c.
                                                            Piazza Saggio 1 - 20098 Prova
#FATTURA N. {number=118/2024} del {date=2024-04-22~22/04/2024}
!Descrizione                         Q.tà>      Prezzo>       Importe>
Manutenzione cucina                     1>      640,00>        640,00>
Ricambi                                 4>       38,50>        154,00>
                                        Imponibile             794,00>
                                        IVA 22%                174,68>
                                        Totale fattura       € {total=968.68~968,68}>
Scadenza: {dueDate=2024-05-22~22/05/2024}
`},
		{name: "nl_factuur", doc: dossier.DocInvoice, note: "the Netherlands", body: `
#FACTUUR
{issuer=Zeewind Installaties B.V.}                            Factuurnummer: {number=2024-0417}
Havenkade 3, 1799 ZZ Voorbeelddam                     Factuurdatum: {date=2024-02-06~06-02-2024}
Aan: Bakkerij Monster                                 Vervaldatum: {dueDate=2024-03-07~07-03-2024}
!Omschrijving                     Aantal>      Prijs>       Bedrag>
Onderhoud ketel                        1>     185,00>       185,00>
                                       Subtotaal            185,00>
                                       BTW 21%               38,85>
                                       Totaal te betalen   € {total=223.85~223,85}>
`},
		{name: "pt_fatura", doc: dossier.DocInvoice, note: "Portugal: the series before the stroke", body: `
{issuer=Cortiças do Alentejo, Lda.}                       Fatura
Rua do Exemplo, 14                                Fatura n.º {number=FT 2024/118}
7099-999 Évora                                    Data: {date=2024-05-20~2024-05-20}
NIF: 000000000                                    Vencimento: {dueDate=2024-06-19~2024-06-19}
Exmo.(s) Sr.(s) Garrafeira Modelo, Unipessoal
!Descrição                        Qtd.>      Preço>        Valor>
Rolhas naturais (cento)              40>      18,00>       720,00>
                                   Total ilíquido          720,00>
                                   IVA 23%                 165,60>
                                   Total a pagar         {total=885.60~885,60 €}>
`},
		{name: "fr_prestation", doc: dossier.DocInvoice, note: "France: a craftswoman's invoice without VAT, the sum named net", body: `
{issuer=Solène Kervadec}
Graphiste indépendante
4 quai des Exemples, 29099 PORT-MODÈLE
SIRET 000 000 000 00000
                                                     Mairie de Port-Modèle
                                                     1 place de l'Hôtel de Ville
                                                     29099 PORT-MODÈLE
Facture N° : {number=2024-017}                                 Le {date=2024-03-29~29 mars 2024}
!Prestation                                Quantité>     Prix unitaire>       Montant>
Affiche de saison                                2>          310,00 €>       620,00 €>
Retouches                                        3>           45,00 €>       135,00 €>
                                           NET À PAYER                       {total=755.00~755,00 €}>
TVA non applicable, art. 293 B du CGI. Date limite de règlement : {dueDate=2024-04-28~28/04/2024}
`},
		{name: "de_kleinunternehmer", doc: dossier.DocInvoice, note: "Germany: a letter with number and day in the text", body: `
                                                         {issuer=Henriette Kaltenbrunn}
                                                         Übersetzungen
                                                         Gartenweg 2, 70998 Beispielstadt
Verlag Muster AG
Buchstr. 40
70999 Musterstadt                                        Beispielstadt, {date=2024-06-03~03.06.2024}
#Rechnung Nr. {number=2024-31}
!Leistung                                 Menge>      Preis>        Betrag>
Übersetzung EN-DE, 1.840 Zeilen               1>    1.472,00>     1.472,00>
Lektorat                                      4>       55,00>       220,00>
                                          Rechnungsbetrag         {total=1692.00~1.692,00 EUR}>
Gemäß § 19 UStG wird keine Umsatzsteuer berechnet. Bitte überweisen Sie den Betrag bis zum {dueDate=2024-06-17~17.06.2024}.
`},
		{name: "ch_rechnung", doc: dossier.DocInvoice, note: "Switzerland: an apostrophe in thousands", body: `
{issuer=Muster Sanitär AG}
Seestrasse 90, 8099 Musterwil
Rechnung                                         Rechnungsnummer   {number=40417}
                                                 Datum             {date=2024-04-02~02.04.2024}
Frau Greta Zimmerlin                             Zahlbar bis       {dueDate=2024-05-02~02.05.2024}
!Position                           Menge>       Preis>          Total CHF>
Badsanierung                            1>    12'400.00>         12'400.00>
Zwischensumme                                                    12'400.00>
MWST 8.1%                                                         1'004.40>
Gesamtbetrag CHF                                                 {total=13404.40~13'404.40}>
`},
		{name: "se_faktura", doc: dossier.DocInvoice, note: "Sweden", body: `
#FAKTURA
{issuer=Norrfors Snickeri AB}                           Fakturanummer: {number=10417}
Exempelvägen 3, 999 99 Norrfors                 Fakturadatum: {date=2024-03-15~2024-03-15}
                                                Förfallodatum: {dueDate=2024-04-14~2024-04-14}
Bostadsföreningen Provet
!Beskrivning                      Antal>      á-pris>        Belopp>
Fönsterbyte                           4>    2 400,00>      9 600,00>
                                  Netto                    9 600,00>
                                  Moms 25%                 2 400,00>
                                  Att betala              {total=12000.00~12 000,00 kr}>
`},
		{name: "in_gst", doc: dossier.DocInvoice, note: "India: a tax invoice under GST", body: `
                              TAX INVOICE
{issuer=Kaveri Electricals Pvt Ltd}                        Invoice No. : {number=KE/24-25/0417}
GSTIN: 00AAAAA0000A0Z0                             Dated : {date=2024-06-14~14-Jun-2024}
Buyer (Bill to)
Sample Traders, Mysuru
!Sl     Description of Goods     HSN/SAC      Quantity>      Rate>        Amount>
1       LED panel 18W            9405              40 nos>    310.00>     12,400.00>
        CGST 9%                                                            1,116.00>
        SGST 9%                                                            1,116.00>
        Grand Total                                                      ₹ {total=14632.00~14,632.00}>
`},
		{name: "us_contractor", doc: dossier.DocInvoice, note: "a sole trader's invoice: number and day without a colon, totals at the right", body: `
#{issuer=Pell Brothers Plumbing}                               INVOICE
(555) 555-0144                                        # {number=1183}
                                                      Date        {date=2024-02-27~Feb 27, 2024}
Bill To                                               Due Date    {dueDate=2024-03-28~Mar 28, 2024}
Calla Montclaire                                      Balance Due   {amountDue=486.20~$486.20}
60 Briar Lane
!Item                                    Quantity>       Rate>       Amount>
Water heater valve                              1>      $86.20>      $86.20>
Labor                                           4>     $100.00>     $400.00>
                                         Subtotal                   $486.20>
                                         Tax (0%)                     $0.00>
                                         Total                      {total=486.20~$486.20}>
`},
		{name: "us_gas_bill", doc: dossier.DocUtilityBill, note: "the customer beside the account, the amount in a frame", body: `
{issuer=Prairie Rock Gas Company}
{name=HOLLIS VANDERMEER}                                     Account Number: 88-4417-002
412 WILLOW BEND                                       Statement Date: {statementDate=2024-01-18~January 18, 2024}
SILVER PRAIRIE KS 66099                               Due Date: {dueDate=2024-02-08~February 8, 2024}
!Amount Due                {amountDue=131.77~$131.77}
Previous Balance                                       $98.40>
Payments received - Thank you                         -$98.40>
Current gas charges (112 therms)                      $131.77>
Meter number 0041188   Current read 4410   Previous read 4298
`},
		{name: "us_internet_bill", doc: dossier.DocUtilityBill, note: "a bill for internet service with a bill date in a list", body: `
#{issuer=Tidewater Fiber}
{name=Vera Hathersage}                                         Bill date          {statementDate=2024-05-03~May 3, 2024}
22 Dovetail Street                                      Account number     4417 0092 118
Larkfield, CO 80699                                     Services from      May 5 through Jun 4
!Your bill at a glance
Balance from last statement                             $70.00>
Payments                                               -$70.00>
Internet service                                        $65.00>
Taxes, fees                                              $5.00>
Please pay by {dueDate=2024-05-24~May 24, 2024}                    Total due   {amountDue=70.00~$70.00}
`},
		{name: "mx_cfe", doc: dossier.DocUtilityBill, note: "a Mexican bill for electricity", body: `
!{issuer=Electricidad del Valle}
{name=IGNACIO ROBLEDO PARRA}                            TOTAL A PAGAR: {amountDue=418.00~$418.00}
AV EJEMPLO 120 COL CENTRO
CP 66999
NO. DE SERVICIO: 000 417 002 118
PERIODO FACTURADO: 10 ENE 24 - 11 MAR 24
LÍMITE DE PAGO: {dueDate=2024-03-28~28 MAR 24}
Medidor 00448812    Lectura actual 4410    Lectura anterior 4102    Consumo 308 kWh
Energía                                                  360.34>
IVA 16%                                                   57.66>
`},
		{name: "br_conta_luz", doc: dossier.DocUtilityBill, note: "a Brazilian bill for electricity", body: `
{issuer=Energia do Vale S.A.}
NOTA FISCAL / CONTA DE ENERGIA ELÉTRICA
Cliente: {name=Benedita Carvalho Pires}
Rua Exemplo, 40 - CEP 99999-000
Mês de referência: 03/2024          Vencimento: {dueDate=2024-04-10~10/04/2024}
Consumo 212 kWh                                          188,20>
ICMS                                                      42,10>
Total a pagar                                         R$ {amountDue=230.30~230,30}
Data de emissão: {statementDate=2024-03-22~22/03/2024}
`},
		{name: "us_lease_residential", doc: dossier.DocLease, note: "parties on lines to fill in", body: `
#RESIDENTIAL LEASE
This Residential Lease ("Agreement") is made this {date=2024-01-20~20th day of January, 2024},
BETWEEN:
{landlord=Philippa Sandoval}, hereinafter referred to as the "Landlord",
AND
{tenant=Rufus Castellane}, hereinafter referred to as the "Tenant".
1. PROPERTY. Landlord leases to Tenant the premises at 118 Turnstone Street, Brackwater, OH 44099.
2. RENT. Tenant agrees to pay $1,150.00 per month on the 1st day of each month. Security deposit: $1,150.00.
`},
		{name: "voa_report", doc: dossier.DocAssetVerification, note: "a verification of assets with captions at the left", body: `
#Verification of Assets
Borrower:             {name=Amara Castellane}
Report Date:          {requestedOn=2024-04-18~04/18/2024}
Days Requested:       {daysRequested=#60~60}
Number of Accounts:   {accounts=#3~3}
!Institution                Account Type        Account       Current Balance>
Fallow Creek Bank          Checking            xx4417            $2,118.40>
Fallow Creek Bank          Savings             xx0092           $14,200.00>
Keystone Row FCU           Share Savings       xx2210            $1,040.10>
Total Balance                                                  {totalAssets=17358.50~$17,358.50}>
`},
		{name: "advisory_report", doc: dossier.DocInvestmentStatement, note: "a quarterly report of an adviser with its value at both ends", body: `
#{institution=Granite Peak Wealth Advisors}
Portfolio Report                                 Period: {periodStart=2024-04-01~April 1, 2024} - {periodEnd=2024-06-30~June 30, 2024}
Prepared for: {accountHolder=Orson Jessamine}
Account Number: {accountNumber=GP-4417-02}
!Portfolio Summary                          This Quarter>
Beginning Portfolio Value                   {openingBalance=241008.11~$241,008.11}>
Net Contributions                             $2,000.00>
Change in Market Value                        $6,114.02>
Ending Portfolio Value                      {closingBalance=249122.13~$249,122.13}>
Asset allocation: equities 61%, fixed income 34%, cash 5%. Investment products are not FDIC insured.
`},
	}
}
