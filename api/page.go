package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// paging is embedded in the query of lists in an envelope: {success, <plural>, nextToken}.
type paging struct {
	Limit *int   `query:"limit" check:"min=1,max=200"`
	Token string `query:"token" check:"max=500"`
}

// arrayPaging is embedded in the query of lists that api.md shows as bare arrays.
type arrayPaging struct {
	Limit *int   `query:"limit" check:"min=1,max=500"`
	Token string `query:"token" check:"max=500"`
}

func (p paging) page(c *fiber.Ctx) (dossier.Page, error) { return pageOf(c, p.Limit, 50, p.Token) }
func (p arrayPaging) page(c *fiber.Ctx) (dossier.Page, error) {
	return pageOf(c, p.Limit, 500, p.Token)
}

func pageOf(c *fiber.Ctx, limit *int, usual int, token string) (dossier.Page, error) {
	page := dossier.Page{Limit: usual}
	if limit != nil {
		page.Limit = *limit
	}
	if token == "" {
		return page, nil
	}
	after, err := readToken(token, listOf(c))
	page.After = after
	return page, err
}

// listOf names the list a token belongs to: workspace, live or test, address and filters, in any order of the query.
func listOf(c *fiber.Ctx) string {
	filters := url.Values{}
	for key, value := range c.Request().URI().QueryArgs().All() {
		if name := string(key); name != "token" && name != "limit" {
			filters.Add(name, string(value))
		}
	}
	for _, values := range filters {
		slices.Sort(values)
	}
	return string(workspace(c)) + "\n" + strconv.FormatBool(callerOf(c).key.IsTest) + "\n" + c.Path() + "\n" +
		filters.Encode()
}

// A token is base64url of: microseconds (8 bytes), id, and the first 12 bytes of a SHA-256 over these and the list.
// The hash is there to refuse damage and mix-ups. It is no secret: a forged token could only name another place
// in a list that the caller may read anyway.
func writeToken(at dossier.Cursor, list string) string {
	payload := binary.BigEndian.AppendUint64(nil, uint64(at.At.UnixMicro()))
	payload = append(payload, at.ID...)
	return base64.RawURLEncoding.EncodeToString(append(payload, tokenSum(payload, list)...))
}

func readToken(token, list string) (*dossier.Cursor, error) {
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(data) < 8+12 {
		return nil, badToken()
	}
	payload, sum := data[:len(data)-12], data[len(data)-12:]
	if string(sum) != string(tokenSum(payload, list)) {
		return nil, badToken()
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(payload))).UTC()
	if year := at.Year(); year < 1970 || year > 9999 || !dossier.ValidID(string(payload[8:])) {
		return nil, badToken() // forged: the hash is no secret
	}
	return &dossier.Cursor{At: at, ID: string(payload[8:])}, nil
}

func tokenSum(payload []byte, list string) []byte {
	sum := sha256.Sum256(append([]byte(list+"\n"), payload...))
	return sum[:12]
}

func badToken() error {
	return &dossier.Error{Kind: dossier.Invalid, Code: "invalid_token",
		Message: "The token is damaged or belongs to another list; start again without it",
		Faults: []dossier.Fault{{Parameter: "token", Code: "invalid_token",
			Detail: "token is damaged or belongs to another list"}}}
}

// pageEnd cuts the extra row off and returns the token of the next page, or nil. cursor gives a row's place.
func pageEnd[T any](c *fiber.Ctx, page dossier.Page, rows []T, cursor func(T) dossier.Cursor) ([]T, *string) {
	if len(rows) <= page.Limit {
		return rows, nil
	}
	rows = rows[:page.Limit]
	token := writeToken(cursor(rows[len(rows)-1]), listOf(c))
	return rows, &token
}

// linkNext puts the next page of a bare array into the headers (RFC 8288).
func (s *Server) linkNext(c *fiber.Ctx, token *string) {
	if token == nil {
		return
	}
	var next url.Values = url.Values{}
	for key, value := range c.Request().URI().QueryArgs().All() {
		if string(key) != "token" {
			next.Add(string(key), string(value))
		}
	}
	next.Set("token", *token)
	c.Set(fiber.HeaderLink, "<"+s.door.PublicURL(c)+c.Path()+"?"+next.Encode()+`>; rel="next"`)
	c.Set("X-Next-Token", *token)
}
