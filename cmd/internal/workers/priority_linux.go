package workers

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// workerNice is the niceness of a worker: a tenth of the weight that the programs beside it have.
const workerNice = 10

// GiveWay lowers the priority of this process and of those it will start, unless it is as low already. A mailing of thousands
// or a crowd of documents keeps every processor busy; whoever waits for an answer of the API on the same machine must not
// stand in line with them. On a machine that has workers alone it changes nothing.
func GiveWay() error {
	// Linux keeps the priority of each thread. A new one has that of the thread that makes it: two looks find all, also one
	// that was made during the first.
	for range 2 {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("the worker's priority stays as it is: %w", err)
		}
		for _, thread := range threads {
			id, err := strconv.Atoi(thread.Name())
			if err != nil {
				continue
			}
			if err := lower(id); err != nil && err != syscall.ESRCH { // it has ended
				return fmt.Errorf("the worker's priority stays as it is: %w", err)
			}
		}
	}
	return nil
}

func lower(thread int) error {
	left, err := syscall.Getpriority(syscall.PRIO_PROCESS, thread)
	if err != nil || 20-left >= workerNice { // the system call counts down from 20
		return err
	}
	return syscall.Setpriority(syscall.PRIO_PROCESS, thread, workerNice)
}
