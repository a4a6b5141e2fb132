package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
	"time"
)

// Commit is one commit of a history.
type Commit struct {
	ID      string // the whole name
	Message string
	At      time.Time // when it was committed; zero when git didn't say
}

// Bounds of the questions about a task's work: answers of 256 bytes, as run counts them.
const (
	historyAnswers = 1 << 12 // 1 MB of messages
	statusAnswers  = 1 << 10 // 256 KB of paths
	diffAnswers    = 1 << 15 // 8 MB of diff
)

// History lists the newest commits that HEAD reaches, the newest first: n at most, and fewer when their messages are very long. A
// repository without a commit has none.
func (r Repo) History(ctx context.Context, n int) ([]Commit, error) {
	out, err := r.run(ctx, "", historyAnswers, "log", fmt.Sprintf("--max-count=%d", n), "--no-color", "--no-show-signature", commitFormat)
	if err != nil && !errors.Is(err, errTooMuch) {
		if _, head := r.run(ctx, "", 1, "rev-parse", "--verify", "--quiet", "HEAD"); head != nil && !errors.Is(head, ErrNoGit) && ctx.Err() == nil {
			return nil, nil
		}
		return nil, fmt.Errorf("ask git for its history: %w", err)
	}
	return readCommits(string(out)), nil
}

// commitFormat is what readCommits reads.
const commitFormat = "--format=tformat:%H%x00%cI%x00%B%x00"

// readCommits reads the commits of a log that may be cut.
func readCommits(out string) (list []Commit) {
	parts := strings.Split(out, "\x00")
	for i := 0; i+3 < len(parts); i += 3 { // something stands behind the end of each whole message
		if id := strings.TrimSpace(parts[i]); isCommitName(id) {
			at, _ := time.Parse(time.RFC3339, parts[i+1])
			list = append(list, Commit{ID: id, Message: parts[i+2], At: at})
		}
	}
	return list
}

// Dirty lists the files of the work tree that are not as HEAD has them, untracked ones too and ignored ones not; a folder that is
// untracked as a whole ends in a slash. What lies in a folder .dwp is left out: plans are data of their own. cut says that there
// are more than are listed.
func (r Repo) Dirty(ctx context.Context) (files []string, cut bool, err error) {
	args, err := r.withoutFilters(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("ask git what is not committed: %w", err)
	}
	out, err := r.run(ctx, "", statusAnswers, append(args, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", notInside)...)
	if cut = errors.Is(err, errTooMuch); err != nil && !cut {
		return nil, false, fmt.Errorf("ask git what is not committed: %w", err)
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		const mark = len("XY ")
		if len(entry) > mark && !strings.Contains("/"+entry[mark:], "/.dwp/") {
			files = append(files, entry[mark:])
		}
	}
	return files, cut, nil
}

// Added lists the lines that a commit adds to text files, compared with its first parent. cut says that the commit is too large to be
// looked at whole: its end is missing.
func (r Repo) Added(ctx context.Context, commit string) (lines []AddedLine, cut bool, err error) {
	if !isCommitName(commit) {
		return nil, false, fmt.Errorf("ask git for a commit: %q is no name of one", commit)
	}
	out, err := r.run(ctx, "", diffAnswers, "-c", "core.quotePath=false", "show", "--format=", "--first-parent", "-m", "--no-color", "--no-show-signature", "--no-ext-diff",
		"--no-textconv", "--no-renames", "--unified=0", "--src-prefix=a/", "--dst-prefix=b/", commit, "--")
	if cut = errors.Is(err, errTooMuch); err != nil && !cut {
		return nil, false, fmt.Errorf("ask git for commit %s: %w", commit, err)
	}
	return addedLines(string(out)), cut, nil
}

// AddedLine is a line that a commit adds.
type AddedLine struct {
	File string
	Line int // in the new file, from 1
	Text string
}

// addedLines reads a diff without context.
func addedLines(diff string) []AddedLine {
	var list []AddedLine
	file, at, left := "", 0, 0
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case left > 0 && strings.HasPrefix(line, "+"): // counted first: an added line may look like a header
			list = append(list, AddedLine{File: file, Line: at, Text: line[1:]})
			at, left = at+1, left-1
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimSuffix(strings.TrimPrefix(strings.Trim(line[4:], `"`), "b/"), "\t")
		case strings.HasPrefix(line, "@@ "):
			at, left = hunk(line)
		}
	}
	return list
}

// hunk reads the new side of "@@ -1,2 +3,4 @@".
func hunk(line string) (start, count int) {
	_, side, _ := strings.Cut(line, " +")
	side, _, _ = strings.Cut(side, " ")
	count = 1
	if n, _ := fmt.Sscanf(side, "%d,%d", &start, &count); n == 0 {
		return 0, 0
	}
	return start, count
}

// notInside keeps git status from starting another git in each submodule, where the filters of that one's configuration would run. A
// submodule at another commit is a change still; what is not committed inside it is its own repository's.
const notInside = "--ignore-submodules=dirty"

// withoutFilters are options that switch off the filters of the repository's own configuration, that of one work tree too: looking for
// changes may run the program that cleans a file, and a repository is untrusted. What the user has set up for all repositories stays.
func (r Repo) withoutFilters(ctx context.Context) ([]string, error) {
	out, err := r.run(ctx, "", statusAnswers, "config", "--includes", "--show-scope", "--name-only", "--get-regexp", `^filter\..*\.`)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var args []string
	for line := range strings.Lines(string(out)) {
		scope, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if scope == "system" || scope == "global" || scope == "command" {
			continue
		}
		base := strings.TrimSuffix(name, path.Ext(name))
		if strings.ContainsAny(base, "=\"\\") {
			return nil, fmt.Errorf("the repository's filter %q has a name that can't be switched off", base)
		}
		args = append(args, "-c", base+".clean=", "-c", base+".process=", "-c", base+".required=false")
	}
	return args, nil
}
