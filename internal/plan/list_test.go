package plan

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"
)

func root(t *testing.T, files map[string]string) Root {
	t.Helper()
	base := folder(t, files)
	lay(t, base, map[string]string{".dwp/plans/": ""})
	r, err := FindRoot(base, "")
	must(t, err)
	return r
}

// TRAPS, repository checks; C127, C129: what lies beside the plans is reported, and no link is followed out.
func TestList(t *testing.T) {
	r := root(t, map[string]string{
		".dwp/plans/PLAN_b/README.md":          "",
		".dwp/plans/PLAN_a/":                   "",
		".dwp/plans/PLAN_ with \"odd\"\nname/": "",
		".dwp/plans/notes/":                    "",
		".dwp/plans/.hidden/":                  "",
		".dwp/plans/plan_lower/":               "",
		".dwp/plans/PLAN_file.md":              "",
		".dwp/plans/README.md":                 "",
		".dwp/plans/.gitkeep":                  "",
		".dwp/plans/old/PLAN_c/":               "",
		".dwp/plans/loop":                      "-> loop",
		".dwp/plans/PLAN_dangling":             "-> nowhere",
		".dwp/plans/parent":                    "-> ..",
		".dwp/plans/itself":                    "-> .",
		".dwp/plans/PLAN_outside":              "-> ../../PLAN_z",
		".dwp/plans/PLAN_alias":                "-> PLAN_a",
		".dwp/plans/PLAN_nested":               "-> old/PLAN_c",
		".dwp/plans/PLAN_results":              "-> PLAN_b/README.md",
		"PLAN_z/":                              "",
	})
	entries, strays, err := r.List()
	must(t, err)
	wantEntries := []Entry{
		{"PLAN_ with \"odd\"\nname", filepath.Join(r.Plans, "PLAN_ with \"odd\"\nname")},
		{"PLAN_a", filepath.Join(r.Plans, "PLAN_a")},
		{"PLAN_b", filepath.Join(r.Plans, "PLAN_b")},
		{"PLAN_c", filepath.Join(r.Plans, "old", "PLAN_c")},
	}
	if !slices.Equal(entries, wantEntries) {
		t.Errorf("entries: got %+v\nwant %+v", entries, wantEntries)
	}
	wantStrays := []Stray{
		{".hidden", StrayName}, {"PLAN_dangling", StrayLink}, {"PLAN_file.md", StrayFile}, {"PLAN_outside", StrayLink},
		{"PLAN_results", StrayLink}, {"itself", StrayLink}, {"loop", StrayLink}, {"notes", StrayName}, {"old", StrayName},
		{"parent", StrayLink}, {"plan_lower", StrayName},
	}
	if !slices.Equal(strays, wantStrays) {
		t.Errorf("strays: got %+v\nwant %+v", strays, wantStrays)
	}
}

// C149: no plans folder is no plans; one that can't be read is an error.
func TestListWithoutFolder(t *testing.T) {
	base := folder(t, map[string]string{"file": ""})
	entries, strays, err := Root{Plans: filepath.Join(base, "none")}.List()
	if err != nil || entries != nil || strays != nil {
		t.Errorf("none: got %v, %v, %v", entries, strays, err)
	}
	lay(t, base, map[string]string{"loop": "-> loop"})
	if _, _, err := (Root{Plans: filepath.Join(base, "loop")}).List(); err == nil {
		t.Error("unreadable: no error")
	}
}

// C127: a plans folder behind a link lists and resolves like any other.
func TestPlansBehindLink(t *testing.T) {
	base := folder(t, map[string]string{
		"store/PLAN_a_b/": "", "store/PLAN_alias": "-> PLAN_a_b", "repo/.git/": "", "repo/.dwp/plans": "-> ../../store",
	})
	r, err := FindRoot(filepath.Join(base, "repo"), "")
	must(t, err)
	entries, strays, err := r.List()
	want := Entry{"PLAN_a_b", filepath.Join(r.Plans, "PLAN_a_b")}
	if err != nil || !slices.Equal(entries, []Entry{want}) || strays != nil {
		t.Errorf("got %+v, %+v, %v", entries, strays, err)
	}
	for _, name := range []string{"a b", "alias", filepath.Join(base, "store", "PLAN_a_b"), ".dwp/plans/PLAN_alias"} {
		if got, err := r.Resolve(name); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", name, got, err)
		}
	}
}

