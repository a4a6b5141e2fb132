package turntest

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The gate of a task passes with the task's work, and not without or with the wrong one: what the behaviours build on.
func TestGatesOfPieces(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here")
	}
	for task := 1; task < Tasks; task++ {
		a := &agent{World: World{Dir: t.TempDir()}, task: task}
		p, ok := PieceOf(task)
		if !ok {
			t.Fatalf("task %d has no piece", task)
		}
		passes := func() bool {
			cmd := exec.Command("sh", p.Test())
			cmd.Dir = a.Dir
			return cmd.Run() == nil
		}
		if passes() {
			t.Errorf("%s passes before anything is there", p.Name)
		}
		if err := a.build(); err != nil || !passes() {
			t.Errorf("%s fails when it is built: %v", p.Name, err)
		}
		if err := a.write(p.Product(), p.Name+"() { echo wrong; }\n"); err != nil || passes() {
			t.Errorf("%s passes with the wrong code: %v", p.Name, err)
		}
	}
	if _, ok := PieceOf(Tasks); ok {
		t.Error("the Final Review has a piece")
	}
}

// An agent that isn't told what to do does nothing, and says why.
func TestAgentNeedsItsTask(t *testing.T) {
	folder := filepath.Join(t.TempDir(), Plan)
	inTurn := []string{"DWP_TURN=1-ab", "DWP_PLAN=" + folder}
	for _, tt := range []struct {
		name, behaviour, prompt string
		env                     []string
		want                    string
	}{
		{"no such behaviour", "perfect", "", inTurn, `no behaviour "perfect"`},
		{"no turn", "good", "dwp start " + Plan + " 1", []string{"DWP_PLAN=" + folder}, "DWP_TURN is not set"},
		{"no plan", "good", "dwp start " + Plan + " 1", []string{"DWP_TURN=1-ab"}, "DWP_PLAN"},
		{"no task", "good", "dwp start PLAN_other 1", inTurn, "names no task"},
		{"another program", "good", "cli.test start " + Plan + " 1", inTurn, "calls dwp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			w := World{Stdin: strings.NewReader(tt.prompt), Stdout: &out, Stderr: &errs, Environ: tt.env, Dir: t.TempDir()}
			if code := Agent(tt.behaviour, w); code != exitLost || !strings.Contains(errs.String(), tt.want) || out.Len() > 0 {
				t.Errorf("code %d, %q, %q; want %d, %q", code, out.String(), errs.String(), exitLost, tt.want)
			}
		})
	}
}

func TestAgentIsGoodUpToATask(t *testing.T) {
	var out, errs bytes.Buffer
	w := World{
		Stdin: strings.NewReader("run `/opt/bin/dwp start " + Plan + " 3` first"), Stdout: &out, Stderr: &errs, Dir: t.TempDir(),
		Environ: []string{"DWP_TURN=1-ab", "DWP_PLAN=/tmp/" + Plan},
	}
	if code := Agent("liar@3", w); code != exitDone || out.String() != "All tests pass. Task 3 is completed, committed and recorded.\n" {
		t.Errorf("code %d, %q, %q", code, out.String(), errs.String())
	}
	if !slices.IsSorted(Behaviours()) || !slices.Contains(Behaviours(), "liar") {
		t.Errorf("got %q", Behaviours())
	}
}
