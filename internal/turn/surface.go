package turn

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
)

// This file: what a task's record says that it touches (PD-6), and which files that covers (WP-4).

// surfaceOf lists the paths that a task names: planned in its Touched Surface, and declared as really touched there or in its log.
func surfaceOf(t *plan.TaskView) (planned, declared []string) {
	if t == nil || t.Record == nil || t.Doc == nil {
		return nil, nil
	}
	if s := t.Record.Section(planmd.Surface); s != nil {
		planned, declared = fieldsPaths(t.Doc, s, planmd.FieldPlanned), fieldsPaths(t.Doc, s, planmd.FieldActual)
		if len(s.Fields) == 0 { // prose, or a bare list
			planned = pathsIn(t.Doc.Text(s.Body))
		}
	}
	if s := t.Record.Section(planmd.CompletionLog); s != nil {
		declared = append(declared, fieldsPaths(t.Doc, s, planmd.FieldActual)...)
	}
	if f := t.Record.Log.Documentation; f != nil { // complete asks what of the documentation changed
		declared = append(declared, slices.DeleteFunc(pathsIn(f.Value), func(p string) bool { return !slices.Contains(documents, path.Ext(p)) })...)
	}
	return planned, unique(declared)
}

// documents are the endings of documentation.
var documents = []string{".md", ".mdx", ".rst", ".adoc", ".txt", ".org"}

// fieldsPaths are the paths behind the labels of a kind: on the line, and on those below it up to the next label.
func fieldsPaths(doc *planmd.Doc, s *planmd.Section, kind planmd.FieldKind) (list []string) {
	for i, f := range s.Fields {
		if f.Kind != kind {
			continue
		}
		end := s.Body.End
		if i+1 < len(s.Fields) {
			end = s.Fields[i+1].Span.Start
		}
		// The value has lost the marks of a code span that is all of it; and the prose of a line still has its label.
		found := spansIn(doc.Text(planmd.Span{Start: f.Span.Start, End: end}))
		if len(found) == 0 {
			found = pathsIn(f.Value + "\n" + doc.Text(planmd.Span{Start: f.Span.End, End: end}))
		}
		list = append(list, found...)
	}
	return unique(list)
}

// Bounds of what is read of one field: paths, and the length of each, as long as a system takes one.
const (
	maxNamed = 1000
	maxName  = 4096
)

// Compiled when first asked for: every start of the program would pay for it.
var (
	codeSpan = compiled("`+[^`\n]+`+")
	// lineNumber is what people put behind the name of a file.
	lineNumber = compiled(`(:\d+(-\d+)?|#L\d+(-L?\d+)?)$`)
	// pathWord is a word of a path: a glob, braces, a placeholder's dollar are in it, punctuation of prose is not.
	pathWord = compiled(`^[\pL\pN\pM._/\\*?\[\]{},@+~$ -]+$`)
	ending   = compiled(`[\pL\pN_\]}*]\.[\pL][\pL\pN]{0,9}$`)
)

func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// pathsIn finds the paths, folders and globs that a text names. In code spans everything without a space is one, "`Makefile`"; in prose
// only what can be nothing else. Where a text has code spans, its prose names nothing: "`a.go` for the client/server split".
func pathsIn(text string) (list []string) {
	if list = spansIn(text); len(list) > 0 {
		return list
	}
	for item := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ',' || r == ';' || r == '\u3001' || r == '\uff0c' }) {
		item, _, _ = strings.Cut(item, " (")
		item = strings.Trim(strings.TrimLeft(strings.TrimSpace(item), "-*+ \t"), "\"'.")
		words := strings.Fields(item)
		for _, w := range words {
			w = strings.Trim(w, "\"'()<>:.!")
			if len(list) < maxNamed && plainPath(w, len(words) == 1) {
				list = append(list, cleanPath(w)...)
			}
		}
	}
	return unique(list)
}

// spansIn finds the paths in the code spans of a text.
func spansIn(text string) (list []string) {
	for _, span := range codeSpan().FindAllString(text, maxNamed) {
		for _, p := range splitPaths(strings.Trim(span, "` ")) {
			list = append(list, cleanPath(p)...)
		}
	}
	return unique(list)
}

// splitPaths takes a code span apart that holds several paths: commas outside braces. A span with other spaces is a command.
func splitPaths(span string) []string {
	if strings.ContainsAny(span, " \t") {
		span = strings.ReplaceAll(span, ", ", ",")
		if strings.ContainsAny(span, " \t") {
			return nil
		}
	}
	depth := 0
	return strings.FieldsFunc(span, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ',' && depth <= 0
	})
}

