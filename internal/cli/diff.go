package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
)

// diffContext is how many unchanged lines stand around a change.
const diffContext = 3

// printDiff shows what a revision would change: a unified diff of every document that differs between two snapshots of a plan.
func (a *app) printDiff(before, after *plan.Snapshot) {
	p := a.page()
	for line := range strings.Lines(planDiff(before, after)) {
		line = strings.TrimSuffix(cleanBlock(line), "\n") // stored text can't fake its frame (C157)
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			line = p.paint(bold, line)
		case strings.HasPrefix(line, "-"):
			line = p.paint(red, line)
		case strings.HasPrefix(line, "+"):
			line = p.paint(green, line)
		}
		p.line("%s", line)
	}
}

// diffOf is what a dry run would change, for the answer in JSON; "" when it was no dry run.
func diffOf(draft *publish.Draft) string {
	if draft == nil {
		return ""
	}
	return planDiff(draft.Before, draft.After)
}

// planDiff is the unified diffs of the documents of two snapshots, by path; "" when all are the same.
func planDiff(before, after *plan.Snapshot) string {
	paths := map[string]bool{}
	for path := range before.Files {
		paths[path] = true
	}
	for path := range after.Files {
		paths[path] = true
	}
	moved := movedFiles(before, after)
	for _, to := range moved {
		delete(paths, to) // told with the name that it had
	}
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		old, new := before.Files[path], after.Files[cmp.Or(moved[path], path)]
		if old != nil && new != nil && old.Path == new.Path && string(old.Data) == string(new.Data) {
			continue
		}
		oldName, oldLines := diffSide("a/", old)
		newName, newLines := diffSide("b/", new)
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", cmp.Or(oldName, "/dev/null"), cmp.Or(newName, "/dev/null"))
		writeHunks(&b, compareLines(oldLines, newLines))
	}
	return b.String()
}

// movedFiles maps the task files that have another number afterwards, and so another name, to the new one: they are shown as what they
// are, and not as a file that goes and one that comes.
func movedFiles(before, after *plan.Snapshot) map[string]string {
	numberless := func(path string) string {
		_, rest, _ := strings.Cut(path, ".task_")
		return rest
	}
	came := map[string]string{}
	for _, f := range after.TaskFiles {
		if before.Files[f.Path] == nil {
			came[numberless(f.Path)] = f.Path
		}
	}
	moved := map[string]string{}
	for _, f := range before.TaskFiles {
		if to := came[numberless(f.Path)]; to != "" && after.Files[f.Path] == nil {
			moved[f.Path] = to
			delete(came, numberless(f.Path))
		}
	}
	return moved
}

// diffSide is the name and the lines of one side of a diff; "" for a file that is not there.
func diffSide(side string, f *plan.File) (name string, lines []string) {
	if f == nil {
		return "", nil
	}
	return side + f.Path, slices.Collect(strings.Lines(string(f.Data)))
}

// diffLine is one line of a diff: kept (' '), taken out ('-') or put in ('+').
type diffLine struct {
	sign byte
	text string
}

// compareLines finds what two texts have in common, in about linear time: lines that stand once in both and in the same order
// hold the texts together, and what is equal around them is kept too.
func compareLines(old, new []string) []diffLine {
	var out []diffLine
	emit := func(sign byte, lines []string) {
		for _, l := range lines {
			out = append(out, diffLine{sign, l})
		}
	}
	i, j := 0, 0
	for _, at := range append(anchors(old, new), [2]int{len(old), len(new)}) {
		if at[0] < i { // it was reached going forward from the one before
			continue
		}
		start := i
		for i < at[0] && j < at[1] && old[i] == new[j] {
			i, j = i+1, j+1
		}
		emit(' ', old[start:i])
		x, y := at[0], at[1]
		for x > i && y > j && old[x-1] == new[y-1] {
			x, y = x-1, y-1
		}
		emit('-', old[i:x])
		emit('+', new[j:y])
		start, i, j = x, at[0], at[1]
		for i < len(old) && j < len(new) && old[i] == new[j] {
			i, j = i+1, j+1
		}
		emit(' ', old[start:i])
	}
	return out
}

// anchors are the places (in old, in new) of lines that are unique in both: the longest series that rises in both.
func anchors(old, new []string) [][2]int {
	seen := map[string]*[2]int{} // how often a line stands in old, in new
	for k, text := range [][]string{old, new} {
		for _, l := range text {
			if seen[l] == nil {
				seen[l] = &[2]int{}
			}
			seen[l][k]++
		}
	}
	unique := func(l string) bool { return *seen[l] == [2]int{1, 1} }
	place := map[string]int{}
	for j, l := range new {
		if unique(l) {
			place[l] = j
		}
	}
	var all [][2]int
	var ends []int // ends[n]: the pair with the lowest place in new that ends a series of n+1
	var before []int
	for i, l := range old {
		if !unique(l) {
			continue
		}
		n, _ := slices.BinarySearchFunc(ends, place[l], func(e, j int) int { return cmp.Compare(all[e][1], j) })
		before = append(before, -1)
		if n > 0 {
			before[len(all)] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, 0)
		}
		ends[n] = len(all)
		all = append(all, [2]int{i, place[l]})
	}
	series := make([][2]int, len(ends))
	at := -1
	if len(ends) > 0 {
		at = ends[len(ends)-1]
	}
	for n := len(ends) - 1; n >= 0; n-- {
		series[n], at = all[at], before[at]
	}
	return series
}

// writeHunks prints the changes with the lines around them.
func writeHunks(b *strings.Builder, lines []diffLine) {
	oldAt, newAt := 1, 1
	for at := 0; at < len(lines); {
		change := at
		for change < len(lines) && lines[change].sign == ' ' {
			change++
		}
		if change == len(lines) {
			return
		}
		start := max(at, change-diffContext)
		oldAt, newAt = oldAt+start-at, newAt+start-at
		end, kept := change, 0 // the hunk ends before a gap that two contexts don't fill
		for at = change; at < len(lines) && kept <= 2*diffContext; at++ {
			if kept++; lines[at].sign != ' ' {
				end, kept = at+1, 0
			}
		}
		at = min(end+diffContext, len(lines))
		oldAt, newAt = writeHunk(b, lines[start:at], oldAt, newAt)
	}
}

// writeHunk prints one hunk, and returns the line numbers behind it. An empty side is named by the line before it.
func writeHunk(b *strings.Builder, hunk []diffLine, oldAt, newAt int) (int, int) {
	var olds, news int
	for _, l := range hunk {
		if l.sign != '+' {
			olds++
		}
		if l.sign != '-' {
			news++
		}
	}
	side := func(at, n int) string {
		if n == 0 {
			at--
		}
		return fmt.Sprintf("%d,%d", at, n)
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", side(oldAt, olds), side(newAt, news))
	for _, l := range hunk {
		b.WriteString(string(l.sign) + l.text)
		if !strings.HasSuffix(l.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return oldAt + olds, newAt + news
}
