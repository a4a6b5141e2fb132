package planmd

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth bounds how deep quotes and lists nest; deeper markers are text. It keeps a line of a million
// ">" from costing a million open blocks.
const maxDepth = 64

// maxDefinition bounds the paragraphs that are searched for link reference definitions, a search that is not linear
// in goldmark. A longer paragraph starts with none.
const maxDefinition = 16 << 10

type blockKind uint8

// The kinds of block in a page. Quoted text and headings inside lists have words but no structure (PD-10).
const (
	headingBlock blockKind = iota
	lineBlock              // one line of a paragraph
	codeBlock
	htmlBlock
	commentBlock
	wordsBlock
)

// rowKind tells what a line is in a table.
type rowKind uint8

const (
	noRow rowKind = iota
	headRow
	ruleRow
	bodyRow
)

// block is one piece of a page, in the order of the file.
type block struct {
	kind  blockKind
	row   rowKind
	first bool // the first line of its paragraph
	lead  bool // the first line of its list item
	level int  // of a heading
	item  int  // index of the innermost list item, or -1
	head  int  // index of the header line of its table, for a bodyRow
	label int  // index of a line's first label, or -1; of a heading in headings
	more  int  // how many labels follow on the same line
	span  Span // whole lines, without the last line end
	text  Span // the words of a heading or line
	node  ast.Node
}

// item is one list item.
type item struct {
	parent int // index of the item around it, or -1
	depth  int // 1 for an item of an outermost list
	list   int // number of its list, lists counted over the page
	number int // of an ordered list; -1 in a bullet list
	start  int // offset of the marker
	first  int // index of its first line when it begins with text, else -1
	box    *Box
	text   Span // what follows the box, or the whole first line without one
}

// page is a parsed file: its blocks in one flat list.
type page struct {
	Doc
	// mask has the length of Src. Inline code and comments are overwritten there, so that a search in it finds
	// structure only.
	mask   []byte
	blocks []block
	items  []item
	lists  int // how many lists there are
	labels []label
	// headings are those of the document's top level.
	headings []heading
	// The kinds of labels seen so far: a plan says "Status" and "Goal" in every record.
	fieldKinds   map[string]FieldKind
	sectionKinds map[string]SectionKind
	// refs are the targets of the link reference definitions by their normalised labels.
	refs map[string]string
	base int // offset of the parsed part in Src
	// ranged counts the task numbers that ranges stood for so far.
	ranged int
}

// shallow is a container parser that stops opening blocks at maxDepth.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) >= 2*maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// brief is a paragraph transformer that leaves long paragraphs alone.
type brief struct{ parser.ParagraphTransformer }

func (b brief) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if n := lines.Len(); n > 0 && lines.At(n-1).Stop-lines.At(0).Start <= maxDefinition {
		b.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// markdown is the parser of the block structure. Inline structure is read by maskInline, which is
// cheaper and leaves the offsets of the file.
var markdown = sync.OnceValue(func() parser.Parser {
	var blocks []util.PrioritizedValue
	for _, v := range parser.DefaultBlockParsers() {
		// Quotes, lists and list items are the containers; they are told by what triggers them, since goldmark
		// hands out its parsers as one list. "=" and "_" belong to setext headings and rules.
		if b, ok := v.Value.(parser.BlockParser); ok && bytes.ContainsAny(b.Trigger(), ">-") && !bytes.ContainsAny(b.Trigger(), "=_") {
			v.Value = shallow{b}
		}
		blocks = append(blocks, v)
	}
	var definitions []util.PrioritizedValue
	for _, v := range parser.DefaultParagraphTransformers() {
		if t, ok := v.Value.(parser.ParagraphTransformer); ok {
			v.Value = brief{t}
		}
		definitions = append(definitions, v)
	}
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithParagraphTransformers(definitions...))
})

