package dossier

import (
	"encoding/json"
	"testing"
	"time"
)

func TestSpread_Regenerate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for status, want := range map[SpreadStatus]Kind{SpreadComplete: -1, SpreadFailed: -1, SpreadInProgress: Conflict} {
		text := "before"
		s := Spread{Status: status, Round: 3, Error: &text}
		err := s.Regenerate(now)
		if want == Conflict {
			if KindOf(err) != Conflict || s.Round != 3 {
				t.Errorf("%s: %v, round %d", status, err, s.Round)
			}
			continue
		}
		if err != nil || s.Status != SpreadInProgress || s.Round != 4 || s.Error != nil || !s.UpdatedAt.Equal(now) {
			t.Errorf("%s: %+v, %v", status, s, err)
		}
	}
}

// A figure is a JSON number with 2 places, and values keep the order of the template.
func TestSpreadValues_JSON(t *testing.T) {
	text := `{"rent":{"label":"Rent","value":1234.50,"kind":"line","computed":false,"memo":false},"cash":{"label":"Cash","value":-0.10,"kind":"line","computed":true,"memo":false}}`
	var values SpreadValues
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(values)
	if err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
}
