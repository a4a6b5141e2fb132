package publish

import (
	"errors"
	"io/fs"
	"maps"
	"strings"
	"syscall"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// usurper is a folder in which a person clears our lock, another takes it and begins a publication of its own, while our marker
// is being written.
type usurper struct {
	*disk.Twin
	t      *testing.T
	marker []byte
}

func (u *usurper) Create(name string, perm fs.FileMode) (disk.File, error) {
	if strings.HasPrefix(name, "."+state.FinalizeMark) {
		for path := range u.Tree() {
			if strings.HasPrefix(path, disk.LockDir+"/owner-") {
				must(u.t, u.Remove(path))
			}
		}
		must(u.t, u.Put(disk.LockDir+"/owner-0123456789abcdef.json", []byte("{}\n"), 0o644))
		must(u.t, u.Put(state.FinalizeMark, u.marker, 0o644))
	}
	return u.Twin.Create(name, perm)
}

// VP-4, C65: who lost the lock doesn't take the marker of the one who has it now: nothing could be recovered without it.
func TestAnothersMarkerIsLeft(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 3, Ready: true})
	previous := content(t, tw, state.StateFile)
	theirs := (&state.Marker{Candidate: "{}", CandidateSHA256: state.Digest([]byte("{}")), ArtifactsSHA256: state.ArtifactsDigest(nil),
		Previous: previous, StartedAt: "2026-09-01T00:00:00Z"}).Bytes()
	_, err := Apply(t.Context(), planIn(&usurper{tw, t, theirs}), closing)
	if !errors.Is(err, disk.ErrLockLost) {
		t.Errorf("error %v, want the lost lock", err)
	}
	if got := content(t, tw, state.FinalizeMark); got != string(theirs) {
		t.Errorf("the other's marker is %q", got)
	}
	if content(t, tw, state.StateFile) != previous {
		t.Error("state.json was written")
	}
}

// VP-6: the receipt of an earlier publication, which a later run of a gate leaves behind, doesn't hide that something could not be
// evaluated: here the folder is too deep to be listed.
func TestEarlierReceiptHidesNothingUnevaluated(t *testing.T) {
	tw := justPublished(t)
	rerun := update.Change{Task: 1, Gates: []update.Gate{rerunOf(t, tw, 1)}}
	must(t, tw.PutDir("analysis_results"+strings.Repeat("/deep", 2*plan.MaxDepth)))
	before := tw.Tree()
	_, err := Apply(t.Context(), planIn(tw), rerun)
	if _, ok := errors.AsType[*Unverified](err); !ok || !maps.Equal(before, tw.Tree()) {
		t.Errorf("error %v, changed %v", err, changedNames(before, tw.Tree()))
	}
	shallow := justPublished(t)
	if done, err := Apply(t.Context(), planIn(shallow), rerun); err != nil || !done.Published {
		t.Errorf("without the deep folder: %+v %v", done, err)
	}
}

// justPublished is a plan that was published and not touched since.
func justPublished(t *testing.T) *disk.Twin {
	t.Helper()
	tw := ready(t)
	must(t, publish(t, planIn(tw)))
	return tw.Kill()
}

// VP-5, TRAPS: what is changed after a publication doesn't go unnoticed by way of a new receipt. Reopening keeps the old one.
func TestNewReceiptHidesNoLaterChange(t *testing.T) {
	tw := published(t) // and README.md changed since
	before := tw.Tree()
	_, rerun := Apply(t.Context(), planIn(tw), update.Change{Task: 1, Gates: []update.Gate{rerunOf(t, tw, 1)}})
	_, sealed := Seal(t.Context(), planIn(tw))
	for name, err := range map[string]error{"a later run": rerun, "seal": sealed} {
		if refused, ok := errors.AsType[*Refused](err); !ok || refused.Rule != "guard/changed-after" || !strings.Contains(refused.Message, "README.md") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := tw.Tree(); !maps.Equal(before, after) {
		t.Errorf("changed: %v", changedNames(before, after))
	}
	must(t, reopen(t, planIn(tw)))
}

// rerunOf is the first gate record of a task, as of a run now.
func rerunOf(t *testing.T, fsys fs.FS, task int) update.Gate {
	t.Helper()
	st, _, err := state.ReadState([]byte(content(t, fsys, state.StateFile)))
	must(t, err)
	g := st.Tasks[task-1].Gates[0]
	return update.Gate{Command: g.Command, Passes: g.Passes, ExitCode: g.ExitCode, Evidence: g.Evidence}
}

// C71, VP-5: a reopening whose state can't be written leaves the receipt in force, and every other byte.
func TestReopeningThatFailsChangesNothing(t *testing.T) {
	tw := published(t)
	before := tw.Tree()
	tw.Fail(disk.OpRename, state.StateFile, syscall.ENOSPC)
	if err := reopen(t, planIn(tw)); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
	if after := tw.Tree(); !maps.Equal(before, after) {
		t.Errorf("changed: %v", changedNames(before, after))
	}
}