// scan parses a file into a page and notes what is wrong with its structure.
func scan(src []byte) *page {
	p := &page{
		Doc: newDoc(src), mask: bytes.Clone(src), base: bodyStart(src),
		fieldKinds: map[string]FieldKind{}, sectionKinds: map[string]SectionKind{},
	}
	for i, c := range p.mask {
		if c <= codeTick {
			p.mask[i] = ' ' // these bytes mean something in a mask
		}
	}
	p.checkEncoding()
	p.blocks = make([]block, 0, len(p.Doc.lines)/2+16)
	found := parser.NewContext()
	root := markdown().Parse(text.NewReader(src[p.base:]), parser.WithContext(found))
	for _, ref := range found.References() {
		if p.refs == nil {
			p.refs = map[string]string{}
		}
		label := util.ToLinkReference(ref.Label())
		if _, known := p.refs[label]; !known { // the first definition counts
			p.refs[label] = cleanTarget(string(ref.Destination()))
		}
	}
	p.walk(root, -1, false)
	p.readHeadings()
	p.readLabels()
	p.checkConflicts()
	return p
}

// walk appends the blocks under a node.
func (p *page) walk(parent ast.Node, in int, quoted bool) {
	top := parent.Kind() == ast.KindDocument
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			p.heading(n, in, !top)
		case *ast.Paragraph, *ast.TextBlock:
			p.paragraph(n, in, quoted)
		case *ast.FencedCodeBlock:
			p.code(n, in, quoted)
			if top {
				p.checkFence(n)
			}
		case *ast.CodeBlock:
			p.code(n, in, quoted)
		case *ast.HTMLBlock:
			p.html(n, in, quoted)
			if top {
				p.checkComment(n)
			}
		case *ast.Blockquote:
			p.walk(n, in, true)
		case *ast.List:
			p.list(n, in, quoted)
		}
	}
}

// span turns a goldmark segment into a span of the file.
func (p *page) span(s text.Segment) Span { return Span{p.base + s.Start, p.base + s.Stop} }

// lineSpans returns the spans of a node's lines and the span of the whole lines they stand in.
func (p *page) lineSpans(n ast.Node) (spans []Span, whole Span) {
	segments := n.Lines()
	spans = make([]Span, segments.Len())
	for i := range spans {
		spans[i] = p.trim(p.span(segments.At(i)))
	}
	// An empty heading or code block has no lines; its own line stands for it.
	if len(spans) == 0 {
		// Behind a tab that a quote has used up, goldmark's position may lie beyond the end of the file.
		return nil, p.line(min(p.base+max(n.Pos(), 0), len(p.Src)))
	}
	last := spans[len(spans)-1]
	return spans, Span{p.lineStart(spans[0].Start), p.lineEnd(last.End)}
}

