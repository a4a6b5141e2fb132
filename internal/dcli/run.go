package dcli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/cli"
	"github.com/deepworkplan/dwp/internal/daemon"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/spf13/cobra"
)

// runFlags are the flags of run.
type runFlags struct {
	workers             int
	ttl, grace, backoff time.Duration
	watch, look         time.Duration
	dwp                 string
}

// shortestTTL: below, one slow answer of a database loses a turn.
const shortestTTL = time.Second

// runCmd takes turns in the foreground.
func (a *app) runCmd() *cobra.Command {
	pace := daemon.DefaultPace()
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "Take turns of the plans in the queue, in the foreground",
		Long: `Take turns of the plans in the queue, in the foreground, one line for each
event. Several daemons, on one machine or many, may share a queue. On SIGTERM or
Ctrl-C no new turn begins; running ones may end for the time of --grace, then
they are ended and leave a checkpoint. A second signal ends them at once.

A worker that gives no sign of life for the time of --dead-man has lost its
plan: another goes on from the plan's files. One that can't reach the database
ends its turn before that, by itself. With --json each event is one line.

Exit codes: 0 stopped as asked; 1 refused; 2 a wrong call; 3 could not be done.`,
		Example: `  dwp daemon run
  dwp daemon run --workers 4 --root /srv/plans`,
		Args: cli.Between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd, flags) },

		DisableFlagsInUseLine: true,
	}
	f := cmd.Flags()
	f.IntVar(&flags.workers, "workers", 1, "take `N` turns at one time, of different plans")
	f.DurationVar(&flags.ttl, "dead-man", daemon.DefaultTTL, "give a plan up after `DURATION` without a sign of its worker")
	f.DurationVar(&flags.grace, "grace", daemon.DefaultGrace, "let running turns go on for `DURATION` when asked to stop")
	f.DurationVar(&flags.backoff, "backoff", pace.First, "wait `DURATION` after a first fruitless turn, then longer")
	f.DurationVar(&flags.watch, "watch", pace.Watch, "look every `DURATION` whether a waiting plan was answered")
	f.DurationVar(&flags.look, "look", daemon.DefaultLook, "look every `DURATION` whether the queue was changed")
	f.StringVar(&flags.dwp, "dwp", "", "the `PROGRAM` that takes turns (default: dwp beside this one, or on PATH)")
	return cmd
}

func (f runFlags) check() error {
	switch {
	case f.workers < 1 || f.workers > 1000:
		return cli.Usage("bad-flag", "", "--workers is not between 1 and 1000")
	case f.ttl < shortestTTL:
		return cli.Usage("bad-flag", "", "--dead-man is less than %s", shortestTTL)
	case f.grace < 0:
		return cli.Usage("bad-flag", "", "--grace is negative")
	case f.backoff <= 0 || f.watch <= 0 || f.look <= 0:
		return cli.Usage("bad-flag", "", "--backoff, --watch and --look have to be positive")
	}
	return nil
}

func (a *app) run(cmd *cobra.Command, flags runFlags) error {
	if err := a.asPerson("run"); err != nil {
		return err
	}
	if err := flags.check(); err != nil {
		return err
	}
	p, err := a.place()
	if err != nil {
		return err
	}
	ctx, now, stop := signals(cmd.Context())
	defer stop()
	turns, err := a.turns(ctx, flags.dwp)
	if err != nil {
		return err
	}
	store, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	turns.Queue = store.Name()
	tell := a.teller()
	e := &daemon.Engine{
		Store: store, Root: p.root, Worker: workerName(), Workers: flags.workers,
		TTL: flags.ttl, Grace: max(flags.grace, time.Millisecond), Ending: daemon.DefaultEnding, Look: flags.look,
		Pace: daemon.Pace{First: flags.backoff, Most: max(daemon.DefaultPace().Most, flags.backoff), Watch: flags.watch},
		Turn: turns.Run, Tell: tell, Log: quiet(tell),
	}
	tell(daemon.Event{Text: fmt.Sprintf("%s takes turns of the queue %s, in the %s", e.Worker, store.Name(), store.Where())})
	err = e.Run(ctx, now)
	tell(daemon.Event{Text: "stopped"})
	if err != nil {
		return cli.Cannot("no-queue", "", "%s", err)
	}
	return nil
}

