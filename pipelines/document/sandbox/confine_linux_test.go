package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// A parser's file restrictions are taken on a thread of this process: it must be none that goes on, and not the first.
func TestOnOwnThread(t *testing.T) {
	for range 20 {
		ended := make(chan int, 1)
		go onOwnThread(func() { ended <- syscall.Gettid() })
		thread := <-ended
		if thread == os.Getpid() {
			t.Fatal("it was the first thread")
		}
		for { // until the thread is gone
			if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", thread)); err != nil {
				break
			}
			runtime.Gosched()
		}
	}
}

// One that was not started by a Reader has no file restrictions, and reads nothing.
func TestChildMain_unconfined(t *testing.T) {
	program, err := ownProgram()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Args = []string{childName, `{"mode":"read"}`}
	cmd.Stdin = strings.NewReader("date,amount\n")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "by a Reader only") {
		t.Errorf("%v: %s", err, out)
	}
}
