package webhooks

import "embed"

// Examples holds one file per language that shows how a receiver verifies a delivery, and send.sh, which sends one
// signed with curl and openssl. Each runs as it stands; a test runs them.
//
//go:embed examples
var Examples embed.FS
