package publish

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/update"
)

const progressName = "PROGRESS.md"

// steps appends a line to PROGRESS.md per revision, until there are so many. bad, when not 0, is a step whose README breaks rules.
func steps(most, bad int, seen *[]string) Decide {
	return func(s *plan.Snapshot) (*Revision, error) {
		text := string(s.Files[progressName].Data)
		n := strings.Count(text, "\nstep ") + 1
		*seen = append(*seen, fmt.Sprint(n))
		r := &Revision{Operation: "test", More: n < most, Changes: []disk.Change{{Path: progressName, Data: []byte(text + fmt.Sprintf("\nstep %d\n", n))}}}
		if n == bad {
			r.Changes = append(r.Changes, disk.Change{Path: "README.md", Data: []byte("# Nothing\n")})
		}
		return r, nil
	}
}

// TestSeries: revisions follow each other under one lock, each on the plan that the one before left; before the first is written, all
// have been tried, so that a series which can't end does not begin (DESIGN 6).
func TestSeries(t *testing.T) {
	tw := twin(t, plantest.Spec{Tasks: 2, Done: 1})
	locks := 0
	tw.Hook(func(e disk.Event) error {
		if e.Op == disk.OpMkdir && e.Path == disk.LockDir {
			locks++
		}
		return nil
	})
	var seen []string
	done, err := Revise(t.Context(), planIn(tw), update.Terms{}, steps(3, 0, &seen))
	if err != nil || !done.Changed || locks != 1 {
		t.Fatalf("%+v, %v, %d locks", done, err, locks)
	}
	if got := content(t, tw, progressName); !strings.HasSuffix(got, "\nstep 1\n\nstep 2\n\nstep 3\n") || strings.Count(got, "step") != 3 {
		t.Errorf("got %q", got)
	}
	if got := strings.Join(seen, " "); got != "1 2 3" {
		t.Errorf("asked for the steps %s", got)
	}

	tw = twin(t, plantest.Spec{Tasks: 2, Done: 1})
	before := tw.Tree()
	for name, decide := range map[string]Decide{"a bad third step": steps(3, 3, &seen), "no end": steps(1000, 0, &seen)} {
		if _, err := Revise(t.Context(), planIn(tw), update.Terms{}, decide); err == nil || !maps.Equal(settled(before), settled(tw.Tree())) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSeriesHalts: a series that stops on its way says that something stands; one that takes itself back says why, and that is the
// answer though files were written.
func TestSeriesHalts(t *testing.T) {
	var seen []string
	tw := twin(t, plantest.Spec{Tasks: 2, Done: 1})
	begun := 0
	tw.Hook(func(e disk.Event) error {
		if e.Op == disk.OpRename && e.To == disk.OpDir {
			if begun++; begun == 2 {
				return errors.New("the disk is full")
			}
		}
		return nil
	})
	_, err := Revise(t.Context(), planIn(tw), update.Terms{}, steps(3, 0, &seen))
	if halted, ok := errors.AsType[*Halted](err); !ok || !strings.Contains(halted.Error(), "the disk is full") || !strings.HasSuffix(halted.Error(), "what was done before stands") {
		t.Errorf("got %v", err)
	}

	tw = twin(t, plantest.Spec{Tasks: 2, Done: 1})
	why := errors.New("taken back")
	back := func(s *plan.Snapshot) (*Revision, error) {
		r, err := steps(3, 0, &seen)(s)
		if r.More = false; len(seen) > 0 {
			r.Instead = why
		}
		return r, err
	}
	if _, err := Revise(t.Context(), planIn(tw), update.Terms{}, back); !errors.Is(err, why) || !strings.Contains(content(t, tw, progressName), "step 1") {
		t.Errorf("got %v", err)
	}
}
