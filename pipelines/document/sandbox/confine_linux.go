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

// startConfined starts a parser process inside what binds a thread and all that it starts: no new privileges, and
// landlock. Both are taken on a thread that ends with the call, since nothing takes them off again.
//
// tesseract runs inside the same sandbox as a child of the parser: it inherits the limits, sees the file system
// read only (system libraries and its models), has no network, and dies with the process group. It sees
// pixels that our own decoders produced, never the upload.
func startConfined(cmd *exec.Cmd, o childOptions) error {
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

// onOwnThread calls f on a thread that runs nothing else before it ends. It is never the first thread: that one stands
// for the process where landlock asks who may signal it.
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

// enterSandbox puts this process under the limits that bind all of its threads. Whoever started it has restricted its
// files (startConfined); without that nothing is read. open: what the kernel does not have is done without.
func enterSandbox(l decode.Limits, open bool) error {
	if landlockVersion() > 0 {
		if root, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
			_ = unix.Close(root)
			return errors.New("a parser process is started by a Reader only")
		}
	}
	if err := setLimits(l); err != nil {
		return err
	}
	if err := denySyscalls(); err != nil && !(open && errors.Is(err, errNoFilter)) {
		return fmt.Errorf("seccomp: %w", err)
	}
	return nil
}

// errNoLandlock: nothing restricts files, and other processes of the same user.
var errNoLandlock = errors.New("landlock is not to be had (Linux 5.13 or newer has it, when its list of security " +
	"modules names it; " +
	"some container runtimes and profiles deny the calls)")

// Missing says which of the two walls of the sandbox this system does not have; nil when it has both.
func Missing() error {
	var missing []error
	if landlockVersion() == 0 {
		missing = append(missing, errNoLandlock)
	}
	if !hasFilters() {
		missing = append(missing, errNoFilter)
	}
	return errors.Join(missing...)
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
		{unix.RLIMIT_STACK, threadStack}, // as large is that of each thread that a program starts which it starts
		{unix.RLIMIT_FSIZE, 64 << 20},
		{unix.RLIMIT_NOFILE, 32},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NPROC, mostTasks},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			return fmt.Errorf("rlimit %d: %w", limit.resource, err)
		}
	}
	return nil
}

// threadStack is the stack of a thread of the C library's: the usual eight MiB count as memory, for each of five or ten
// threads.
const threadStack = 1 << 20

// mostTasks is how many processes and threads the user may have, all of them together, before a parser can start no
// more: far above what workers on one machine have, and an end for one that does nothing but start others.
const mostTasks = 8192

const readAndRun = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
	unix.LANDLOCK_ACCESS_FS_READ_DIR

// restrictFiles leaves the thread, and what it starts, read access to the parser's program, its cache and (for
// tesseract) the system's programs and libraries; only warming may write the cache.
func restrictFiles(o childOptions, program string) error {
	abi := landlockVersion()
	if abi == 0 && o.Open {
		return nil
	}
	if abi == 0 {
		return errNoLandlock
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
	rules := []landlockRule{{program, readAndRun}, {o.CacheDir, cacheAccess},
		{"/dev/null", unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE}}
	// The program's loader and libraries, for a binary that is not static, and for tesseract.
	for _, dir := range []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"} {
		rules = append(rules, landlockRule{dir, readAndRun})
	}
	if o.Tesseract != "" {
		rules = append(rules, landlockRule{o.Tesseract, readAndRun},
			landlockRule{"/usr/share/tesseract-ocr", readAndRun},
			landlockRule{"/usr/share/tessdata", readAndRun},
			landlockRule{filepath.Join(filepath.Dir(o.Tesseract), "../share"), readAndRun})
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
		access &= unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
			unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("%s: %w", r.path, errno)
	}
	return nil
}
