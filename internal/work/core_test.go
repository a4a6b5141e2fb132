package work

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

var mill = revise.Who{Agent: "Mill", Now: noon}

// folder is a made plan on a twin; edits, "file", "old", "new", change it first.

func folder(t *testing.T, spec plantest.Spec, edits ...[3]string) *disk.Twin {
	t.Helper()
	files := plantest.Plan(spec)
	for _, e := range edits {
		f := files[e[0]]
		if !strings.Contains(string(f.Data), e[1]) {
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		f.Data = []byte(strings.Replace(string(f.Data), e[1], e[2], 1))
	}
	tw, err := disk.TwinOf(files)
	must(t, err)
	return tw
}

func do(t *testing.T, fsys disk.FS, decide publish.Decide) (publish.Done, error) {
	t.Helper()
	return publish.Revise(t.Context(), planIn(fsys), update.Terms{}, decide)
}

// done demands that an operation succeeds and leaves a conformant plan, and that the same again changes nothing.

func done(t *testing.T, fsys disk.FS, decide publish.Decide) publish.Done {
	t.Helper()
	first, err := do(t, fsys, decide)
	if err != nil || !first.Changed {
		t.Fatalf("%+v, %v%s", first, err, why(err))
	}
	again, err := do(t, fsys, decide)
	if err != nil || again.Changed {
		t.Fatalf("asked again: %+v, %v", again, err)
	}
	return first
}

// why lists the findings of a refusal.

func why(err error) string {
	text := ""
	if refused, ok := errors.AsType[*publish.Refused](err); ok {
		for _, f := range refused.Findings {
			text += "\n  " + f.Rule + ": " + f.Message
		}
	}
	return text
}

func conformant(t *testing.T, s *plan.Snapshot) {
	t.Helper()
	if r := verify.Plan(s, verify.Options{Now: noon, InGit: true}); r.Verdict != verify.Conformant {
		t.Errorf("%s %+v", r.Verdict, r.Findings)
	}
}

// refusedBy is the rule of a refusal, and the rules of its findings.

func refusedBy(err error) (rule string, list []string) {
	refused, ok := errors.AsType[*publish.Refused](err)
	if !ok {
		return "", nil
	}
	for _, f := range refused.Findings {
		list = append(list, f.Rule)
	}
	return refused.Rule, list
}

func view(t *testing.T, fsys disk.FS, task int) *plan.TaskView {
	t.Helper()
	o := snapshot(t, fsys).Overview()
	return &o.Tasks[task-1]
}

// inProgress is a plan whose second task was started.

func inProgress(t *testing.T, full bool, edits ...[3]string) *disk.Twin {
	t.Helper()
	tw := folder(t, plantest.Spec{Tasks: 3, Done: 1, Full: full}, edits...)
	_, err := do(t, tw, (&Start{Who: mill, Task: 2}).Decide)
	must(t, err)
	return tw
}

// withGate records that the gate of a task passed.

func withGate(t *testing.T, tw *disk.Twin, task int) *disk.Twin {
	t.Helper()
	gate, refusal := update.ParseGate("make test-shard|0|12 passed")
	if refusal != nil {
		t.Fatal(refusal)
	}
	_, err := publish.Apply(t.Context(), planIn(tw), update.Change{Task: task, Gates: []update.Gate{gate}, Agent: "Mill"})
	must(t, err)
	return tw
}

// completion of the second task, which misses nothing.

func completion(task int) *Complete {
	return &Complete{Who: mill, Task: task, Worked: "bulk copy", Tried: []string{"row by row"}, Skills: "none", Docs: "none needed: nothing public changed",
		AllCriteria: true, Checklist: true, Product: Product{Asked: CommitNone}}
}

// TestStart: log and state.json say in progress, the box stays open; the lowest open task is taken, and a second call changes nothing

// (GU-7, PS-19, C27).

// TestStartRefused: nothing starts too early, without approval, under a blocker, after its end, or in a plan whose parts disagree, and

// no task that is not there (GU-7, GU-8, LF-7, C89, C103). Nothing is written.

// TestStartHeld: without a number the hold is told, not a task (C97, C101).

// TestStartApproves: a person's request to start approves the plan in the same operation; nobody approves inside a turn, no agent in its

// own name (LF-7, UN-6, C103).

// TestCheckpoint: the point is that of the task in progress (PS-15, C95).

// TestBlock: log and state.json say blocked and why; the reason has its class; the answer is kept word for word, is shown to who goes on,

// and the task is in progress again (GU-5, PS-16, C99).

// TestBlockRefused: another's blocker is not replaced; inside a turn no answer is made up (GU-5, UN-6).

func second(_ publish.Done, err error) error { return err }

// TestComplete: all four places at once, each line of the log once (WP-2, PS-19, PD-8, PS-14).

// TestCompleteRefused: everything that is missing is listed at once, and nothing is written (WP-2, PD-8, C79, C109).

// TestCompleteOneGap: each gap by itself (WP-2, WP-5, PS-13, C75, C77).

// TestCompleteFailingGate: a gate that failed, or was killed, closes nothing until it passes; its own later pass replaces it (WP-4, C91, C93).

// TestCompleteByHand: a state.json that was edited to say completed is not made true (C75).

// TestCompleteResumes: where an agent that works by hand, or another tool, was cut off between the files, only what is missing is done,

// to the same end, and PROGRESS.md has one entry (C73, PS-19).

// TestCompleteTicksNothing: without being told, no criterion and no checklist is ticked (C37, C79).

// TestCompleteFaithful: what would not read back as it was given is refused (PD-8, PD-10).

// TestCompleteLast: the last task publishes the plan, with everything its markdown says (VP-1, VP-2).

// last is a plan whose Final Review was started, and whose gate passed.

// TestCompleteLastRefused: without the artefacts of the Final Review nothing is published or written (VP-1, VP-2).

// amendment reopens the second task, and speaks of the third.

// TestReopen: amendment, log, box, count, PROGRESS.md and state.json in one; only new evidence closes the task again, and it gets an

// entry of its own (GU-6, AM-1, C117).

// TestReopenRefused: without an amendment, or one that is silent about a completed dependant, nothing is opened (GU-6, AM-1); inside a

// turn nobody's authority is claimed (UN-6).

// TestReopenPublished: the receipt of a published plan is kept under another name in the same operation; closed again, the plan has a

// new one (VP-5).

// TestCoreCrashes: an operation that is cut off leaves the plan as it was, or one that recover finishes; and completing the last task

// never leaves a completed state without its markdown (WP-2, PS-19, VP-4, C71, C73).

// TestCompleteLastWithdrawn: a publication that was cut off and taken back leaves the markdown of the last task as it is; completing it

// again publishes the plan (VP-4, PS-19).

// TestCommands: what a code block of Validation asks for (WP-2).

// TestNamesTask: a commit names its task, and no longer number or name (WP-2).
