package runner

import "fmt"

// Bounds of a log: what is beyond both is left out of the middle, and that is told. A command may print any amount.
const (
	headMost = 4 << 20
	tailMost = 4 << 20
)

// log keeps the beginning and the end of an output in bounded memory.
type log struct {
	head, tail []byte
	at         int // where the next byte of the tail goes, once it is full
	total      int64
}

// add appends to the log. The tail is a ring, so that each byte is copied once.
func (l *log) add(p []byte) {
	l.total += int64(len(p))
	if n := min(len(p), headMost-len(l.head)); n > 0 {
		l.head = append(l.head, p[:n]...)
		p = p[n:]
	}
	if len(p) > tailMost {
		p = p[len(p)-tailMost:]
	}
	if n := min(len(p), tailMost-len(l.tail)); n > 0 {
		l.tail = append(l.tail, p[:n]...)
		p = p[n:]
	}
	for len(p) > 0 {
		n := copy(l.tail[l.at:], p)
		l.at = (l.at + n) % tailMost
		p = p[n:]
	}
}

// cut is how many bytes are left out.
func (l *log) cut() int64 { return l.total - int64(len(l.head)+len(l.tail)) }

// bytes is the whole log. Where something is left out, a line of its own says how much.
func (l *log) bytes() []byte {
	out := append([]byte{}, l.head...)
	if n := l.cut(); n > 0 {
		out = fmt.Appendf(out, "\n[%d bytes are left out here]\n", n)
	}
	return append(append(out, l.tail[l.at:]...), l.tail[:l.at]...)
}
