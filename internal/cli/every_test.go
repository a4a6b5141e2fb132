package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// everyCommand is a call of each command, the formats of verify included. PLAN is tea_timer.
var everyCommand = []string{
	"", "--help", "verify", "verify --json", "verify --sarif", "verify --junit", "verify --strict -v", "status", "status --json",
	"list", "list --json", "show", "show tea_timer", "show tea_timer 1 --json", "next", "next --json", "explain index", "explain --all",
	"explain index --json", "conformance", "conformance --json", "conformance --repo-only", "conformance --plan tea_timer",
	"schema state", "schema state --json", "schema outline --json", "create --outline-template", "create --outline-template --json", "completion bash", "completion bash --json", "version", "version --json", "--version", "--version --json",
	"help verify", "help verify --json", "__complete show PLAN", "explain guard", "explain guard/moved-on --json",
	"state", "state --json", "state hash .dwp/plans/PLAN_tea_timer/state.json", "state hash .dwp/plans/PLAN_tea_timer/state.json --json",
	"lock", "lock --json", "lock show", "lock show --json", "help state update", "help lock --json",
	"gate", "gate --json", "gate list", "gate list --json", "help gate run", "help gate record --json",
	"refine", "refine --json", "demo --keep .dwp", "demo --keep .dwp --json",
	"resume", "resume --json", "resume tea_timer --json", "help resume --json",
	"questions", "questions --json", "questions tea_timer --open --json", "decide --list", "decide --list --json", "skills", "skills --json", "skills list", "skills list --json", "handoff", "handoff --json",
	"report", "report --json", "help handoff import --json",
	"agents", "agents --json", "agents codex", "schema config --json",
}

// writers are the commands that may change a plan. They are exempt from TestNoCommandWrites, by name, and from nothing else.
var writers = []string{
	"create fix the label", "create fix the label --json", "create --resume tea_timer --json", "create --discard tea_timer --yes --json",
	"gate run 1 -- true", "gate run 1 --json -- true", "gate record 1 --gate a|0|b", "gate record 1 --gate a|0|b --json",
	"amend --task 1 --criterion 1 --observed x --disposition failed --reason y --authority evidence",
	"amend --task 1 --criterion 1 --observed x --disposition failed --reason y --authority evidence --dry-run --json",
	"migrate tea_timer --to v2", "migrate tea_timer --to v2 --json", "migrate tea_timer --standard 5.0.0 --reason x --dry-run --json",
	"approve --by Ada", "approve --by Ada --json",
	"resume --fix", "resume tea_timer --fix --json",
	"start", "start --json", "start 1 --json", "checkpoint --step half", "checkpoint --step half --json",
	"block --class C1 --reason why --needs what", "block --class C1 --reason why --needs what --json", "unblock --answer yes --by Ada", "unblock 1 --answer yes --by Ada --json",
	"reopen 1 --reason why", "reopen 1 --reason why --json", "complete 1 --worked x --skills none", "complete 1 --worked x --skills none --json",
	"reconcile", "reconcile --json", "reconcile --dry-run", "reconcile --rebuild --json", "reconcile --create-layer --json",
	"promote", "promote --json", "promote --dry-run --json", "promote --withdraw --json",
	"refine --from more.json", "refine --from more.json --json",
	"refine add --from more.md", "refine add --from more.md --json", "refine move 1 --after 2", "refine move 1 --after 2 --json",
	"refine remove 1", "refine remove 1 --json", "refine edit 1 --from more.md", "refine edit 1 --from more.md --json",
	"refine split 1 --from more.md", "refine split 1 --from more.md --json",
	"escalate --class C1 --question a --default b", "escalate --class C1 --question a --default b --json", "answer Q1 --text a --by Ada", "answer Q1 --text a --by Ada --json",
	"decide --choice a --why b --revert c", "decide --choice a --why b --revert c --json", "skills add --task 1 --title x --json",
	"skills update T1-1 --disposition none --json", "handoff export --json", "handoff import no.tar.gz --json", "report --to no/x.md --json",
	"run --max-turns 1", "run --max-turns 1 --json",
	"turn", "turn --json", "turn --dry-run --json",
	"finalize", "finalize --json", "recover", "recover --json", "recover --withdraw --json", "lock clear --owner unknown", "lock clear --owner unknown --json",
	"state update .dwp/plans/PLAN_tea_timer/state.json --task 1", "state update .dwp/plans/PLAN_tea_timer/state.json --task 1 --json",
	"state finalize .dwp/plans/PLAN_tea_timer --candidate .dwp/plans/PLAN_tea_timer/state.json",
	"state finalize .dwp/plans/PLAN_tea_timer --candidate .dwp/plans/PLAN_tea_timer/state.json --json",
}

