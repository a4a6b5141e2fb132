// Package runner runs one command that the caller gives, and tells how it ended: its output is passed on live and kept in bounded
// memory with every secret masked, its tests are counted, and what it leaves running is ended with it. It knows nothing of plans, reads
// no command from a file, and writes no file. Requirements: DESIGN 5, PS-7, PS-12 and PS-13 as far as a run can tell, GU-12.
package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Command is what is run.
type Command struct {
	// Args is the program and its arguments; no shell looks at them.
	Args []string
	Dir  string   // the folder to run in; "" for the current one
	Env  []string // NAME=value; nil for the process's own
	// Stdin is what the command may read; nil for nothing.
	Stdin []byte
	// Stdout and Stderr get the output as it comes, masked; nil for nobody. What they fail to take is lost to them only.
	Stdout, Stderr io.Writer
	// Timeout ends a run that takes longer; 0 for never. Grace is how long what is told to end may take, 0 for DefaultGrace.
	Timeout, Grace time.Duration
	// Secrets are values to mask beside what has the form of a secret.
	Secrets []string
	// Started, when not nil, is told the process's number as soon as it runs; it should not take long.
	Started func(pid int)
	// WithParent has the command killed when this very process dies, however it dies; on Linux only. Its own children are not.
	WithParent bool
	Now        func() time.Time
}

// DefaultGrace is the time between asking processes to end and killing them.
const DefaultGrace = 3 * time.Second

// End is how a run ended.
type End string

// Ends of runs.
const (
	Exited      End = "exited"
	Signalled   End = "signalled"   // a signal from elsewhere ended it (C91)
	TimedOut    End = "timed out"   // and was ended by us
	Interrupted End = "interrupted" // the context was cancelled: the run says nothing
	NotStarted  End = "not started" // no such program, not executable
)

// Result is what a run came to.
type Result struct {
	End End
	// Code is the exit code; 128 and the signal's number after a signal, as shells count. It is -1 when there is none.
	Code int
	// Reason says why it ended as it did, when that is not its exit: "killed by signal 15 (terminated)".
	Reason   string
	Started  time.Time
	Duration time.Duration
	// Log is the output, masked; of a long one, beginning and end. Cut is how many bytes are left out of it.
	Log []byte
	Cut int64
	// Left says that processes outlived the command and were killed.
	Left   bool
	Counts Counts
}

// Run runs a command to its end, or to that of ctx. The order of steps:
//
//  1. start it in a process group of its own, with nothing to read but Stdin
//  2. wait for it, for the timeout, or for ctx
//  3. when it is not the first: ask the whole group to end; after the grace, kill it
//  4. kill what is left of the group: a child in the background keeps neither us nor the machine busy
//  5. pass on what stood in a line without an end
func Run(ctx context.Context, c Command) Result {
	o := newOutput(c)
	defer keepPipes()()
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout, cmd.Stderr = o.out, o.err
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	cmd.WaitDelay = c.grace() // a child that keeps the pipe open doesn't hold us
	ownGroup(cmd)
	if c.WithParent {
		defer withParent(cmd)()
	}
	r := Result{End: Exited, Code: -1, Started: c.Now()}
	if err := cmd.Start(); err != nil {
		r.End, r.Reason = NotStarted, whyNot(err)
		return r
	}
	if c.Started != nil {
		c.Started(cmd.Process.Pid)
	}
	begun := time.Now() // a duration is measured by the clock that no one sets
	end, err := c.wait(ctx, cmd)
	r.Duration = time.Since(begun)
	r.Left = killGroup(cmd) || errors.Is(err, exec.ErrWaitDelay)
	r.ended(cmd, end, c.Timeout)
	o.finish(&r)
	return r
}

func (c *Command) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return DefaultGrace
}

// wait waits for a command, and ends it when it has to.
func (c *Command) wait(ctx context.Context, cmd *exec.Cmd) (End, error) {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var late <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		late = timer.C
	}
	end := Exited
	select {
	case err := <-done:
		return end, err
	case <-late:
		end = TimedOut
	case <-ctx.Done():
		end = Interrupted
	}
	endGroup(cmd)
	grace := time.NewTimer(c.grace())
	defer grace.Stop()
	select {
	case err := <-done:
		return end, err
	case <-grace.C:
		killGroup(cmd)
		return end, <-done
	}
}

// ended tells how the process ended.
func (r *Result) ended(cmd *exec.Cmd, end End, timeout time.Duration) {
	r.End = end
	code, signal, name := status(cmd.ProcessState)
	r.Code = code
	switch {
	case end == TimedOut:
		r.Reason = "stopped after the timeout of " + timeout.String()
	case end == Interrupted:
		r.Reason = "interrupted"
	case signal != 0:
		r.End, r.Reason = Signalled, fmt.Sprintf("killed by signal %d (%s)", signal, name)
	}
}

// whyNot says why a command could not be started, without the words of the package that tried.
func whyNot(err error) string {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// output is where both streams of a command come together.
type output struct {
	mu       sync.Mutex
	out, err *stream
	log      log
	counter  *counter
}

// stream is one of the two.
type stream struct {
	o    *output
	live io.Writer
	mask *masker
}

func newOutput(c Command) *output {
	o := &output{counter: newCounter()}
	o.out, o.err = o.stream(c.Stdout, c.Secrets), o.stream(c.Stderr, c.Secrets)
	return o
}

func (o *output) stream(live io.Writer, secrets []string) *stream {
	s := &stream{o: o, live: live}
	lines := o.counter.stream()
	s.mask = newMasker(secrets, func(p []byte) {
		o.log.add(p)
		lines.add(p)
		if s.live != nil {
			if _, err := s.live.Write(p); err != nil {
				s.live = nil // whoever listened has gone; the run goes on (TRAPS)
			}
		}
	})
	return s
}

// Write takes what the command printed.
func (s *stream) Write(p []byte) (int, error) {
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	return s.mask.Write(p)
}

// finish passes on what stood without a line end, and sums up. A process that holds a pipe still may write: it is too late.
func (o *output) finish(r *Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range []*stream{o.out, o.err} {
		s.mask.Close()
	}
	r.Log, r.Cut, r.Counts = o.log.bytes(), o.log.cut(), o.counter.sum()
}
