package specimen

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// cents is money inside this package: whole hundredths, so that every total foots exactly.
type cents int64

// amount is c as a fact: two places.
func (c cents) amount() dossier.Amount { return dossier.Amount{Decimal: decimal.New(int64(c), -2)} }

// dollars is a whole-dollar figure of a form or statement.
func dollars(n int64) dossier.Amount { return dossier.Amount{Decimal: decimal.New(n, 0)} }

// notation is how a document writes amounts.
type notation struct {
	symbol   string // before the figure: "$", "£"
	after    string // after the figure: " €"
	thousand string
	point    string
	negative negative
}

// negative is where the sign stands.
type negative int

const (
	minusFirst  negative = iota // -1,234.56 or -$1,234.56
	minusInside                 // $-1,234.56
	minusLast                   // 1,234.56-
	parens                      // (1,234.56)
	overdrawn                   // 1,234.56-OD on balances
	drcr                        // 1,234.56 DR
	drcrGerman                  // 1.234,56 S and 1.234,56 H
)

var (
	american = notation{thousand: ",", point: "."}
	german   = notation{thousand: ".", point: ","}
	french   = notation{thousand: " ", point: ","}
	swiss    = notation{thousand: "'", point: "."}
)

func (n notation) with(symbol string) notation  { n.symbol = symbol; return n }
func (n notation) sign(s negative) notation     { n.negative = s; return n }
func (n notation) plain() notation              { n.symbol, n.after = "", ""; return n }
func (n notation) ending(after string) notation { n.after = after; return n }

// print writes c in this notation.
func (n notation) print(c cents) string {
	abs := c
	if c < 0 {
		abs = -c
	}
	figure := group(int64(abs)/100, n.thousand) + n.point + fmt.Sprintf("%02d", int64(abs)%100)
	if c >= 0 {
		return n.symbol + figure + n.after + map[negative]string{drcr: " CR", drcrGerman: " H"}[n.negative]
	}
	switch n.negative {
	case minusInside:
		return n.symbol + "-" + figure + n.after
	case minusLast:
		return n.symbol + figure + n.after + "-"
	case parens:
		return "(" + n.symbol + figure + n.after + ")"
	case overdrawn:
		return n.symbol + figure + n.after + "-OD"
	case drcr:
		return n.symbol + figure + n.after + " DR"
	case drcrGerman:
		return n.symbol + figure + n.after + " S"
	}
	return "-" + n.symbol + figure + n.after
}

// group writes n with a separator between thousands.
func group(n int64, separator string) string {
	s := fmt.Sprint(n)
	var parts []string
	for len(s) > 3 {
		parts = append([]string{s[len(s)-3:]}, parts...)
		s = s[:len(s)-3]
	}
	return strings.Join(append([]string{s}, parts...), separator)
}
