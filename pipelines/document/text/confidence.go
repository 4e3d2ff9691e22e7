package text

import "slices"

func MeanConfidence(tokens []Token) float64 {
	if len(tokens) == 0 {
		return 0
	}
	sum := 0.0
	for _, t := range tokens {
		sum += t.Confidence
	}
	return sum / float64(len(tokens))
}

// Surely is the OCR confidence from which a figure is a fact of its own; below it the account must foot.
const Surely = 0.6

func SurelyRead(tokens []Token) bool {
	return !slices.ContainsFunc(tokens, func(t Token) bool { return t.Confidence < Surely })
}

// SurelyPrinted is the OCR confidence from which a figure of a statement is a fact although the sum it stands in
// does not come out.
const SurelyPrinted = 0.9
