package text

import "strings"

// issuerCodes are the codes of the states and organizations that issue travel documents. Source: ICAO 9303 part 3,
// section 5.
var issuerCodes = WordSet("" +
	"AFG ALB DZA ASM AND AGO AIA ATA ATG ARG ARM ABW AUS AUT AZE BHS BHR BGD BRB BLR BEL BLZ BEN BMU BTN BOL " +
	"BIH BWA BVT BRA IOT BRN BGR BFA BDI KHM CMR CAN CPV CYM CAF TCD CHL CHN CXR CCK COL COM COG COD COK CRI " +
	"CIV HRV CUB CYP CZE PRK DNK DJI DMA DOM TMP ECU EGY SLV GNQ ERI EST ETH FLK FRO FJI FIN FRA GUF PYF GAB " +
	"GMB GEO DEU D GHA GIB GRC GRL GRD GLP GUM GTM GIN GNB GUY HTI HMD VAT HND HKG HUN ISL IND IDN IRN IRQ IRL " +
	"ISR ITA JAM JPN JOR KAZ KEN KIR KWT KGZ LAO LVA LBN LSO LBR LBY LIE LTU LUX MAC MDG MWI MYS MDV MLI MLT " +
	"MHL MTQ MRT MUS MYT MEX FSM MDA MCO MNG MNE MSR MAR MOZ MMR NAM NRU NPL NLD ANT NTZ NCL NZL NIC NER NGA " +
	"NIU NFK MKD MNP NOR OMN PAK PLW PSE PAN PNG PRY PER PHL PCN POL PRT PRI QAT KOR ROU RUS RWA REU SHN KNA " +
	"LCA SPM VCT WSM SMR STP SAU SEN SRB SYC SLE SGP SVK SVN SLB SOM ZAF SGS SSD ESP LKA SDN SUR SJM SWZ SWE " +
	"CHE SYR TWN TJK THA TLS TGO TKL TON TTO TUN TUR TKM TCA TUV UGA UKR ARE GBR GBD GBN GBO GBP GBS TZA USA " +
	"UMI URY UZB VUT VEN VNM VGB VIR WLF ESH YEM ZMB ZWE EUE UNO UNA UNK XAA XBA XIM XCC XCO XEC XPO XOM XXA " +
	"XXB XXC XXX RKS UTO XDC XMP XCE XES IAO")

// isIssuer reports whether a code is of an issuer.
func isIssuer(code string) bool { return issuerCodes[strings.TrimRight(code, "<")] }

// withIssuer puts back the letters of the issuer's code that OCR lost, so that the name lacks none: the second line has
// the same code, and OCR loses thin letters. A code that no issuer has lost letters that are not thin.
func (m *MRZ) withIssuer(first, nationality string) string {
	if strings.ContainsAny(nationality, "<0123456789") || len(first) < 5 || toLetters(first[2:5]) == nationality {
		return first
	}
	known := isIssuer(toLetters(first[2:5]))
	m.Damaged = !known
	for lost := range 3 {
		if left := nationality[:lost] + nationality[lost+1:]; toLetters(first[2:4]) == left &&
			(strings.ContainsRune("IJL1", rune(nationality[lost])) || !known && isIssuer(nationality)) {
			return first[:2] + nationality + first[4:]
		}
	}
	if left := toLetters(first[1:4]); !known && left == nationality { // the filler behind the P was lost
		return first[:1] + "<" + first[1:]
	}
	return first
}
