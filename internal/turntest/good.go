package turntest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// number is the turn's task, as an argument.
func (a *agent) number() string { return strconv.Itoa(a.task) }

// steps are those of a task, in order. Each may be taken again after a run that was killed in the middle, and then does what is left.
func (a *agent) steps() []func() error {
	if a.task == Tasks {
		return []func() error{a.start, a.review, a.gates, a.complete}
	}
	return []func() error{a.start, a.build, a.gates, a.commit, a.checkpoint, a.complete}
}

// good works its task from start to end, and yields.
func (a *agent) good() error {
	for _, step := range a.steps() {
		if err := step(); err != nil {
			return err
		}
	}
	a.say("task %d is done", a.task)
	return nil
}

func (a *agent) start() error { return a.dwp("start", a.number()) }

// build writes the function and its test.
func (a *agent) build() error {
	p, _ := PieceOf(a.task)
	if err := a.write(p.Product(), p.productText()); err != nil {
		return err
	}
	return a.write(p.Test(), p.testText())
}

// gates runs what validates the task; for the Final Review all that was built.
func (a *agent) gates() error {
	for n := 1; n < Tasks; n++ {
		if p, _ := PieceOf(n); n == a.task || a.task == Tasks {
			if err := a.dwp("gate run", append([]string{a.number(), "--"}, p.Gate()...)...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Message is the message of a task's commit (WP-2).
func Message(task int, plan string) string {
	p, _ := PieceOf(task)
	return fmt.Sprintf("feat(till): add %s - Task %d of %s", p.Name, task, plan)
}

// commit commits the task's files, once.
func (a *agent) commit() error {
	p, _ := PieceOf(a.task)
	return a.commitFiles(p.Product(), p.Test())
}

// commitFiles commits files in the task's name, unless that was done. A git that was killed leaves its locks behind; nobody else is at work
// here while the turn lasts.
func (a *agent) commitFiles(names ...string) error {
	for _, pattern := range []string{"*.lock", "refs/heads/*.lock", "objects/*.lock"} {
		locks, err := filepath.Glob(filepath.Join(a.Dir, ".git", filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, lock := range locks {
			if err := os.Remove(lock); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	done, err := a.git("log", "--format=%H", "--fixed-strings", "--grep", fmt.Sprintf("Task %d of %s", a.task, a.plan))
	if err != nil || strings.TrimSpace(done) != "" {
		return err
	}
	if _, err := a.git(append([]string{"add", "-A", "--"}, names...)...); err != nil {
		return err
	}
	_, err = a.git("commit", "-q", "-m", Message(a.task, a.plan))
	return err
}

func (a *agent) checkpoint() error {
	return a.dwp("checkpoint", "--task", a.number(), "--step", "committed")
}

// complete closes the task. The Final Review changes no source; the others are found by their commit. Where dwp refuses because a
// criterion is a person's, a person is asked.
func (a *agent) complete() error {
	err := a.close()
	if err != nil && strings.Contains(err.Error(), "guard/human-gate") {
		return a.dwp("escalate", "--task", a.number(), "--class", "C1", "--critical", "--question", HumanQuestion, "--default", "yes")
	}
	return err
}

// HumanQuestion is what the agent asks about HumanCriterion.
const HumanQuestion = "Does Ada approve the limit?"

func (a *agent) close() error {
	worked := "the function and its test"
	if a.task == Tasks {
		worked = "all of it was read and run once more"
	}
	args := []string{a.number(), "--worked", worked, "--skills", "none", "--docs", "none needed", "--check-criteria", "all"}
	if a.task == Tasks {
		args = append(args, "--commit", "none")
	}
	return a.dwp("complete", args...)
}

// review writes the security review, with the reconciliation of the documentation.
func (a *agent) review() error {
	return os.WriteFile(filepath.Join(a.folder, "analysis_results", "SECURITY_REVIEW.md"), []byte(reviewText), 0o644)
}

const reviewText = `# Security review

The functions compute with numbers and words of their caller: no file, no network, no secret. No findings.

## Documentation reconciliation

README.md says what the till is. All current.
`
