package verify

import (
	"path"
	"strings"
)

// ownership is what the rows of one parallel group own (AG-6). A folder owns every file in it.
type ownership struct {
	row   map[string]int // row by cleaned path
	below map[string]int // last row that owns something in a folder
}

// claim notes that a row owns a file or folder, and reports whether another row owns it too, something in it, or a
// folder around it.
func (o *ownership) claim(file string, row int) (taken bool) {
	clean := path.Clean(strings.TrimRight(strings.ReplaceAll(file, "\\", "/"), "/*"))
	if other, ok := o.row[clean]; ok && other != row {
		taken = true
	}
	if other, ok := o.below[clean]; ok && other != row {
		taken = true
	}
	o.row[clean] = row
	// Names in a plan are short; a long one is walked no deeper than a real tree goes.
	const deepest = 64
	for dir, n := path.Dir(clean), 0; dir != "." && dir != "/" && n < deepest; dir, n = path.Dir(dir), n+1 {
		if other, ok := o.row[dir]; ok && other != row {
			taken = true
		}
		o.below[dir] = row
	}
	return taken
}
