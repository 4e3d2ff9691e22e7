package setup

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// seal keeps other processes of this user out of this one's memory and open files: no core dump, no debugger, and what
// /proc shows of it is root's. Programs that it starts are as usual.
func seal() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// Fields of /proc/self/stat (proc(5)), counted behind the program's name.
const envStart, envEnd = 50 - 3, 51 - 3

// wipe overwrites the environment as the kernel shows it in /proc/self/environ: unsetting a variable does not reach
// there. Where that is not allowed it stays, and sealed.
func wipe() {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= envEnd {
		return
	}
	start, err := strconv.ParseInt(string(fields[envStart]), 10, 64)
	if err != nil {
		return
	}
	end, err := strconv.ParseInt(string(fields[envEnd]), 10, 64)
	if err != nil || start == 0 || end <= start || end-start > 4<<20 {
		return
	}
	memory, err := os.OpenFile("/proc/self/mem", os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer func() { _ = memory.Close() }()
	_, _ = memory.WriteAt(make([]byte, end-start), start)
}
