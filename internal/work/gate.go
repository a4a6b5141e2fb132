package work

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/git"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/runner"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/verify"
)

// This file: what is recorded of a run (PS-12, PS-13, WP-4 as far as one gate tells, GU-11).

// GateLogs is the folder for the logs of gates, in the plan (C81).
const GateLogs = "analysis_results/gates"

// ran is a run that has ended, and all that its record says.
type ran struct {
	task    int
	command string // as it is recorded
	slug    string
	result  runner.Result
	head    git.Head
	inGit   bool
}

// admit refuses a run whose record would be refused, whatever comes of it: before it starts, since it may be long. The command is
// recorded, so it must hold no secret, not even one that only the environment knows (PS-7, C163).
func admit(s *plan.Snapshot, change update.Change, command string, now time.Time) *update.Refusal {
	for _, env := range change.Configured {
		if strings.Contains(command, env.Value) {
			known, _ := rule.Lookup("secret/json")
			return &update.Refusal{Rule: known.ID, Requirement: known.Requirement,
				Message: fmt.Sprintf("the command, which is recorded, holds the value of the environment variable %s; nothing was run or written", env.Name),
				Hint:    "name the variable instead: --shell 'command \"$" + env.Name + "\"', in single quotes"}
		}
	}
	zero := 0
	change.Gates = []update.Gate{{Command: command, Passes: true, ExitCode: &zero, Evidence: "observed: exit 0 in 1s", LastRun: stamp(now)}}
	_, refusal := update.Next(s, change, now)
	return refusal
}

// admitted reads the plan, without its lock, and refuses what could not be recorded. What looks cut off may be another's change under way
// (AG-6): it is looked at again under the lock, where nobody's is.
func admitted(ctx context.Context, p publish.Plan, change update.Change, command string) (*plan.Snapshot, error) {
	read := func() (*plan.Snapshot, *update.Refusal, error) {
		s, err := plan.Read(p.FS, p.Name)
		if err != nil {
			return nil, nil, err
		}
		return s, admit(s, change, command, p.Now()), nil
	}
	s, refusal, err := read()
	if err == nil && refusal != nil && slices.Contains([]string{"operation/unfinished", "publication/unfinished", "guard/moving"}, refusal.Rule) {
		lock, locked := disk.Acquire(ctx, p.FS, p.Owner, p.Wait, p.System)
		if locked != nil {
			return nil, locked
		}
		s, refusal, err = read()
		err = errors.Join(err, lock.Release())
	}
	if err == nil && refusal != nil {
		err = &publish.Refused{Refusal: *refusal}
	}
	return s, err
}

// stamp writes a time the way records do (PS-8).
func stamp(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }

// gate is the record of a run (PS-12). It passes with exit code 0, unless the words of its evidence take that away: no test was
// selected (PS-13, C149), or the exit code is a filter's and the output told of failures (C77). A signal, a timeout and a program that is
// not there are failures, whatever was printed before (C91).
func (r *ran) gate(log, digest string) update.Gate {
	g := update.Gate{Command: r.command, Evidence: r.evidence(log, digest), LastRun: stamp(r.result.Started)}
	code := r.result.Code
	switch ended := r.result.End == runner.Exited; {
	case code < 0, !ended && code == 0: // a process that ends with 0 because it was asked to has not passed
	default:
		g.ExitCode = &code
	}
	rejected, _ := verify.Rejects(g.Command, g.Evidence)
	g.Passes = r.result.End == runner.Exited && code == 0 && rejected == ""
	return g
}

// evidence is the line of the record.
func (r *ran) evidence(log, digest string) string {
	o := evidence.Observed{Outcome: r.outcome(), Counts: r.result.Counts.String(), Log: log, SHA256: digest}
	if r.inGit && r.head.Commit != "" {
		o.Head, o.Tree = r.head.Commit, tree(r.head)
	}
	return o.Line()
}

func tree(h git.Head) string {
	if h.Dirty {
		return "dirty"
	}
	return "clean"
}

// outcome says in words how the run ended.
func (r *ran) outcome() string {
	res := &r.result
	reason := oneLine(res.Reason, 80)
	switch {
	case res.End == runner.NotStarted:
		return "could not be started: " + reason
	case reason != "" && (res.Code < 0 || res.Code == 0):
		return "no exit code after " + elapsed(res.Duration) + ", " + reason
	case reason != "":
		return fmt.Sprintf("exit %d in %s, %s", res.Code, elapsed(res.Duration), reason)
	}
	return fmt.Sprintf("exit %d in %s", res.Code, elapsed(res.Duration))
}

// elapsed writes a duration as precisely as anybody wants it.
func elapsed(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return max(time.Millisecond, d.Round(time.Millisecond)).String()
}

// oneLine makes a text fit into evidence: one line, without the marks between its parts, at most so many characters.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(text, ";", ","), "?")), " ")
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most-3]) + "..."
	}
	return text
}

// log is the whole text of the log: what was run, when, how it ended, and the output.
func (r *ran) log() []byte {
	text := "command: " + strings.ReplaceAll(r.command, "\n", "\n  ") + "\nstarted: " + stamp(r.result.Started) + "\nended: " + r.outcome() + "\n"
	if counts := r.result.Counts.String(); counts != "" {
		text += "counted: " + counts + "\n"
	}
	if r.inGit && r.head.Commit != "" {
		text += "git: " + r.head.Commit + " " + tree(r.head) + "\n"
	}
	return append([]byte(text+"\n"), r.result.Log...)
}

// logName is the name of a log: task, time, and what was run. The name stands in the evidence, so one whose words would count as part of
// it ("not-run.log") is left out.
func (r *ran) logName(n int) string {
	const digest = "0000000000000000000000000000000000000000000000000000000000000000"
	name := func(slug string) string {
		stem := fmt.Sprintf("%s/%d-%s-%s", GateLogs, r.task, r.result.Started.UTC().Format("20060102T150405Z"), slug)
		if n > 1 {
			stem += "-" + strconv.Itoa(n)
		}
		return stem + ".log"
	}
	plain, told := name("gate"), name(r.slug)
	if r.slug == "" || !alike(r.command, r.evidence(plain, digest), r.evidence(told, digest)) {
		return plain
	}
	return told
}

// alike reports whether two texts say the same as evidence of a command.
func alike(command, a, b string) bool {
	ruleA, _ := verify.Rejects(command, a)
	ruleB, _ := verify.Rejects(command, b)
	_, neverA := evidence.NeverRan(a)
	_, neverB := evidence.NeverRan(b)
	return ruleA == ruleB && neverA == neverB && len(evidence.Secrets(b)) == 0
}

// slug names a command by its first words: "go-test" for "go test ./...". Options and folders are left out.
func slug(args []string) string {
	const most, words = 24, 4
	var parts []string
	length := 0
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		arg = strings.ToLower(arg[strings.LastIndexAny(arg, `/\`)+1:])
		for part := range strings.FieldsFuncSeq(arg, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
			if length += len(part) + 1; length > most || len(parts) == words {
				return strings.Join(parts, "-")
			}
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "-")
}
