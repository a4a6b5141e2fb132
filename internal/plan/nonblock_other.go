//go:build !unix

package plan

// openNonblock is nothing here: opening a file doesn't wait.
const openNonblock = 0
