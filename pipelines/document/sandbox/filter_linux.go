package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deniedSyscalls answer EPERM: sockets (no network of any kind), other processes, and the kernel's larger doors.
var deniedSyscalls = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_BPF,
	unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL, unix.SYS_ACCT,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_SYSLOG, unix.SYS_PERSONALITY,
	unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_SWAPON,
	unix.SYS_SWAPOFF, unix.SYS_REBOOT,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SETSID,
	unix.SYS_SETPGID,
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_EXECVEAT, // programs that are no files
}

// signalSyscalls are denied too where landlock does not keep signals inside (before its sixth version).
var signalSyscalls = []uint32{unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_PIDFD_SEND_SIGNAL}

// landlockSignals is the version of landlock that keeps signals inside.
const landlockSignals = 6

// Instructions of a filter. What is loaded is a word of struct seccomp_data.
const (
	bpfLoad   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	bpfEqual  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	bpfAtMost = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	bpfBits   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	bpfReturn = unix.BPF_RET | unix.BPF_K

	dataNumber, dataArch, dataArguments = 0, 4, 16
)

// newNamespaces are the flags of clone that make one. They stand in the lower half of its first argument.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

func deny(number unix.Errno) unix.SockFilter {
	return unix.SockFilter{Code: bpfReturn, K: unix.SECCOMP_RET_ERRNO | uint32(number)}
}

var allow = unix.SockFilter{Code: bpfReturn, K: unix.SECCOMP_RET_ALLOW}

// call applies what follows to one call, and leaves others as they are: each part ends by itself.
func call(number uint32, then ...unix.SockFilter) []unix.SockFilter {
	return append([]unix.SockFilter{{Code: bpfEqual, K: number, Jf: uint8(len(then))}}, then...)
}

func argument(n int) unix.SockFilter {
	return unix.SockFilter{Code: bpfLoad, K: uint32(dataArguments + 8*n)}
}

// only allows a call whose argument is one of the values.
func only(n int, values ...uint32) []unix.SockFilter {
	filter := []unix.SockFilter{argument(n)}
	for i, value := range values {
		filter = append(filter, unix.SockFilter{Code: bpfEqual, K: value, Jt: uint8(len(values) - i)})
	}
	return append(filter, deny(unix.EPERM), allow)
}

// filterFor is the filter of a parser process. abi is landlock's version.
func filterFor(arch uint32, abi int, self uint32) []unix.SockFilter {
	filter := []unix.SockFilter{
		{Code: bpfLoad, K: dataArch},
		{Code: bpfEqual, K: arch, Jt: 1},
		deny(unix.EPERM), // another architecture's numbering
		{Code: bpfLoad, K: dataNumber},
	}
	if arch == unix.AUDIT_ARCH_X86_64 { // x32 numbers begin here
		filter = append(filter, unix.SockFilter{Code: bpfAtMost, K: 0x40000000, Jf: 1}, deny(unix.EPERM))
	}
	for _, number := range deniedSyscalls {
		filter = append(filter, call(number, deny(unix.EPERM))...)
	}
	// Its flags lie in memory, where a filter does not look. Who hears that it is not there calls clone.
	filter = append(filter, call(unix.SYS_CLONE3, deny(unix.ENOSYS))...)
	filter = append(filter, call(unix.SYS_CLONE, argument(0), unix.SockFilter{Code: bpfBits, K: newNamespaces, Jf: 1},
		deny(unix.EPERM), allow)...)
	filter = append(filter, call(unix.SYS_PRLIMIT64, only(0, 0, self)...)...) // limits of its own
	if abi < landlockSignals {
		for _, number := range signalSyscalls {
			filter = append(filter, call(number, deny(unix.EPERM))...)
		}
		filter = append(filter, call(unix.SYS_KILL, only(0, self)...)...)
		// What it starts may signal its own threads too, with what Go preempts them by and everybody else ignores.
		own := append([]unix.SockFilter{argument(0), {Code: bpfEqual, K: self, Jf: 1}, allow},
			only(2, uint32(unix.SIGURG))...)
		filter = append(filter, call(unix.SYS_TGKILL, own...)...)
	}
	return append(filter, allow)
}

var archs = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// errNoFilter: the kernel, or what runs in front of it, filters no calls.
var errNoFilter = errors.New("seccomp filters are not to be had (a kernel with CONFIG_SECCOMP_FILTER, on amd64 or " +
	"arm64, has them)")

// denySyscalls installs the filter on every thread of the process.
func denySyscalls() error {
	arch := archs[runtime.GOARCH]
	if arch == 0 {
		return errNoFilter
	}
	filter := filterFor(arch, landlockVersion(), uint32(os.Getpid()))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	unbound, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	switch {
	case errno == unix.ENOSYS, errno == unix.EINVAL:
		return errNoFilter
	case errno != 0:
		return errno
	case unbound != 0:
		return fmt.Errorf("thread %d cannot be bound", unbound)
	}
	return nil
}

// hasFilters asks the kernel without installing one.
func hasFilters() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0 && archs[runtime.GOARCH] != 0
}
