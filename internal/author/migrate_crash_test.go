package author

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

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
		ways   int // of being cut off: power, kill -9, power that keeps random remainders
	}{
		"schema":              {v1Plan(t), toV2.Decide, 6},
		"schema, published":   {filesOf(sealed(t).Tree()), toV2.Decide, 2},
		"standard":            {v1Plan(t), toStandard5.Decide, 4},
		"standard, published": {filesOf(sealed(t).Tree()), toStandard5.Decide, 2},
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
			tried, seen := 0, 0
			for _, call := range changesOf(t, migrating(t, row.files), run) {
				for seed := range row.ways {
					cut := migrating(t, row.files)
					cut.CrashAt(call)
					told := run(cut) == nil && cut.Crashed()
					tw := cut.Crash(disk.Survival{Remainder: seed > 1, Seed: uint64(seed)})
					if seed == 1 {
						tw = cut.Kill()
					}
					if cutMigration(t, tw, old, want, told, run, call) {
						seen++
					}
					tried++
				}
			}
			if t.Logf("%d crashes, %d of them seen by verify", tried, seen); tried < 100 || seen < 10 || seen > tried-10 {
				t.Errorf("%d crashes, %d of them seen by verify: the migration did not run", tried, seen)
			}
		})
	}
}

// changesOf are the numbers of the calls of a migration that change the file system.
func changesOf(t *testing.T, tw *disk.Twin, run func(*disk.Twin) error) []int {
	t.Helper()
	var calls []int
	tw.Hook(func(e disk.Event) error {
		switch e.Op {
		case disk.OpOpen, disk.OpRead, disk.OpReadDir, disk.OpLstat, disk.OpStat:
		default:
			calls = append(calls, e.N)
		}
		return nil
	})
	must(t, run(tw))
	return append(calls, tw.Ops()+1)
}

// cutMigration judges what a crash left and leads it to the end; it reports whether verify saw that something is unfinished.
func cutMigration(t *testing.T, tw *disk.Twin, old, want map[string]string, told bool, run func(*disk.Twin) error, call int) (unfinished bool) {
	t.Helper()
	now := settled(tw)
	maps.DeleteFunc(now, func(name, _ string) bool { return strings.HasPrefix(name, disk.LockDir) })
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
	if told && !maps.Equal(now, want) {
		t.Fatalf("call %d: success was told, and did not survive", call)
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
