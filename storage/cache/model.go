package cache

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
)

// answerTTL is how long a language model's answers are kept. They say what documents say, so it is no longer than
// polls.
const answerTTL = 24 * time.Hour

// Answer implements llm.Cache: an answer that was kept by the hash of its question. Without Redis there is none.
func (c *Conn) Answer(ctx context.Context, key string) ([]byte, bool) {
	body, err := c.client.Get(ctx, "model:answer:"+key).Bytes()
	return body, err == nil
}

// KeepAnswer implements llm.Cache.
func (c *Conn) KeepAnswer(ctx context.Context, key string, answer []byte) {
	_ = c.client.Set(ctx, "model:answer:"+key, answer, answerTTL).Err() // it is asked again
}

// spend adds to a day's count unless that would be more than its limit.
var spend = redis.NewScript(`
local spent = tonumber(redis.call('GET', KEYS[1]) or '0')
if spent + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return 0 end
redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], 172800)
return 1`)

// SpendTokens takes tokens out of a workspace's budget of a day for language models, and reports whether there were so
// many. Error: Unavailable; then nothing may be spent.
func (c *Conn) SpendTokens(ctx context.Context, ws dossier.WorkspaceID, day string, tokens, limit int) (bool, error) {
	got, err := spend.Run(ctx, c.client, []string{tokensKey(ws, day)}, tokens, limit).Int()
	return got == 1 && err == nil, unavailable("spend tokens", err)
}

// ReturnTokens gives back what was taken and not used; a negative number takes what was used beyond it.
func (c *Conn) ReturnTokens(ctx context.Context, ws dossier.WorkspaceID, day string, tokens int) error {
	return unavailable("return tokens", c.client.DecrBy(ctx, tokensKey(ws, day), int64(tokens)).Err())
}

func tokensKey(ws dossier.WorkspaceID, day string) string {
	return fmt.Sprintf("model:tokens:%s:%s", ws, day)
}
