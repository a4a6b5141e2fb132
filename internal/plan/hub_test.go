package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// put writes a file of a test and the folders above it.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// childAt writes a small plan with a parent into a repository.
func childAt(t *testing.T, repository, name, parent string) {
	t.Helper()
	folder := filepath.Join(repository, ".dwp", "plans", name)
	put(t, filepath.Join(folder, "README.md"), "# Child\n\n**Standard:** DWP spec 5.0.0\n\n## Task List\n\n- [x] Task 1: One\n- [ ] Task 2: Two\n")
	put(t, filepath.Join(folder, "manifest.json"), fmt.Sprintf(`{"schema": "https://deepworkplan.com/schema/plan-manifest/v2.json", "spec_version": "5.0.0", "name": %q,
		"archetype": "individual", "rigor": "standard", "plan_format": "lite", "created_at": "2026-09-01T08:00:00Z", "task_count": 2, "parent_plan": %s}`, name, parent))
}

// hubAt writes a hub whose table lists children, and reads it.
func hubAt(t *testing.T, root string, rows ...string) (*Snapshot, Root) {
	t.Helper()
	folder := filepath.Join(root, ".dwp", "plans", "PLAN_one_login")
	put(t, filepath.Join(folder, "README.md"), "# Hub\n")
	put(t, filepath.Join(folder, HubFile), "# Manifest\n\n- **Hub:** `fleet:PLAN_one_login`\n\n| Repository | Plan |\n|---|---|\n"+strings.Join(rows, "\n")+"\n")
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	r, err := FindRoot(root, "")
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// AG-4: each child plan of a hub is looked for where the table says, below the hub's root or beside it, and what can't be told of
// it is said. PS-20: nothing is written. C129: links that lead out are not followed.
func TestChildren(t *testing.T) {
	top := t.TempDir()
	work, fleet, elsewhere := filepath.Join(top, "work"), filepath.Join(top, "work", "fleet"), filepath.Join(top, "elsewhere")
	childAt(t, filepath.Join(fleet, "api"), "PLAN_token_api", `"fleet:PLAN_one_login"`)
	childAt(t, filepath.Join(work, "web"), "PLAN_sign_in", `"other:PLAN_one_login"`)
	childAt(t, filepath.Join(work, "desk"), "PLAN_sign_in", `null`)
	childAt(t, elsewhere, "PLAN_sign_in", `null`)
	put(t, filepath.Join(fleet, "odd", ".dwp", "plans", "PLAN_no_folder"), "a file")
	put(t, filepath.Join(fleet, "odd", ".dwp", "plans", "PLAN_no_plan", "notes.txt"), "words")
	rows := map[string]struct {
		fate   ChildFate
		parent string
		linked bool
	}{
		"| api | PLAN_token_api |":         {ChildFound, "fleet:PLAN_one_login", true},
		"| ./api/ | `token_api` |":         {ChildFound, "fleet:PLAN_one_login", true},
		"| ../web | PLAN_sign_in |":        {ChildFound, "other:PLAN_one_login", false},
		"| desk | PLAN_sign_in |":          {ChildFound, "", false}, // beside the root, without saying so
		"| api | PLAN_other_one |":         {ChildMissing, "", false},
		"| api | the token work |":         {ChildMissing, "", false},
		"| mobile | PLAN_sign_in |":        {ChildNoRepository, "", false},
		"| ../fleet/api | PLAN_no_such |":  {ChildMissing, "", false},
		"| odd | PLAN_no_folder |":         {ChildForeign, "", false},
		"| odd | PLAN_no_plan |":           {ChildForeign, "", false},
		"| ../../elsewhere | PLAN_sign_in": {ChildOutside, "", false},
		"| /etc | PLAN_sign_in |":          {ChildOutside, "", false},
		"| .. | PLAN_sign_in |":            {ChildOutside, "", false},
		"| | PLAN_sign_in |":               {ChildOutside, "", false},
	}
	if runtime.GOOS != "windows" {
		for _, link := range [][2]string{{elsewhere, filepath.Join(fleet, "away")}, {"api", filepath.Join(fleet, "alias")}} {
			if err := os.Symlink(link[0], link[1]); err != nil {
				t.Fatal(err)
			}
		}
		rows["| away | PLAN_sign_in |"] = rows["| .. | PLAN_sign_in |"]
		rows["| alias | PLAN_token_api |"] = rows["| api | PLAN_token_api |"]
	}
	for row, want := range rows {
		s, root := hubAt(t, fleet, row)
		children := s.Children(root)
		if len(children) != 1 {
			t.Errorf("%s: %d children", row, len(children))
			continue
		}
		c := children[0]
		if c.Fate != want.fate || c.Parent != want.parent || c.Linked != want.linked {
			t.Errorf("%s: %s (%v), parent %q, linked %v; want %+v", row, c.Fate, c.Err, c.Parent, c.Linked, want)
		}
		if found := c.Fate == ChildFound; found != (c.Path != "" && c.Overview.Completed == 1 && c.Overview.Total == 2) && c.Fate != ChildForeign {
			t.Errorf("%s: path %q, %d of %d", row, c.Path, c.Overview.Completed, c.Overview.Total)
		}
	}
}

// A hub that lists more than can be looked at is bounded, and a FIFO keeps nobody waiting.
func TestChildrenAreBounded(t *testing.T) {
	fleet := filepath.Join(t.TempDir(), "fleet")
	rows := make([]string, MaxChildren+50)
	for i := range rows {
		rows[i] = fmt.Sprintf("| r%d | PLAN_sign_in |", i)
	}
	s, root := hubAt(t, fleet, rows...)
	begin := time.Now()
	if n := len(s.Children(root)); n != MaxChildren {
		t.Errorf("%d children in %v", n, time.Since(begin))
	}
	if s, _ := hubAt(t, fleet); !s.Coordinates() || s.Children(root) == nil || len(s.Children(root)) != 0 {
		t.Error("a hub without children")
	}
}