// turns finds the program that takes turns, and makes sure that it is that.
func (a *app) turns(ctx context.Context, given string) (*daemon.Program, error) {
	path, err := a.program(given)
	if err != nil {
		return nil, err
	}
	turns := &daemon.Program{Path: path, Env: a.turnEnv(), Now: a.Env().Now}
	if err := turns.Check(ctx); err != nil {
		return nil, cli.Cannot("no-dwp", "name the right one with --dwp", "%s", err)
	}
	return turns, nil
}

// program finds the dwp that takes turns.
func (a *app) program(given string) (string, error) {
	if given == "" {
		path, err := runner.Sister("dwp")
		if err != nil {
			return "", cli.Cannot("no-dwp", "build it with go build ./cmd/dwp, or name it with --dwp", "the program dwp is neither beside dwpd nor on PATH")
		}
		return path, nil
	}
	path, err := filepath.Abs(given)
	if err != nil {
		return "", cli.Cannot("no-dwp", "", "%s", err)
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", cli.Usage("bad-flag", "", "--dwp: there is no program %q", given)
	}
	return path, nil
}

// turnEnv is the environment of turns: not the password of the database, and no plan but the turn's.
func (a *app) turnEnv() []string {
	return slices.DeleteFunc(a.Env().Environ(), func(v string) bool {
		return strings.HasPrefix(v, urlVariable+"=") || strings.HasPrefix(v, "DWP_PLAN=") || strings.HasPrefix(v, "PGPASSWORD=")
	})
}

// workerName names this process in the history.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// signals returns a context that ends with the first request to stop, and one that ends with the second.
func signals(parent context.Context) (first, second context.Context, stop func()) {
	first, endFirst := context.WithCancel(parent)
	second, endSecond := context.WithCancel(parent)
	caught := make(chan os.Signal, 2)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range caught {
			if first.Err() != nil {
				endSecond()
			}
			endFirst()
		}
	}()
	return first, second, func() { signal.Stop(caught); close(caught); endFirst(); endSecond() }
}

// teller prints events as they come, each at once.
func (a *app) teller() func(daemon.Event) {
	var mu sync.Mutex
	return func(e daemon.Event) {
		mu.Lock()
		defer mu.Unlock()
		at := a.Env().Now()
		if a.JSON() {
			line, err := json.Marshal(struct {
				At     string `json:"at"`
				Path   string `json:"path"`
				Fence  int64  `json:"fence"`
				Text   string `json:"text"`
				Faulty bool   `json:"faulty"`
			}{stamp(at), e.Path, e.Fence, e.Text, e.Faulty})
			if err == nil {
				a.Text(string(line) + "\n")
			}
		} else {
			a.Line("%s  %s", at.Local().Format("2006-01-02 15:04:05"), a.Clean(eventText(e)))
		}
		a.Flush()
	}
}

func eventText(e daemon.Event) string {
	text := e.Text
	if e.Path != "" {
		text = fmt.Sprintf("%s (lease %d): %s", shown(e.Path), e.Fence, text)
	}
	if e.Faulty {
		return "warning: " + text
	}
	return text
}

// quiet makes events of River's errors, and drops the rest of what it says.
func quiet(tell func(daemon.Event)) slog.Handler {
	return slog.NewTextHandler(lines{tell}, &slog.HandlerOptions{Level: slog.LevelError})
}

// lines takes River's lines.
type lines struct{ tell func(daemon.Event) }

var _ io.Writer = lines{}

func (l lines) Write(p []byte) (int, error) {
	l.tell(daemon.Event{Text: string(p), Faulty: true})
	return len(p), nil
}
