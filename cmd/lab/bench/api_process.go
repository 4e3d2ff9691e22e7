package bench

import (
	"context"
	"encoding/json"
	"io"

	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
)

// APIName is the measurement under which this program is started again as an API of its own: its processor time is then
// told apart from that of who calls it.
const APIName = "api"

// apiProcess is a started API.
type apiProcess struct {
	*process
	reached apiAddress
}

// apiAddress is where an API process is reached.
type apiAddress struct{ URL, Key string }

// APIProcess runs as that process. It reads its configuration from in, writes its address and a key, and ends with ctx
// or when in is closed.
func APIProcess(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	var c workerConfig
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&c); err != nil {
		return err
	}
	s := &Stack{URL: c.Database}
	defer func() { _ = s.Close() }()
	if err := s.openDB(ctx); err != nil {
		return err
	}
	if s.Redis, err = cache.Open(c.Redis); err != nil {
		return err
	}
	s.closers = append(s.closers, s.Redis.Close)
	if s.Objects, err = objects.Open(*c.Objects); err != nil {
		return err
	}
	if err := s.makeWorkspace(ctx); err != nil {
		return err
	}
	url, key, stop, err := s.startAPI()
	if err != nil {
		return err
	}
	defer stop()
	if err := json.NewEncoder(out).Encode(apiAddress{url, key}); err != nil {
		return err
	}
	var ask any
	_ = decoder.Decode(&ask) // nothing is asked: it waits until whoever started us is gone
	return nil
}

func (s *Stack) startAPIProcess(ctx context.Context, cfg objects.Config) (*apiProcess, error) {
	started, err := startProcess(ctx, workerConfig{Objects: &cfg, Database: s.URL, Redis: s.RedisURL}, APIName)
	if err != nil {
		return nil, err
	}
	p := &apiProcess{process: started}
	return p, started.answers.Decode(&p.reached)
}
