package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// askAnswers are what a person types in one interview: a title, a goal, a context, one task, no more tasks, no wish for a format, yes.
const askAnswers = "Export invoices\nOne file a month is downloaded.\nInvoices are pages only.\nThey are typed by hand.\n\n" +
	"Write CSV\nA function writes CSV.\nNothing writes it.\n\nbilling/csv.go\n\nisolated\nThe sample is reproduced\n\ngo test ./billing\n\n" +
	"\n\nyes\n"

// asking runs create at a terminal that types an input.
func asking(t *testing.T, dir string, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := testEnv(dir, &out, &errs)
	env.Stdin, env.Interactive = stdin, func() bool { return true }
	code = Main(append([]string{"create", "--ask"}, args...), env)
	return code, out.String(), errs.String()
}

// nothingIn fails when a plan, or anything of one, was written.
func nothingIn(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, ".dwp")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// C145: an interview that was asked for makes a conformant plan; the questions are no part of the answer.
func TestAskMakesAPlan(t *testing.T) {
	dir := outlineFile(t)
	code, stdout, stderr := asking(t, dir, strings.NewReader(askAnswers))
	if code != ExitOK || !strings.HasPrefix(stdout, "Folder ") || strings.Contains(stdout, "?") || !strings.Contains(stderr, "This is what was understood") {
		t.Fatalf("code %d\n%s\n%s", code, stdout, stderr)
	}
	for _, line := range strings.Split(stderr, "\n") {
		if textWidth(line) > 80 && !strings.Contains(line, dir) { // paths stay whole
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
	if code, stdout, _ := run(dir, "verify", "--strict"); code != ExitOK || !strings.Contains(stdout, "CONFORMANT  (0 must, 0 should, 0 info)") {
		t.Errorf("verify: %d %s", code, stdout)
	}
	// The same title again is refused where it is asked for, and a name that is given before anything is asked.
	_, _, stderr = asking(t, dir, strings.NewReader("Export invoices\n"))
	if !strings.Contains(stderr, "Not yet: there is a plan PLAN_export_invoices already") {
		t.Errorf("%s", stderr)
	}
	code, _, stderr = asking(t, dir, strings.NewReader(""), "--name", "export_invoices")
	if code != ExitNo || strings.Contains(stderr, "What is the plan called?") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// C145: no interview without somebody at a terminal, nor in an unattended turn that has one (UN-6): the call is told what to give, and nothing is read.
func TestAskNeedsATerminal(t *testing.T) {
	dir := outlineFile(t)
	for name, interactive := range map[string]func() bool{"unknown": nil, "no": func() bool { return false }, "turn": func() bool { return true }} {
		var out, errs bytes.Buffer
		var stdin untouchable
		env := testEnv(dir, &out, &errs)
		env.Stdin, env.Interactive = &stdin, interactive
		if name == "turn" {
			env.Getenv = func(key string) string { return map[string]string{"DWP_TURN": "1"}[key] }
		}
		if code := Main([]string{"create", "--ask"}, env); code != ExitUsage || stdin.reads > 0 || !strings.Contains(errs.String(), "give an outline with --from FILE") {
			t.Errorf("%s: code %d, %d reads: %s", name, code, stdin.reads, errs.String())
		}
	}
	nothingIn(t, dir)
}

// C145: a terminal at which nobody types does not hang the call.
func TestAskGivesUp(t *testing.T) {
	dir := outlineFile(t)
	silent, hold := io.Pipe()
	defer hold.Close()
	code, stdout, stderr := asking(t, dir, silent, "--ask-timeout", "20ms")
	if code != ExitUsage || stdout != "" || !strings.Contains(stderr, "no answer came within 20ms; nothing was written") || !strings.Contains(stderr, "answer beforehand with --title") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	nothingIn(t, dir)
}

// However an interview ends without a yes, nothing is written; with --save the answers are kept, and never over a file.
func TestAskIsCancelled(t *testing.T) {
	half := askAnswers[:strings.Index(askAnswers, "isolated")]
	for name, c := range map[string]struct {
		typed, message string
	}{
		"end of input": {half, "cancelled: the input ended; nothing was written"},
		"no":           {strings.TrimSuffix(askAnswers, "yes\n") + "perhaps\nno\n", "the plan was not confirmed; nothing was written"},
		"at once":      {"", "cancelled: the input ended"},
		"broken text":  {strings.Replace(askAnswers, "Nothing writes it.", "```", 1), "nothing was written"},
	} {
		dir := outlineFile(t)
		code, stdout, stderr := asking(t, dir, strings.NewReader(c.typed), "--save", "kept.json")
		if code != ExitNo || stdout != "" || !strings.Contains(stderr, c.message) || !strings.Contains(stderr, "dwp create --from kept.json") {
			t.Errorf("%s: code %d: %s%s", name, code, stdout, stderr)
		}
		nothingIn(t, dir)
		kept, err := os.ReadFile(filepath.Join(dir, "kept.json"))
		if err != nil || len(c.typed) > 0 && !strings.Contains(string(kept), `"title": "Export invoices"`) {
			t.Errorf("%s: kept %v: %s", name, err, kept)
		}
		if code, _, stderr := asking(t, dir, strings.NewReader(c.typed), "--save", "kept.json"); code != ExitUsage || !strings.Contains(stderr, "is there already") {
			t.Errorf("%s: saved over: code %d: %s", name, code, stderr)
		}
	}
}

// What an interview kept before its end says what it lacks, and is a plan once it has that.
func TestKeptAnswersGoOn(t *testing.T) {
	dir := outlineFile(t)
	asking(t, dir, strings.NewReader(strings.TrimSuffix(askAnswers, "yes\n")), "--save", "kept.json")
	if code, _, stderr := run(dir, "create", "--from", "kept.json"); code != ExitOK {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// A failure in JSON is one object, and a line without an end is bounded.
func TestAskOddInput(t *testing.T) {
	dir := outlineFile(t)
	code, stdout, _ := asking(t, dir, strings.NewReader(""), "--json")
	if code != ExitNo || !strings.Contains(stdout, `"code": "cancelled"`) {
		t.Errorf("code %d: %s", code, stdout)
	}
	code, _, stderr := asking(t, dir, strings.NewReader(strings.Repeat("x", 1<<20)))
	if code != ExitCannot || !strings.Contains(stderr, "nothing was written") {
		t.Errorf("code %d: %s", code, stderr)
	}
	code, _, stderr = asking(t, dir, endless{})
	if code != ExitUsage || !strings.Contains(stderr, "no usable answer came in 20 tries") {
		t.Errorf("code %d: %s", code, stderr)
	}
	nothingIn(t, dir)
}

// endless types Enter.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	n := min(len(p), 512)
	for i := range n {
		p[i] = '\n'
	}
	return n, nil
}