// teaRepository lays out a repository with one plan, a broken state, and strays.
func teaRepository(t *testing.T, dir string) {
	t.Helper()
	writeTree(t, dir, map[string]string{
		".dwp/plans/PLAN_tea_timer/README.md":   "# Tea timer\n\n## Goal\n\nBrew.\n\n## Task List\n\n- [ ] Task 1: Boil\n",
		".dwp/plans/PLAN_tea_timer/PROGRESS.md": "# Progress\n",
		".dwp/plans/PLAN_tea_timer/state.json":  "{\"schema\": \"x\"",
		".dwp/plans/notes/idea.md":              "idea\n",
		".git/HEAD":                             "ref: refs/heads/main\n",
	})
	for _, folder := range []string{".git/objects", ".git/refs"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// C143, PS-20: no command but the writers changes a file, its time, or a folder.
func TestNoCommandWrites(t *testing.T) {
	dir := t.TempDir()
	teaRepository(t, dir)
	before := fingerprint(t, dir)
	for _, command := range everyCommand {
		code, _, stderr := run(dir, strings.Fields(command)...)
		if strings.Contains(stderr, "internal error") {
			t.Errorf("dwp %s: code %d, %s", command, code, stderr)
		}
		if diff := cmp.Diff(before, fingerprint(t, dir)); diff != "" {
			t.Fatalf("dwp %s wrote (-before +after):\n%s", command, diff)
		}
	}
}

// The keys of every JSON answer stand in one order: what it answers, the answer, findings and error. A reader of the
// raw text finds the answer's words before its details.
func TestJSONKeyOrder(t *testing.T) {
	dir := t.TempDir()
	teaRepository(t, dir)
	for _, command := range slices.Concat(everyCommand, writers, []string{"verify --nope --json", "show nobody --json", "lock shew --json"}) {
		if !strings.HasSuffix(command, "--json") {
			continue
		}
		_, stdout, _ := run(dir, strings.Fields(command)...)
		keys := topKeys(t, stdout)
		if n := len(keys); n < 4 || keys[0] != "version" || keys[1] != "command" || keys[n-2] != "findings" || keys[n-1] != "error" {
			t.Errorf("dwp %s: keys in the order %q", command, keys)
		}
	}
	_, stdout, _ := run(dir, "verify", "--json")
	want := []string{"version", "command", "verdict", "plans", "findings", "error"}
	if diff := cmp.Diff(want, topKeys(t, stdout)); diff != "" {
		t.Errorf("keys of verify (-want +got):\n%s", diff)
	}
}

// topKeys lists the keys of a JSON object as they stand.
func topKeys(t *testing.T, text string) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
	}
	return keys
}

// untouchable is a standard input that nobody may read.
type untouchable struct{ reads int }

func (u *untouchable) Read([]byte) (int, error) {
	u.reads++
	return 0, errors.New("standard input was read")
}

// C145: no picker and no question, not even on a terminal.
func TestNoCommandAsks(t *testing.T) {
	dir := t.TempDir()
	teaRepository(t, dir)
	for _, command := range slices.Concat(everyCommand, writers) {
		var out, errs bytes.Buffer
		var stdin untouchable
		env := testEnv(dir, &out, &errs, "TERM=xterm")
		env.Stdin, env.Width = &stdin, 80
		Main(strings.Fields(command), env)
		if stdin.reads > 0 {
			t.Errorf("dwp %s read standard input", command)
		}
	}
}

// C107: a PLAN that is there but empty, as from a script whose variable is unset, is a fault of the call: it never stands for
// every plan, and never ends with exit code 0.
func TestEmptyPlanIsRefused(t *testing.T) {
	dir := t.TempDir()
	teaRepository(t, dir)
	for _, command := range []string{"verify", "status", "show", "next", "resume"} {
		code, stdout, stderr := run(dir, command, "")
		if code != ExitUsage || stdout != "" || !strings.Contains(stderr, "PLAN is empty") {
			t.Errorf("dwp %s \"\": code %d, %q, %q", command, code, stdout, stderr)
		}
	}
}

// C131: odd but valid path names come back from the JSON of every command.
func TestOddPathsInJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b\"c'\\d&e$f<g>\nh\U0001f600")
	teaRepository(t, dir)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range slices.Concat(everyCommand, writers) {
		if !strings.HasSuffix(command, "--json") && !strings.HasSuffix(command, "--sarif") {
			continue
		}
		_, stdout, _ := run(dir, strings.Fields(command)...)
		var answer struct {
			Version any
			Command string
			Path    string
			Plans   []struct{ Path string }
		}
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
			t.Errorf("dwp %s: %v\n%s", command, err, stdout)
		}
		want := filepath.Join(real, ".dwp", "plans", "PLAN_tea_timer")
		for _, p := range answer.Plans {
			if p.Path != want {
				t.Errorf("dwp %s: path %q, want %q", command, p.Path, want)
			}
		}
		if answer.Path != "" && answer.Path != want {
			t.Errorf("dwp %s: path %q, want %q", command, answer.Path, want)
		}
	}
}

// Every command is in the lists above, so that a new one can't miss these tests; and what help calls a writer is one.
func TestEveryCommandIsListed(t *testing.T) {
	a := &app{env: testEnv("", nil, nil)}
	root := a.rootCmd()
	daemon, _, err := root.Find([]string{"daemon"})
	if err != nil {
		t.Fatal(err)
	}
	var walk func(*cobra.Command)
	walk = func(parent *cobra.Command) {
		for _, c := range parent.Commands() {
			found := c == daemon // becomes the program dwpd, whose own tests these are
			for _, command := range slices.Concat(everyCommand, writers) {
				found = found || strings.HasPrefix(command+" ", commandName(c)+" ")
			}
			if !found {
				t.Errorf("everyCommand and writers have no call of dwp %s", commandName(c))
			}
			walk(c)
		}
	}
	walk(root)
}

// A refused writer leaves what it found: with a state that can't be read, none of them changes a byte, and no lock stays (GU-1).
func TestRefusedWritersLeaveTheTree(t *testing.T) {
	dir := t.TempDir()
	teaRepository(t, dir)
	before := contents(t, dir)
	for _, command := range writers {
		code, stdout, stderr := run(dir, strings.Fields(command)...)
		if strings.Contains(stderr, "internal error") || code == ExitOK && !strings.Contains(command, "recover") && !strings.Contains(command, "lock") {
			t.Errorf("dwp %s: code %d, %s%s", command, code, stdout, stderr)
		}
		if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
			t.Fatalf("dwp %s wrote (-before +after):\n%s", command, diff)
		}
	}
}
