package dossier

// Mode says of which leads something tells.
type Mode string

// Modes.
const (
	ModeLive Mode = "live" // of none that is a test
	ModeTest Mode = "test" // of test leads, and what test keys make, only
	ModeAll  Mode = "all"
)

// Valid reports whether m is one of the three.
func (m Mode) Valid() bool { return m == ModeLive || m == ModeTest || m == ModeAll }

// Tells reports whether this mode tells of test leads, or of the others.
func (m Mode) Tells(test bool) bool {
	return m != ModeLive && test || m != ModeTest && !test
}
