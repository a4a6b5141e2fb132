package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
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

// EndByEnv ends every process of this user, but the caller, that was started with NAME=VALUE in its environment, and returns how many there
// were: what a dead turn left running is known by the DWP_TURN that it inherited, whatever group or session it is in (C63, GU-10). Each is
// asked to end; who hasn't after DefaultGrace is killed. A process that hid its environment is not found. Elsewhere than on Linux
// nothing is ended, and the error matches errors.ErrUnsupported.
func EndByEnv(name, value string) (ended int, err error) { return endByEnv(name, value, DefaultGrace) }

func endByEnv(name, value string, grace time.Duration) (ended int, err error) {
	if name == "" || value == "" { // it would mean processes that nobody marked
		return 0, errors.New("end processes by their environment: a name and a value are needed")
	}
	o := &orphans{entry: []byte(name + "=" + value), met: map[int]bool{}}
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

// orphans are the processes with an entry in their environment.
type orphans struct {
	entry []byte
	met   map[int]bool // by number, all that were found
	told  map[int]bool // those that got the signal of this round
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
		if err != nil || pid == os.Getpid() || !ours(e) {
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

// marked reports whether a process was started with the entry. That of a zombie is empty, and so is that of a process which may not be
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
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if bytes.Equal(entry, o.entry) {
			return true
		}
	}
	return false
}
