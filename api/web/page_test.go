package web

import (
	"fmt"
	"html/template"
	"testing"
)

// Whatever color a workspace chooses, the words on it can be read.
func TestBrandColors(t *testing.T) {
	t.Parallel()
	for color, want := range map[string]string{"#000000": "#fff", "#ffffff": "#000", "#0b5fff": "#fff", "#ffcc00": "#000", "#777777": "#000", "red;x": "#fff"} {
		if _, on := BrandColors(color); string(on) != want {
			t.Errorf("on %s: %s", color, on)
		}
	}
	if brand, _ := BrandColors("red;x"); brand != defaultColor {
		t.Errorf("a color that is none: %s", brand)
	}
	light := func(color string) float64 { // relative luminance and contrast ratio as WCAG 2.2 defines them
		var r, g, b uint8
		_, _ = fmt.Sscanf(color, "#%02x%02x%02x", &r, &g, &b)
		return 0.2126*linearLight(float64(r)/255) + 0.7152*linearLight(float64(g)/255) + 0.0722*linearLight(float64(b)/255)
	}
	for i := range 16 * 16 * 16 {
		color := fmt.Sprintf("#%02x%02x%02x", i>>8*17, i>>4&15*17, i&15*17)
		brand, on := BrandColors(color)
		ground, words := light(string(brand)), map[template.CSS]float64{"#000": 0, "#fff": 1}[on]
		if contrast := (max(ground, words) + 0.05) / (min(ground, words) + 0.05); contrast < 4.5 || string(brand) != color {
			t.Errorf("%s on %s: contrast %.2f", on, brand, contrast)
		}
	}
}
