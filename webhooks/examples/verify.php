<?php
// Verify a delivery in PHP. Only what PHP brings along.
//
//   WEBHOOK_SECRET=whsec_... php verify.php <webhook-id> <webhook-timestamp> <webhook-signature> < body

// $body is the string exactly as received (file_get_contents('php://input')): decode the JSON only afterwards.
function verify(string $secret, string $id, string $timestamp, string $signatures, string $body): void
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        throw new RuntimeException('too old or too new');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $want = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $got) { // several while secrets are exchanged
        if (hash_equals($want, $got)) {
            return;
        }
    }
    throw new RuntimeException('no signature matches');
}

try {
    verify(getenv('WEBHOOK_SECRET'), $argv[1], $argv[2], $argv[3], stream_get_contents(STDIN));
    echo "genuine\n";
} catch (RuntimeException $e) {
    echo "refused: {$e->getMessage()}\n";
    exit(1);
}
