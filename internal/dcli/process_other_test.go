//go:build !linux

package dcli

import "os"

// alive can't be told here: the numbers of leases alone have to do.
func alive(int) bool { return os.Getpid() < 0 }
