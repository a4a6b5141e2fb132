//go:build unix

package disk

import "syscall"

// openNonblock keeps an open from waiting when a FIFO stands in a file's place.
const openNonblock = syscall.O_NONBLOCK

// foldersSync: a folder can be opened and flushed like a file.
const foldersSync = true
