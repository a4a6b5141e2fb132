package git

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ChangeKind is what became of a file.
type ChangeKind string

// Kinds. A renamed file is one that was deleted and one that was added.
const (
	Added    ChangeKind = "added"
	Modified ChangeKind = "modified"
	Deleted  ChangeKind = "deleted"
)

// FileChange is a file that is not as it was.
type FileChange struct {
	Path string
	Kind ChangeKind
}

// Mark is where a work tree stood: its commit, and what was not committed then.
type Mark struct {
	Commit string            // the whole name; "" before the first one
	Files  map[string]string // files that differ from it, by path, each with a digest of its content; "" for one that is gone
	Cut    bool              // there are more
}

// Since is what became of a work tree after a mark.
type Since struct {
	Commits []Commit // the newest first
	Changes []FileChange
	// Rewound says that the mark's commit is no ancestor of HEAD any more: history was rewritten, or another branch checked out.
	Rewound bool
	Cut     bool
}

// Bounds of a mark. A tree with more files that are not committed is told as far as they go, and Cut.
const (
	changeAnswers = 1 << 13   // 2 MB of paths
	markFiles     = 10_000    // that are read
	digestBytes   = 16 << 20  // of one file; a larger one is told by size and time
	digestTotal   = 256 << 20 // of all of them
	nestedRepos   = 100       // submodules and repositories in the tree whose commit is asked for
	sinceCommits  = 1000
)

// Mark tells where the work tree stands now. What lies in a folder .dwp is left out, as in Dirty.
func (r Repo) Mark(ctx context.Context) (Mark, error) {
	now, err := r.standing(ctx)
	if err != nil {
		return Mark{}, fmt.Errorf("ask git where the work tree stands: %w", err)
	}
	contents, err := r.contents(ctx)
	if err != nil {
		return Mark{}, err
	}
	defer contents.Close()
	m := Mark{Commit: now.commit, Files: map[string]string{}, Cut: now.cut}
	for _, path := range now.paths() {
		if len(m.Files) == markFiles {
			m.Cut = true
			break
		}
		m.Files[path] = contents.digest(path, "")
	}
	return m, ctx.Err()
}

// Since tells what became of the work tree after a mark: commits, and the files that are not as they were, committed or not. A file that
// was not committed at the mark, and is what it was, is no change, though it was committed since. With a mark that is Cut, files that had
// been changed before may be among those that are listed; what git ignores never is.
func (r Repo) Since(ctx context.Context, m Mark) (Since, error) {
	now, err := r.standing(ctx)
	if err != nil {
		return Since{}, fmt.Errorf("ask git what changed: %w", err)
	}
	s := Since{Cut: m.Cut || now.cut}
	committed, err := r.committed(ctx, m.Commit, now.commit, &s)
	if err != nil {
		return Since{}, fmt.Errorf("ask git what changed since %q: %w", m.Commit, err)
	}
	contents, err := r.contents(ctx)
	if err != nil {
		return Since{}, err
	}
	defer contents.Close()
	for _, path := range union(m.Files, now.dirty, committed) {
		kind := becameOf(path, m, now, committed, contents)
		if kind != "" {
			s.Changes = append(s.Changes, FileChange{path, kind})
		}
	}
	return s, ctx.Err()
}

// becameOf compares a path with the mark; "" is unchanged. Where the mark has its content, that decides. Else it was as the mark's
// commit has it, so that what git says of commits and of the work tree is the whole difference.
func becameOf(path string, m Mark, now standing, committed map[string]ChangeKind, c *contents) ChangeKind {
	if was, marked := m.Files[path]; marked {
		is := c.digest(path, was)
		return between(was != "", is != "", was != is)
	}
	dirty, isDirty := now.dirty[path]
	kind := committed[path]
	switch {
	case !isDirty:
		return kind
	case kind == "": // as in HEAD at the mark
		return between(dirty.inHead, c.there(path), true)
	}
	return between(kind != Added, c.there(path), true)
}

