//go:build unix

package plan

import "syscall"

// openNonblock keeps an open from waiting when a FIFO took a document's place since it was listed.
const openNonblock = syscall.O_NONBLOCK
