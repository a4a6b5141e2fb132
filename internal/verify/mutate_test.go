package verify_test

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/verify"
)

var mutations = flag.Int("mutations", 1000, "how many mutated plans TestMutatedPlans checks")

// now is the clock of all tests.
var now = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

// TestMutatedPlans: bad input gets a verdict, never a stack trace (C141, VP-6). The generator is seeded by the number of the
// plan, which a failure names: the same number makes the same plan again.
func TestMutatedPlans(t *testing.T) {
	bases := basePlans(t)
	counts := map[verify.Verdict]int{}
	for n := range *mutations {
		r := rand.New(rand.NewPCG(uint64(n), 7))
		files := mutate(r, bases[n%len(bases)])
		counts[verdictOf(t, n, files)]++
	}
	t.Logf("%d mutated plans: %d conformant, %d nonconformant, %d unverified", *mutations,
		counts[verify.Conformant], counts[verify.Nonconformant], counts[verify.Unverified])
	if counts[verify.Nonconformant] == 0 || counts[verify.Conformant] == 0 {
		t.Errorf("the generator made no plan of one kind: %v", counts)
	}
}

func verdictOf(t *testing.T, n int, files fstest.MapFS) verify.Verdict {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("mutation %d: panic: %v", n, p)
		}
	}()
	s, err := plan.Read(files, "PLAN_quote_service")
	if err != nil {
		t.Fatalf("mutation %d: %v", n, err)
	}
	r := verify.Plan(s, verify.Options{Now: now, InGit: true})
	switch r.Verdict {
	case verify.Conformant, verify.Nonconformant, verify.Unverified:
	default:
		t.Fatalf("mutation %d: verdict %q", n, r.Verdict)
	}
	for _, f := range r.Findings {
		if _, ok := rule.Lookup(f.Rule); !ok || f.Message == "" || f.Requirement == "" {
			t.Fatalf("mutation %d: incomplete finding %+v", n, f)
		}
	}
	return r.Verdict
}

// basePlans are the plan folders of the vectors that are healthy or nearly so.
func basePlans(t testing.TB) []fstest.MapFS {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/vectors/*/*-silent.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	var bases []fstest.MapFS
	for i, p := range paths {
		if i%7 == 0 || i < 5 {
			bases = append(bases, verify.LayOut(t, p))
		}
	}
	return bases
}

// mutate changes one to four things in a copy of a plan.
func mutate(r *rand.Rand, base fstest.MapFS) fstest.MapFS {
	files := fstest.MapFS{}
	var names []string
	for name, f := range base {
		files[name] = &fstest.MapFile{Data: append([]byte(nil), f.Data...), Mode: f.Mode}
		if !f.Mode.IsDir() {
			names = append(names, name)
		}
	}
	slices.Sort(names) // a map has no order, and the number must repeat the plan
	for range 1 + r.IntN(4) {
		name := names[r.IntN(len(names))]
		if f := files[name]; f != nil {
			f.Data = mutateText(r, f.Data)
		}
		switch r.IntN(40) {
		case 0:
			delete(files, name)
		case 1:
			files[name] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		}
	}
	return files
}

// shards are what people, tools and accidents put into files.
var shards = []string{"```\n", "~~~~\n", "<!--", "-->", "- [x] Task 1: x\n", "- [ ] Task 99999999999999999999: y\n", "{#task-1}", "## Goal\n", "\x00", "\xff", "\r", "\t",
	"[", "{", "]", "}", ",", "\"", "null", "true", "1e999", "-1", "2999-13-45T99:99:99Z", "<<<<<<< HEAD\n", "=======\n", "| a | b |\n|---|---|\n", "> ", "    ", "Plan Status: 9/1 completed\n",
	"Amendment 7 — 2026-99-99\n", "Depends on: 1, 2, 3\n", "\u202e", "ไม่ได้รัน", "未执行", "skipped", "\\ud800", "---\n", "***\n", "# ", "* [~] ", "1. [x] Task 2: z\n", "\ufeff"}

func mutateText(r *rand.Rand, text []byte) []byte {
	if len(text) == 0 {
		return []byte(shards[r.IntN(len(shards))])
	}
	at := r.IntN(len(text))
	lines := strings.SplitAfter(string(text), "\n")
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	switch r.IntN(9) {
	case 0: // cut short
		return text[:at]
	case 1: // one byte
		text[at] = byte(r.IntN(256))
		return text
	case 2, 3: // something put in
		return []byte(string(text[:at]) + shards[r.IntN(len(shards))] + string(text[at:]))
	case 4: // a line gone
		return []byte(strings.Join(append(lines[:i:i], lines[i+1:]...), ""))
	case 5: // a line twice
		return []byte(strings.Join(append(lines[:i:i], append([]string{lines[i]}, lines[i:]...)...), ""))
	case 6: // two lines change places
		lines[i], lines[j] = lines[j], lines[i]
		return []byte(strings.Join(lines, ""))
	case 7: // a number changes
		return []byte(strings.Replace(string(text), fmt.Sprint(r.IntN(4)), fmt.Sprint(r.IntN(12)-1), 1+r.IntN(3)))
	}
	return []byte(strings.ReplaceAll(string(text), "completed", []string{"pending", "skipped", "blocked", "done", ""}[r.IntN(5)]))
}
