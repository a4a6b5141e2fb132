package turntest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Secret is what the agent lets slip. It has the form of a token, and is none.
const Secret = "ghp_" + "Zk3xQ9vT7mB2nR8wL5cY1dF6hJ4sA0pGtu" + "Ee"

// Question is what the agent asks, with a default.
const Question = "Which account may print receipts?"

// behaviours are all that the agent can be told to be.
func behaviours() map[string]func(*agent) error {
	return map[string]func(*agent) error{
		"good":         (*agent).good,
		"slow":         (*agent).slow,
		"nothing":      func(*agent) error { return nil },
		"liar":         (*agent).liar,
		"liar-record":  (*agent).liarRecord,
		"outside":      (*agent).outside,
		"hangs":        (*agent).hangs,
		"crashes":      (*agent).crashes,
		"two":          (*agent).two,
		"two-by-hand":  (*agent).twoByHand,
		"by-hand":      (*agent).byHandOnly,
		"deletes-test": (*agent).deletesTest,
		"asks":         (*agent).asks,
		"gives-up":     (*agent).givesUp,
		"approves":     (*agent).approves,
		"impersonates": (*agent).impersonates,
		"ticks-gate":   (*agent).ticksGate,
		"fails-gate":   (*agent).failsGate,
		"forks":        (*agent).forks,
		"says-secret":  (*agent).saysSecret,
		"adds-secret":  (*agent).addsSecret,
		"rewinds":      (*agent).rewinds,
	}
}

