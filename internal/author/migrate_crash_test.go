package author

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepworkplan/dwp/internal/crashtest"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// PS-21, PS-5: a migration is cut off before each step that changes something. Until recovery, verify finds the plan healthy and old, healthy and
// new, or unfinished: never is a mixed pair called healthy. Recovery, and the call again, lead to one and the same end.
func TestMigrationCrashMatrix(t *testing.T) {
	for name, row := range map[string]struct {
		files  fstest.MapFS
		decide publish.Decide
	}{
		"schema":              {v1Plan(t), toV2.Decide},
		"schema, published":   {filesOf(sealed(t).Tree()), toV2.Decide},
		"standard":            {v1Plan(t), toStandard5.Decide},
		"standard, published": {filesOf(sealed(t).Tree()), toStandard5.Decide},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(tw *disk.Twin) error {
				_, err := Migrate(t.Context(), planOn(tw), row.decide)
				return err
			}
			whole := migrating(t, row.files)
			must(t, run(whole))
			old, want := settled(migrating(t, row.files)), settled(whole)
			tried, told, seen := 0, 0, crashtest.Seen{}
			for _, call := range crashtest.Steps(t, migrating(t, row.files), run) {
				cut := migrating(t, row.files)
				cut.CrashAt(call)
				claimed := run(cut) == nil && cut.Crashed()
				for _, tw := range crashtest.Remains(cut, *seeds, call) {
					tried++
					if claimed && !maps.Equal(settledPlan(tw), want) {
						t.Fatalf("call %d: success was told, and did not survive", call)
					}
					if seen.New(tw) && cutMigration(t, tw, old, want, run, call) {
						told++
					}
				}
			}
			t.Logf("%d crashes left %d folders, %d of them unfinished by verify", tried, len(seen), told)
			if tried < 90 || told < 10 || told > len(seen)-10 {
				t.Error("the migration did not run")
			}
		})
	}
}

// settledPlan leaves out the lock, and what verify recognises as left by a killed writer.
func settledPlan(tw *disk.Twin) map[string]string {
	tree := settled(tw)
	maps.DeleteFunc(tree, func(name, _ string) bool { return strings.HasPrefix(name, disk.LockDir) })
	return tree
}

// cutMigration judges what a crash left and leads it to the end; it reports whether verify saw that something is unfinished.
func cutMigration(t *testing.T, tw *disk.Twin, old, want map[string]string, run func(*disk.Twin) error, call int) (unfinished bool) {
	t.Helper()
	now := settledPlan(tw)
	r := judgedOn(t, tw)
	for _, f := range r.Findings {
		unfinished = unfinished || slices.Contains([]string{"operation/unfinished", "schema/torn", "publication/unfinished"}, f.Rule)
	}
	if unfinished == (r.Verdict == verify.Conformant) {
		t.Fatalf("call %d: unfinished %v, and %s", call, unfinished, r.Verdict)
	}
	if !unfinished {
		for _, all := range []string{"README.md", "PROGRESS.md", state.ManifestFile, state.StateFile} {
			if now[all] != old[all] && now[all] != want[all] || (now[all] == want[all]) != (now["PROGRESS.md"] == want["PROGRESS.md"]) && old[all] != want[all] {
				t.Fatalf("call %d: %s is of another moment than PROGRESS.md, and verify says nothing", call, all)
			}
		}
	}
	unlock(t, tw)
	if _, err := publish.Recover(t.Context(), planOn(tw), nil); err != nil {
		t.Fatalf("call %d: recover: %v", call, err)
	}
	s, err := plan.Read(tw, migratedName)
	must(t, err)
	if m, st := s.Manifest.Era, s.State.Era; m != st {
		t.Fatalf("call %d: recovered to %s and %s", call, m, st)
	}
	for round := range 2 {
		if err := run(tw); err != nil {
			t.Fatalf("call %d, round %d: %v", call, round, explained(err))
		}
		if got := settled(tw); !maps.Equal(got, want) {
			t.Fatalf("call %d, round %d: ends otherwise: %v", call, round, slices.Sorted(maps.Keys(got)))
		}
	}
	return unfinished
}
