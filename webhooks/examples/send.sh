#!/bin/sh
# Send a signed delivery to your own receiver with curl and openssl, to try it out.
#
#   WEBHOOK_SECRET=whsec_... sh send.sh https://your.receiver.example/hooks < body
set -eu
body=$(mktemp)
trap 'rm -f "$body"' EXIT
cat > "$body"
id=test_$(date +%s)
timestamp=$(date +%s)
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=$({ printf '%s.%s.' "$id" "$timestamp"; cat "$body"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
curl -sS -o /dev/null -w '%{http_code}\n' -H 'Content-Type: application/json' \
  -H "webhook-id: $id" -H "webhook-timestamp: $timestamp" -H "webhook-signature: v1,$signature" --data-binary "@$body" "$1"
