# Verify a delivery in Ruby. Only the standard library.
#
#   WEBHOOK_SECRET=whsec_... ruby verify.rb <webhook-id> <webhook-timestamp> <webhook-signature> < body
require "openssl"

# body is the string exactly as received: parse the JSON only afterwards.
def verify(secret, id, timestamp, signatures, body)
  raise ArgumentError, "too old or too new" unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  key = secret.delete_prefix("whsec_").unpack1("m")
  want = "v1," + [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + body.b)].pack("m0")
  # several while secrets are exchanged
  return if signatures.split(" ").any? { |got| OpenSSL.secure_compare(got, want) }
  raise ArgumentError, "no signature matches"
end

begin
  verify(ENV.fetch("WEBHOOK_SECRET"), *ARGV.first(3), $stdin.binmode.read)
  puts "genuine"
rescue ArgumentError => e
  puts "refused: #{e.message}"
  exit 1
end