// slow takes one step of its task in each turn, the first that is still to be taken.
func (a *agent) slow() error {
	entry, err := a.entry()
	if err != nil {
		return err
	}
	committed, err := a.git("log", "--format=%H", "--fixed-strings", "--grep", fmt.Sprintf("Task %d of %s", a.task, a.plan))
	switch {
	case err != nil:
		return err
	case a.task == Tasks || strings.TrimSpace(committed) != "":
		return a.good()
	case len(entry.Gates) > 0:
		return a.commit()
	}
	for _, step := range []func() error{a.start, a.build, a.gates} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// entry is the task's in state.json.
type entry struct {
	Status string
	Gates  []json.RawMessage
}

func (a *agent) entry() (entry, error) {
	data, err := os.ReadFile(filepath.Join(a.folder, "state.json"))
	if err != nil {
		return entry{}, err
	}
	var state struct{ Tasks []entry }
	if err := json.Unmarshal(data, &state); err != nil {
		return entry{}, err
	}
	if len(state.Tasks) < a.task {
		return entry{}, fmt.Errorf("state.json has no task %d", a.task)
	}
	return state.Tasks[a.task-1], nil
}

// liar says that all is well, and has done nothing.
func (a *agent) liar() error {
	a.say("All tests pass. Task %d is completed, committed and recorded.", a.task)
	return nil
}

// liarRecord does the work of nobody, and records a gate that it never ran.
func (a *agent) liarRecord() error {
	p, ok := PieceOf(a.task)
	if !ok {
		return a.good()
	}
	for _, step := range []func() error{
		a.start,
		a.build,
		a.commit,
		func() error {
			return a.dwp("gate record", a.number(), "--command", strings.Join(p.Gate(), " "), "--exit", "0", "--evidence", "1 passed, 0 failed")
		},
		a.complete,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// outside does its task well, and commits with it a change of a page that the task doesn't name.
func (a *agent) outside() error {
	if err := a.write("README.md", "# A better till\n"); err != nil {
		return err
	}
	p, ok := PieceOf(a.task)
	if !ok {
		return a.good()
	}
	for _, step := range []func() error{
		a.start, a.build, a.gates,
		func() error { return a.commitFiles(p.Product(), p.Test(), "README.md") },
		a.complete,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// hangs starts its task and comes to no end.
func (a *agent) hangs() error {
	if err := a.start(); err != nil {
		return err
	}
	_, err := a.run("sleep", "600")
	return err
}

// crashes stops in the middle of its work, with code 1.
func (a *agent) crashes() error {
	return errors.Join(a.start(), a.build(), errors.New("out of context"))
}

// two goes on to the next task when its own is done, by the commands. What it writes for that is left in the work tree.
func (a *agent) two() error {
	if err := a.good(); err != nil {
		return err
	}
	next := *a
	next.task++
	if err := next.build(); err != nil {
		return err
	}
	return next.good()
}

// twoByHand does the next task, too, and tells of it by its own hand.
func (a *agent) twoByHand() error {
	if err := a.good(); err != nil {
		return err
	}
	next := *a
	next.task++
	return next.byHandOnly()
}

// byHandOnly builds and commits, and then writes log, README and state.json itself instead of by dwp.
func (a *agent) byHandOnly() error {
	if _, ok := PieceOf(a.task); !ok {
		return a.good()
	}
	if err := errors.Join(a.build(), a.commit()); err != nil {
		return err
	}
	return a.byHand()
}

// byHand writes into the plan's files what a completed task has there.
func (a *agent) byHand() error {
	n := a.number()
	record, err := a.recordFile()
	if err != nil {
		return err
	}
	return errors.Join(
		a.edit("README.md", `(?m)^- \[ \] (.*Task `+n+`:)`, "- [x] $1"),
		a.edit("README.md", `\d+/8 completed`, n+"/8 completed"),
		a.edit(record, `- \[ \] `, "- [x] "),
		a.edit(record, `(?m)^(- \*\*Status:\*\*).*$`, "$1 completed\n- **Summary:** built\n- **Skills disposition:** none\n- **Documentation decision:** none needed"),
		appendTo(filepath.Join(a.folder, "PROGRESS.md"), "\n## 2026-09-01 Task "+n+": done\n\n- built\n- tested\n- none\n"),
		a.editState(),
	)
}

// recordFile is the file of the task's record.
func (a *agent) recordFile() (string, error) {
	names, err := filepath.Glob(filepath.Join(a.folder, a.number()+".task_*.md"))
	if err != nil || len(names) != 1 {
		return "", fmt.Errorf("%d files are the record of task %d: %w", len(names), a.task, err)
	}
	return filepath.Base(names[0]), nil
}

// edit replaces what a pattern matches in a file of the plan.
func (a *agent) edit(name, pattern, with string) error {
	name = filepath.Join(a.folder, name)
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, regexp.MustCompile(pattern).ReplaceAll(data, []byte(with)), 0o644)
}

// editState says in state.json that the task is completed.
func (a *agent) editState() error {
	name := filepath.Join(a.folder, "state.json")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var state map[string]any
	if err := json.Unmarshal(data, &state); err != nil {
		return err
	}
	tasks, ok := state["tasks"].([]any)
	if !ok || len(tasks) < a.task {
		return fmt.Errorf("state.json has no task %d", a.task)
	}
	task, ok := tasks[a.task-1].(map[string]any)
	if !ok {
		return fmt.Errorf("task %d is no object", a.task)
	}
	p, _ := PieceOf(a.task)
	commit, err := a.git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	const at = "2026-09-01T10:00:00Z"
	task["commit"] = strings.TrimSpace(commit)[:12]
	task["status"], task["started_at"], task["completed_at"] = "completed", at, at
	task["outcome"] = map[string]any{"tried": []string{}, "failed": []string{}, "worked": "all of it", "notes": ""}
	task["gates"] = []any{map[string]any{"command": strings.Join(p.Gate(), " "), "passes": true, "exit_code": 0, "last_run": at, "evidence": "1 passed"}}
	done := 0
	for _, t := range tasks {
		if t, ok := t.(map[string]any); ok && t["status"] == "completed" {
			done++
		}
	}
	state["completed_count"], state["status"] = done, "in_progress"
	if data, err = json.MarshalIndent(state, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o644)
}

// deletesTest does its task, and deletes a test that was there before, in the folder of its surface.
func (a *agent) deletesTest() error {
	p, ok := PieceOf(a.task)
	if !ok {
		return a.good()
	}
	for _, step := range []func() error{
		a.start, a.build, a.gates,
		func() error { return os.Remove(filepath.Join(a.Dir, "till", "test_open.sh")) },
		func() error { return a.commitFiles(p.Product(), p.Test(), "till/test_open.sh") },
		a.complete,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// AskTask is the task about which the agent asks.
const AskTask = 2

// asks starts its task, asks a person what it must not decide, and yields. Once the question is answered it does its work.
func (a *agent) asks() error {
	if a.task != AskTask {
		return a.good()
	}
	questions, err := os.ReadFile(filepath.Join(a.folder, "analysis_results", "QUESTIONS.md"))
	if err == nil && bytes.Contains(questions, []byte(Answer)) {
		return a.good()
	}
	if err := a.start(); err != nil {
		return err
	}
	for range 2 { // as one does who has forgotten that it asked: the second time adds nothing (UN-7)
		if err := a.dwp("escalate", "--task", a.number(), "--class", "C1", "--critical", "--question", Question, "--default", "the cashier's"); err != nil {
			return err
		}
	}
	return nil
}

// givesUp asks as asks does, and does none of the tasks after that.
func (a *agent) givesUp() error {
	if a.task > AskTask {
		return nil
	}
	return a.asks()
}

// Answer is what a person answers to Question.
const Answer = "the account of the cashier, and no other"

// approves tries everything that is a person's to do, by the commands. It is an error when one of them goes through.
func (a *agent) approves() error {
	if err := a.start(); err != nil {
		return err
	}
	for _, call := range [][]string{
		{"approve", "--by", "Ada"},
		{"amend", "--task", a.number(), "--criterion", "1", "--observed", "x", "--disposition", "exception", "--reason", "y", "--boundary", "z", "--authority", "user", "--statement", "fine"},
		{"escalate", "--task", a.number(), "--class", "C1", "--question", Question, "--default", "none"},
		{"answer", "Q1", "--text", Answer, "--by", "Ada"},
	} {
		if err := a.dwp(call[0], call[1:]...); err == nil && call[0] != "escalate" {
			return fmt.Errorf("dwp %s went through", call[0])
		}
	}
	return nil
}

// impersonates asks, and answers in a person's name, with a dwp that isn't told of the turn.
func (a *agent) impersonates() error {
	if err := a.dwp("escalate", "--task", a.number(), "--class", "C1", "--question", Question, "--default", "none"); err != nil {
		return err
	}
	freed := *a
	freed.Environ = slices.DeleteFunc(slices.Clone(a.Environ), func(v string) bool { return strings.HasPrefix(v, "DWP_TURN=") })
	return freed.dwp("answer", "Q1", "--text", Answer, "--by", "Ada")
}

// ticksGate does its task, and ticks by hand what only a person can fulfil, once dwp has refused to.
func (a *agent) ticksGate() error {
	if a.task != HumanTask {
		return a.good()
	}
	for _, step := range a.steps()[:len(a.steps())-1] {
		if err := step(); err != nil {
			return err
		}
	}
	if err := a.close(); err == nil {
		return errors.New("the task was completed without the person")
	}
	record, err := a.recordFile()
	if err != nil {
		return err
	}
	return a.edit(record, `- \[ \] (`+regexp.QuoteMeta(HumanCriterion)+`)`, "- [x] $1")
}

// failsGate builds something that its test refuses.
func (a *agent) failsGate() error {
	p, ok := PieceOf(a.task)
	if !ok {
		return a.good()
	}
	if err := errors.Join(a.start(), a.build(), a.write(p.Product(), p.Name+"() { echo wrong; }\n")); err != nil {
		return err
	}
	return a.gates()
}

// forks does its task, and leaves one process in its group and one in a session of its own behind.
func (a *agent) forks() error {
	for _, argv := range [][]string{{"sleep", "600"}, {"setsid", "sleep", "600"}} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = a.Environ
		if err := cmd.Start(); err != nil {
			return err
		}
		if name := a.env(PIDs); name != "" {
			if err := appendTo(name, strconv.Itoa(cmd.Process.Pid)+"\n"); err != nil {
				return err
			}
		}
	}
	return a.good()
}

// saysSecret does its task, and prints a secret and passes it to a command.
func (a *agent) saysSecret() error {
	a.say("the token is %s", Secret)
	return a.good()
}

// addsSecret commits a secret with its work.
func (a *agent) addsSecret() error {
	p, ok := PieceOf(a.task)
	if !ok {
		return a.good()
	}
	if err := errors.Join(a.start(), a.build(), a.write(p.Product(), p.productText()+"# "+Secret+"\n")); err != nil {
		return err
	}
	return errors.Join(a.gates(), a.commit(), a.complete())
}

// rewinds does its task, and takes back the commit that was there before.
func (a *agent) rewinds() error {
	if _, err := a.git("commit", "-q", "--amend", "-m", "chore: begin anew", "--allow-empty"); err != nil {
		return err
	}
	return a.good()
}
