package sandbox

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/dossierhq/dossier/pipelines/document/decode"
)

// startCaged starts a parser process inside what binds a thread and all that it starts: no new privileges, and landlock.
// Both are taken on a thread that ends with the call, since nothing takes them off again.
//
// tesseract runs inside the same cage as a child of the parser: it inherits the limits, sees the file system
// read only (system libraries and its models), has no network, and dies with the process group. It sees
// pixels that our own decoders produced, never the upload.
func startCaged(cmd *exec.Cmd, o childOptions) error {
	started := make(chan error, 1)
	go onOwnThread(func() {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			started <- fmt.Errorf("no_new_privs: %w", err)
			return
		}
		if err := restrictFiles(o, cmd.Path); err != nil {
			started <- fmt.Errorf("landlock: %w", err)
			return
		}
		started <- cmd.Start()
	})
	return <-started
}

// onOwnThread calls f on a thread that runs nothing else before it ends. It is never the first thread: that one stands for
// the process where landlock asks who may signal it.
func onOwnThread(f func()) {
	runtime.LockOSThread()
	if unix.Gettid() != unix.Getpid() {
		f()
		return // locked, so that the thread ends too
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		onOwnThread(f)
	}()
	<-done
	runtime.UnlockOSThread()
}

// enterCage puts this process under the limits that bind all of its threads. Whoever started it has restricted its files
// (startCaged); without that nothing is read.
func enterCage(l decode.Limits) error {
	if landlockVersion() > 0 {
		if root, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
			_ = unix.Close(root)
			return errors.New("a parser process is started by a Reader only")
		}
	}
	if err := setLimits(l); err != nil {
		return err
	}
	if err := denySyscalls(); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	return nil
}

// landlockVersion is 0 where the kernel has no landlock.
func landlockVersion() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// setLimits sets the resource limits of document-engine notes section 4.3. Address space is 2 GiB because
// WebAssembly reserves it; what counts is RLIMIT_DATA.
func setLimits(l decode.Limits) error {
	for _, limit := range []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_AS, max(2<<30, uint64(l.DataMiB)<<22)},
		{unix.RLIMIT_DATA, uint64(l.DataMiB) << 20},
		{unix.RLIMIT_CPU, uint64(l.CPUSeconds)},
		{unix.RLIMIT_FSIZE, 64 << 20},
		{unix.RLIMIT_NOFILE, 32},
		{unix.RLIMIT_CORE, 0},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			return fmt.Errorf("rlimit %d: %w", limit.resource, err)
		}
	}
	return nil
}

const readAndRun = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

// restrictFiles leaves the thread, and what it starts, read access to the parser's program, its cache and (for tesseract) the system's
// programs and libraries; only warming may write the cache. A kernel without landlock restricts nothing.
func restrictFiles(o childOptions, program string) error {
	abi := landlockVersion()
	if abi == 0 {
		return nil
	}
	handled := landlockAccess(abi)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(attr.Handled_access_net)
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size += unsafe.Sizeof(attr.Scoped)
	}
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(ruleset))
	cacheAccess := uint64(readAndRun)
	if o.Mode == modeWarm {
		cacheAccess = handled
	}
	rules := []landlockRule{{program, readAndRun}, {o.CacheDir, cacheAccess}, {"/dev/null", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE}}
	// The program's loader and libraries, for a binary that is not static, and for tesseract.
	for _, dir := range []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"} {
		rules = append(rules, landlockRule{dir, readAndRun})
	}
	if o.Tesseract != "" {
		rules = append(rules, landlockRule{o.Tesseract, readAndRun}, landlockRule{"/usr/share/tesseract-ocr", readAndRun},
			landlockRule{"/usr/share/tessdata", readAndRun}, landlockRule{filepath.Join(filepath.Dir(o.Tesseract), "../share"), readAndRun})
	}
	if o.OCR.Program != "" {
		rules = append(rules, landlockRule{o.OCR.Program, readAndRun}, landlockRule{o.OCR.Library, readAndRun})
	}
	for _, rule := range rules {
		if err := rule.add(int(ruleset), handled); err != nil {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// landlockAccess is every file access that the kernel's landlock version can forbid.
func landlockAccess(abi int) uint64 {
	access := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1)
	if abi >= 2 {
		access |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		access |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	return access
}

type landlockRule struct {
	path   string
	access uint64
}

// add allows the rule's access below its path. A path that does not exist needs no rule.
func (r landlockRule) add(ruleset int, handled uint64) error {
	fd, err := unix.Open(r.path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	defer unix.Close(fd)
	access := r.access & handled
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("%s: %w", r.path, errno)
	}
	return nil
}

// deniedSyscalls answer EPERM: sockets (no network of any kind) and the kernel's larger doors.
var deniedSyscalls = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_PTRACE,
	unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT, unix.SYS_KEYCTL,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_USERFAULTFD, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_KEXEC_LOAD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_SWAPON, unix.SYS_REBOOT, unix.SYS_SETSID, unix.SYS_SETPGID,
}

// denySyscalls installs the filter on every thread of the process. A call of another architecture's numbering is denied too. A kernel
// without seccomp filters nothing.
func denySyscalls() error {
	const load, equal, ret = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	arch := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if arch == 0 {
		return nil
	}
	n := uint8(len(deniedSyscalls))
	filter := []unix.SockFilter{
		{Code: load, K: 4}, // seccomp_data.arch
		{Code: equal, K: arch, Jt: 1},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: load, K: 0}, // seccomp_data.nr
	}
	if runtime.GOARCH == "amd64" { // x32 numbers begin here
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: 0x40000000, Jt: n + 1})
	}
	for i, nr := range deniedSyscalls {
		filter = append(filter, unix.SockFilter{Code: equal, K: nr, Jt: n - uint8(i)})
	}
	filter = append(filter, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW}, unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	unbound, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	switch {
	case errno == unix.EINVAL, errno == unix.ENOSYS:
		return nil
	case errno != 0:
		return errno
	case unbound != 0:
		return fmt.Errorf("thread %d cannot be bound", unbound)
	}
	return nil
}
