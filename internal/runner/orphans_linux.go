package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// pollOrphans is the time between two looks at who is left.
	pollOrphans = 20 * time.Millisecond
	// afterKill is how long a killed process may take to be gone: it may be in the kernel.
	afterKill = 2 * time.Second
	// maxEnviron is how much of a process's environment is read; Linux allows less.
	maxEnviron = 16 << 20
)

// EndByEnv ends every process of this user that was started with all of the entries NAME=VALUE in its environment, and returns how many
// there were: what a dead turn left running is known by the DWP_TURN and DWP_PLAN that it inherited, whatever group or session it is in (C63,
// GU-10). The caller is spared, and so is whom it descends from: their end would be its own. Each is asked to end; who hasn't after
// DefaultGrace is killed. A process that hid its environment is not found. Elsewhere than on Linux nothing is ended, and the error matches
// errors.ErrUnsupported.
func EndByEnv(entries ...string) (ended int, err error) { return endByEnv(DefaultGrace, entries) }

func endByEnv(grace time.Duration, entries []string) (ended int, err error) {
	o := &orphans{spared: lineage(), met: map[int]bool{}}
	for _, entry := range entries {
		if name, value, _ := strings.Cut(entry, "="); name == "" || value == "" { // it would mean processes that nobody marked
			return 0, fmt.Errorf("end processes by their environment: %q is no name with its value", entry)
		}
		o.entries = append(o.entries, []byte(entry))
	}
	if len(entries) == 0 { // every process has all of none
		return 0, errors.New("end processes by their environment: by what is not said")
	}
	for _, round := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{{syscall.SIGTERM, grace}, {syscall.SIGKILL, afterKill}} {
		// Whoever comes meanwhile, as a child of one of them, is told the same.
		for until := time.Now().Add(round.wait); ; time.Sleep(pollOrphans) {
			left, err := o.tell(round.signal)
			if err != nil || left == 0 {
				return len(o.met), err
			}
			if time.Now().After(until) {
				break
			}
		}
		o.told = nil
	}
	return len(o.met), fmt.Errorf("end processes by their environment: some of %d are still there", len(o.met))
}

// orphans are the processes with some entries in their environment.
type orphans struct {
	entries [][]byte
	spared  map[int]bool // by number, as all of these
	met     map[int]bool // all that were found
	told    map[int]bool // those that got the signal of this round
}

// lineage is this process and those that it descends from, by number.
func lineage() map[int]bool {
	line := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !line[pid]; pid = parentOf(pid) {
		line[pid] = true
	}
	return line
}

// parentOf is the number of a process's parent (field 4 of proc_pid_stat(5); the name before it may hold anything); 0 for none.
func parentOf(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// tell sends a signal to each that hasn't got it, and returns how many there are.
func (o *orphans) tell(signal syscall.Signal) (left int, err error) {
	if o.told == nil {
		o.told = map[int]bool{}
	}
	list, err := os.ReadDir("/proc")
	if err != nil {
		return 0, fmt.Errorf("end processes by their environment: %w", err)
	}
	for _, e := range list {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || o.spared[pid] || !ours(e) {
			continue
		}
		// The handle comes first: it stays with the process whose environment is then read, though another may get its number.
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if o.marked(pid) {
			left++
			o.met[pid] = true
			if !o.told[pid] {
				o.told[pid] = true
				_ = p.Signal(signal) // one that can't be told is still there at the end
			}
		}
		p.Release()
	}
	return left, nil
}

// ours reports whether a process runs as the caller's user: root would find those of others, too.
func ours(e fs.DirEntry) bool {
	info, err := e.Info()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// marked reports whether a process was started with the entries. The environment of a zombie is empty, and so is that of a process which may not be
// looked at.
func (o *orphans) marked(pid int) bool {
	f, err := os.Open(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEnviron))
	if err != nil {
		return false
	}
	found := make([]bool, len(o.entries))
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		for i := range o.entries {
			found[i] = found[i] || bytes.Equal(entry, o.entries[i])
		}
	}
	return !slices.Contains(found, false)
}