// PD-2 and TRAPS: names in loose spelling; a name that climbs out is refused.
func TestResolve(t *testing.T) {
	r := root(t, map[string]string{
		".dwp/plans/PLAN_fix_the_bug/":  "",
		".dwp/plans/PLAN_Fix_The_Bug2/": "",
		".dwp/plans/PLAN_same_name/":    "",
		".dwp/plans/PLAN_same-name/":    "",
		".dwp/plans/PLAN_alias":         "-> PLAN_fix_the_bug",
		".dwp/plans/PLAN_\u8a08\u753b/": "",
		"x/":                            "",
		"other/PLAN_outside_here/":      "",
		"other/README.md":               "",
		"sub/":                          "",
	})
	in := func(name string) string { return filepath.Join(r.Plans, name) }
	outside := filepath.Join(r.Dir, "other", "PLAN_outside_here")
	tests := []struct{ typed, want string }{
		{"PLAN_fix_the_bug", in("PLAN_fix_the_bug")},
		{"fix_the_bug", in("PLAN_fix_the_bug")},
		{"Fix the-Bug", in("PLAN_fix_the_bug")},
		{"plan fix the bug!", in("PLAN_fix_the_bug")},
		{"fix the bug2", in("PLAN_Fix_The_Bug2")},
		{"same_name", in("PLAN_same_name")}, // as it stands before any other spelling
		{"same-name", in("PLAN_same-name")},
		{"alias", in("PLAN_fix_the_bug")},
		{"\u8a08\u753b", in("PLAN_\u8a08\u753b")},
		{in("PLAN_fix_the_bug") + "/", in("PLAN_fix_the_bug")},
		{"../.dwp/plans/PLAN_fix_the_bug", in("PLAN_fix_the_bug")},
		{"../other/PLAN_outside_here", outside},
		{outside, outside},
		// Refused.
		{"../../x", ""}, {"../x", ""}, {"../other", ""}, {"..", ""}, {".", ""}, {"", ""}, {"../other/README.md", ""},
		{"../other/README.md/PLAN_x", ""}, {"PLAN_fix", ""}, {"fix", ""}, {"\u4f01\u753b", ""}, {"PLAN_", ""}, {"a\x00b", ""},
	}
	r.From = filepath.Join(r.Dir, "sub")
	for _, tt := range tests {
		got, err := r.Resolve(tt.typed)
		if tt.want == "" {
			if missing, ok := errors.AsType[*NotFoundError](err); !ok || missing.Name != tt.typed || len(missing.Have) != 5 {
				t.Errorf("%q: got %+v, %v; want it not found among 5", tt.typed, got, err)
			}
			continue
		}
		if want := (Entry{filepath.Base(tt.want), tt.want}); err != nil || got != want {
			t.Errorf("%q: got %+v, %v; want %+v", tt.typed, got, err, want)
		}
	}
	_, err := r.Resolve("same NAME")
	ambiguous, ok := errors.AsType[*AmbiguousError](err)
	if !ok || !slices.Equal(ambiguous.Matches, []string{"PLAN_same-name", "PLAN_same_name"}) {
		t.Errorf("same NAME: got %v, want both", err)
	}
	r.From = in("PLAN_fix_the_bug")
	if got, err := r.Resolve("."); err != nil || got.Name != "PLAN_fix_the_bug" {
		t.Errorf("inside a plan: got %+v, %v", got, err)
	}
}

func TestResolveLatest(t *testing.T) {
	r := root(t, nil)
	if _, err := r.Resolve("latest"); err == nil {
		t.Error("no plans: no error")
	}
	lay(t, r.Plans, map[string]string{"PLAN_a_a/README.md": "", "PLAN_b_b/README.md": "", "PLAN_c_c/state.json": "", "PLAN_d_d/": ""})
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{"PLAN_a_a/README.md", "PLAN_c_c/state.json", "PLAN_b_b/README.md"} {
		must(t, os.Chtimes(filepath.Join(r.Plans, name), at, at.Add(time.Duration(i)*time.Second)))
	}
	if got, err := r.Resolve("Latest"); err != nil || got.Name != "PLAN_b_b" {
		t.Errorf("got %+v, %v; want PLAN_b_b", got, err)
	}
}

func TestNormalizeName(t *testing.T) {
	tests := []struct{ typed, want string }{
		{"Fix the bug", "PLAN_fix_the_bug"},
		{"PLAN_fix_the_bug", "PLAN_fix_the_bug"},
		{"plan-fix", "PLAN_fix"},
		{"  a -- b__c  ", "PLAN_a_b_c"},
		{"caf\u00e9 2.0 \u2014 v/3", "PLAN_caf_20_v3"},
		{"plan", "PLAN_plan"},
		{"planner x", "PLAN_planner_x"},
		{"PLAN_", ""},
		{"PLAN_\u8a08\u753b", ""},
		{"../../x", "PLAN_x"},
		{"\u8a08\u753b \u6848", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := NormaliseName(tt.typed); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.typed, got, tt.want)
		}
	}
}

// The result is empty or safe as a folder's name, and the result of a result is itself.
func FuzzNormalizeName(f *testing.F) {
	for _, seed := range []string{"Fix the bug", "PLAN_plan_", "plan", "PLAN_", "_plan_x", "\u212A\u017F", "a\xffb", "../x", "plan plan"} {
		f.Add(seed)
	}
	shape := regexp.MustCompile(`^PLAN_[a-z0-9]+(_[a-z0-9]+)*$`)
	f.Fuzz(func(t *testing.T, typed string) {
		got := NormaliseName(typed)
		if got != "" && !shape.MatchString(got) {
			t.Errorf("%q: got %q", typed, got)
		}
		if again := NormaliseName(got); again != got {
			t.Errorf("%q: got %q, then %q", typed, got, again)
		}
	})
}
