package git

import (
	"os"
	"path/filepath"
	"strings"
)

// maxWorkTrees bounds how many work trees of a repository are looked for, and maxPointer how much of a file that names a folder is read.
const (
	maxWorkTrees = 64
	maxPointer   = 4096
)

// WorkTrees lists the other work trees of the repository whose work tree has its top level here: the main one and the linked ones, as
// absolute paths, the main one first (C123, C125). No process is started, and what can't be read is left out: the answer is where to look,
// not what is there.
func WorkTrees(top string) []string {
	common := commonDir(top)
	if common == "" {
		return nil
	}
	here, err := os.Stat(top)
	if err != nil {
		return nil
	}
	var list []string
	add := func(dir string) {
		// Compared as folders, not as names: either may be reached through links (C127).
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !os.SameFile(here, info) && len(list) < maxWorkTrees {
			list = append(list, dir)
		}
	}
	if filepath.Base(common) == ".git" {
		add(filepath.Dir(common))
	}
	entries, _ := os.ReadDir(filepath.Join(common, "worktrees")) // by name
	for _, e := range entries[:min(len(entries), maxWorkTrees)] {
		folder := filepath.Join(common, "worktrees", e.Name())
		if dot := pointer(filepath.Join(folder, "gitdir"), "", folder); dot != "" {
			add(filepath.Dir(dot))
		}
	}
	return list
}

// commonDir is the folder that all work trees of a repository share; "" when top is no top level.
func commonDir(top string) string {
	dot := filepath.Join(top, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return ""
	}
	if info.IsDir() {
		return dot
	}
	own := pointer(dot, "gitdir:", top)
	if own == "" {
		return ""
	}
	return pointer(filepath.Join(own, "commondir"), "", own)
}

// pointer reads a file that names a folder or file, absolute or relative to base; "" when it doesn't.
func pointer(file, prefix, base string) string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPointer {
		return ""
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	text, found := strings.CutPrefix(string(data), prefix)
	if text = strings.TrimSpace(text); !found || text == "" {
		return ""
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(base, text)
	}
	return filepath.Clean(text)
}
