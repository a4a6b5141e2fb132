package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"testing"

	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/google/go-cmp/cmp"
)

// C91: an interrupt ends a gate and all that it started; nothing is recorded, and the code says so.
func TestGateRunInterrupted(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell here")
	}
	m := layPlan(t, plantest.Spec{Tasks: 3, Done: 1})
	before := text(t, m.state())
	cmd := dwpProcess(t, "gate", "run", plantest.Name, "2", "--", "sh", "-c", "sleep 600 & echo ready; wait")
	cmd.Dir = m.top
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); line != "ready\n" {
		t.Fatalf("the command said %q, %v", line, err)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != ExitInterrupted {
		t.Errorf("code %d: %s", code, errs.String())
	}
	if diff := cmp.Diff(before, text(t, m.state())); diff != "" {
		t.Errorf("something was recorded (-before +after):\n%s", diff)
	}
}

// What gate run costs beside the bare command: two processes and the guards.
func BenchmarkGateRun(b *testing.B) {
	sh, err := exec.LookPath("true")
	if err != nil {
		b.Skip("there is no true here")
	}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			exec.Command(sh).Run()
		}
	})
	b.Run("gate run", func(b *testing.B) {
		m := layPlan(b, plantest.Spec{Tasks: 12, Done: 1})
		for b.Loop() {
			if code, _, stderr := run(m.top, "gate", "run", plantest.Name, "2", "--", sh); code != ExitOK {
				b.Fatalf("code %d: %s", code, stderr)
			}
		}
	})
}