// trim drops the white space around a span.
func (p *page) trim(s Span) Span {
	for s.Start < s.End && isBlankByte(p.Src[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && isBlankByte(p.Src[s.End-1]) {
		s.End--
	}
	return s
}

func (p *page) add(b block) int {
	b.label, b.head = -1, -1
	p.blocks = append(p.blocks, b)
	return len(p.blocks) - 1
}

// heading appends a heading. Only those of the document's top level are structure.
func (p *page) heading(n *ast.Heading, in int, inside bool) {
	spans, whole := p.lineSpans(n)
	p.maskInline(spans)
	if !inside && p.underlinedByRule(n, spans) {
		p.paragraph(n, in, false)
		return
	}
	b := block{kind: headingBlock, level: n.Level, item: in, span: whole, text: Span{whole.End, whole.End}}
	if len(spans) > 0 {
		b.text = Span{spans[0].Start, spans[len(spans)-1].End}
	}
	if inside {
		b.kind = wordsBlock
	} else if lines := n.Lines(); lines.Len() > 0 && lines.At(0).Start == n.Pos() {
		b.span.End = p.lineEnd(p.nextLine(whole.End)) // the underline of a setext heading (C13)
	}
	p.add(b)
}

// underlinedByRule reports whether a heading was meant as lines with a rule below: "Status: completed" above "---" that
// ends the record. A heading of a plan is one line, and none with a value.
func (p *page) underlinedByRule(n *ast.Heading, spans []Span) bool {
	if lines := n.Lines(); n.Level != 2 || lines.Len() == 0 || lines.At(0).Start != n.Pos() {
		return false
	}
	if len(spans) > 1 {
		return true
	}
	l, ok := p.readLabel(spans[0])
	return ok && !l.bare && l.value != "" && l.kind != FieldOther
}

// paragraph appends the lines of a paragraph.
func (p *page) paragraph(n ast.Node, in int, quoted bool) {
	spans, _ := p.lineSpans(n)
	p.maskInline(spans)
	start := len(p.blocks)
	for i, s := range spans {
		b := block{kind: lineBlock, first: i == 0, item: in, span: p.line(s.Start), text: s}
		if quoted {
			b.kind = wordsBlock
		}
		p.add(b)
	}
	if !quoted {
		p.tables(start)
	}
}

// code appends a code block. Its words count, its text is no structure.
func (p *page) code(n ast.Node, in int, quoted bool) {
	spans, whole := p.lineSpans(n)
	b := block{kind: codeBlock, item: in, span: whole, node: n}
	if quoted {
		b.kind = wordsBlock
	}
	if len(spans) > 0 {
		b.text = Span{spans[0].Start, spans[len(spans)-1].End}
	}
	p.add(b)
}

// content returns the text of a code block, with "\n" line ends whatever the file's are (C15).
func (p *page) content(b *block) string {
	var out bytes.Buffer
	lines := b.node.Lines()
	for i := range lines.Len() {
		s := lines.At(i)
		out.Write(s.Value(p.Src[p.base:]))
	}
	return string(bytes.ReplaceAll(out.Bytes(), []byte("\r\n"), []byte("\n")))
}

// html appends an HTML block; a comment has no words. What stands on the same line after a comment is HTML too.
func (p *page) html(n *ast.HTMLBlock, in int, quoted bool) {
	spans, whole := p.lineSpans(n)
	// goldmark keeps the closing line of a block apart from its lines.
	if n.HasClosure() {
		closure := p.span(n.ClosureLine)
		spans = append(spans, p.trim(closure))
		whole.End = p.lineEnd(closure.Start)
	}
	b := block{kind: htmlBlock, item: in, span: whole}
	if len(spans) > 0 {
		b.text = Span{spans[0].Start, spans[len(spans)-1].End}
	}
	if n.HTMLBlockType == ast.HTMLBlockType2 {
		b.kind = commentBlock
		end := bytes.Index(p.Src[b.text.Start:b.text.End], []byte("-->"))
		if end >= 0 && b.text.Start+end+3 < b.text.End {
			b.kind, b.text.Start = htmlBlock, b.text.Start+end+3
		}
		p.blank(Span{whole.Start, max(b.text.Start, whole.Start)}, commentByte)
		if b.kind == commentBlock {
			p.blank(whole, commentByte)
		}
	}
	if quoted && b.kind == htmlBlock {
		b.kind = wordsBlock
	}
	p.add(b)
}

// list appends the items of a list.
func (p *page) list(n *ast.List, in int, quoted bool) {
	number := n.Start
	p.lists++
	of := p.lists
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		it := item{parent: in, depth: 1, list: of, number: -1, start: p.base + max(c.Pos(), 0), first: -1}
		// CommonMark numbers an ordered list from its first item; what the others say does not count.
		if in >= 0 {
			it.depth = p.items[in].depth + 1
		}
		if n.IsOrdered() {
			it.number = number
			number++
		}
		index, start := len(p.items), len(p.blocks)
		p.items = append(p.items, it)
		p.walk(c, index, quoted)
		if start < len(p.blocks) && p.blocks[start].kind == lineBlock && p.blocks[start].item == index {
			p.lead(index, start)
		}
	}
}

// lead notes the first line of a list item and the checkbox there.
func (p *page) lead(index, first int) {
	it, b := &p.items[index], &p.blocks[first]
	b.lead = true
	it.first, it.text = first, b.text
	box, rest, ok := p.box(b.text)
	if !ok {
		return
	}
	it.box, it.text = box, rest
	// A box whose text stands on the next line of the same paragraph.
	if next := first + 1; rest.Start == rest.End && next < len(p.blocks) {
		if n := p.blocks[next]; n.kind == lineBlock && n.item == index && !n.first {
			it.text = n.text
		}
	}
}

// depth returns how deep in lists a block stands; 0 is outside.
func (p *page) depth(b *block) int {
	if b.item < 0 {
		return 0
	}
	return p.items[b.item].depth
}
