# Verify a delivery in Python. Only the standard library.
#
#   WEBHOOK_SECRET=whsec_... python3 verify.py <webhook-id> <webhook-timestamp> <webhook-signature> < body
import base64, hashlib, hmac, os, sys, time


def verify(secret, id, timestamp, signatures, body):
    """body is bytes, exactly as received: parse the JSON only afterwards."""
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    want = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # several while secrets are exchanged
    if not any(hmac.compare_digest(got.encode(), want.encode()) for got in signatures.split()):
        raise ValueError("no signature matches")


if __name__ == "__main__":
    try:
        verify(os.environ["WEBHOOK_SECRET"], *sys.argv[1:4], sys.stdin.buffer.read())
    except ValueError as error:
        sys.exit(print("refused:", error) or 1)
    print("genuine")
