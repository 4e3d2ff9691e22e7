package cache

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Allowance is the answer of a token bucket.
type Allowance struct {
	Allowed   bool
	Remaining int           // whole tokens left
	Reset     time.Duration // until the bucket is full again
	Wait      time.Duration // until the next token, when refused
}

// The bucket is a count and the time it was right at, in Redis' own time: the clocks of API processes differ.
// A refused request takes nothing.
var bucket = redis.NewScript(`
local perMs, burst = tonumber(ARGV[1]) / 60000, tonumber(ARGV[2])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local had = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if had[1] then tokens = math.min(burst, tonumber(had[1]) + math.max(0, now - tonumber(had[2])) * perMs) end
local taken = math.min(1, math.floor(tokens))
tokens = tokens - taken
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / perMs) + 1000)
return {taken, tostring(tokens)}`)

// Allow takes one token from the bucket of key, which fills with perMinute tokens a minute and holds burst.
// perMinute of 0 or less: no limit. Error: Unavailable.
func (c *Conn) Allow(ctx context.Context, key string, perMinute, burst int) (Allowance, error) {
	if perMinute <= 0 {
		return Allowance{Allowed: true}, nil
	}
	burst = max(burst, 1)
	got, err := bucket.Run(ctx, c.client, []string{"limit:" + key}, perMinute, burst).Slice()
	if err != nil {
		return Allowance{}, unavailable("rate limit", err)
	}
	taken, _ := got[0].(int64)
	text, _ := got[1].(string)
	tokens, _ := strconv.ParseFloat(text, 64)
	perSecond := float64(perMinute) / 60
	return Allowance{
		Allowed:   taken > 0,
		Remaining: int(tokens),
		Reset:     seconds((float64(burst) - tokens) / perSecond),
		Wait:      seconds(math.Max(0, 1-tokens) / perSecond),
	}, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
