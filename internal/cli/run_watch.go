package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/deepworkplan/dwp/internal/tui"
	"github.com/deepworkplan/dwp/internal/turn"
)

// watcher shows a run while it goes on: live, or as lines.
type watcher interface {
	io.Writer // takes the agent's output
	Show(tui.Event)
	Close()
}

// watcherOf chooses how a run is shown. The live view needs a terminal on both sides that does more than print: the answer is for standard
// output, and what is shown on the way for standard error.
func (a *app) watcherOf(n *night, interrupt func()) watcher {
	in, tty := a.env.Stdin.(*os.File)
	out, screen := a.env.Stderr.(*os.File)
	live := tty && screen && a.env.Width > 0 && a.env.Interactive != nil && a.env.Interactive() && a.env.Getenv("TERM") != "dumb"
	if n.flags.plain || a.json || !live {
		return tui.Plain{W: a.env.Stderr}
	}
	s := tui.Settings{Plan: n.Name, Agent: n.loop.Turn.Agent.Name, Begun: a.env.Now(), Turns: n.loop.Budget.Turns, Time: n.loop.Budget.Time,
		Colour: a.env.Getenv("NO_COLOR") == "", Now: a.env.Now}
	if n.priced {
		s.Cost = n.loop.Budget.Cost
	}
	var environ []string
	if a.env.Environ != nil {
		environ = a.env.Environ()
	}
	return tui.NewLive(s, in, out, environ, interrupt)
}

// bystander tells a watcher what a run's turns tell. It is told by the loop's goroutine, and asked by another.
type bystander struct {
	watcher
	now   func() time.Time
	limit func() time.Duration // of the turn under way
	begun time.Time

	showing sync.Mutex
	mu      sync.Mutex // guards taken
	taken   []turn.Took
}

// Show shows an event.
func (b *bystander) Show(e tui.Event) {
	b.showing.Lock()
	defer b.showing.Unlock()
	b.watcher.Show(e)
}

// tell passes an event of a turn on.
func (b *bystander) tell(e turn.Event) {
	if e.Kind == turn.Judged { // took says the same, with time and costs
		return
	}
	b.mu.Lock()
	number := len(b.taken) + 1
	b.mu.Unlock()
	shown := tui.Event{Kind: tui.Passing, At: e.At, Text: eventLine(e), Turn: number, Task: e.Task, Title: e.Title}
	switch e.Kind {
	case turn.Handed:
		shown.Kind, shown.Limit = tui.Handed, b.limit()
	case turn.Mended, turn.Stopped, turn.Paused:
		shown.Kind = tui.Note
	}
	b.Show(shown)
}

// eventLine is an event as one line: its turn, then what.
func eventLine(e turn.Event) string {
	number, title := "", ""
	if e.Turn > 0 {
		number = "turn " + itoa(e.Turn)
	}
	if e.Kind == turn.Handed {
		title = e.Title
	}
	return joined(": ", number, cmp.Or(e.Text, string(e.Kind)), title)
}

// took passes on how a turn ended.
func (b *bystander) took(t turn.Took) {
	b.mu.Lock()
	b.taken = append(b.taken, t)
	cost := 0.0
	for i := range b.taken {
		cost += b.taken[i].Cost
	}
	b.mu.Unlock()
	e := tui.Event{Kind: tui.Ended, At: b.now(), Text: tookLine(&t), Turn: t.Number, Done: t.Reached.Done, Total: t.Reached.Total, Cost: cost}
	if r := t.Outcome.Record; r != nil {
		e.Gates = r.Gained.Gates
	}
	b.Show(e)
}

// tookLine is how a turn ended, in one line.
func tookLine(t *turn.Took) string {
	if t.Err != nil {
		return "" // the answer says it
	}
	e := turn.Event{Kind: turn.Judged, Text: turnWords(t.Outcome.Result)}
	about := []string{tui.Clock(t.Duration)}
	if t.HasCost {
		about = append(about, dollars(t.Cost))
	}
	if r := t.Outcome.Record; r != nil {
		e.Turn = r.N
		about = append(about, turn.GainedWords(&r.Gained))
	}
	if task := t.Outcome.TaskOf(); task > 0 {
		e.Text = "task " + itoa(task) + ": " + e.Text
	}
	e.Text += " (" + joined(", ", about...) + ")"
	return eventLine(e)
}

func dollars(amount float64) string { return fmt.Sprintf("$%.2f", amount) }

// watched runs the loop and shows it. The first interrupt cancels it, so that the turn ends by a checkpoint (PS-15); the second abandons it:
// nothing is waited for, and the next turn tidies up as after a crash.
//
// A fault of the program in a turn is an error here: the terminal is given back before anybody reads of it.
func (a *app) watched(ctx context.Context, n *night) (abandoned bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wanted, stop := n.endings()
	defer stop()
	b := &bystander{now: a.env.Now, begun: a.env.Now(), limit: func() time.Duration { return n.loop.Turn.MaxTime }}
	b.watcher = a.watcherOf(n, func() { wanted <- os.Interrupt })
	defer b.Close()
	n.loop.After, n.loop.Turn.Tell, n.loop.Turn.Output = b.took, b.tell, b
	o := n.before.Overview()
	b.Show(tui.Event{Kind: tui.Note, At: b.begun, Text: fmt.Sprintf("%s: %d of %s done; at most %s, %s", n.Name,
		o.Completed, plural(o.Total, "task"), plural(n.loop.Budget.Turns, "turn"), tui.Clock(n.loop.Budget.Time)), Done: o.Completed, Total: o.Total})

	ended := make(chan turn.Ran, 1)
	broken := make(chan any, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				broken <- p
			}
		}()
		ended <- n.loop.Run(ctx)
	}()
	for first := true; ; first = false {
		select {
		case n.ran = <-ended:
			return false, nil
		case p := <-broken:
			return true, fault(p)
		case <-wanted:
		}
		if !first {
			n.ran = b.abandon()
			b.Show(tui.Event{Kind: tui.Note, At: a.env.Now(), Text: "ended at once; what the turn left half done, the next one finishes"})
			return true, nil
		}
		cancel()
		b.Show(tui.Event{Kind: tui.Interrupted, At: a.env.Now(), Text: "interrupted: the turn ends by a checkpoint; Ctrl-C again ends at once"})
	}
}

// abandon is the account of a run whose end nobody waits for.
func (b *bystander) abandon() turn.Ran {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := turn.Ran{End: turn.EndInterrupted, Turns: b.taken, Duration: max(b.now().Sub(b.begun), 0)}
	for i := range b.taken {
		r.Cost += b.taken[i].Cost
		r.Reached = b.taken[i].Reached
	}
	return r
}

// endings are the signals by which a person or the machine wants a turn or a run to end; a terminal that goes away is one. What was ignored
// when the program started stays so: a run in the background, or under nohup. The channel has room for what comes after the second, which
// nobody reads.
func endings() (chan os.Signal, func()) {
	wanted := make(chan os.Signal, 16)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(wanted, s)
		}
	}
	return wanted, func() { signal.Stop(wanted) }
}

// endedBy is a context that the first of the endings cancels; a second one ends the program as if nobody had waited for it.
func endedBy(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	wanted, stop := endings()
	go func() {
		select {
		case <-wanted:
			stop()
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { stop(); cancel() }
}
