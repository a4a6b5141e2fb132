package strictjson

// Parse reads one JSON document. A non-nil error is a *SyntaxError.
func Parse(src []byte) (*Document, error) { return nil, nil }

// Position returns line and column, both from 1, columns in characters, of a byte offset.
func (d *Document) Position(offset int) (line, column int) { return 1, 1 }
