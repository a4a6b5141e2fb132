package runner

import (
	"bytes"
	"fmt"
	"strings"
)

// Counts is what a command told of its tests, in lines that a known test runner prints (PS-13). Nothing is claimed of other output.
type Counts struct {
	Known                             bool // a known runner spoke
	Selected, Passed, Failed, Skipped int
	// Packages and Broken are go test's lines per package, which give no number of tests: those with tests that passed, and that failed.
	Packages, Broken int
}

// Zero reports whether a known runner spoke, and not one test ran (PS-13, C149). A package that failed or did not build may have
// tests.
func (c Counts) Zero() bool {
	return c.Known && c.Passed+c.Failed == 0 && c.Packages+c.Broken == 0
}

// String is the counts in words; "" when no runner spoke.
func (c Counts) String() string {
	switch {
	case !c.Known:
		return ""
	case c.Zero() && c.Skipped > 0:
		return fmt.Sprintf("0 tests executed, %d skipped", c.Skipped)
	case c.Zero():
		return "0 tests selected"
	}
	var parts []string
	if c.Passed+c.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d tests: %d passed, %d failed, %d skipped", c.Selected, c.Passed, c.Failed, c.Skipped))
	}
	if c.Packages+c.Broken > 0 {
		parts = append(parts, fmt.Sprintf("packages: %d ok, %d failed", c.Packages, c.Broken))
	}
	return strings.Join(parts, "; ")
}

// add adds what one line told.
func (c *Counts) add(d Counts) {
	c.Known = c.Known || d.Known
	c.Selected += d.Selected
	c.Passed += d.Passed
	c.Failed += d.Failed
	c.Skipped += d.Skipped
	c.Packages += d.Packages
	c.Broken += d.Broken
}

// counter sums the lines of all streams up, per runner.
type counter struct {
	runners [len(runners)]Counts
	streams []*lines
}

func newCounter() *counter { return &counter{} }

// lineMost is how long a line with a runner's summary may be; the rest of a longer one is not looked at.
const lineMost = 4 << 10

// lines cuts one stream into lines.
type lines struct {
	c    *counter
	buf  []byte
	near []int // the runners whose words are in the piece at hand
}

func (c *counter) stream() *lines {
	l := &lines{c: c, near: make([]int, 0, len(runners))}
	c.streams = append(c.streams, l)
	return l
}

// add takes a piece of the stream. A line that was begun in an earlier piece is gathered, up to lineMost. Most output is no summary, so
// each word is looked for once in the whole piece.
func (l *lines) add(p []byte) {
	l.near = speaking(l.near[:0], p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		part := p
		if end >= 0 {
			part, p = p[:end], p[end+1:]
		} else {
			p = nil
		}
		if end >= 0 && len(l.buf) == 0 {
			l.c.line(part[:min(len(part), lineMost)], l.near)
			continue
		}
		l.buf = append(l.buf, part[:min(len(part), max(0, lineMost-len(l.buf)))]...)
		if end >= 0 {
			l.end()
		}
	}
}

// end looks at what stands without a line end.
func (l *lines) end() {
	if len(l.buf) > 0 {
		l.c.line(l.buf, speaking(nil, l.buf))
		l.buf = l.buf[:0]
	}
}

// speaking adds the runners whose words are in a text.
func speaking(near []int, text []byte) []int {
	for i := range runners {
		if bytes.Contains(text, []byte(runners[i].word)) {
			near = append(near, i)
		}
	}
	return near
}

// line looks whether one of these runners speaks in a line.
func (c *counter) line(raw []byte, near []int) {
	text := ""
	for _, i := range near {
		r := &runners[i]
		if !bytes.Contains(raw, []byte(r.word)) {
			continue
		}
		if text == "" {
			text = strings.TrimRight(plainText(string(raw)), " \t\r")
			text = text[strings.LastIndexByte(text, '\r')+1:] // what a progress bar ends with
		}
		if d, ok := r.read(text); ok {
			d.Known = true
			c.runners[i].add(d)
		}
	}
}

// sum is all that was told. Where a runner tells the same twice, its own sum counts.
func (c *counter) sum() Counts {
	for _, l := range c.streams {
		l.end()
	}
	var total Counts
	for i := range runners {
		if of := runners[i].unless; of != "" && c.told(of) {
			continue
		}
		total.add(c.runners[i])
	}
	return total
}

// told reports whether the runner of a name spoke.
func (c *counter) told(name string) bool {
	for i := range runners {
		if runners[i].name == name && c.runners[i].Known {
			return true
		}
	}
	return false
}

// plainText drops colours and other control sequences.
func plainText(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		if i++; i < len(s) && s[i] == '[' {
			for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
			}
		}
	}
	return b.String()
}
