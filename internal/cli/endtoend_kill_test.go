package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
)

// The ordinary run cuts each command off at a few of its calls; all of them takes minutes:
//
//	go test ./internal/cli -run TestKilledLives -everycall -v -timeout 60m
var everyCall = flag.Bool("everycall", false, "cut commands off after each call that changes a folder")

// The variables of a process that is cut off. Only the test's own program, dwp-cut, knows them.
const (
	cutAfter = "CUT_AFTER" // the number of the call after which it dies; 0 for none
	cutCount = "CUT_COUNT" // a file that gets how many calls there were
)

// mainCut is dwp in a process that kills itself, as kill -9 does, after so many calls that change a folder.
func mainCut() int {
	after, err := strconv.Atoi(os.Getenv(cutAfter))
	if err != nil {
		return ExitUsage
	}
	calls := 0
	env := OSEnv()
	env.Through = func(folder disk.FS) disk.FS { return &cutFolder{folder, &calls, after} }
	code := Main(os.Args[1:], env)
	if name := os.Getenv(cutCount); name != "" && os.WriteFile(name, []byte(strconv.Itoa(calls)), 0o644) != nil {
		return ExitCannot
	}
	return code
}

// cutFolder counts the calls that change a folder, once they are done.
type cutFolder struct {
	disk.FS
	calls *int
	after int
}

func (c *cutFolder) did() {
	*c.calls++
	if *c.calls == c.after {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal comes
	}
}

func (c *cutFolder) Create(name string, perm fs.FileMode) (disk.File, error) {
	f, err := c.FS.Create(name, perm)
	c.did()
	if err != nil {
		return nil, err
	}
	return &cutFile{f, c}, nil
}

func (c *cutFolder) Rename(oldname, newname string) error {
	defer c.did()
	return c.FS.Rename(oldname, newname)
}

func (c *cutFolder) Remove(name string) error {
	defer c.did()
	return c.FS.Remove(name)
}

func (c *cutFolder) Mkdir(name string, perm fs.FileMode) error {
	defer c.did()
	return c.FS.Mkdir(name, perm)
}

func (c *cutFolder) SyncDir(name string) error {
	defer c.did()
	return c.FS.SyncDir(name)
}

// cutFile is a file in one.
type cutFile struct {
	disk.File
	c *cutFolder
}

func (f *cutFile) Write(p []byte) (int, error) {
	defer f.c.did()
	return f.File.Write(p)
}

func (f *cutFile) Sync() error {
	defer f.c.did()
	return f.File.Sync()
}

// cut runs one command that dies after so many calls, and returns how many there were when it did not.
func (l life) cut(after int, args ...string) (calls int) {
	l.t.Helper()
	count := filepath.Join(l.t.TempDir(), "count")
	var out bytes.Buffer
	cmd := dwpProcess(l.t, args...)
	cmd.Args[0], cmd.Dir, cmd.Stdout, cmd.Stderr = "dwp-cut", l.top, &out, &out
	cmd.Env = append(os.Environ(), cutAfter+"="+strconv.Itoa(after), cutCount+"="+count)
	err := cmd.Run()
	if after > 0 {
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
			l.t.Fatalf("dwp %q was not killed after call %d: %v: %s", args, after, err, out.String())
		}
		return 0
	}
	if err != nil {
		l.t.Fatalf("dwp %q: %v: %s", args, err, out.String())
	}
	if calls, err = strconv.Atoi(text(l.t, count)); err != nil || calls < 5 {
		l.t.Fatalf("dwp %q: %d calls, %v", args, calls, err)
	}
	return calls
}

// points are the calls after which a command is cut off: all, or a few, other ones for each deed.
func points(calls, deed int) (list []int) {
	step := 1
	if !*everyCall {
		step = max(calls/2, 1)
	}
	for n := 1 + deed%step; n <= calls; n += step {
		list = append(list, n)
	}
	return list
}

// PS-5, PS-19, C73, C111: each command of each way is killed after each of its calls that changes a folder. A new process finishes or
// forgets what was begun, the same command then does what it should, and everything agrees as if nothing had happened.
func TestKilledLives(t *testing.T) {
	for name, deeds := range lives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, kills := lifeOf(t, lifeOutline), 0
			for i, d := range deeds {
				if d.before != nil {
					d.before(l)
				}
				before := l.keepPlan()
				for _, n := range points(l.cut(0, d.args...), i) {
					l.putBack(before)
					l.cut(n, d.args...)
					l.goOn(d.args)
					l.agree(fmt.Sprintf("dwp %s, killed after call %d,", strings.Join(d.args, " "), n), d.done)
					kills++
				}
			}
			t.Logf("%d kills in %d commands", kills, len(deeds))
		})
	}
}

// goOn is what a new process does after one was killed: recover, and the same command again. A creation goes on by its own command, from
// what is there of it.
func (l life) goOn(args []string) {
	l.t.Helper()
	if _, err := os.Stat(filepath.Join(l.top, lifeDir)); err != nil { // killed before there was a folder
		l.must(args...)
		return
	}
	l.unlock()
	if args[0] != "create" {
		l.must(args...)
		return
	}
	// Whoever was killed before the outline was kept left nothing to go on with; and who was killed at the very end was done.
	code, _, stderr := l.dwp("create", "--resume", lifePlan)
	if code != ExitOK && !strings.Contains(stderr, "is finished") {
		l.must("create", "--discard", lifePlan, "--yes")
		l.must(args...)
	}
}

// unlock recovers. A process that died while it wrote its name into the lock can't be proved dead: then a person looks, and clears what
// was shown (C63).
func (l life) unlock() {
	l.t.Helper()
	if code, stdout, stderr := l.dwp("recover", lifePlan, "--wait", "0s"); code == ExitLocked {
		l.must("lock", "clear", lifePlan, "--owner", lockOwner(l.t, made{top: l.top}))
	} else if code != ExitOK {
		l.t.Fatalf("recover: code %d: %s%s", code, stdout, stderr)
	} else {
		return
	}
	l.must("recover", lifePlan)
}

// keepPlan copies the plans and .gitignore, which is all that commands may change; git is not theirs.
func (l life) keepPlan() string {
	l.t.Helper()
	keep := l.t.TempDir()
	for _, name := range []string{".dwp", ".gitignore"} {
		if _, err := os.Lstat(filepath.Join(l.top, name)); err == nil {
			copyTree(l.t, filepath.Join(keep, name), filepath.Join(l.top, name))
		}
	}
	return keep
}

// putBack makes them as they were.
func (l life) putBack(kept string) {
	l.t.Helper()
	for _, name := range []string{".dwp", ".gitignore"} {
		if err := os.RemoveAll(filepath.Join(l.top, name)); err != nil {
			l.t.Fatal(err)
		}
		if _, err := os.Lstat(filepath.Join(kept, name)); err == nil {
			copyTree(l.t, filepath.Join(l.top, name), filepath.Join(kept, name))
		}
	}
}

// copyTree copies a file or a folder.
func copyTree(t *testing.T, to, from string) {
	t.Helper()
	info, err := os.Stat(from)
	if err == nil && info.IsDir() {
		err = os.CopyFS(to, os.DirFS(from))
	} else if err == nil {
		err = os.WriteFile(to, []byte(text(t, from)), info.Mode())
	}
	if err != nil {
		t.Fatal(err)
	}
}
