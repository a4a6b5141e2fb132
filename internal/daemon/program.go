package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/deepworkplan/dwp/internal/runner"
)

// Program runs a turn as a process: dwp turn PLAN --json --fence QUEUE:N.
type Program struct {
	Path  string   // of dwp
	Env   []string // without what is the daemon's own
	Queue string
	Now   func() time.Time
}

// checkTime is how long the program may take to say its version.
const checkTime = 30 * time.Second

// Check asks the program for its version. Another program bears the name dwp too, and is found on many a PATH: the one that packs DWARF files.
func (p *Program) Check(ctx context.Context) error {
	var answer capped
	r := runner.Run(ctx, runner.Command{Args: []string{p.Path, "version", "--json"}, Env: p.Env, Stdout: &answer, Timeout: checkTime, Now: p.Now})
	var said struct {
		Command string `json:"command"`
		Dwp     string `json:"dwp"`
	}
	if err := json.Unmarshal(answer.Bytes(), &said); r.Code != 0 || err != nil || said.Command != "version" || said.Dwp == "" {
		return fmt.Errorf("%s is another program of that name: it does not say the version of dwp", p.Path)
	}
	return nil
}

// longestAnswer bounds the answer of a turn that is read. It is some kilobytes.
const longestAnswer = 1 << 20

// Run takes a turn, in a process group of its own, until it ends or ctx does; then it has grace to end its agent and to leave a checkpoint.
func (p *Program) Run(ctx context.Context, dir string, l *Lease, grace time.Duration) Outcome {
	var answer capped
	r := runner.Run(ctx, p.command(dir, l, grace, &answer))
	return outcomeOf(r, answer.Bytes())
}

func (p *Program) command(dir string, l *Lease, grace time.Duration, answer *capped) runner.Command {
	c := runner.Command{
		Args: []string{p.Path, "turn", dir, "--json", "--fence", fmt.Sprintf("%s:%d", p.Queue, l.Fence)},
		// Called from within the plan, it finds the configuration of the plan's own repository, of several below the root.
		Dir: dir, Env: p.Env, Stdout: answer, Grace: grace, Now: p.Now,
		// A turn must not outlive a daemon that was killed: nobody would renew its lease, and another would begin beside it (C61).
		WithParent: true,
	}
	for _, f := range []struct{ flag, value string }{{"--agent", l.Agent}, {"--model", l.Model}, {"--max-turn-time", turnTime(l.TurnTime)}} {
		if f.value != "" {
			c.Args = append(c.Args, f.flag, f.value)
		}
	}
	if l.Observed {
		c.Args = append(c.Args, "--observed")
	}
	return c
}

func turnTime(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// answerOf is what is read of a turn's answer. It is tolerant: the process is another program, perhaps of another version.
type answerOf struct {
	Result string          `json:"result"`
	Task   json.RawMessage `json:"task"`
	Stop   *struct {
		Condition string `json:"condition"`
		Reason    string `json:"reason"`
		Needs     string `json:"needs"`
	} `json:"stop"`
	Error *struct {
		Message string `json:"message"`
		Hint    string `json:"hint"`
	} `json:"error"`
}

// outcomeOf tells what a turn came to. The exit code decides, the answer only explains.
func outcomeOf(r runner.Result, answer []byte) Outcome {
	o := Outcome{Code: r.Code}
	var a answerOf
	o.Told = json.Unmarshal(answer, &a) == nil
	switch {
	case r.End == runner.NotStarted:
		o.Code, o.Note = -1, "dwp could not be started: "+r.Reason
	case r.End != runner.Exited:
		o.Note = r.Reason
	case !o.Told:
		o.Note = fmt.Sprintf("exit code %d, and no answer; it said: %s", r.Code, lastLine(r.Log))
	}
	o.Result = oneLine(a.Result)
	json.Unmarshal(a.Task, &o.Task) // a number; anything else is none
	switch {
	case o.Note != "":
	case a.Stop != nil && a.Stop.Condition != "":
		o.Note = joined("["+a.Stop.Condition+"] "+a.Stop.Reason, a.Stop.Needs)
	case a.Error != nil:
		o.Note = joined(a.Error.Message, a.Error.Hint)
	}
	o.Note = oneLine(o.Note)
	return o
}

func joined(what, then string) string {
	if then == "" {
		return what
	}
	return what + "; " + then
}

// lastLine is the last line of an output that is not empty.
func lastLine(log []byte) string {
	log = bytes.TrimSpace(log)
	return string(log[bytes.LastIndexByte(log, '\n')+1:])
}

// longestNote is how much of a note is kept, in characters.
const longestNote = 300

// oneLine makes one line of a text, without control characters, and not too long.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "?"), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(text); len(runes) > longestNote {
		return string(runes[:longestNote-3]) + "..."
	}
	return text
}

// capped keeps the first bytes that are written to it.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	c.Buffer.Write(p[:min(len(p), longestAnswer-c.Len())])
	return len(p), nil
}
