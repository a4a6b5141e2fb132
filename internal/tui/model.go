package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// model is what the view shows. Its update is pure: what comes in are events, the clock, keys and the terminal's size.
type model struct {
	Settings
	interrupt func() // is called for each Ctrl-C
	width     int
	now       time.Time

	turn, task  int
	title       string
	handed      time.Time     // when the task became the agent's; zero between turns
	limit       time.Duration // of the turn
	gates       []string      // of the task that are known to pass
	line        string        // the agent's last
	done, total int
	cost        float64
	ending      string // said since a person wants an end
	closed      bool
}

// tick is a look at the clock and at the agent's last line.
type tick struct {
	now  time.Time
	line string
}

// finish ends the view, and takes it off the screen.
type finish struct{}

// Init does nothing: what comes is sent.
func (m model) Init() tea.Cmd { return nil }

// Update takes what happened into the view.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case tick:
		m.now = msg.now
		if msg.line != "" {
			m.line = msg.line
		}
	case Event:
		m.take(msg)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return m, func() tea.Msg { m.interrupt(); return nil }
		}
	case finish:
		m.closed = true
		return m, tea.Quit
	}
	return m, nil
}

// take takes one event in.
func (m *model) take(e Event) {
	m.now = e.At
	if e.Turn > 0 {
		m.turn = e.Turn
	}
	if e.Total > 0 {
		m.done, m.total = e.Done, e.Total
	}
	switch e.Kind {
	case Handed:
		if e.Task != m.task { // gates are those of one task
			m.gates = nil
		}
		m.task, m.title, m.handed, m.limit, m.line = e.Task, Clean(e.Title), e.At, e.Limit, ""
	case Ended:
		m.handed, m.cost, m.line = time.Time{}, e.Cost, ""
		for _, gate := range e.Gates {
			if gate = Clean(gate); !slices.Contains(m.gates, gate) {
				m.gates = append(m.gates[:len(m.gates):len(m.gates)], gate)
			}
		}
	case Interrupted:
		m.ending = Clean(e.Text)
	}
}

// View draws the view, no line wider than the terminal. Colour underlines what words say.
func (m model) View() tea.View {
	if m.closed {
		return tea.NewView("")
	}
	lines := append([]string{m.paint("1", m.progress())}, m.current()...)
	lines = append(lines, m.flow(m.budget())...)
	if len(m.gates) > 0 {
		lines = append(lines, "gates that pass: "+strings.Join(m.gates, "; "))
	}
	if m.line != "" {
		lines = append(lines, m.paint("2", "> "+m.line))
	}
	if m.ending != "" { // whole on any width: it says what the next Ctrl-C does
		for line := range strings.SplitSeq(ansi.Wrap(m.ending, m.columns(), ""), "\n") {
			lines = append(lines, m.paint("33", line))
		}
	}
	for i := range lines {
		lines[i] = fit(lines[i], m.columns())
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.DisableBracketedPasteMode = true // nothing is pasted here
	return v
}

// columns are those to draw in: the last one stays free, since terminals differ in how wide some characters are.
func (m *model) columns() int {
	if m.width == 0 {
		return 79
	}
	return max(m.width-1, 1)
}

func (m *model) paint(style, text string) string {
	if !m.Colour {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// The bar is a quarter of the line, within these columns.
const (
	leastBar = 8
	mostBar  = 30
)

// progress is the plan and how much of it is done.
func (m *model) progress() string {
	size := min(max(m.columns()/4, leastBar), mostBar)
	full := 0
	if m.total > 0 {
		full = size * min(m.done, m.total) / m.total
	}
	count := fmt.Sprintf(" [%s%s] %d/%d tasks", strings.Repeat("#", full), strings.Repeat("-", size-full), m.done, m.total)
	return fit(Clean(m.Plan), m.columns()-len(count)) + count
}

// narrow is the width below which a task stands on a line of its own.
const narrow = 60

// current is the turn and its task.
func (m *model) current() []string {
	turn := fmt.Sprintf("turn %d of %d in this run", m.turn, m.Turns) // the lines above count those of the plan
	switch task := fmt.Sprintf("task %d: %s", m.task, m.title); {
	case m.turn == 0 && m.Turns == 1:
		return []string{"1 turn at most; it begins"}
	case m.turn == 0:
		return []string{fmt.Sprintf("%d turns at most; the first begins", m.Turns)}
	case m.handed.IsZero():
		return []string{turn + " has ended"}
	case m.columns() < narrow:
		return []string{turn, task}
	default:
		return []string{turn + ", " + task}
	}
}

// budget is what is used and left of the bounds.
func (m *model) budget() []string {
	gone := max(m.now.Sub(m.Begun), 0)
	parts := []string{Clock(gone) + " gone", Clock(max(m.Time-gone, 0)) + " left"}
	if !m.handed.IsZero() {
		parts = append(parts, "this turn "+Clock(max(m.now.Sub(m.handed), 0))+" of "+Clock(m.limit))
	}
	if m.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f of $%.2f", m.cost, m.Cost))
	}
	return parts
}

// flow puts parts on as many lines as they need.
func (m *model) flow(parts []string) []string {
	lines := []string{parts[0]}
	for _, part := range parts[1:] {
		last := &lines[len(lines)-1]
		if len(*last)+len(", ")+len(part) > m.columns() {
			lines = append(lines, part)
			continue
		}
		*last += ", " + part
	}
	return lines
}

// Clock is a duration as people read it at a glance: 12s, 3m10s, 1h02m.
func Clock(d time.Duration) string {
	d = d.Truncate(time.Second)
	hours, minutes, seconds := int(d/time.Hour), int(d/time.Minute)%60, int(d/time.Second)%60
	switch {
	case hours > 0:
		return fmt.Sprintf("%dh%02dm", hours, minutes)
	case minutes > 0:
		return fmt.Sprintf("%dm%02ds", minutes, seconds)
	}
	return fmt.Sprintf("%ds", seconds)
}

// kept is the line that stays above the view for an event, wrapped to columns; "" for one that leaves none.
func kept(e Event, columns int) string {
	text := Clean(e.Text)
	if text == "" || e.Kind == Passing || e.Kind == Handed || e.Kind == Interrupted {
		return ""
	}
	const indent = "      "
	lines := strings.Split(ansi.Wrap(text, max(columns-len(indent), 8), ""), "\n")
	return e.At.Format("15:04") + " " + strings.Join(lines, "\n"+indent)
}
