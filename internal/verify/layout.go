package verify

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
)

// checkReadable names every file that is there and can't be read (VP-6, C141).
func checkReadable(c *checker) {
	for _, p := range slices.Sorted(maps.Keys(c.s.Files)) {
		if err := c.s.Files[p].Err; err != nil {
			c.add("layout/unreadable", rule.Place{File: p}, "can't be read: "+err.Error(), "make it readable; rules about it were not evaluated")
		}
	}
}

func checkMoved(c *checker) {
	if c.s.Moved {
		c.add("layout/moved", rule.Place{}, "the folder kept changing while it was read", "verify again when nothing writes into it")
	}
}

// checkCut: a listing that is not complete is said to be so (VP-6).
func checkCut(c *checker) {
	if c.s.Cut {
		c.add("layout/too-large", rule.Place{}, fmt.Sprintf("the folder holds more than %d entries, or is deeper than %d levels", plan.MaxNodes, plan.MaxDepth), "keep what the plan does not need elsewhere")
		c.leave("layout/temp-file", "the folder was not listed completely")
	}
}

func checkName(c *checker) {
	if plan.ValidName(c.s.Name) {
		return
	}
	hint := "rename the folder, and the plan in manifest.json and state.json with it"
	if near := plan.NormaliseName(c.s.Name); plan.ValidName(near) {
		hint += "; " + near + " would be nearest"
	}
	c.addLevel(weaker(!c.shape.current), "layout/name", rule.Place{},
		fmt.Sprintf("the folder's name %s is not PLAN_ and two to five lower-case words joined by _", quote(c.s.Name)),
		hint)
}

// checkDocuments demands the files of PD-3, each a regular file inside the folder (C141).
func checkDocuments(c *checker) {
	for _, d := range []struct {
		rule, path string
		lenient    bool
	}{
		{"layout/readme", "README.md", false},
		{"layout/progress", "PROGRESS.md", false},
		{"layout/prompts", "PROMPTS.md", c.shape.bare},
	} {
		node, ok := c.s.Nodes[d.path]
		switch {
		case !ok:
			c.addLevel(weaker(d.lenient), d.rule, rule.Place{File: d.path}, d.path+" is missing", "write it; a plan is README.md, PROGRESS.md and PROMPTS.md")
		case !usableNode(c.s, node):
			c.add("layout/not-a-file", rule.Place{File: d.path}, d.path+" is "+nodeWords(node.Kind)+", not a file of the plan", "put a regular file in its place")
		}
	}
	node, ok := c.s.Nodes["analysis_results"]
	if !ok || node.Kind != plan.Folder {
		c.addLevel(weaker(c.shape.bare), "layout/analysis-results", rule.Place{File: "analysis_results"}, "the folder analysis_results is missing", "make it; reports and gate logs go there")
	}
	for _, p := range []string{state.ManifestFile, state.StateFile} {
		if node, ok := c.s.Nodes[p]; ok && !usableNode(c.s, node) {
			c.add("layout/not-a-file", rule.Place{File: p}, p+" is "+nodeWords(node.Kind)+", not a file of the plan", "put a regular file in its place")
		}
	}
}

// usableNode accepts a regular file, and a link that the reader followed inside the plan.
func usableNode(s *plan.Snapshot, n plan.Node) bool {
	return n.Kind == plan.RegularFile || n.Kind == plan.Link && s.Files[n.Path] != nil
}

func nodeWords(k plan.NodeKind) string {
	switch k {
	case plan.Folder:
		return "a folder"
	case plan.Link:
		return "a link that leads outside the plan, or nowhere"
	}
	return "a special file"
}

// checkPair: one JSON file alone is torn; deleting one does not make a plan older (PD-3, PD-9).
func checkPair(c *checker) {
	m, s := present(c.s, state.ManifestFile), present(c.s, state.StateFile)
	if m != s {
		there, gone := state.ManifestFile, state.StateFile
		if s {
			there, gone = gone, there
		}
		c.add("layout/json-alone", rule.Place{File: gone}, there+" stands without "+gone, "restore "+gone+"; it is not optional once the other exists")
	}
}

