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

// keep stores an answer under KEYS[1] unless its subject was erased; with an empty answer the stored one stays. Either
// way KEYS[2] records that the subject uses this answer, since two documents with the same words share one.
var keep = redis.NewScript(`
if redis.call('EXISTS', KEYS[3]) == 1 then return false end
if ARGV[1] ~= '' then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) end
local answer = redis.call('GET', KEYS[1])
if answer then
	redis.call('SADD', KEYS[2], KEYS[1])
	redis.call('EXPIRE', KEYS[2], ARGV[2])
end
return answer`)

// Answer implements llm.Cache: an answer that was kept by the hash of its question. Without Redis there is none.
func (c *Conn) Answer(ctx context.Context, ws dossier.WorkspaceID, subject, key string) ([]byte, bool) {
	body, err := keep.Run(ctx, c.client, answerKeys(ws, subject, key), "", int(answerTTL.Seconds())).Text()
	return []byte(body), err == nil
}

// KeepAnswer implements llm.Cache. What a document or lead that was erased meanwhile says is not kept.
func (c *Conn) KeepAnswer(ctx context.Context, ws dossier.WorkspaceID, subject, key string, answer []byte) {
	_ = keep.Run(ctx, c.client, answerKeys(ws, subject, key), answer, int(answerTTL.Seconds())).Err() // asked again
}

// answerKeys are an answer, the answers of its subject, and the mark of an erased subject.
func answerKeys(ws dossier.WorkspaceID, subject, key string) []string {
	return []string{fmt.Sprintf("model:answer:%s:%s", ws, key), fmt.Sprintf("model:answers:%s:%s", ws, subject),
		fmt.Sprintf("model:erased:%s:%s", ws, subject)}
}

// DropAnswers forgets what models answered about documents and leads, when they are erased, and lets nothing be kept of
// them any more. Error: Unavailable.
func (c *Conn) DropAnswers(ctx context.Context, ws dossier.WorkspaceID, subjects []string) error {
	for _, subject := range subjects {
		keys := answerKeys(ws, subject, "")
		err := c.client.Set(ctx, keys[2], 1, answerTTL).Err()
		var kept []string
		if err == nil {
			kept, err = c.client.SMembers(ctx, keys[1]).Result()
		}
		if err == nil {
			err = c.client.Del(ctx, append(kept, keys[1])...).Err()
		}
		if err != nil {
			return unavailable("drop answers of models", err)
		}
	}
	return nil
}

// DropAllAnswers forgets what models answered in a workspace that is erased. Error: Unavailable.
func (c *Conn) DropAllAnswers(ctx context.Context, ws dossier.WorkspaceID) error {
	for _, kind := range []string{"answer", "answers"} {
		found := c.client.Scan(ctx, 0, fmt.Sprintf("model:%s:%s:*", kind, ws), 1000).Iterator()
		for found.Next(ctx) {
			if err := c.client.Del(ctx, found.Val()).Err(); err != nil {
				return unavailable("drop all answers of models", err)
			}
		}
		if err := found.Err(); err != nil {
			return unavailable("drop all answers of models", err)
		}
	}
	return nil
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
