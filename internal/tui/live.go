package tui

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// refresh is how often the clock and the agent's last line are looked at.
	refresh = 250 * time.Millisecond
	// patience is how long a terminal may take to take the end of the view.
	patience = 3 * time.Second
	// backlog is how many events wait for a terminal that takes none. What comes beyond is not shown; the answer tells it all.
	backlog = 256
)

// Live shows a run on a terminal, in place: below what was there, without a screen of its own. What happened stays as lines above it. No
// call waits for the terminal: one that stands still, at the end of a connection that is gone, doesn't hold the run (UN-4).
type Live struct {
	program *tea.Program
	plain   Plain // when the terminal can't be used any more
	now     func() time.Time
	width   atomic.Int64
	events  chan Event
	closing chan struct{} // closed by Close
	ended   chan struct{} // closed when the program has ended
	over    chan struct{} // closed when everything is shown

	mu   sync.Mutex // guards last: the agent's output comes while the view is drawn
	last lastLine
}

// NewLive takes a terminal over, until Close. interrupt is called for each Ctrl-C, from another goroutine: in this mode the terminal makes
// no signal of it.
func NewLive(s Settings, in, out *os.File, environ []string, interrupt func()) *Live {
	l := &Live{plain: Plain{out}, now: s.Now, events: make(chan Event, backlog),
		closing: make(chan struct{}), ended: make(chan struct{}), over: make(chan struct{})}
	l.program = tea.NewProgram(model{Settings: s, interrupt: interrupt, now: s.Begun},
		tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environ),
		tea.WithoutSignalHandler(), // the run has its own
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if size, ok := msg.(tea.WindowSizeMsg); ok {
				l.width.Store(int64(size.Width))
			}
			return msg
		}))
	go func() {
		defer close(l.ended)
		l.program.Run() // that it failed shows in its end: what comes then is shown as lines
	}()
	go l.show()
	return l
}

// Show shows an event.
func (l *Live) Show(e Event) {
	if e.Kind == Handed || e.Kind == Ended { // the next line is another task's
		l.mu.Lock()
		l.last = lastLine{}
		l.mu.Unlock()
	}
	select {
	case l.events <- e:
	default:
	}
}

// Write takes the agent's output.
func (l *Live) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last.Write(p)
}

// line is the agent's last.
func (l *Live) line() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last.text()
}

// Close takes the view off the screen, and gives the terminal back as it was. It is called once.
func (l *Live) Close() {
	close(l.closing)
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-l.over:
	case <-late.C: // its writes hang, and so would ending it: the process takes it along
	}
}

// show is the one goroutine that speaks to the program. Lines are held back until the view is on the screen: before that, the library would
// put them at the top of it, above what the terminal showed before; nor is the width known to which they are wrapped.
func (l *Live) show() {
	defer close(l.over)
	ticker := time.NewTicker(refresh)
	defer ticker.Stop()
	var held []Event
	drawn := false
	keep := func(e Event) {
		if !drawn {
			held = append(held, e)
		} else if text := kept(e, l.columns()); text != "" {
			l.program.Println(text)
		}
		l.program.Send(e)
	}
	for looks := 0; ; {
		select {
		case <-l.ended:
			l.asLines(held)
			return
		case e := <-l.events:
			keep(e)
		case <-ticker.C:
			if looks++; looks == 2 { // the program has taken the first look, and drawn since
				for _, e := range held {
					if text := kept(e, l.columns()); text != "" {
						l.program.Println(text)
					}
				}
				held, drawn = nil, true
			}
			l.program.Send(tick{l.now(), l.line()})
		case <-l.closing:
			for len(l.events) > 0 {
				keep(<-l.events)
			}
			l.program.Send(finish{})
			<-l.ended
			l.asLines(held) // the run was shorter than two looks
			return
		}
	}
}

// asLines shows what is left without the program: what was held back, then what comes until Close.
func (l *Live) asLines(held []Event) {
	for _, e := range held {
		if text := kept(e, l.columns()); text != "" {
			io.WriteString(l.plain.W, text+"\n")
		}
	}
	for {
		select {
		case e := <-l.events:
			l.plain.Show(e)
		case <-l.closing:
			for len(l.events) > 0 {
				l.plain.Show(<-l.events)
			}
			return
		}
	}
}

// columns are those that a line may take.
func (l *Live) columns() int {
	if w := l.width.Load(); w > 0 {
		return int(w) - 1
	}
	return 79
}
