package cli

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/plan"
)

func diffed(old, new string) string {
	var b strings.Builder
	writeHunks(&b, compareLines(slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(new))))
	return b.String()
}

func TestDiff(t *testing.T) {
	numbers := func(skip string) string {
		return strings.Replace("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n", skip, "", 1)
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"same", "a\nb\n", "a\nb\n", ""},
		{"made", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"changed", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"context", numbers("6\n"), numbers(""), "@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+6\n 7\n 8\n 9\n"},
		{"near", "1\na\n2\n3\n4\n5\n6\n7\nb\n8\n", "1\nA\n2\n3\n4\n5\n6\n7\nB\n8\n",
			"@@ -1,10 +1,10 @@\n 1\n-a\n+A\n 2\n 3\n 4\n 5\n 6\n 7\n-b\n+B\n 8\n"},
		{"far", "a\n2\n3\n4\n5\n6\n7\n8\nb\n", "A\n2\n3\n4\n5\n6\n7\n8\nB\n",
			"@@ -1,4 +1,4 @@\n-a\n+A\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-b\n+B\n"},
		{"no end", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"repeated lines", "x\nx\nx\n", "x\nx\n", "@@ -1,3 +1,2 @@\n x\n x\n-x\n"},
		{"moved", "a\nb\nc\nd\n", "b\nc\nd\na\n", "@@ -1,4 +1,4 @@\n-a\n b\n c\n d\n+a\n"},
	} {
		if got := diffed(tt.old, tt.new); got != tt.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, got, tt.want)
		}
	}
}

// A diff, applied to what it was made of, gives the other text, and its numbers are right: read back by simple means.
func TestDiffApplies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() []string {
		lines := make([]string, r.IntN(40))
		for i := range lines {
			lines[i] = string(rune('a'+r.IntN(12))) + "\n"
		}
		return lines
	}
	for range 2000 {
		old, new := text(), text()
		if r.IntN(2) == 0 { // nearly the same
			new = slices.Clone(old)
			for range r.IntN(4) {
				at := r.IntN(len(new) + 1)
				new = slices.Insert(new, at, "new\n")
			}
		}
		var was, is []string
		for _, l := range compareLines(old, new) {
			if l.sign != '+' {
				was = append(was, l.text)
			}
			if l.sign != '-' {
				is = append(is, l.text)
			}
		}
		if !slices.Equal(was, old) || !slices.Equal(is, new) {
			t.Fatalf("diff of %q and %q reads as %q and %q", old, new, was, is)
		}
	}
}

// A task file that has another number afterwards is shown as one file, under both names.
func TestDiffOfMovedFile(t *testing.T) {
	snapshot := func(files map[string]string) *plan.Snapshot {
		folder := fstest.MapFS{}
		for name, text := range files {
			folder[name] = &fstest.MapFile{Data: []byte(text)}
		}
		s, err := plan.Read(folder, "PLAN_ring_bells")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := snapshot(map[string]string{"2.task_ring.md": "# Task 2: Ring\n", "3.task_tune.md": "# Task 3: Tune\n", "4.task_rest.md": "x\n"})
	after := snapshot(map[string]string{"3.task_ring.md": "# Task 3: Ring\n", "2.task_tune.md": "# Task 2: Tune\n"})
	want := "--- a/2.task_ring.md\n+++ b/3.task_ring.md\n@@ -1,1 +1,1 @@\n-# Task 2: Ring\n+# Task 3: Ring\n" +
		"--- a/3.task_tune.md\n+++ b/2.task_tune.md\n@@ -1,1 +1,1 @@\n-# Task 3: Tune\n+# Task 2: Tune\n" +
		"--- a/4.task_rest.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n"
	if got := planDiff(before, after); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
