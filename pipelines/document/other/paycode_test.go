package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

const (
	swissCode = "SPC\r\n0200\r\n1\r\nCH4431999123000889012\r\nS\r\nMusterwerke Strom AG\r\nSeestrasse\r\n1268\r\n2501\r\nBiel\r\nCH\r\n" +
		"\r\n\r\n\r\n\r\n\r\n\r\n\r\n149.75\r\nCHF\r\nS\r\nPia Rutschmann\r\nMarktgasse\r\n28\r\n9400\r\nRorschach\r\nCH\r\nNON\r\n\r\n\r\nEPD"
	euroCode = "BCD\n002\n1\nSCT\nBPOTBEB1\nMusterwerke Strom AG\nBE72000000001616\nEUR149.75\n\n\nKd 4711"
)

// What a payment code says of an invoice outranks its print; who is paid is its sender, never the customer.
func TestPaymentCode(t *testing.T) {
	for name, c := range map[string]struct {
		codes []string
		want  map[string]any
	}{
		"Swiss":    {[]string{swissCode}, map[string]any{"amountDue": "149.75", "issuer": "Musterwerke Strom AG"}},
		"euro":     {[]string{euroCode}, map[string]any{"amountDue": "149.75", "issuer": "Musterwerke Strom AG"}},
		"an offer": {[]string{"WIFI:S:guest;T:WPA;P:secret;;"}, map[string]any{"amountDue": "140.00", "issuer": nil}},
		"in parts": {[]string{euroCode, "BCD\n002\n1\nSCT\n\nMusterwerke Strom AG\nBE72000000001616\nEUR50.00\n\n\n"},
			map[string]any{"amountDue": "140.00", "issuer": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			p := documenttest.Page("Invoice", "Invoice No.: AF-2291", "Invoice Date: 04/02/2024", "Bill To", "Description|Qty|Amount",
				"Power|1|140.00", "Amount Due||140.00")
			for _, code := range c.codes {
				for _, e := range text.CodeElements(code) {
					e.Page, e.X0, e.Y0, e.X1, e.Y1, e.Confidence, e.Method = 1, 20, 300, 120, 400, 1, text.MethodBarcode
					p.Codes = append(p.Codes, e)
				}
			}
			doc := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0]
			if doc.DocType != dossier.DocInvoice {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, doc.Facts.Other, c.want)
		})
	}
}
