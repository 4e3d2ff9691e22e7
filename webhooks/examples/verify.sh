#!/bin/sh
# Verify a delivery with openssl.
#
#   WEBHOOK_SECRET=whsec_... sh verify.sh <webhook-id> <webhook-timestamp> <webhook-signature> < body
set -eu
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
age=$(($(date +%s) - $2))
if [ "${age#-}" -gt 300 ]; then
  echo "refused: too old or too new"
  exit 1
fi
want=v1,$({ printf '%s.%s.' "$1" "$2"; cat; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
for got in $3; do # several while secrets are exchanged
  if [ "$got" = "$want" ]; then
    echo genuine
    exit 0
  fi
done
echo "refused: no signature matches"
exit 1
