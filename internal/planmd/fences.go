package planmd

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// checkFence notes a fence of the top level that nothing closes, or that swallowed plan structure (C05).
func (p *page) checkFence(n *ast.FencedCodeBlock) {
	opener := p.line(p.base + max(n.Pos(), 0))
	body := Span{p.nextLine(opener.Start), p.nextLine(opener.Start)}
	if lines := n.Lines(); lines.Len() > 0 {
		body.End = p.span(lines.At(lines.Len() - 1)).End
	}
	// A fence that ends at the end of the file has no closing line: that line would come after its content.
	if body.End >= len(p.Src) {
		_, detail := p.swallowed(body, nil)
		p.problem(FenceUnclosed, opener, detail)
		return
	}
	// A stray opener is told by what it swallowed: an opener with an info string cannot stand inside a block
	// that was meant, unless the block shows Markdown, and then its own fence is longer.
	run := fenceRun(p.Src[opener.Start:opener.End])
	if inner, detail := p.swallowed(body, run); inner && detail != "" {
		p.problem(FenceRunaway, opener, detail)
	}
}

// fenceRun returns the run of backticks or tildes that opens a fence on a line, or nil.
func fenceRun(line []byte) []byte {
	trimmed := bytes.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || len(trimmed) == 0 || trimmed[0] != '`' && trimmed[0] != '~' {
		return nil
	}
	run := trimmed[:runLength(trimmed, trimmed[0])]
	if len(run) < 3 {
		return nil
	}
	if run[0] == '`' && bytes.IndexByte(trimmed[len(run):], '`') >= 0 {
		return nil // a code span at the start of a line
	}
	return run
}

// swallowed looks at the lines inside a fence: whether one of them opens another fence with an info string as
// long as outer, and the first line of plan structure there, shortened, or "".
func (p *page) swallowed(body Span, outer []byte) (inner bool, structure string) {
	for at := body.Start; at < body.End; at = p.nextLine(at) {
		line := bytes.TrimRight(p.Src[at:p.lineEnd(at)], " \t\r")
		// An inner run that is shorter, or of the other character, could not close the block: a sample.
		if run := fenceRun(line); outer != nil && bytes.HasPrefix(run, outer) {
			inner = inner || len(bytes.TrimSpace(line)) > len(run)
		}
		if structure == "" && planLine(line) {
			structure = shorten(strings.TrimSpace(string(line)))
		}
		if inner && structure != "" || outer == nil && structure != "" {
			return inner, structure
		}
	}
	return inner, structure
}

// planLine reports whether a raw line looks like plan structure: a task heading or index line, a task
// anchor, or the heading of a known section.
func planLine(line []byte) bool {
	trimmed := bytes.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || len(trimmed) == 0 {
		return false
	}
	if trimmed[0] == '#' {
		text := strings.TrimLeft(string(trimmed), "#")
		title := strings.TrimSpace(text)
		if text == title || len(title) > maxLabel {
			return false
		}
		named, ok := scanName(title)
		return ok && named.word && named.separated || strings.Contains(title, "{#task-") || sectionKind(title) != Other
	}
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(trimmed, "-*+ \t"), []byte("["))
	if end := bytes.IndexByte(rest, ']'); ok && end >= 0 && end <= 4 {
		named, found := scanName(strings.TrimLeft(string(clip(rest[end+1:])), " \t*_["))
		return found && (named.word || named.separated)
	}
	return false
}

// clip bounds a line before it is searched.
func clip(b []byte) []byte { return b[:min(len(b), maxLabel)] }

// shorten keeps the first characters of a text for a message.
func shorten(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "..."
		}
	}
	return s
}

// checkComment notes a comment of the top level that nothing closes: it hides the rest of the file.
func (p *page) checkComment(n *ast.HTMLBlock) {
	if n.HTMLBlockType != ast.HTMLBlockType2 || n.HasClosure() || n.Lines().Len() == 0 {
		return
	}
	lines := n.Lines()
	start, end := p.span(lines.At(0)).Start, p.span(lines.At(lines.Len()-1)).End
	if !bytes.Contains(p.Src[start:end], []byte("-->")) {
		_, detail := p.swallowed(Span{p.nextLine(start), end}, nil)
		p.problem(CommentUnclosed, p.line(start), detail)
	}
}

// checkConflicts notes the first line that a merge left behind (C47). Markers in code are samples.
func (p *page) checkConflicts() {
	if !bytes.Contains(p.Src, []byte("<<<<<<<")) && !bytes.Contains(p.Src, []byte(">>>>>>>")) {
		return
	}
	next := 0
	for _, start := range p.lines {
		for next < len(p.blocks) && p.blocks[next].span.End < start {
			next++
		}
		if !conflictMarker(p.Src[start:p.lineEnd(start)]) {
			continue
		}
		// The list of blocks is walked along with the lines, so that the search stays linear.
		if next < len(p.blocks) && p.blocks[next].kind == codeBlock && p.blocks[next].span.Start <= start {
			continue
		}
		p.problem(ConflictMarker, p.line(start), "")
		return
	}
}

func conflictMarker(line []byte) bool {
	for _, c := range []byte("<>") {
		if runLength(line, c) == 7 && (len(line) == 7 || line[7] == ' ') {
			return true
		}
	}
	return false
}
