package worker

import (
	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
)

// Unserved lists the lanes that no running worker serves, as Redis knows it: all, when none runs.
func Unserved(redis *cache.Conn) ([]jobs.Lane, error) {
	servers, err := asynq.NewInspectorFromRedisClient(redis.Client()).Servers()
	if err != nil {
		return nil, err
	}
	served := map[jobs.Lane]bool{}
	for _, server := range servers {
		for queue := range server.Queues {
			served[jobs.Lane(queue)] = true
		}
	}
	var unserved []jobs.Lane
	for _, lane := range jobs.Lanes {
		if !served[lane] {
			unserved = append(unserved, lane)
		}
	}
	return unserved, nil
}
