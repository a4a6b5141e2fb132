package planmd

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/util"
)

// LinkPart is one place of a document that takes part in linking, outside code and comments: an inline link, a definition such as
// "[spec]: docs/spec.md", or a link by reference, such as "[text][spec]". It is read to be edited: At is where the target stands.
type LinkPart struct {
	Target string // as written, of an inline link and of a definition; "" by reference
	Label  string // normalised, of a definition and of a link by reference; "" of an inline link
	At     Span   // the target's own bytes; by reference the whole link
}

// Links lists the link parts of a document in order. A link whose text goes over a line end is found, too.
func (d *Doc) Links() []LinkPart {
	p := scan(d.Src)
	var found []LinkPart
	at := p.base // definitions stand where no block is
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		found = append(found, p.definitions(at, b.span.Start)...)
		at = max(at, b.span.End)
		if b.node != nil || b.kind != lineBlock && b.kind != wordsBlock && b.kind != headingBlock {
			continue
		}
		text := b.text
		for b.kind == lineBlock && i+1 < len(p.blocks) && p.blocks[i+1].kind == lineBlock && !p.blocks[i+1].first {
			i++
			text.End = p.blocks[i].text.End
			at = max(at, p.blocks[i].span.End)
		}
		for _, l := range p.links(text) {
			found = append(found, p.linkPart(l))
		}
	}
	return append(found, p.definitions(at, len(p.Src))...)
}

// linkPart finds the target of a link.
func (p *page) linkPart(l link) LinkPart {
	start := l.text.End + 1
	if start >= l.whole.End || p.mask[start] != '(' {
		label := l.text
		if start < l.whole.End && l.whole.End-start > 2 { // "[text][label]"
			label = Span{start + 1, l.whole.End - 1}
		}
		return LinkPart{Label: util.ToLinkReference(p.Src[label.Start:label.End]), At: l.whole}
	}
	start++
	for start < l.whole.End && p.mask[start] == ' ' {
		start++
	}
	stop, depth := start, 0
	if p.mask[start] == '<' {
		start++
		stop = start + max(bytes.IndexByte(p.mask[start:l.whole.End], '>'), 0)
	} else {
		for stop < l.whole.End && p.mask[stop] != ' ' && (p.mask[stop] != ')' || depth > 0) {
			depth += bracketStep(p.mask[stop])
			stop++
		}
	}
	return LinkPart{Target: string(p.Src[start:stop]), At: Span{start, stop}}
}

// definitions reads the link reference definitions in a range that no block covers. Only their first line is looked at.
func (p *page) definitions(from, to int) []LinkPart {
	var found []LinkPart
	for p.refs != nil && from < to {
		line := p.line(from)
		from = p.nextLine(from)
		text := p.Text(line)
		open := strings.IndexByte(text, '[')
		label, rest, ok := strings.Cut(text[open+1:], "]:")
		name := util.ToLinkReference([]byte(label))
		if _, known := p.refs[name]; open < 0 || !ok || !known {
			continue
		}
		target := strings.TrimLeft(rest, " \t")
		at := line.End - len(target)
		end := strings.IndexAny(target, " \t\r")
		if strings.HasPrefix(target, "<") {
			at++
			target = target[1:]
			end = strings.IndexByte(target, '>')
		}
		if end < 0 {
			end = len(target)
		}
		found = append(found, LinkPart{Target: target[:end], Label: name, At: Span{at, at + end}})
	}
	return found
}
