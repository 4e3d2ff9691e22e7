package dossier

import "time"

// Cursor is a place in a list ordered by (time, id): the last row a caller has seen. At has the microseconds
// Postgres keeps; the milliseconds of the API would skip rows.
type Cursor struct {
	At time.Time
	ID string
}

// Page asks a store method for the part of a list that follows After (nil: from the start). The method returns up
// to Limit+1 rows: the extra one only says that there is a next page.
type Page struct {
	Limit int
	After *Cursor
}
