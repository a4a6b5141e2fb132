package strictjson

import "strings"

// block is the number of bytes between two marks. Position walks at most that many, so that 100,000
// findings in a file of one long line still cost linear time.
const block = 1 << 10

// mark is the place of the first byte of a block.
type mark struct{ line, column int32 }

// index computes the marks of a text, the one at offset 0 first. A byte-order mark is no character: what follows
// it stands in column 1.
func index(text string) []mark {
	marks := make([]mark, 0, len(text)/block+1)
	at := mark{1, 1}
	if strings.HasPrefix(text, bom) {
		at.column = 0
	}
	for {
		marks = append(marks, at)
		if len(text) <= block {
			return marks
		}
		at = at.after(text[:block])
		text = text[block:]
	}
}

// after returns the place behind text that starts at m.
func (m mark) after(text string) mark {
	if lines := strings.Count(text, "\n"); lines > 0 {
		m.line += int32(lines)
		m.column = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	for i := range len(text) {
		if text[i]&0xc0 != 0x80 { // not a continuation byte: a character begins
			m.column++
		}
	}
	return m
}

// Position returns line and column, both from 1, columns in characters, of a byte offset. Offsets outside the
// file are taken as its start or end.
func (d *Document) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.text))
	if len(d.marks) == 0 {
		return 1, 1
	}
	b := min(offset/block, len(d.marks)-1)
	at := d.marks[b].after(d.text[b*block : offset])
	return int(at.line), max(int(at.column), 1)
}
