package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/author"
)

// longestAnswer bounds one line of an answer, and mostLines how many an answer may have.
const (
	longestAnswer = 64 << 10
	mostLines     = 1000
)

// talk is a conversation at a terminal: questions on standard error, since standard output is the answer of the command, and lines from
// standard input. No wait is without a bound (C145).
type talk struct {
	page  page
	ctx   context.Context
	limit time.Duration
	lines chan string // closed at the end of input
	wrong error       // why input ended, if not by its end; read after lines is closed
}

// talk begins to listen. A read from a terminal can't be called off: the listener may outlive the conversation, until the process ends.
func (a *app) talk(ctx context.Context, limit time.Duration) *talk {
	t := &talk{page: a.page(), ctx: ctx, limit: limit, lines: make(chan string)}
	t.page.w = a.env.Stderr
	go t.listen(a.env.Stdin)
	return t
}

func (t *talk) listen(from io.Reader) {
	defer close(t.lines)
	in := bufio.NewScanner(from)
	in.Buffer(nil, longestAnswer)
	for in.Scan() {
		select {
		case t.lines <- in.Text():
		case <-t.ctx.Done():
			return
		}
	}
	t.wrong = in.Err()
}

// put asks one question and reads its answer.
func (t *talk) put(q author.Question) ([]string, *failure) {
	t.page.para(2, q.Ask)
	hint := q.Hint
	if q.Lines && !strings.HasSuffix(hint, ".") { // it ends with an example, which a full stop would seem to belong to
		hint += "; an empty line ends the answer"
	} else if q.Lines {
		hint += " An empty line ends the answer."
	}
	t.page.para(2, hint)
	var answer []string
	for {
		fmt.Fprint(t.page.w, "> ")
		line, f := t.line(q)
		switch {
		case f != nil:
			return nil, f
		case !q.Lines:
			return []string{line}, nil
		case strings.TrimSpace(line) == "" || len(answer) == mostLines:
			return answer, nil
		}
		answer = append(answer, line)
	}
}

// line waits for one line; what ends the conversation instead is a failure that says so.
func (t *talk) line(q author.Question) (string, *failure) {
	late := time.NewTimer(t.limit)
	defer late.Stop()
	select {
	case line, ok := <-t.lines:
		if ok {
			return line, nil
		}
		fmt.Fprintln(t.page.w)
		if t.wrong != nil {
			return "", cannot("unreadable", "", "read standard input: %s; nothing was written", t.wrong)
		}
		return "", &failure{exit: ExitNo, code: "cancelled", message: "cancelled: the input ended; nothing was written"}
	case <-t.ctx.Done():
		fmt.Fprintln(t.page.w)
		return "", &failure{exit: ExitInterrupted, code: "interrupted", message: "interrupted; nothing was written"}
	case <-late.C:
		fmt.Fprintln(t.page.w)
		return "", usage("no-answer", "answer beforehand with "+q.Flag+", or give an outline with --from FILE; --ask-timeout sets how long a question waits",
			"no answer came within %s; nothing was written", t.limit)
	}
}

const talkLabel = 12

// understood shows what will be written.
func (t *talk) understood(p *author.Plan, folder string) {
	o := &p.Outline
	t.page.line("")
	t.page.line("%s", t.page.paint(bold, "This is what was understood"))
	t.page.labelled("  Title", talkLabel, o.Title)
	t.page.labelled("  Goal", talkLabel, o.Goal)
	t.page.labelled("  Context", talkLabel, o.Context)
	for i := range o.Tasks {
		task := &o.Tasks[i]
		t.page.labelled(fmt.Sprintf("  Task %d", i+1), talkLabel, task.Title+": "+task.Goal)
		t.page.labelled("", talkLabel, "known: "+task.Context)
		t.page.labelled("", talkLabel, "changes "+strings.Join(task.Surface.Planned, ", ")+"; risk "+task.Surface.Risk)
		for _, c := range task.Acceptance {
			t.page.labelled("", talkLabel, "holds: "+c)
		}
		for _, g := range task.Gates {
			t.page.labelled("", talkLabel, "check: "+g)
		}
	}
	t.page.labelled("  And", talkLabel, fmt.Sprintf("the Final Review as task %d, which every plan ends with", len(o.Tasks)+1))
	for i := range o.Children {
		t.page.labelled(fmt.Sprintf("  Child %d", i+1), talkLabel, o.Children[i].Words())
	}
	t.page.labelled("  Order", talkLabel, order(o))
	t.page.labelled("  Format", talkLabel, p.Choice.Format+": "+p.Choice.Rationale)
	approval := "pending: nothing starts before a person approves it"
	if p.Trust {
		approval = "pre-approved by " + p.By + ", who also allows unattended work"
	}
	t.page.labelled("  Approval", talkLabel, approval)
	t.page.labelled("  Folder", talkLabel, folder)
	t.page.line("")
}

// order says which tasks run together.
func order(o *author.Outline) string {
	if len(o.Groups) == 0 {
		return "one task after the other"
	}
	var names []string
	together := map[string][]string{}
	for _, g := range o.Groups {
		if together[g.Name] == nil {
			names = append(names, g.Name)
		}
		for _, id := range g.Tasks {
			together[g.Name] = append(together[g.Name], fmt.Sprint(id))
		}
	}
	for i, name := range names {
		names[i] = "tasks " + strings.Join(together[name], ", ") + " at the same time"
	}
	return strings.Join(names, "; ")
}
