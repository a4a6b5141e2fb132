package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/deepworkplan/dwp/internal/state"
)

// Latest is the word that stands for the plan that was updated last.
const Latest = "latest"

// NotFoundError says that no plan has a name, and which there are.
type NotFoundError struct {
	Name string   // as typed
	Have []string // names of the plans there are
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no plan %q", e.Name) }

// AmbiguousError says that a typed name fits several plans: none is chosen.
type AmbiguousError struct {
	Name    string   // as typed
	Matches []string // names of the plans it fits
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q is the name of several plans: %s", e.Name, strings.Join(e.Matches, ", "))
}

// ValidName reports whether a folder's name has PD-2's form: PLAN_ and two to five lower-case words joined by _.
func ValidName(name string) bool {
	slug, ok := strings.CutPrefix(name, "PLAN_")
	words := strings.Split(slug, "_")
	return ok && len(words) >= 2 && len(words) <= 5 && !slices.Contains(words, "") && strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// NormaliseName turns a name as people type it into the name of a plan folder (PD-2): runs of
// spaces, hyphens and underscores become one _, case is folded, other characters are dropped,
// PLAN_ is added where it is missing. It is "" when nothing is left. The result of a result is itself;
// whether it has the two to five words of a slug is for who creates a plan.
func NormaliseName(typed string) string {
	var slug strings.Builder
	gap := false
	for _, r := range strings.TrimSpace(typed) {
		switch r = unicode.ToLower(r); {
		case r == '_' || unicode.IsSpace(r) || unicode.Is(unicode.Pd, r):
			gap = true
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap {
				slug.WriteByte('_')
			}
			gap = false
			slug.WriteRune(r)
		}
	}
	words := strings.TrimPrefix(slug.String(), "_")
	rest, prefixed := strings.CutPrefix(words, "plan_")
	switch {
	case prefixed:
		words = rest
	case words == "plan" && gap: // "PLAN_" alone
		return ""
	}
	if words == "" {
		return ""
	}
	return prefix + words
}

// Resolve finds the plan that a person means: its name with or without PLAN_, in the loose
// spelling of PD-2; "latest"; or a path with a separator in it, taken from r.From, to a plan
// folder anywhere. A name never climbs out of the plans folder, and a path that is not
// an existing folder named PLAN_x is refused, whatever it climbs to. The error is a *NotFoundError, an
// *AmbiguousError, or says what could not be read.
func (r Root) Resolve(name string) (Entry, error) {
	entries, _, err := r.List()
	if err != nil {
		return Entry{}, err
	}
	var entry Entry
	found := false
	switch {
	case name == "":
	case isPath(name):
		entry, found, err = r.atPath(name)
	case strings.EqualFold(name, Latest):
		entry, found = newest(entries)
	default:
		entry, found, err = r.named(name, entries)
	}
	if err == nil && !found {
		err = &NotFoundError{Name: name, Have: names(entries)}
	}
	return entry, err
}

func isPath(name string) bool {
	return name == "." || name == ".." || filepath.IsAbs(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < unicode.MaxASCII && os.IsPathSeparator(uint8(r)) })
}

// atPath takes a path to a plan folder. A plan of this root gets the path that List gives it.
func (r Root) atPath(typed string) (Entry, bool, error) {
	path := typed
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.From, path)
	}
	path, err := resolve(path)
	if absent(err) {
		return Entry{}, false, nil
	}
	if err != nil {
		return Entry{}, false, fmt.Errorf("find plan: %w", err)
	}
	if !isPlanFolder(path) {
		return Entry{}, false, nil
	}
	name := filepath.Base(path)
	if plans, err := resolve(r.Plans); err == nil && plans == filepath.Dir(path) {
		path = filepath.Join(r.Plans, name)
	}
	return Entry{name, path}, true, nil
}

// named looks a name up: as it stands, then with PLAN_, then behind a link, then in its
// normalised spelling.
func (r Root) named(typed string, entries []Entry) (Entry, bool, error) {
	exact := []string{typed, prefix + typed}
	for _, name := range exact {
		if entry, ok, err := only(typed, entries, func(e Entry) bool { return e.Name == name }); ok || err != nil {
			return entry, ok, err
		}
	}
	for _, name := range exact {
		if entry, _, ok := r.follow(name); ok {
			return entry, true, nil
		}
	}
	normal := NormaliseName(typed)
	if normal == "" {
		return Entry{}, false, nil
	}
	return only(typed, entries, func(e Entry) bool { return NormaliseName(e.Name) == normal })
}

func only(typed string, entries []Entry, fits func(Entry) bool) (Entry, bool, error) {
	var matches []Entry
	for _, e := range entries {
		if fits(e) {
			matches = append(matches, e)
		}
	}
	switch len(matches) {
	case 0:
		return Entry{}, false, nil
	case 1:
		return matches[0], true, nil
	}
	return Entry{}, false, &AmbiguousError{Name: typed, Matches: names(matches)}
}

// newest is the plan whose state.json or README.md was written last; the first of equals.
func newest(entries []Entry) (Entry, bool) {
	var best Entry
	var at time.Time
	for i, e := range entries {
		if t := updated(e); i == 0 || t.After(at) {
			best, at = e, t
		}
	}
	return best, len(entries) > 0
}

// dated are the files whose time says when a plan was changed last: every step of the work writes one of them (PS-19).
var dated = []string{state.StateFile, readmeFile}

// updated is when a plan was changed last, the zero time when that can't be told.
func updated(e Entry) time.Time {
	var at time.Time
	for _, name := range dated {
		if info, err := os.Stat(filepath.Join(e.Path, name)); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// Changed is when the plan was changed last: the younger of the times of state.json and README.md, which also makes
// one the latest; the zero time without either.
func (s *Snapshot) Changed() time.Time {
	var at time.Time
	for _, name := range dated {
		if t := s.Nodes[name].ModTime; t.After(at) {
			at = t
		}
	}
	return at
}

func names(entries []Entry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name
	}
	return list
}
