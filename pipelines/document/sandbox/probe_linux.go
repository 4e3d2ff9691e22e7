package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// probeSystem tries the doors to the process that started this one, where the secrets are, and to the kernel.
func probeSystem(reached map[string]bool) {
	parent := os.Getppid()
	for what, path := range map[string]string{
		"read the environment of the worker": fmt.Sprintf("/proc/%d/environ", parent),
		"read the memory of the worker":      fmt.Sprintf("/proc/%d/mem", parent),
	} {
		file, err := os.Open(path)
		if err == nil {
			_ = file.Close()
		}
		reached[what] = err == nil
	}
	own := uintptr(os.Getpid())
	empty := uintptr(unsafe.Pointer(new([16]byte))) // an empty string, and a structure of zeros
	// A call that fails for its arguments was let through.
	for what, c := range map[string][4]uintptr{
		"hold another process":                {unix.SYS_PIDFD_OPEN, own, 0},
		"take file descriptors of others":     {unix.SYS_PIDFD_GETFD, ^uintptr(0), 0, 0},
		"signal the worker":                   {unix.SYS_KILL, uintptr(parent), 0},
		"signal a thread of the worker":       {unix.SYS_TGKILL, uintptr(parent), uintptr(parent), 0},
		"change limits of the worker":         {unix.SYS_PRLIMIT64, uintptr(parent), unix.RLIMIT_CPU, 0},
		"make a file system":                  {unix.SYS_FSOPEN, empty, 0},
		"move a file system":                  {unix.SYS_MOVE_MOUNT, ^uintptr(0), empty, ^uintptr(0)},
		"leave its namespaces":                {unix.SYS_UNSHARE, 0},
		"run a program that is no file":       {unix.SYS_MEMFD_CREATE, empty, 0},
		"run what a file descriptor leads to": {unix.SYS_EXECVEAT, ^uintptr(0), empty, 0},
		"trace a process":                     {unix.SYS_PTRACE, ^uintptr(0), 0, 0},
		"hand programs to the kernel":         {unix.SYS_BPF, ^uintptr(0), 0, 0},
		"use the kernel's rings":              {unix.SYS_IO_URING_SETUP, 0, 0},
		"use the kernel's keys":               {unix.SYS_KEYCTL, ^uintptr(0), 0, 0},
		"start processes past the filter":     {unix.SYS_CLONE3, 0, 0},
	} {
		_, _, errno := unix.RawSyscall6(c[0], c[1], c[2], c[3], 0, 0, 0)
		reached[what] = errno != unix.EPERM && errno != unix.ENOSYS
	}
	child := exec.CommandContext(context.Background(), "/proc/self/exe")
	child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	err := child.Start()
	if err == nil {
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	reached["start a process in namespaces of its own"] = err == nil
}
