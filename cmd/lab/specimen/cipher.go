package specimen

import (
	"crypto/aes"
	stdcipher "crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
)

// cipher encrypts a PDF by the standard security handler: RC4-128 (revision 3) or AES-256 (revision 6).
// Source: ISO 32000-2, 7.6. Salts come from the seed, so the same seed gives the same file.
type cipher struct {
	key    []byte
	aes256 bool
	id     []byte // first file identifier
	dict   string // the encryption dictionary
	dice   dice
}

// seal encrypts the bytes of one string or stream of object n.
func (c *cipher) seal(n int, data []byte) []byte {
	if c.aes256 {
		return c.sealAES(data)
	}
	salted := append(append([]byte{}, c.key...), byte(n), byte(n>>8), byte(n>>16), 0, 0)
	sum := md5.Sum(salted)
	out := make([]byte, len(data))
	stream, _ := rc4.NewCipher(sum[:]) // 16 bytes are a valid key
	stream.XORKeyStream(out, data)
	return out
}

func (c *cipher) sealAES(data []byte) []byte {
	pad := aes.BlockSize - len(data)%aes.BlockSize
	plain := append([]byte{}, data...)
	for range pad {
		plain = append(plain, byte(pad))
	}
	iv := c.dice.bytes(aes.BlockSize)
	return append(iv, cbc(c.key, iv, plain)...)
}

// trailer adds the encryption dictionary and returns the trailer entries. A nil cipher has none.
func (c *cipher) trailer(f *pdfFile) string {
	if c == nil {
		return ""
	}
	f.objects = append(f.objects, c.dict) // the one object that is never encrypted
	return fmt.Sprintf(" /Encrypt %d 0 R /ID [<%X> <%X>]", len(f.objects), c.id, c.id)
}

// padding fills short passwords (ISO 32000-2, 7.6.4.3.2).
var padding = []byte("\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A")

const permissions = int32(-3904) // printing and copying refused

// newRC4 makes the 128-bit handler of revision 3.
func newRC4(d dice, user, owner string) *cipher {
	id := d.bytes(16)
	o := rc4Rounds(hashRounds(padded(owner)), padded(user))
	seed := append(padded(user), o...)
	seed = binary.LittleEndian.AppendUint32(seed, uint32(permissions&0x7fffffff)|1<<31)
	key := hashRounds(append(seed, id...))
	sum := md5.Sum(append(append([]byte{}, padding...), id...))
	u := append(rc4Rounds(key, sum[:]), make([]byte, 16)...)
	dict := fmt.Sprintf("<</Filter /Standard /V 2 /R 3 /Length 128 /P %d /O <%X> /U <%X>>>", permissions, o, u)
	return &cipher{key: key, id: id, dict: dict, dice: d}
}

func padded(password string) []byte { return append([]byte(password), padding...)[:32] }

// hashRounds is MD5 of data and fifty times again.
func hashRounds(data []byte) []byte {
	sum := md5.Sum(data)
	for range 50 {
		sum = md5.Sum(sum[:])
	}
	return sum[:]
}

// rc4Rounds encrypts data with key and then with key xor 1 to 19.
func rc4Rounds(key, data []byte) []byte {
	out := append([]byte{}, data...)
	for i := range 20 {
		k := make([]byte, len(key))
		for j := range key {
			k[j] = key[j] ^ byte(i)
		}
		stream, _ := rc4.NewCipher(k)
		stream.XORKeyStream(out, out)
	}
	return out
}

// newAES256 makes the AES-256 handler of revision 6.
func newAES256(d dice, user, owner string) *cipher {
	key, id := d.bytes(32), d.bytes(16)
	uv, uk, ov, ok := d.bytes(8), d.bytes(8), d.bytes(8), d.bytes(8)
	u := append(hash2B(user, uv, nil), append(append([]byte{}, uv...), uk...)...)
	ue := cbc(hash2B(user, uk, nil), make([]byte, 16), key)
	o := append(hash2B(owner, ov, u), append(append([]byte{}, ov...), ok...)...)
	oe := cbc(hash2B(owner, ok, u), make([]byte, 16), key)
	perms := binary.LittleEndian.AppendUint32(nil, uint32(permissions&0x7fffffff)|1<<31)
	perms = append(perms, 0xff, 0xff, 0xff, 0xff, 'T', 'a', 'd', 'b', 'd', 's', 'r', '1')
	block, _ := aes.NewCipher(key)
	block.Encrypt(perms, perms)
	dict := fmt.Sprintf("<</Filter /Standard /V 5 /R 6 /Length 256 /P %d /O <%X> /U <%X> /OE <%X> /UE <%X> /Perms <%X>"+
		" /CF <</StdCF <</CFM /AESV3 /AuthEvent /DocOpen /Length 32>>>> /StmF /StdCF /StrF /StdCF>>",
		permissions, o, u, oe, ue, perms)
	return &cipher{key: key, aes256: true, id: id, dict: dict, dice: d}
}

// hash2B is algorithm 2.B of ISO 32000-2, 7.6.4.3.4.
func hash2B(password string, salt, user []byte) []byte {
	first := sha256.Sum256(append(append([]byte(password), salt...), user...))
	k := first[:]
	for round := 0; ; round++ {
		var block []byte
		for range 64 {
			block = append(append(append(block, password...), k...), user...)
		}
		e := cbc(k[:16], k[16:32], block)
		k = sumByRemainder(e)
		if round >= 63 && int(e[len(e)-1]) <= round-32 {
			return k[:32]
		}
	}
}

func sumByRemainder(e []byte) []byte {
	rest := 0
	for _, b := range e[:16] {
		rest += int(b)
	}
	switch rest % 3 {
	case 0:
		s := sha256.Sum256(e)
		return s[:]
	case 1:
		s := sha512.Sum384(e)
		return s[:]
	}
	s := sha512.Sum512(e)
	return s[:]
}

// cbc encrypts whole blocks without padding.
func cbc(key, iv, data []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // keys here are 16 or 32 bytes
	}
	out := make([]byte, len(data))
	stdcipher.NewCBCEncrypter(block, iv).CryptBlocks(out, data)
	return out
}
