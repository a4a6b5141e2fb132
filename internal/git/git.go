// Package git asks the git program for facts: which commits exist, whether a path is
// ignored. Each call is bounded in time and output, gets no standard input but what
// we write, takes no optional lock and changes nothing. Finding the top level of a
// repository starts no process: plan does that. Requirements: PS-11, PD-1, and the facts that WP-2 and WP-5 ask of a commit.
//
// A repository is untrusted input: its configuration must not make git run a program or open a
// connection, and the environment that a surrounding hook set must not lead git elsewhere.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// timeout bounds one question; a caller's context may be shorter.
const timeout = 30 * time.Second

// ErrNoGit says that there is no git program to ask.
var ErrNoGit = errors.New("no git program")

// errTooMuch stops a git that answers more than was asked.
var errTooMuch = errors.New("too much output")

// Repo is a git work tree. The zero value of Program means "git" on PATH.
type Repo struct {
	Top     string // absolute path of the top level
	Program string
	// Env is the environment to start git from, without its GIT_ variables; nil means the process's own.
	Env []string
}

// isCommitName tells what records may name as a commit (PS-11), and the longer names of SHA-256 repositories: 7 to 64
// hexadecimal digits. A regular expression would be compiled at each start of the program, asked or not.
func isCommitName(s string) bool {
	return 7 <= len(s) && len(s) <= 64 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// Missing returns those of the commits that the repository doesn't know, in one batched
// call, in the order given, each once (PS-11). Abbreviated names are fine; one that fits several commits is known. What
// has not the form of a commit is unknown without asking, so that nothing else reaches git. An error
// means that git could not be asked; it matches ErrNoGit when there is no git program.
func (r Repo) Missing(ctx context.Context, commits []string) ([]string, error) {
	var ask []string
	seen := map[string]bool{}
	for _, c := range commits {
		if !seen[c] && isCommitName(c) {
			ask = append(ask, c)
		}
		seen[c] = true
	}
	known := map[string]bool{}
	if len(ask) > 0 {
		out, err := r.run(ctx, strings.Join(ask, "^{commit}\n")+"^{commit}\n", len(ask), "cat-file", "--batch-check")
		if err != nil {
			return nil, fmt.Errorf("ask git for commits: %w", err)
		}
		// One line per question, in their order: "<id> commit <size>", or "<question> missing" or "ambiguous".
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(lines) != len(ask) {
			return nil, fmt.Errorf("ask git for commits: %d answers to %d questions", len(lines), len(ask))
		}
		for i, line := range lines {
			known[ask[i]] = !strings.HasSuffix(line, " missing")
		}
	}
	var missing []string
	for _, c := range commits {
		if seen[c] && !known[c] {
			missing = append(missing, c)
		}
		delete(seen, c)
	}
	return missing, nil
}

// Ignored reports whether git ignores a path, absolute or relative to Top (PD-1). A path that git tracks is not
// ignored. A pattern for folders only ("x/") fits a path that isn't there when it ends in a slash. An error means that
// git could not be asked; it matches ErrNoGit when there is no git program.
func (r Repo) Ignored(ctx context.Context, path string) (bool, error) {
	ask := path
	if !filepath.IsAbs(path) {
		ask = "./" + path // a leading colon would be pathspec magic
	}
	_, err := r.run(ctx, "", 1, "check-ignore", "-q", "--", ask)
	if err == nil {
		return true, nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return false, nil
	}
	return false, fmt.Errorf("ask git whether %q is ignored: %w", path, err)
}

// run starts git in the work tree with stdin and nothing else to read (C151), and returns its standard output, which
// may have a line of moderate length per answer. With errTooMuch it returns what came before.
func (r Repo) run(ctx context.Context, stdin string, answers int, args ...string) ([]byte, error) {
	return r.runFor(ctx, timeout, stdin, answers, args...)
}

// runFor is run with another bound of time.
func (r Repo) runFor(ctx context.Context, most time.Duration, stdin string, answers int, args ...string) ([]byte, error) {
	program := r.Program
	if program == "" {
		program = "git"
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(r.options(), args...)...)
	cmd.Env = r.environment()
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second // a child of git that holds the pipes open doesn't hold us
	out := &bounded{max: 4096 + 256*answers, over: cancel}
	errout := &bounded{max: 4096}
	cmd.Stdout, cmd.Stderr = out, errout
	err = cmd.Run()
	switch {
	case err == nil:
		return out.buf.Bytes(), nil
	case out.full:
		return out.buf.Bytes(), errTooMuch
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	if words := strings.TrimSpace(errout.buf.String()); words != "" {
		return nil, fmt.Errorf("%w: %s", err, words)
	}
	return nil, err
}

// options override what the repository's own configuration could make git start.
func (r Repo) options() []string {
	return []string{
		"-C", r.Top,
		"--no-pager", "--no-optional-locks",
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.sshCommand=false",
		"-c", "credential.helper=",
		"-c", "protocol.allow=never",
	}
}

// kept are the GIT_ variables that say how git is set up on this machine. All others may come from a surrounding
// hook or command and lead it to another repository, index or configuration.
var kept = []string{"GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"}

func (r Repo) environment() []string {
	from := r.Env
	if from == nil {
		from = os.Environ()
	}
	var env []string
	for _, pair := range from {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "GIT_") || slices.Contains(kept, name) {
			env = append(env, pair)
		}
	}
	env = append(env,
		"LC_ALL=C",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1",      // a partial clone must not fetch what it doesn't have
		"GIT_ALLOW_PROTOCOL=none",  // nor by older git, whatever its configuration allows
		"GIT_NO_REPLACE_OBJECTS=1", // what is asked for is what is looked up
	)
	// Only Top is asked, not a repository around it.
	if above := filepath.Dir(r.Top); !strings.ContainsRune(above, filepath.ListSeparator) {
		env = append(env, "GIT_CEILING_DIRECTORIES="+above)
	}
	return env
}

// bounded is a buffer that holds so much and drops the rest. It doesn't embed bytes.Buffer, whose
// ReadFrom would take everything.
type bounded struct {
	buf  bytes.Buffer
	max  int
	full bool
	over func() // called when something is dropped; may be nil
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.max - b.buf.Len()
	if len(p) <= room {
		return b.buf.Write(p)
	}
	b.full = true
	if b.over != nil {
		b.over()
	}
	b.buf.Write(p[:max(room, 0)])
	return len(p), nil
}
