//go:build !unix

package disk

const openNonblock = 0

// foldersSync: no handle that can be flushed is to be had of a folder here. A file is written whole or not
// at all, but whether a rename survives a power cut is up to the system (DESIGN 11).
const foldersSync = false
