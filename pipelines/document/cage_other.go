//go:build !linux

package document

import (
	"encoding/json"
	"os"
	"syscall"
)

// enterCage starts the program again without limits: they are Linux's. Other systems are for development.
func enterCage(o childOptions) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o.Caged = true
	options, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return syscall.Exec(self, []string{childName, string(options)}, nil)
}
