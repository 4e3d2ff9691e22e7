package dossier

// ReadingMode says what a language model may do beside the rules (second-reader.md).
type ReadingMode string

// Modes of the second reader.
const (
	ReadingOff   ReadingMode = "off"
	ReadingFill  ReadingMode = "fill"  // it is asked for what the rules left open
	ReadingCheck ReadingMode = "check" // and again for what verdicts and spreads rest on
)

// Valid reports whether m is a mode; an empty one is off.
func (m ReadingMode) Valid() bool {
	return m == "" || m == ReadingOff || m == ReadingFill || m == ReadingCheck
}

// On reports whether a model is asked at all.
func (m ReadingMode) On() bool { return m == ReadingFill || m == ReadingCheck }

// ReadingSettings are a workspace's for the second reader. What is empty has its default.
type ReadingSettings struct {
	Model             ReadingMode
	Images            bool // pages that are pictures are shown as such, blacked out where numbers of people stand
	TokensPerDocument int
	TokensPerDay      int
}

// Defaults of ReadingSettings.
const (
	DefaultTokensPerDocument = 20_000
	DefaultTokensPerDay      = 2_000_000
)

// OrDefault has the default wherever r names none.
func (r ReadingSettings) OrDefault() ReadingSettings {
	if r.Model == "" {
		r.Model = ReadingOff
	}
	if r.TokensPerDocument == 0 {
		r.TokensPerDocument = DefaultTokensPerDocument
	}
	if r.TokensPerDay == 0 {
		r.TokensPerDay = DefaultTokensPerDay
	}
	return r
}

func (r ReadingSettings) check(f *configFaults) {
	f.require(r.Model.Valid(), "/reading/model", "invalid", "reading.model must be off, fill or check")
	f.require(r.TokensPerDocument >= 0, "/reading/tokensPerDocument", "invalid",
		"reading.tokensPerDocument must be positive")
	f.require(r.TokensPerDay >= 0, "/reading/tokensPerDay", "invalid", "reading.tokensPerDay must be positive")
}
