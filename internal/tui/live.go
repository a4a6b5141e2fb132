package tui

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// refresh is how often the clock and the agent's last line are looked at.
const refresh = 250 * time.Millisecond

// Live shows a run on a terminal, in place: below what was there, without a screen of its own. What happened stays as lines above it.
type Live struct {
	program *tea.Program
	plain   Plain // when the terminal can't be used any more
	now     func() time.Time
	width   atomic.Int64
	ended   chan struct{} // closed when the program has ended

	mu    sync.Mutex // guards what follows: the agent's output comes while the view is drawn
	last  lastLine
	drawn bool     // the view is on the screen: lines can stand above it
	held  []string // lines that came before
}

// NewLive takes a terminal over, until Close. interrupt is called for each Ctrl-C, from another goroutine: in this mode the terminal makes
// no signal of it.
func NewLive(s Settings, in, out *os.File, environ []string, interrupt func()) *Live {
	l := &Live{plain: Plain{out}, now: s.Now, ended: make(chan struct{})}
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
		l.program.Run() // that it failed shows in its end; the run doesn't depend on being watched (UN-4)
	}()
	go l.tick()
	return l
}

// tick sends the clock and the agent's last line, until the program ends.
func (l *Live) tick() {
	ticker := time.NewTicker(refresh)
	defer ticker.Stop()
	for looks := 0; ; looks++ {
		select {
		case <-l.ended:
			return
		case <-ticker.C:
			if looks == 1 { // the program has taken the first look, and drawn since
				l.release()
			}
			l.mu.Lock()
			line := l.last.text()
			l.mu.Unlock()
			l.program.Send(tick{l.now(), line})
		}
	}
}

// release prints the lines that were held back. Before the view is drawn, the library would put them at the top of the screen, above what
// the terminal showed before.
func (l *Live) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, text := range l.held {
		l.program.Println(text)
	}
	l.held, l.drawn = nil, true
}

// keep prints a line above the view, in its turn.
func (l *Live) keep(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.drawn {
		l.held = append(l.held, text)
		return
	}
	l.program.Println(text)
}

// Show shows an event.
func (l *Live) Show(e Event) {
	select {
	case <-l.ended:
		l.plain.Show(e)
		return
	default:
	}
	if e.Kind == Handed || e.Kind == Ended { // the next line is another task's
		l.mu.Lock()
		l.last = lastLine{}
		l.mu.Unlock()
	}
	columns := 79
	if w := l.width.Load(); w > 0 {
		columns = int(w) - 1
	}
	if text := kept(e, columns); text != "" {
		l.keep(text)
	}
	l.program.Send(e)
}

// Write takes the agent's output.
func (l *Live) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last.Write(p)
}

// Close takes the view off the screen, and gives the terminal back as it was.
func (l *Live) Close() {
	l.program.Send(finish{})
	<-l.ended
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, text := range l.held { // the run was shorter than a look
		io.WriteString(l.plain.W, text+"\n")
	}
	l.held = nil
}