func between(was, is, differs bool) ChangeKind {
	switch {
	case was && !is:
		return Deleted
	case !was && is:
		return Added
	case was && is && differs:
		return Modified
	}
	return ""
}

func union(marked map[string]string, dirty map[string]dirtyFile, committed map[string]ChangeKind) []string {
	all := map[string]bool{}
	for path := range marked {
		all[path] = true
	}
	for path := range dirty {
		all[path] = true
	}
	for path := range committed {
		all[path] = true
	}
	return sorted(all)
}

func sorted[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for path := range m {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// standing is HEAD and what differs from it.
type standing struct {
	commit string
	dirty  map[string]dirtyFile
	cut    bool
}

type dirtyFile struct{ inHead bool }

func (s standing) paths() []string { return sorted(s.dirty) }

func (r Repo) standing(ctx context.Context) (standing, error) {
	args, err := r.withoutFilters(ctx)
	if err != nil {
		return standing{}, err
	}
	s := standing{dirty: map[string]dirtyFile{}}
	if s.commit, err = r.head(ctx); err != nil {
		return s, err
	}
	// Each file by itself: a folder that is untracked as a whole may get one more.
	out, err := r.run(ctx, "", changeAnswers, append(args, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", notInside)...)
	if s.cut = errors.Is(err, errTooMuch); err != nil && !s.cut {
		return s, err
	}
	entries := strings.Split(string(out), "\x00")
	for _, entry := range entries[:len(entries)-1] { // the last one is empty, or cut
		const mark = len("XY ")
		if len(entry) <= mark || inPlans(entry[mark:]) {
			continue
		}
		// A repository of its own that is not tracked ends in a slash.
		s.dirty[strings.TrimSuffix(entry[mark:], "/")] = dirtyFile{inHead: entry[0] != '?' && entry[0] != 'A' && s.commit != ""}
	}
	return s, nil
}

// inPlans reports whether a path lies in a folder .dwp: plans are data of their own.
func inPlans(path string) bool { return strings.Contains("/"+path+"/", "/.dwp/") }

// head is the whole name of HEAD's commit; "" before the first one.
func (r Repo) head(ctx context.Context) (string, error) {
	out, err := r.run(ctx, "", 1, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// committed lists the files that differ between two commits, and tells s the commits between them. What HEAD was does not change while
// git is asked: its name was taken before.
func (r Repo) committed(ctx context.Context, from, to string, s *Since) (map[string]ChangeKind, error) {
	switch {
	case from == to:
		return nil, nil
	case to == "":
		s.Rewound, s.Cut = true, true // HEAD was a commit and is none: what it held can't be told from here
		return nil, nil
	case from == "":
		if err := r.between(ctx, to, s); err != nil {
			return nil, err
		}
		return r.listed(ctx, s, addedLetter, "ls-tree", "-r", "-z", "--name-only", "--full-tree", to)
	case !isCommitName(from):
		return nil, fmt.Errorf("%q is no name of a commit", from)
	}
	missing, err := r.Missing(ctx, []string{from})
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 { // nobody keeps it: what it held can't be told
		s.Rewound, s.Cut = true, true
		return nil, nil
	}
	if s.Rewound, err = r.rewound(ctx, from, to); err != nil {
		return nil, err
	}
	if err := r.between(ctx, from+".."+to, s); err != nil {
		return nil, err
	}
	return r.listed(ctx, s, "", "diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--name-status", from, to, "--")
}

// rewound reports whether one commit is no ancestor of the other.
func (r Repo) rewound(ctx context.Context, from, to string) (bool, error) {
	_, err := r.run(ctx, "", 1, "merge-base", "--is-ancestor", from, to)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return true, nil
	}
	return false, err
}

// between tells s the commits of a range.
func (r Repo) between(ctx context.Context, span string, s *Since) error {
	out, err := r.run(ctx, "", historyAnswers, "log", fmt.Sprintf("--max-count=%d", sinceCommits+1), "--no-color", "--no-show-signature", commitFormat, span, "--")
	if err != nil && !errors.Is(err, errTooMuch) {
		return err
	}
	s.Commits = readCommits(string(out))
	s.Cut = s.Cut || err != nil || len(s.Commits) > sinceCommits
	s.Commits = s.Commits[:min(len(s.Commits), sinceCommits)]
	return nil
}

const addedLetter = "A"

// listed reads an answer of paths, each behind its letter, or all of them with the letter that is given.
func (r Repo) listed(ctx context.Context, s *Since, letter string, args ...string) (map[string]ChangeKind, error) {
	out, err := r.run(ctx, "", changeAnswers, append([]string{"--literal-pathspecs"}, args...)...)
	cut := errors.Is(err, errTooMuch)
	if err != nil && !cut {
		return nil, err
	}
	s.Cut = s.Cut || cut
	fields := strings.Split(string(out), "\x00")
	fields = fields[:len(fields)-1] // the last one is empty, or cut
	files := map[string]ChangeKind{}
	for i := 0; i < len(fields); i++ {
		is := letter
		if is == "" {
			if is = fields[i]; i+1 == len(fields) {
				break
			}
			i++
		}
		if path := fields[i]; !inPlans(path) {
			files[path] = cmp.Or(map[string]ChangeKind{"A": Added, "D": Deleted}[is], Modified)
		}
	}
	return files, nil
}

// contents reads files of the work tree as they are: git, which would, may run the filters of a repository that nobody trusts. Nothing
// outside the tree is opened, whatever links lead there.
type contents struct {
	root   *os.Root
	repo   Repo
	ctx    context.Context
	left   int64 // bytes that may still be read
	nested int   // repositories that may still be asked
}

func (r Repo) contents(ctx context.Context) (*contents, error) {
	root, err := os.OpenRoot(r.Top)
	if err != nil {
		return nil, fmt.Errorf("open the work tree: %w", err)
	}
	return &contents{root: root, repo: r, ctx: ctx, left: digestTotal, nested: nestedRepos}, nil
}

func (c *contents) Close() { c.root.Close() }

func (c *contents) there(path string) bool { return c.digest(path, "size:") != "" }

// digest tells what a path holds, in a form that differs when the content does; "" when nothing is there. was is the digest to compare it
// with, whose form it keeps: one by size and time never equals one of the content.
func (c *contents) digest(path, was string) string {
	info, err := c.root.Lstat(filepath.FromSlash(path))
	switch {
	case errors.Is(err, fs.ErrNotExist) || c.ctx.Err() != nil:
		return ""
	case err != nil:
		return "unreadable" // a path that leads out of the tree, or through a file
	case info.IsDir():
		return c.folder(path)
	case info.Mode()&fs.ModeSymlink != 0:
		target, _ := c.root.Readlink(filepath.FromSlash(path))
		return "link:" + target
	case !info.Mode().IsRegular():
		return "special"
	}
	mode := ""
	if info.Mode()&0o111 != 0 {
		mode = "x"
	}
	if !strings.HasPrefix(was, "size:") && info.Size() <= digestBytes && (info.Size() <= c.left || was != "") {
		if sum, ok := c.sum(path); ok {
			return "sha256:" + sum + mode
		}
	}
	return fmt.Sprintf("size:%d:%d%s", info.Size(), info.ModTime().UnixNano(), mode)
}

func (c *contents) sum(path string) (string, bool) {
	file, err := c.root.Open(filepath.FromSlash(path))
	if err != nil {
		return "", false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(file, digestBytes+1)) // it may have grown
	c.left -= n
	return hex.EncodeToString(h.Sum(nil)), err == nil && n <= digestBytes
}

// folder is a submodule, or a repository of its own: its commit tells of it. One without its own .git is a folder in a file's place.
func (c *contents) folder(path string) string {
	if _, err := c.root.Lstat(filepath.Join(filepath.FromSlash(path), ".git")); err != nil || c.nested <= 0 {
		return "folder"
	}
	c.nested--
	inner := c.repo
	inner.Top = filepath.Join(c.repo.Top, filepath.FromSlash(path))
	commit, err := inner.head(c.ctx)
	if err != nil {
		return "folder"
	}
	return "commit:" + commit
}
