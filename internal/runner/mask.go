package runner

import (
	"bytes"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/evidence"
)

// Mask stands in the place of a secret.
const Mask = "[masked]"

const (
	// most is how much of a line without an end is kept back before it is masked in parts.
	most = 64 << 10
	// held stays behind at such a cut: no name of a secret and its value together are longer.
	held = 4 << 10
	// before is how far before a secret stands what makes it one ("Authorization: Bearer "), at most.
	before = 128
	// keyMost bounds a private key whose end never comes, so that one stray header doesn't swallow the rest of a log.
	keyMost = 16 << 10
	// shortestPart is the shortest line of a secret of several lines that is masked by itself.
	shortestPart = 8
)

const (
	keyBegin = "-----BEGIN "
	keyEnd   = "-----END "
)

// masker passes a stream on with its secrets masked (PS-7, C161, C163): the given values, and what has the form of a secret. It
// works on whole lines, so a secret that arrives in two writes is seen in one piece; a line without an end is cut where no secret is.
// A secret under a plain name and of no known form is not seen, nor one that is encoded (base64, hexadecimal).
type masker struct {
	pass   func([]byte) // gets masked text
	values []string     // longest first
	buf    []byte
	done   int // so many bytes of buf were passed on already
	keyed  int // bytes of a private key that may still come; 0 outside
}

func newMasker(values []string, pass func([]byte)) *masker {
	return &masker{values: parts(values), pass: pass}
}

// parts are the values, and of those with several lines each line: output is looked at line by line.
func parts(values []string) []string {
	var all []string
	for _, v := range values {
		for line := range strings.SplitSeq(v, "\n") {
			if line = strings.TrimSpace(line); len(line) >= shortestPart {
				all = append(all, line)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// Write takes a piece of the stream.
func (m *masker) Write(p []byte) (int, error) {
	// A piece bigger than the bound is taken in parts, or one call could need any amount of memory.
	for rest := p; len(rest) > 0; {
		n := min(len(rest), most)
		m.take(rest[:n])
		rest = rest[n:]
	}
	return len(p), nil
}

func (m *masker) take(p []byte) {
	end := bytes.LastIndexAny(p, "\n\r") + 1 // a progress bar ends its line with \r
	if end > 0 {
		m.buf = append(m.buf, p[:end]...)
		m.emit(len(m.buf), 0) // what makes a secret one stands in its own line
	}
	m.buf = append(m.buf, p[end:]...)
	if len(m.buf) > most {
		m.emit(m.cut(), before)
	}
}

// Close passes on what has no line end.
func (m *masker) Close() { m.emit(len(m.buf), 0) }

// emit masks and passes on the first n bytes, but for those that were passed on before. It keeps so many of them to recognise
// what follows by.
func (m *masker) emit(n, keep int) {
	if n > m.done {
		m.pass(m.masked(string(m.buf[:n])))
	}
	if m.keyed > 0 {
		keep = 0
	}
	m.done = min(keep, n)
	m.buf = append(m.buf[:0], m.buf[n-m.done:]...)
}

// cut is where an endless line may be cut: before the part that is held back, and not in a secret. A text that is one secret from
// its start is cut behind it.
func (m *masker) cut() int {
	at := len(m.buf) - held
	if m.keyed > 0 {
		return at
	}
	for _, s := range m.find(string(m.buf)) {
		switch {
		case s.Start >= at || s.End <= at:
		case s.Start > m.done:
			return s.Start
		default:
			return s.End
		}
	}
	return at
}

// masked replaces every secret of a text, and leaves out what was passed on before.
func (m *masker) masked(text string) []byte {
	var out []byte
	at := m.done
	for at < len(text) {
		if m.keyed > 0 {
			text, at = m.afterKey(text[at:]), 0
			continue
		}
		for _, s := range m.find(text) {
			if s.End <= at {
				continue
			}
			out = append(append(out, text[at:max(at, s.Start)]...), Mask...)
			at = s.End
			if at == len(text) && openKey(text[s.Start:]) {
				at = s.Start + strings.LastIndex(text[s.Start:], keyBegin) + len(keyBegin)
				m.keyed = keyMost
				break
			}
		}
		if m.keyed == 0 {
			return append(out, text[at:]...)
		}
	}
	return out
}

// openKey reports whether a secret is a private key without its end.
func openKey(secret string) bool {
	i := strings.LastIndex(secret, keyBegin)
	return i >= 0 && !strings.Contains(secret[i:], keyEnd)
}

// afterKey drops the body of a private key that began earlier, and returns what follows.
func (m *masker) afterKey(text string) string {
	body := text[:min(len(text), m.keyed)]
	end := strings.Index(body, keyEnd)
	if end < 0 {
		m.keyed -= len(body)
		return text[len(body):]
	}
	m.keyed = 0
	rest := text[end+len(keyEnd):]
	line := rest[:min(len(rest), 60)]
	if i := strings.Index(line, "-----"); i >= 0 {
		return rest[i+len("-----"):]
	}
	return rest
}

// find lists the secrets of a text, in order, without overlap.
func (m *masker) find(text string) []evidence.Secret {
	found := evidence.Secrets(text)
	plain := len(found)
	for _, v := range m.values {
		for at := 0; ; {
			i := strings.Index(text[at:], v)
			if i < 0 {
				break
			}
			found = append(found, evidence.Secret{Start: at + i, End: at + i + len(v)})
			at += i + len(v)
		}
	}
	if len(found) == plain {
		return found
	}
	slices.SortFunc(found, func(a, b evidence.Secret) int { return a.Start - b.Start })
	merged := found[:1]
	for _, s := range found[1:] {
		if last := &merged[len(merged)-1]; s.Start < last.End {
			last.End = max(last.End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// MaskText masks the secrets of a whole text.
func MaskText(text string, values []string) string {
	var out []byte
	m := newMasker(values, func(p []byte) { out = append(out, p...) })
	m.Write([]byte(text))
	m.Close()
	return string(out)
}
