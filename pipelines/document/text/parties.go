package text

// Party is a name that stands above a postal address: a sender, or who is written to.
type Party struct {
	Name   string
	Tokens []Token
}

// Parties are the names above addresses, in reading order.
func Parties(lines []Line) []Party {
	var found []Party
	for _, b := range addressBlocks(lines) {
		if name, tokens := b.holderName(); name != "" && !b.isBank {
			found = append(found, Party{name, tokens})
		}
	}
	return found
}
