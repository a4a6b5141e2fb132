package planmd

import "slices"

// HasCode reports whether a document has a code block, fenced or indented (AG-3).
func HasCode(src []byte) bool {
	return slices.ContainsFunc(scan(src).blocks, func(b block) bool { return b.kind == codeBlock })
}
