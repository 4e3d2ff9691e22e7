package postgres

import (
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dossierhq/dossier"
)

// registerIDs makes a connection encode id strings as uuids. Otherwise pgx tries to encode each as a uuid, fails,
// formats an error and then sends text, which is a notable part of a short statement's cost.
func registerIDs(conn *pgx.Conn) {
	id := &pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: idCodec{}}
	conn.TypeMap().RegisterType(id)
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "_uuid", OID: pgtype.UUIDArrayOID,
		Codec: &pgtype.ArrayCodec{ElementType: id}})
}

// idCodec is a uuid codec that takes canonical strings.
type idCodec struct{ pgtype.UUIDCodec }

// PlanEncode implements pgtype.Codec.
func (c idCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(string); ok && format == pgtype.BinaryFormatCode {
		return idPlan{}
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

type idPlan struct{}

// Encode implements pgtype.EncodePlan. Of anything but an id the server says what is wrong with it: pgx sends it as
// text.
func (idPlan) Encode(value any, buf []byte) ([]byte, error) {
	s, _ := value.(string)
	if !dossier.ValidID(s) {
		return nil, fmt.Errorf("not a canonical uuid")
	}
	var digits [32]byte
	n := copy(digits[:], s[:8])
	n += copy(digits[n:], s[9:13])
	n += copy(digits[n:], s[14:18])
	n += copy(digits[n:], s[19:23])
	copy(digits[n:], s[24:])
	return hex.AppendDecode(buf, digits[:])
}
