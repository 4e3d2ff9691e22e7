package watch_test

import (
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

// A worker was moved to a kernel that has no landlock.
func TestFault_no_landlock(t *testing.T) {
	if sandbox.Missing() != nil {
		t.Skip("this kernel has none already")
	}
	h := newHouse(t)
	before, after := h.open("v1"), h.open("v1")
	if _, err := workers.New(before.Services, before.cfg); err != nil {
		t.Fatal(err)
	}
	h.look(before)
	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its filter
		err := withoutLandlock()
		if err == nil {
			_, err = workers.New(after.Services, after.cfg)
		}
		ended <- err
	}()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	h.look(after)
	h.told("kernel without walls")
}

// withoutLandlock has this thread's kernel not know landlock any more.
func withoutLandlock() error {
	const number, unknown = 0, unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_LANDLOCK_CREATE_RULESET, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unknown},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}
