package web

import (
	"crypto/rand"
	"encoding/base64"
	"html/template"
	"math"
	"net/url"
	"regexp"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// PageHeaders keeps a page that a token or a session opens out of caches, frames, referrers and search engines.
func PageHeaders(c *fiber.Ctx) {
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Set("Permissions-Policy", "geolocation=(), microphone=(), payment=()")
}

// linearLight undoes a color channel's gamma (WCAG 2.2, relative luminance).
func linearLight(channel float64) float64 {
	if channel <= 0.04045 {
		return channel / 12.92
	}
	return math.Pow((channel+0.055)/1.055, 2.4)
}

// Nonce is new for every page: its policy names it.
func Nonce() (string, error) {
	var nonce [16]byte
	_, err := rand.Read(nonce[:])
	return base64.RawStdEncoding.EncodeToString(nonce[:]), err
}

const defaultColor = "#1f4b99"

var colorShape = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// BrandColors are the workspace's color and the one of black and white that reads better on it.
func BrandColors(color string) (brand, on template.CSS) {
	if !colorShape.MatchString(color) {
		color = defaultColor
	}
	n, _ := strconv.ParseUint(color[1:], 16, 32)
	luminance := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		luminance += weight * linearLight(float64(n>>(16-8*i)&0xff)/255)
	}
	// Above this luminance black has the higher contrast ratio (WCAG 2.2, contrast ratio); both then exceed 4.5.
	if luminance > 0.179 {
		return template.CSS(color), "#000"
	}
	return template.CSS(color), "#fff"
}

// FormLimit bounds a form of a page: the longest text, each of its characters written as up to 12 bytes.
const FormLimit = 128 << 10

// ReadForm reads what a form of a page sends, files apart. Errors: Unsupported, TooLarge, Invalid.
func ReadForm(c *fiber.Ctx) (url.Values, error) {
	if kind := MediaType(c.Get(fiber.HeaderContentType)); kind != fiber.MIMEApplicationForm {
		return nil, dossier.Errorf(dossier.Unsupported, "This form is sent as %s", fiber.MIMEApplicationForm)
	}
	body, err := ReadBody(c, FormLimit)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, dossier.Coded(dossier.Invalid, "validation_failed", "The form could not be read")
	}
	return form, nil
}