// checkTaskFiles compares the task files on disk with what names them (PD-3, PS-9, C25, C39).
func checkTaskFiles(c *checker) {
	byNumber := map[int][]string{}
	for _, t := range c.s.TaskFiles {
		byNumber[t.Number] = append(byNumber[t.Number], t.Path)
	}
	if c.shape.lite {
		if !promoting(c.s) {
			for _, t := range c.s.TaskFiles {
				c.addWhat("layout/lite-task-file", rule.Place{File: t.Path}, "a Lite plan has no task files", t.Path,
					"move what it says into the README's record, or promote the plan")
			}
		}
		return
	}
	for _, number := range slices.Sorted(maps.Keys(byNumber)) {
		files := byNumber[number]
		if len(files) > 1 {
			c.add("layout/duplicate-task-file", rule.Place{File: files[1], Task: number},
				fmt.Sprintf("number %d stands on %d files", number, len(files))+things(files), "renumber one of them through refine")
		}
	}
	c.strayTaskFiles()
	for _, t := range c.s.Nested {
		c.add("layout/nested-task-files", rule.Place{File: path.Dir(t.Path)}, "task files lie in the sub-folder "+path.Dir(t.Path),
			"move them to the root of the plan folder and mend the links")
	}
}

// strayTaskFiles names the task files that neither the index nor the state knows.
func (c *checker) strayTaskFiles() {
	named := map[string]bool{}
	numbers := map[int]bool{}
	for _, t := range c.view.Tasks {
		if t.Line != nil {
			named[t.Line.Link] = true
			numbers[t.ID] = true
		}
		if t.Entry != nil {
			named[t.Entry.Locator.Value] = true
		}
	}
	for _, t := range c.s.TaskFiles {
		if !named[t.Path] && !numbers[t.Number] {
			c.addWhat("layout/extra-task-file", rule.Place{File: t.Path}, "a task file that no line of the task index names", t.Path, "add its line through refine, or remove the file")
		}
	}
}

func promoting(s *plan.Snapshot) bool {
	return s.State != nil && (s.State.Promotion != nil || s.State.Materialization == "promoting")
}

// checkLeftovers reports what killed or running writers leave (PS-5, GU-10).
func checkLeftovers(c *checker) {
	for _, p := range slices.Sorted(maps.Keys(c.s.Nodes)) {
		staging := strings.HasPrefix(p, state.OperationMark+".tmp-")
		if isTemp(path.Base(p)) && (c.s.Nodes[p].Kind == plan.RegularFile || staging) {
			c.addWhat("layout/temp-file", rule.Place{File: p}, "temporary file of a writer that was killed", p, "compare it with the real file, then remove it")
		}
	}
	if present(c.s, state.LockDir) {
		c.add("layout/lock", rule.Place{File: state.LockDir}, "the lock state.json.lock is held or was left behind"+lockOwner(c.s),
			"look with dwp lock show; when no writer is alive, dwp lock clear removes it")
	}
}

// isTemp recognises temporary names of writers: ours and those of the standard's other tools.
func isTemp(base string) bool {
	if base == state.FinalizeMark {
		return false
	}
	return strings.HasSuffix(base, ".tmp") || strings.Contains(base, ".tmp-") || strings.Contains(base, ".tmp.") ||
		strings.HasPrefix(base, ".state.json.") || strings.HasPrefix(base, ".manifest.json.")
}

func lockOwner(s *plan.Snapshot) string {
	for _, p := range slices.Sorted(maps.Keys(s.Nodes)) {
		if strings.HasPrefix(p, state.LockDir+"/owner-") {
			return " (" + path.Base(p) + ")"
		}
	}
	return ""
}

// checkMarkers reports operations and publications that were cut off (WP-2, VP-4, C111).
func checkMarkers(c *checker) {
	if present(c.s, state.OperationMark) {
		c.add("operation/unfinished", rule.Place{File: state.OperationMark}, "an operation on several files was cut off", "finish it with dwp recover; nothing else may change the plan before")
	}
	if present(c.s, state.FinalizeMark) {
		c.add("publication/unfinished", rule.Place{File: state.FinalizeMark}, "a publication was cut off", "finish it with dwp recover, or take it back with dwp recover --withdraw")
	}
}

// weaker is should when cond holds, else the catalogue's level.
func weaker(cond bool) rule.Level {
	if cond {
		return rule.Should
	}
	return ""
}
