package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user the server runs as. PostgreSQL refuses to run as root, so for root it is
// the distribution's postgres user, or nobody; for anyone else it is nil: themselves.
type account struct {
	name     string
	uid, gid int
}

func serverUser() (*account, error) {
	if os.Getuid() != 0 {
		return nil, nil //nolint:nilnil // nil is the usual case: run as ourselves
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid) // numeric on every unix
		gid, _ := strconv.Atoi(u.Gid)
		return &account{name: name, uid: uid, gid: gid}, nil
	}
	return nil, errors.New("postgres: it will not run as root and there is neither a postgres nor a nobody user: add one with `useradd postgres`")
}

// attributes detach the server from our terminal and session, so that Ctrl-C reaches only us and
// our death does not reach it.
func (a *account) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if a != nil {
		attr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return attr
}

func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Lchown(path, a.uid, a.gid)
}

// Reachable reports whether the server could work below dir, which need not exist yet. The error
// is an *UnreachableError when its user may not enter.
func Reachable(dir string) error {
	owner, err := serverUser()
	if err != nil {
		return err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return owner.reach(dir)
		}
		dir = filepath.Dir(dir)
	}
}

// reach checks that the account may pass every directory above dir. A checkout below /root
// (mode 0700) is the usual case where it may not.
func (a *account) reach(dir string) error {
	if a == nil {
		return nil
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("postgres: %w", err)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) == a.uid {
			continue
		}
		if info.Mode().Perm()&0o001 == 0 {
			return &UnreachableError{User: a.name, Dir: dir}
		}
	}
	return nil
}

// UnreachableError says that the server's user may not enter Dir.
type UnreachableError struct{ User, Dir string }

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("postgres: as root the server runs as user %s, who may not enter %s: choose another directory, or `chmod o+x %s`", e.User, e.Dir, e.Dir)
}
