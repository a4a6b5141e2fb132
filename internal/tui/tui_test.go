package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files")

var evening = time.Date(2026, 9, 2, 22, 0, 0, 0, time.UTC)

func settings() Settings {
	return Settings{Plan: "PLAN_bike_rental", Agent: "claude", Begun: evening, Turns: 50, Time: 8 * time.Hour, Cost: 20}
}

// after is an event some time after the begin.
func after(d time.Duration, kind Kind, text string) Event {
	return Event{Kind: kind, At: evening.Add(d), Text: text}
}

// steps are a run, up to its interrupt: what is sent to the view, by name of the moment after it.
func steps() (names []string, messages [][]tea.Msg) {
	handed := after(2*time.Second, Handed, "task 3 is handed to claude")
	handed.Turn, handed.Task, handed.Title, handed.Limit = 1, 3, "Write the receipt, with its tax and every line of it, and send it to the rider", 30*time.Minute
	ended := after(10*time.Minute, Ended, "turn 1, task 3: progress; npm test passes")
	ended.Turn, ended.Done, ended.Total, ended.Cost, ended.Gates = 1, 2, 8, 1.25, []string{"npm test", "npm run lint -- --max-warnings 0 src/receipt"}
	again := handed
	again.At, again.Turn = evening.Add(61*time.Minute), 2
	begin := after(0, Note, "8 tasks, 2 of them done")
	begin.Done, begin.Total = 2, 8
	return []string{"begin", "works", "between", "again", "interrupted"}, [][]tea.Msg{
		{begin},
		{handed, tick{evening.Add(192 * time.Second), "reading src/receipt.ts and what calls it, to find where the tax is added twice over"}},
		{ended},
		{again, tick{evening.Add(62*time.Minute + 2*time.Second), "\u30ec\u30b7\u30fc\u30c8\u3092\u66f8\u304d\u307e\u3059\u3002\u30ec\u30b7\u30fc\u30c8\u3092\u66f8\u304d\u307e\u3059\u3002\u30ec\u30b7\u30fc\u30c8\u3092\u66f8\u304d\u307e\u3059\u3002"}},
		{after(63*time.Minute, Interrupted, "the turn ends by a checkpoint; Ctrl-C again ends at once")},
	}
}

// The view of a run at two widths, as it is drawn, with the lines that stay above it.
func TestViewAtTwoWidths(t *testing.T) {
	for _, width := range []int{80, 40} {
		var m tea.Model = model{Settings: settings(), now: evening}
		m, _ = m.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		var b strings.Builder
		names, messages := steps()
		for i, name := range names {
			fmt.Fprintf(&b, "-- %s --\n", name)
			for _, msg := range messages[i] {
				if e, ok := msg.(Event); ok {
					if line := kept(e, width-1); line != "" {
						b.WriteString(line + "\n")
					}
				}
				m, _ = m.Update(msg)
			}
			b.WriteString(m.View().Content + "\n")
		}
		for line := range strings.Lines(b.String()) {
			if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w >= width {
				t.Errorf("%d columns: a line of %d: %q", width, w, line)
			}
		}
		golden := filepath.Join("testdata", fmt.Sprintf("view%d.txt", width))
		if *rewrite {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s differs; with -update it is rewritten:\n%s", golden, b.String())
		}
	}
}

// However narrow the terminal becomes, no line is wider.
func TestViewFitsEveryWidth(t *testing.T) {
	for _, colour := range []bool{false, true} {
		s := settings()
		s.Colour, s.Plan = colour, "PLAN_\u30ec\u30b7\u30fc\u30c8_of_bikes"
		var m tea.Model = model{Settings: s, now: evening}
		_, messages := steps()
		for _, moment := range messages {
			for _, msg := range moment {
				m, _ = m.Update(msg)
			}
			for width := 1; width < 130; width++ {
				m, _ = m.Update(tea.WindowSizeMsg{Width: width})
				content := m.View().Content
				for line := range strings.SplitSeq(content, "\n") {
					if w := ansi.StringWidth(line); w > max(width-1, 1) {
						t.Fatalf("%d columns: a line of %d: %q", width, w, line)
					}
				}
				if strings.Contains(content, "\x1b") != colour {
					t.Fatalf("colour %v: %q", colour, content)
				}
			}
		}
	}
}