// plainPath reports whether a word of prose is a path. alone says that nothing else stands in its item: "internal/cache" is then a path,
// where "the client/server split" names none.
func plainPath(w string, alone bool) bool {
	switch {
	case w == "" || strings.Contains(w, "://") || !pathWord().MatchString(w) || strings.EqualFold(w, "n/a") || strings.EqualFold(w, "and/or"):
		return false
	case strings.EqualFold(w, "e.g") || strings.EqualFold(w, "i.e"):
		return false
	case alone:
		return strings.ContainsRune(w, '/') || ending().MatchString(w) || strings.HasPrefix(w, "*.")
	}
	return strings.ContainsRune(w, '/') && (strings.HasSuffix(w, "/") || ending().MatchString(w)) || ending().MatchString(w)
}

// cleanPath brings a name into the form in which paths are compared: slashes, no leading "./", no line number, braces spelled out. It is
// empty for what leads out of the work tree.
func cleanPath(p string) []string {
	if len(p) > maxName {
		return nil
	}
	p = lineNumber().ReplaceAllString(strings.ReplaceAll(strings.TrimSpace(p), "\\", "/"), "")
	if strings.Contains(p, "://") || strings.IndexFunc(p, func(r rune) bool { return r == '<' || r == '>' || r == '|' || unicode.IsControl(r) }) >= 0 {
		return nil
	}
	var list []string
	for _, one := range braces(p, 64) {
		one = strings.TrimSuffix(strings.TrimSuffix(one, "..."), "/") // "internal/..." is all below it, as Go writes
		if one = path.Clean("/" + one)[1:]; one == "" {
			one = "."
		}
		list = append(list, one)
	}
	return list
}

// braces spells out "a/{b,c}.go"; most bounds how many come of it.
func braces(p string, most int) []string {
	open := strings.IndexByte(p, '{')
	end := strings.IndexByte(p[open+1:], '}')
	if open < 0 || end < 0 || !strings.Contains(p[open:open+1+end], ",") {
		return []string{p}
	}
	var list []string
	rests := braces(p[open+end+2:], most) // once, not for each choice
	for choice := range strings.SplitSeq(p[open+1:open+1+end], ",") {
		for _, rest := range rests {
			if len(list) < most {
				list = append(list, p[:open]+strings.TrimSpace(choice)+rest)
			}
		}
	}
	return list
}

// named is a set of paths that cover others.
type named struct {
	exact map[string]bool // as they stand
	bases map[string]bool // of those without a folder: "cache.go" is meant wherever it lies
	globs []glob
	stems map[string]bool // of the named files
	dirs  map[string]bool // that hold a named file
}

type glob struct {
	segments []string
	anywhere bool // no folder in it: *.md
}

// maxGlobs bounds the patterns, since each is tried on each file.
const maxGlobs = 200

func newNamed(lists ...[]string) *named {
	n := &named{exact: map[string]bool{}, bases: map[string]bool{}, stems: map[string]bool{}, dirs: map[string]bool{}}
	for _, p := range slices.Concat(lists...) {
		switch {
		case strings.ContainsAny(p, "*?["):
			if len(n.globs) < maxGlobs {
				n.globs = append(n.globs, glob{strings.Split(p, "/"), !strings.Contains(p, "/")})
			}
		default:
			n.exact[p] = true
			if !strings.Contains(p, "/") && path.Ext(p) != "" {
				n.bases[p] = true
			}
			if path.Ext(p) != "" {
				n.stems[stemOf(p)], n.dirs[path.Dir(p)] = true, true
			}
		}
	}
	return n
}

// empty reports whether nothing is named, so that nothing is outside.
func (n *named) empty() bool { return len(n.exact) == 0 && len(n.globs) == 0 }

// covers reports whether a file is named, or lies below a folder that is.
func (n *named) covers(file string) bool {
	if n.exact["."] || n.bases[path.Base(file)] {
		return true
	}
	for p := file; p != "." && p != "/"; p = path.Dir(p) {
		if n.exact[p] {
			return true
		}
	}
	segments := strings.Split(file, "/")
	return slices.ContainsFunc(n.globs, func(g glob) bool {
		if g.anywhere {
			ok, _ := path.Match(g.segments[0], path.Base(file))
			return ok
		}
		return matchBelow(g.segments, segments)
	})
}

// matchBelow matches a glob with a path, or with a folder above it; "**" stands for any number of folders. It goes over the pattern once
// for each segment, so that no pattern takes long.
func matchBelow(pattern, segments []string) bool {
	at := make([]bool, len(pattern)+1) // at[i]: what came so far matches the first i parts
	at[0] = true
	skip(pattern, at)
	for _, s := range segments {
		next := make([]bool, len(at))
		for i, p := range pattern {
			switch ok, _ := path.Match(p, s); {
			case !at[i]:
			case p == "**":
				next[i] = true
			case ok:
				next[i+1] = true
			}
		}
		skip(pattern, next)
		if at = next; at[len(pattern)] {
			return true
		}
	}
	return false
}

