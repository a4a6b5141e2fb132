package plan

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// prefix starts the name of every plan folder (PD-1).
const prefix = "PLAN_"

// List returns the plan folders of a root by name, and what else lies there. A root whose plans
// folder doesn't exist has no plans; one that can't be read is an error (C149).
//
// Every folder, every link and every file named PLAN_x is one or the other; only files of other
// names (.gitkeep, README.md) are passed over in silence. A link that leads to a plan folder
// inside the plans folder is a second name for that plan, which is listed once, under the name
// of the folder itself; any other link is a stray and is not followed (C129).
func (r Root) List() ([]Entry, []Stray, error) {
	items, err := os.ReadDir(r.Plans)
	if absent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("list plans: %w", err)
	}
	var entries []Entry
	var strays []Stray
	for _, item := range items {
		name := item.Name()
		named := strings.HasPrefix(name, prefix)
		switch {
		case item.Type()&fs.ModeSymlink != 0:
			entry, direct, ok := r.follow(name)
			if !ok {
				strays = append(strays, Stray{name, StrayLink})
			} else if !direct {
				entries = append(entries, entry)
			}
		case item.IsDir() && named:
			entries = append(entries, Entry{name, filepath.Join(r.Plans, name)})
		case item.IsDir():
			strays = append(strays, Stray{name, StrayName})
		case named:
			strays = append(strays, Stray{name, StrayFile})
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
	return slices.Compact(entries), strays, nil
}

// follow resolves a link of the plans folder. ok says that it leads to a plan folder inside the
// plans folder; direct, that this is one of the folders List meets anyway. Both sides are
// resolved before they are compared, so that plans may themselves lie behind a link (C127).
func (r Root) follow(name string) (entry Entry, direct, ok bool) {
	path, err := resolve(filepath.Join(r.Plans, name))
	if err != nil {
		return Entry{}, false, false
	}
	plans, err := resolve(r.Plans)
	if err != nil {
		return Entry{}, false, false
	}
	inside, err := filepath.Rel(plans, path)
	if err != nil || !filepath.IsLocal(inside) || !isPlanFolder(path) {
		return Entry{}, false, false
	}
	return Entry{filepath.Base(path), filepath.Join(r.Plans, inside)}, filepath.Dir(inside) == ".", true
}

// isPlanFolder reports whether path, free of links, is a folder with a plan's name.
func isPlanFolder(path string) bool {
	if !strings.HasPrefix(filepath.Base(path), prefix) {
		return false
	}
	folder, err := isFolder(path)
	return err == nil && folder
}
