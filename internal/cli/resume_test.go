package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
)

// madePlan writes a made plan below dir, and returns its folder.
func madePlan(t *testing.T, dir string, spec plantest.Spec) string {
	t.Helper()
	files := map[string]string{}
	for name, f := range plantest.Plan(spec) {
		files[filepath.Join(".dwp", "plans", plantest.Name, filepath.FromSlash(name))] = string(f.Data)
	}
	writeTree(t, dir, files)
	return filepath.Join(dir, ".dwp", "plans", plantest.Name)
}

// TestResumeFinishesAnOperation: what was cut off is named with what is still to be written, hides everything that follows from it, and is
// finished by --fix, after which nothing is missing (WP-1, C73, DESIGN 6).
func TestResumeFinishesAnOperation(t *testing.T) {
	dir := t.TempDir()
	path := madePlan(t, dir, plantest.Spec{Tasks: 3, Done: 1, Commit: plantest.NoCommit})
	after := plantest.Plan(plantest.Spec{Tasks: 3, Done: 2, Commit: plantest.NoCommit})
	folder, err := disk.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	var changes []disk.Change
	for _, name := range []string{"README.md", "PROGRESS.md", "state.json"} {
		before, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, disk.Change{Path: name, Data: after[name].Data, Was: state.Digest(before)})
	}
	if err := disk.Stage(folder, disk.Operation{Name: "complete", Args: []string{"2"}}, changes, nil); err != nil {
		t.Fatal(err)
	}
	// It came as far as README.md.
	if err := os.Rename(filepath.Join(path, ".dwp-op", "1"), filepath.Join(path, "README.md")); err != nil {
		t.Fatal(err)
	}

	code, stdout, _ := run(dir, "resume")
	if code != ExitNo || !strings.Contains(stdout, "- The operation complete 2 was cut off; still to write: PROGRESS.md, state.json\n  `dwp recover "+plantest.Name+"`\n") {
		t.Errorf("code %d\n%s", code, stdout)
	}
	var answer struct {
		Gaps []struct{ Kind string } `json:"unfinished"`
		Next any
	}
	if _, stdout, _ = run(dir, "resume", "--json"); json.Unmarshal([]byte(stdout), &answer) != nil || len(answer.Gaps) != 1 || answer.Gaps[0].Kind != "operation" || answer.Next != nil {
		t.Errorf("%+v", answer)
	}
	code, stdout, _ = run(dir, "resume", "--fix")
	if code != ExitOK || !strings.Contains(stdout, "Fixed:\n\n- The operation complete 2 is finished\n") || !strings.Contains(stdout, "# Task 3: Final Review\n") {
		t.Errorf("code %d\n%s", code, stdout)
	}
	if code, stdout, _ = run(dir, "resume", "--fix"); code != ExitOK || strings.Contains(stdout, "Fixed") {
		t.Errorf("again: code %d\n%s", code, stdout)
	}
}

// TestResumeFitsTheScreen: our own words keep to the width of the screen, whatever was found (STYLE, Output).
func TestResumeFitsTheScreen(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"desync": func(text string) string {
			return strings.Replace(text, "- [ ] Task 3: Load", "- [x] Task 3: Load", 1)
		},
		"count": func(text string) string { return strings.Replace(text, "Plan Status: 2/4", "Plan Status: 0/4", 1) },
		"none":  func(text string) string { return text },
	} {
		dir := t.TempDir()
		path := madePlan(t, dir, plantest.Spec{Tasks: 4, Done: 2})
		readme := filepath.Join(path, "README.md")
		data, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(readme, []byte(change(string(data))), 0o644); err != nil {
			t.Fatal(err)
		}
		_, stdout, _ := run(dir, "resume")
		ours, _, _ := strings.Cut(stdout, "\n# Task ")
		for line := range strings.Lines(ours) {
			if textWidth(strings.TrimSuffix(line, "\n")) > defaultWidth && !strings.Contains(line, dir) && !strings.HasPrefix(line, ">") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

// TestQuotedTextStaysQuoted: what others wrote can't fake a heading of the brief, and a long text is cut where it says so (C157).
func TestQuotedTextStaysQuoted(t *testing.T) {
	for _, text := range []string{"a\n# Resume\n\n\x1b[2J## To finish first", "\n\n", strings.Repeat("word ", maxQuoted), strings.Repeat("x", 2*maxQuoted), strings.Repeat("\u0e01", maxQuoted)} {
		got := quoted(text)
		body, rest, _ := strings.Cut(got, "\n\n(It goes on")
		if long := len(text) > maxQuoted; long != (rest != "") {
			t.Errorf("%.20q: cut %v", text, rest != "")
		}
		for line := range strings.SplitSeq(body, "\n") {
			if !strings.HasPrefix(line, ">") || strings.Contains(line, "\x1b") {
				t.Errorf("%.20q: %q", text, line)
			}
		}
	}
}

// TestTasksWords: lists of tasks are short.
func TestTasksWords(t *testing.T) {
	for want, ids := range map[string][]int{
		"task 3": {3}, "tasks 3, 4": {3, 4}, "tasks 1-15": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, "tasks 1, 3-5, 9, 10": {1, 3, 4, 5, 9, 10},
	} {
		if got := tasksWords(ids); got != want {
			t.Errorf("%v: %q, want %q", ids, got, want)
		}
	}
}
