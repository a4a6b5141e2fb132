package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		name        string
		text        string
		first, rest int
		want        []string
	}{
		{"empty", "", 10, 10, []string{""}},
		{"fits", "one two", 7, 7, []string{"one two"}},
		{"breaks", "one two three", 7, 7, []string{"one two", "three"}},
		{"short first line", "one two three", 3, 9, []string{"one", "two three"}},
		{"long word stays whole", "see analysis_results/gates/x.log now", 8, 8,
			[]string{"see", "analysis_results/gates/x.log", "now"}},
		{"no room", "a b", 0, -3, []string{"a", "b"}},
		{"wide text breaks anywhere", "\u4e00\u4e8c\u4e09\u56db\u4e94", 4, 4,
			[]string{"\u4e00\u4e8c", "\u4e09\u56db", "\u4e94"}},
	} {
		if diff := cmp.Diff(tt.want, wrap(tt.text, tt.first, tt.rest)); diff != "" {
			t.Errorf("%s: wrap (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestTextWidth(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"abc", 3}, {"\u4e2d\u6587", 4}, {"e\u0301", 1}, {"\u0e44\u0e17\u0e22\u0e35\u0e48", 3}, {"\U0001f600!", 3}, {"\uff21", 2}, {"\u00e9", 1},
	} {
		if got := textWidth(tt.text); got != tt.want {
			t.Errorf("textWidth(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 5, "short"}, {"longer", 5, "lo..."}, {"\u4e2d\u6587\u4e2d\u6587", 6, "\u4e2d..."},
	} {
		if got := cut(tt.text, tt.columns); got != tt.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}

// Columns stay aligned beside wide characters.
func TestPadWide(t *testing.T) {
	if got, want := pad("\u4e2d\u6587", 6)+"|", "\u4e2d\u6587  |"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestColour(t *testing.T) {
	for _, tt := range []struct {
		name  string
		width int
		env   string
		want  bool
	}{
		{"terminal", 80, "TERM=xterm", true},
		{"no terminal", 0, "TERM=xterm", false},
		{"NO_COLOR", 80, "NO_COLOR=1", false},
		{"NO_COLOR empty", 80, "NO_COLOR=", true},
		{"dumb terminal", 80, "TERM=dumb", false},
	} {
		env := testEnv("", io.Discard, io.Discard, tt.env)
		env.Width = tt.width
		a := &app{env: env}
		if got := a.page().colour; got != tt.want {
			t.Errorf("%s: colour %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestPageWidth(t *testing.T) {
	for _, tt := range []struct {
		columns string
		width   int
		want    int
	}{
		{"", 0, 80}, {"", 132, 132}, {"100", 132, 100}, {"100", 0, 100}, {"nonsense", 0, 80}, {"-4", 90, 90}, {"5", 0, minWidth},
	} {
		env := testEnv("", io.Discard, io.Discard, "COLUMNS="+tt.columns)
		env.Width = tt.width
		a := &app{env: env}
		if got := a.page().width; got != tt.want {
			t.Errorf("COLUMNS=%s, terminal %d: width %d, want %d", tt.columns, tt.width, got, tt.want)
		}
	}
}

// No line of wrapped prose is wider than the page, with colour or without.
func TestFlowKeepsWidth(t *testing.T) {
	var out bytes.Buffer
	p := page{w: &out, width: 40, colour: true}
	p.flow("  "+p.paint(red, "must  ")+"  ", 10, 10, strings.Repeat("word ", 30))
	for l := range strings.Lines(out.String()) {
		l = strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "", "\n", "").Replace(l)
		if textWidth(l) > 40 {
			t.Errorf("line of %d columns: %q", textWidth(l), l)
		}
	}
}

// A place opens from where the reader stands: with a path below the current folder, else with the whole one, also
// when -C or DWP_DIR lead elsewhere.
func TestPlacesOpenFromHere(t *testing.T) {
	readme := rule.Place{File: "README.md", Line: 3, Column: 1}
	for _, tt := range []struct {
		name, dir, base string
		at              rule.Place
		want            string
	}{
		{"from the repository", "/r", "/r/.dwp/plans/PLAN_a_b", readme, ".dwp/plans/PLAN_a_b/README.md:3:1"},
		{"from the plan", "/r/.dwp/plans/PLAN_a_b", "/r/.dwp/plans/PLAN_a_b", readme, "README.md:3:1"},
		{"from beside", "/r/docs", "/r/.dwp/plans/PLAN_a_b", readme, "/r/.dwp/plans/PLAN_a_b/README.md:3:1"},
		{"a sibling of the same beginning", "/r/.dwp/plans/PLAN_a", "/r/.dwp/plans/PLAN_a_b", readme, "/r/.dwp/plans/PLAN_a_b/README.md:3:1"},
		{"the folder itself", "/r", "/r/.dwp/plans/PLAN_a_b", rule.Place{}, ".dwp/plans/PLAN_a_b"},
		{"already absolute", "/r", "/r", rule.Place{File: "/elsewhere/plans/notes"}, "/elsewhere/plans/notes"},
		{"unknown current folder", "", "/r/.dwp/plans/PLAN_a_b", readme, "/r/.dwp/plans/PLAN_a_b/README.md:3:1"},
	} {
		if got := (page{dir: tt.dir, base: tt.base}).at(tt.at); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A finding keeps its place in one piece at every width; what doesn't fit beside it goes below.
func TestFindingAtWidths(t *testing.T) {
	f := rule.Finding{Rule: "index/count", Level: rule.Must, Place: rule.Place{File: "plans/PLAN_tea_timer/README.md", Line: 35, Column: 1},
		Message: "says 2/3, the boxes say 1/3"}
	for width, want := range map[int]string{
		120: "  must    index/count  plans/PLAN_tea_timer/README.md:35:1  says 2/3, the boxes say 1/3\n",
		80:  "  must    index/count  plans/PLAN_tea_timer/README.md:35:1\n          says 2/3, the boxes say 1/3\n",
		50:  "  must    index/count\n          plans/PLAN_tea_timer/README.md:35:1\n          says 2/3, the boxes say 1/3\n",
	} {
		var out bytes.Buffer
		writeFinding(page{w: &out, width: width}, f, false)
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
}