// Each Ctrl-C is passed on, and nothing else that is typed; the end takes the view off the screen.
func TestKeys(t *testing.T) {
	pressed := 0
	var m tea.Model = model{Settings: settings(), interrupt: func() { pressed++ }}
	for _, key := range []tea.KeyPressMsg{{Code: 'c', Mod: tea.ModCtrl}, {Code: 'c'}, {Code: 'q'}, {Code: 'c', Mod: tea.ModCtrl}} {
		var cmd tea.Cmd
		if m, cmd = m.Update(key); cmd != nil {
			cmd()
		}
	}
	if pressed != 2 {
		t.Errorf("%d interrupts, want 2", pressed)
	}
	m, cmd := m.Update(finish{})
	if _, quits := cmd().(tea.QuitMsg); !quits || m.View().Content != "" {
		t.Errorf("after the end: %q", m.View().Content)
	}
}

// C157: what an agent prints can't move the cursor, colour the screen, set the title, or reorder text.
func TestCleanLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "  two\twords \n": "two words",
		"\x1b[31mred\x1b[0m":              "red",
		"\x1b[2J\x1b[Hgone":               "gone",
		"\x1b]0;title\x07text":            "text",
		"\x1b]8;;http://x\x1b\\link":      "link",
		"\x1b]0;no end":                   "",
		"\u009b2Jtext":                    "2Jtext",
		"\x9b2Jtext":                      "\ufffd2Jtext",
		"a\x00b\x08c\x7fd":                "abcd",
		"ab\u202edc\u2066e\u200f":         "abdce",
		"zero\u200bwidth\ufeff":           "zerowidth",
		"line\u2028end":                   "line end",
		"caf\u00e9 \u0e01\u0e33 \u30ec":   "caf\u00e9 \u0e01\u0e33 \u30ec",
		"bad\xffbyte":                     "bad\ufffdbyte",
		"\x1bPq#0\x1b\\sixel":             "sixel",
		"\x1b_app\x1b\\\x1b^pm\x1b\\rest": "rest",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"plain", "\x1b[31mred", "\x1b]0;t", "\u202ea", "\xff\x9b", "\u30ec"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := Clean(in)
		for _, r := range got {
			if !unicode.IsGraphic(r) {
				t.Fatalf("%q: %q has %U", in, got, r)
			}
		}
		if w := ansi.StringWidth(fit(got, 20)); w > 20 {
			t.Fatalf("%q: %d columns", in, w)
		}
	})
}

// The last line of the agent: without an end, after one that is blank, rewritten in place, and never kept beyond a bound.
func TestLastLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "one": "one", "one\n": "one", "one\ntwo": "two", "one\n\n  \n": "one",
		"10%\r20%\r30%": "30%", "10%\r": "10%", "10%\r\n": "10%", "one\r\ntwo\r\n": "two", "\x1b[1mone\x1b[0m\n\x1b[K": "one",
	} {
		for _, size := range []int{1, 3, 100} { // however the stream is cut
			var l lastLine
			for rest := []byte(in); len(rest) > 0; {
				n := min(size, len(rest))
				l.Write(rest[:n])
				rest = rest[n:]
			}
			if got := l.text(); got != want {
				t.Errorf("%q by %d: %q, want %q", in, size, got, want)
			}
		}
	}
	var l lastLine
	for range 100 {
		l.Write([]byte(strings.Repeat("x", 1000)))
	}
	if len(l.open) != longestLine {
		t.Errorf("%d bytes are kept", len(l.open))
	}
}

func TestPlainLines(t *testing.T) {
	var b strings.Builder
	p := Plain{&b}
	p.Show(after(0, Passing, "the lease is taken"))
	p.Show(after(time.Second, Note, ""))
	p.Write([]byte("what the agent prints"))
	p.Show(Event{At: evening.In(time.FixedZone("", 3600)), Text: "task 1 \x1b[2J\nis handed over"})
	want := "2026-09-02T22:00:00Z the lease is taken\n2026-09-02T22:00:00Z task 1 is handed over\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 59*time.Second + 999*time.Millisecond: "59s", 190 * time.Second: "3m10s", 62 * time.Minute: "1h02m", 30 * time.Hour: "30h00m",
	} {
		if got := Clock(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
