package text

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"math/big"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// The elements of India's identity cards and of payment codes.
const (
	CodedAadhaar  = "AADHAAR" // the kind of India's identity card
	CodedName     = "name"
	CodedBirth    = "birth"
	CodedSex      = "sex"
	CodedNumber   = "number"
	CodedAddress  = "address"
	CodedPayee    = "payee" // who is paid: never the customer
	CodedAmount   = "amount"
	CodedCurrency = "currency"
)

// CodeElements are the elements of a code whose contents a standard names; none of another.
func CodeElements(code string) []Coded {
	for _, read := range []func(string) []Coded{CardElements, aadhaarXML, aadhaarSecure, swissPayment, euroPayment} {
		if found := read(code); found != nil {
			return found
		}
	}
	return nil
}

// elements are the pairs of a name and a value that hold something.
func elements(pairs ...string) []Coded {
	var found []Coded
	for i := 0; i+1 < len(pairs); i += 2 {
		value := strings.Join(strings.Fields(strings.ToValidUTF8(pairs[i+1], "")), " ")
		if value != "" && len(value) <= 3*mostOfValue {
			found = append(found, Coded{Name: pairs[i], Token: Token{Text: value}})
		}
	}
	return found
}

// aadhaarXML reads the code of the cards until 2018: one element with attributes. Source: UIDAI, print letter barcode
// data.
func aadhaarXML(code string) []Coded {
	at := strings.Index(code, "<PrintLetterBarcodeData")
	if at < 0 {
		return nil
	}
	var card struct {
		UID     string `xml:"uid,attr"`
		Name    string `xml:"name,attr"`
		Gender  string `xml:"gender,attr"`
		DOB     string `xml:"dob,attr"`
		House   string `xml:"house,attr"`
		Street  string `xml:"street,attr"`
		Mark    string `xml:"lm,attr"`
		Place   string `xml:"loc,attr"`
		Town    string `xml:"vtc,attr"`
		Post    string `xml:"po,attr"`
		Dist    string `xml:"dist,attr"`
		State   string `xml:"state,attr"`
		PIN     string `xml:"pc,attr"`
		Subdist string `xml:"subdist,attr"`
	}
	if xml.Unmarshal([]byte(code[at:]), &card) != nil || card.Name == "" {
		return nil
	}
	return elements(CodedKind, CodedAadhaar, CodedNumber, card.UID, CodedName, card.Name, CodedSex, card.Gender,
		CodedBirth, card.DOB, CodedAddress, joined(card.House, card.Street, card.Mark, card.Place, card.Town, card.Post,
			card.Subdist, card.Dist, card.State, card.PIN))
}

// joined are the parts of an address that are there, each once.
func joined(parts ...string) string {
	var kept []string
	for _, p := range parts {
		p = strings.Join(strings.Fields(p), " ")
		if p != "" && (len(kept) == 0 || kept[len(kept)-1] != p) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}

// The figures of a secure code: more than others have, and no more than the largest QR code holds.
const leastFigures, mostFigures = 300, 7089

// mostUnpacked is how much of a secure code is unpacked: its fields come first, and a hostile one costs no more.
const mostUnpacked = 4096

// aadhaarSecure reads the code of the cards since 2018: one number that holds compressed fields, a photograph and a
// signature. The fields are parted by the byte 255: whether mail and telephone are known, the
// reference, the name, birth, sex, and the parts of the address. Later ones put their version before. Source: UIDAI,
// secure QR code specification, 2019.
func aadhaarSecure(code string) []Coded {
	if len(code) < leastFigures || len(code) > mostFigures || strings.Trim(code, "0123456789") != "" {
		return nil
	}
	number, ok := new(big.Int).SetString(code, 10)
	if !ok {
		return nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(number.Bytes()))
	if err != nil {
		return nil
	}
	plain, err := io.ReadAll(io.LimitReader(packed, mostUnpacked))
	if err != nil {
		return nil
	}
	fields := strings.Split(latin1(plain), "ÿ")
	if len(fields) > 1 && strings.HasPrefix(fields[0], "V") {
		fields = fields[1:]
	}
	if len(fields) < 16 || len(fields[0]) != 1 || !aadhaarReference.MatchString(fields[1]) {
		return nil
	}
	f := fields[5:] // care of, district, landmark, house, location, PIN, post office, state, street, subdistrict, town
	return elements(CodedKind, CodedAadhaar, CodedName, fields[2], CodedBirth, fields[3], CodedSex, fields[4],
		CodedAddress, joined(f[3], f[8], f[2], f[4], f[10], f[6], f[9], f[1], f[7], f[5]))
}

var aadhaarReference = lazyregexp.New(`^\d{18,21}$`)

// latin1 are bytes of ISO 8859-1 as text.
func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// swissPayment reads the code of a Swiss payment part, a value a line: its type, its version, how it is coded, the
// account, the payee's address of seven lines, seven that are empty, the amount and the currency. Source: SIX, Swiss
// implementation guidelines for the QR-bill 2.3, section 4.
func swissPayment(code string) []Coded {
	lines := linesOfCode(code)
	if len(lines) < 30 || lines[0] != "SPC" || !strings.HasPrefix(lines[1], "02") {
		return nil
	}
	return elements(CodedPayee, lines[5], CodedAmount, lines[18], CodedCurrency, lines[19])
}

// euroPayment reads the code of a credit transfer in euros, a value a line. Source: European Payments Council, EPC069.
func euroPayment(code string) []Coded {
	lines := linesOfCode(code)
	if len(lines) < 7 || lines[0] != "BCD" || lines[3] != "SCT" {
		return nil
	}
	amount := ""
	if len(lines) > 7 {
		amount = strings.TrimPrefix(lines[7], "EUR")
	}
	return elements(CodedPayee, lines[5], CodedAmount, amount, CodedCurrency, "EUR")
}

func linesOfCode(code string) []string {
	return strings.Split(strings.ReplaceAll(code, "\r", ""), "\n")
}