// skip lets "**" stand for no folder at all.
func skip(pattern []string, at []bool) {
	for i, p := range pattern {
		if at[i] && p == "**" && i+1 < len(pattern) {
			at[i+1] = true
		}
	}
	if n := len(pattern); n > 0 && pattern[n-1] == "**" && at[n-1] {
		at[n] = true
	}
}

// followers are the files that a tool writes when a manifest changes.
var followers = map[string][]string{
	"go.mod": {"go.sum"}, "go.work": {"go.work.sum"}, "package.json": {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"},
	"Cargo.toml": {"Cargo.lock"}, "pyproject.toml": {"poetry.lock", "uv.lock", "pdm.lock"}, "Pipfile": {"Pipfile.lock"}, "composer.json": {"composer.lock"},
	"Gemfile": {"Gemfile.lock"}, "mix.exs": {"mix.lock"}, "pubspec.yaml": {"pubspec.lock"}, "flake.nix": {"flake.lock"},
}

// follows reports whether a file is the lock or sum file of a manifest that is named, in its folder or, in a workspace, below it.
func (n *named) follows(file string) bool {
	dir, base := path.Dir(file), path.Base(file)
	for manifest, locks := range followers {
		if !slices.Contains(locks, base) {
			continue
		}
		if n.covers(path.Join(dir, manifest)) {
			return true
		}
		for p := range n.exact {
			if path.Base(p) == manifest && (dir == "." || strings.HasPrefix(p, dir+"/")) {
				return true
			}
		}
	}
	return false
}

// tests reports whether a file is a test of something that is named, or data of such a test: behaviour changes come with tests (WP-5).
func (n *named) tests(file string) bool {
	if dir, _, found := strings.Cut("/"+file, "/testdata/"); found {
		return n.dirs[path.Clean(strings.TrimPrefix(dir, "/"))]
	}
	file = snapshotOf(file)
	if !isTest(file) {
		return false
	}
	stem, ok := testStem(path.Base(file))
	if !ok {
		stem = stemOf(file)
	}
	// In Go all tests of a package lie beside its files, under any name.
	return n.stems[stem] || path.Ext(file) == ".go" && n.dirs[path.Dir(file)]
}

// newTest reports whether a file that is new is a test, or lies where tests are: behaviour changes come with tests, and few plans name
// theirs (WP-5). It weakens none that was there.
func newTest(file string) bool { return isTest(snapshotOf(file)) || inTests(file) }

// snapshotOf is the test that a snapshot belongs to, for any other file the file itself: "x.test.ts" of "__snapshots__/x.test.ts.snap".
func snapshotOf(file string) string {
	test, _ := strings.CutSuffix(file, ".snap")
	return test
}

// inPlans reports whether a path lies in a folder .dwp: plans are data of their own.
func inPlans(file string) bool { return strings.Contains("/"+file+"/", "/.dwp/") }

// within is a path of the work tree as seen from the folder of the plans, root; the path itself when it lies elsewhere.
func within(root, file string) string {
	if root != "" && root != "." {
		if rest, ok := strings.CutPrefix(file, root+"/"); ok {
			return rest
		}
	}
	return file
}

// maxListed bounds how many files a record lists.
const maxListed = 500

// surface compares what changed with what the task names, as its record says it after the turn. The planned surface is that before the
// turn: an agent that widens it has not stayed within it, but may declare what it really touched, which is then reported.
func surface(e *Evidence, before, after *plan.TaskView) Surface {
	planned, _ := surfaceOf(before)
	_, declared := surfaceOf(after)
	s := Surface{Planned: planned, Declared: declared}
	n := newNamed(planned, declared)
	nothing := newNamed(planned).empty()
	for _, c := range e.Changes {
		if inPlans(c.Path) {
			continue
		}
		s.Changed = append(s.Changed, c.Path)
		if !nothing && !n.holds(c, e.Root) {
			s.Outside = append(s.Outside, c.Path)
		}
	}
	return s
}

// holds reports whether a change is within what is named: as it stands in the work tree, or seen from the plan's root.
func (n *named) holds(c Change, root string) bool {
	return slices.ContainsFunc(unique([]string{c.Path, within(root, c.Path)}), func(file string) bool {
		return n.covers(file) || n.follows(file) || c.Kind != git.Deleted && n.tests(file) || c.Kind == git.Added && newTest(file)
	})
}

// unique keeps the first of each.
func unique(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}
