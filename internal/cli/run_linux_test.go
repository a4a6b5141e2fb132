package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/deepworkplan/dwp/internal/turn"
)

// A run at a real terminal: what happened stays above, the view is taken away at the end, and a Ctrl-C that is typed ends the turn by its
// checkpoint. What the agent prints can't clear the screen (C157).
func TestRunAtATerminal(t *testing.T) {
	keys, screen := terminal(t)
	guard := time.AfterFunc(30*time.Second, func() { screen.Close() })
	defer guard.Stop()
	n := newNightly(t, nil, completes(2, "Pour", 0.4), func(*nightly) (turn.Outcome, error) { return turn.Outcome{}, nil })
	first := n.loop.Take
	begun, told := make(chan bool), make(chan bool) // what has appeared
	n.loop.Take = func(ctx context.Context) (turn.Outcome, error) {
		if n.calls == 0 {
			<-begun
			return first(ctx)
		}
		n.loop.Turn.Tell(turn.Event{Kind: turn.Handed, At: n.now, Turn: 12, Task: 3, Title: "Drink", Text: "task 3 is handed to claude"})
		n.loop.Turn.Output.Write([]byte("sipping \x1b[2Jslowly"))
		<-ctx.Done()
		<-told
		return turn.Outcome{Result: turn.Interrupted, Record: &turn.Record{N: 12, Task: 3}}, nil
	}
	n.a.env.Stdin, n.a.env.Stdout, n.a.env.Stderr = screen, screen, screen
	n.a.env.Width, n.a.env.Interactive = 80, func() bool { return true }
	n.a.env.Environ = func() []string { return []string{"TERM=xterm-256color"} }
	n.a.out.Reset(screen)

	seen := make(chan string, 1)
	go func() {
		var all bytes.Buffer
		buffer := make([]byte, 4096)
		waits := []struct {
			text string
			then func()
		}{
			{"1/3 tasks", func() { close(begun) }},
			{"> sipping slowly", func() { io.WriteString(keys, "\x03") }},
			{"interrupted: the turn ends", func() { close(told) }},
			{"goes on from here", func() {}},
		}
		for len(waits) > 0 {
			count, err := keys.Read(buffer)
			if all.Write(buffer[:count]); err != nil {
				break
			}
			if strings.Contains(all.String(), waits[0].text) {
				waits[0].then()
				waits = waits[1:]
			}
		}
		seen <- all.String()
	}()
	code := n.a.finish("run", n.a.spend(t.Context(), n.night))
	n.a.out.Flush()
	said := <-seen
	if code != ExitInterrupted {
		t.Errorf("code %d", code)
	}
	plain := ansi.Strip(said)
	for _, want := range []string{"[##", "1/3 tasks", "2/3 tasks", "turn 2 of 9 in this run, task 3: Drink", "22:10 turn 11: task 2: completed (10m00s", "interrupted: the turn ends by a checkpoint", "Needed"} {
		if !strings.Contains(plain, want) {
			t.Errorf("never seen: %q", want)
		}
	}
	if strings.Contains(said, "\x1b[2J") || strings.Contains(said, "\x1b[?1049h") {
		t.Error("the screen was cleared, or another taken")
	}
	if t.Failed() {
		t.Logf("%q", said)
	}
}

// UN-4: a terminal that takes nothing, at the end of a connection that is gone, holds up neither the events of a run nor its agent's output,
// and its end only for a while.
func TestRunOutlivesItsTerminal(t *testing.T) {
	_, screen := terminal(t)
	n := newNightly(t, nil, func(*nightly) (turn.Outcome, error) { return turn.Outcome{Result: turn.PlanBlocked}, nil })
	first := n.loop.Take
	n.loop.Take = func(ctx context.Context) (turn.Outcome, error) {
		for range 2000 { // more than a terminal holds
			n.loop.Turn.Tell(turn.Event{Kind: turn.Mended, At: n.now, Text: strings.Repeat("word ", 60)})
			n.loop.Turn.Output.Write([]byte("a line\n"))
		}
		return first(ctx)
	}
	n.a.env.Stdin, n.a.env.Stderr = screen, screen
	n.a.env.Width, n.a.env.Interactive = 80, func() bool { return true }
	if code, out, _ := n.spent(t); code != ExitBlocked || !strings.Contains(out, "blocked, a person is needed") {
		t.Errorf("code %d\n%s", code, out)
	}
}
