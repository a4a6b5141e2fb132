package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/author"
	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/turn"
	"github.com/deepworkplan/dwp/internal/update"
	"github.com/deepworkplan/dwp/internal/work"
)

var readyPlan = plantest.Spec{Tasks: 3, Ready: true}

const receiptName = "analysis_results/FINALIZATION.json"

// finalize closes the last task on its recorded gates; a second call changes nothing and says so (VP-1, C111).
func TestFinalize(t *testing.T) {
	m := layPlan(t, readyPlan)
	code, stdout, stderr := m.dwp(nil, "finalize")
	if code != ExitOK || !strings.HasPrefix(stdout, plantest.Name+": published; sha256 ") {
		t.Fatalf("code %d: %s%s", code, stdout, stderr)
	}
	if code, stdout, _ := m.dwp(nil, "verify", "-q"); code != ExitOK || !strings.Contains(stdout, "CONFORMANT  (0 must") {
		t.Errorf("verify: code %d: %s", code, stdout)
	}
	before := contents(t, m.top)
	for _, args := range [][]string{{"finalize"}, {"finalize", "--json"}, {"recover"}, {"state", "finalize", m.folder, "--candidate", m.state()}} {
		code, stdout, stderr := m.dwp(nil, args...)
		says := strings.Contains(stdout, "nothing to") || strings.Contains(stdout, `"published": false`)
		if after := contents(t, m.top); code != ExitOK || !says || len(after) != len(before) || after[".dwp/plans/"+plantest.Name+"/state.json"] != before[".dwp/plans/"+plantest.Name+"/state.json"] {
			t.Errorf("dwp %v again: code %d: %s%s", args, code, stdout, stderr)
		}
	}
}

// A completed plan without a receipt is checked whole and gets one; the state stays as it is (VP-5).
func TestFinalizeSeals(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 3, Done: 3})
	before := text(t, m.state())
	code, stdout, stderr := m.dwp(nil, "finalize", "--json")
	if code != ExitOK || !strings.Contains(stdout, `"published": true`) || text(t, m.state()) != before {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	if _, err := os.Stat(filepath.Join(m.folder, receiptName)); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(m.folder, "PROMPTS.md"), []byte("other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := m.dwp(nil, "verify"); code != ExitNo || !strings.Contains(stdout, "receipt/artefact") {
		t.Errorf("edited after the publication: verify's code %d: %s", code, stdout)
	}
}

// C107: finalize never guesses among plans, and an empty PLAN is none.
func TestFinalizeNamesWhatIsMissing(t *testing.T) {
	m := layPlan(t, readyPlan)
	second := filepath.Join(m.top, ".dwp", "plans", "PLAN_second_load")
	if err := os.CopyFS(second, os.DirFS(m.folder)); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"finalize", "recover", "lock show", "lock clear --owner unknown"} {
		code, _, stderr := m.dwp(nil, strings.Fields(command)...)
		if code != ExitUsage || !strings.Contains(stderr, "2 plans are open") || !strings.Contains(stderr, "PLAN_second_load") {
			t.Errorf("dwp %s: code %d: %s", command, code, stderr)
		}
	}
	if code, _, stderr := m.dwp(nil, "finalize", ""); code != ExitUsage || !strings.Contains(stderr, "PLAN is empty") {
		t.Errorf("empty PLAN: code %d: %s", code, stderr)
	}
}

// What finalize refuses, with exit code and reasons; nothing is written (VP-1, VP-2, VP-4, GU-8).
func TestFinalizeRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		spec  plantest.Spec
		edits edits
		code  int
		says  []string
	}{
		"VP-1 two tasks open": {plantest.Spec{Tasks: 3, Done: 1}, nil, ExitNo, []string{"guard/open-plan (VP-1): 2 tasks are open (2, 3)"}},
		"VP-1 not started":    {plantest.Spec{Tasks: 3, Done: 2}, nil, ExitNo, []string{"nothing was written"}},
		"VP-1 no state":       {readyPlan, edits{drop("state.json")}, ExitNo, []string{"guard/no-state"}},
		"VP-2 two artefacts": {readyPlan, edits{drop("analysis_results/SECURITY_REVIEW.md"), swap("README.md", "- [x] Task 3", "- [ ] Task 3")},
			ExitNo, []string{"guard/not-conformant", "review/security-file", "desync/state-ahead"}},
		"VP-4 publishing":          {readyPlan, edits{put(".finalizing.json", "{}")}, ExitNo, []string{"publication/unfinished"}},
		"VP-5 sealed beside it":    {plantest.Spec{Tasks: 3, Done: 3}, edits{put(".finalizing.json", "{}")}, ExitNo, []string{"guard/publishing"}},
		"GU-3 gate failed":         {readyPlan, edits{swap("state.json", `last:"passes": true, "exit_code": 0`, `"passes": false, "exit_code": 1`)}, ExitNo, []string{"evidence/failing"}},
		"GU-8 operation":           {readyPlan, edits{put(".dwp-op/op.json", "{}")}, ExitNo, []string{"operation/unfinished"}},
		"GU-10 locked, C59":        {readyPlan, edits{put("state.json.lock/.keep", "")}, ExitLocked, []string{"state.json.lock is held by someone unknown", "dwp lock show"}},
		"C113 receipt unwritable":  {readyPlan, edits{put(receiptName+"/in-the-way", "")}, ExitCannot, []string{"nothing was published"}},
		"C113 results are a file":  {readyPlan, edits{drop("analysis_results/SECURITY_REVIEW.md"), drop("analysis_results/notes.md"), put("analysis_results", "x")}, ExitNo, []string{"guard/not-conformant"}},
		"GU-10 the lock is a file": {readyPlan, edits{put("state.json.lock", "")}, ExitLocked, []string{"nothing was written"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := layPlan(t, tt.spec, tt.edits...)
			for _, says := range tt.says {
				refused(t, m, tt.code, says, "finalize", plantest.Name, "--wait", "0s")
			}
		})
	}
}

// cutOff lays out a publication that was killed before a file got its name (C111).
func cutOff(t *testing.T, before string) made {
	t.Helper()
	tw, err := disk.TwinOf(plantest.Plan(readyPlan))
	if err != nil {
		t.Fatal(err)
	}
	tw.Hook(func(e disk.Event) error {
		if e.Op == disk.OpRename && e.To == before {
			return disk.ErrCrash
		}
		return nil
	})
	p := publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC) }}
	if _, err := publish.Apply(t.Context(), p, update.Change{Task: 3, Status: state.Completed}); err == nil {
		t.Fatal("the publication was not cut off")
	}
	m := layPlan(t, readyPlan)
	for name, data := range tw.Kill().Tree() {
		if !strings.HasSuffix(name, "/") && !strings.HasPrefix(name, "state.json.lock") {
			writeTree(t, m.folder, map[string]string{name: data})
		}
	}
	return m
}

// C111: after a cut before the state and before the receipt: verify fails, no other change is accepted, recovery goes on with
// the same candidate only, and a second one does nothing. Or the publication is withdrawn (VP-4).
func TestRecover(t *testing.T) {
	for _, before := range []string{state.StateFile, state.ReceiptFile} {
		m := cutOff(t, before)
		if code, stdout, _ := m.dwp(nil, "verify"); code != ExitNo || !strings.Contains(stdout, "publication/unfinished") {
			t.Fatalf("cut before %s: verify's code %d: %s", before, code, stdout)
		}
		refused(t, m, ExitNo, "publication/unfinished", "state", "update", m.state(), "--task", "3", "--gate", passed)
		other := filepath.Join(m.top, "other.json")
		if err := os.WriteFile(other, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, m, ExitNo, "guard/other-candidate", "recover", "--candidate", other)
		refused(t, m, ExitNo, "guard/other-candidate", "state", "finalize", m.folder, "--candidate", other, "--recover")
		if code, stdout, stderr := m.dwp(nil, "recover"); code != ExitOK || stdout != plantest.Name+": the publication is finished\n" {
			t.Errorf("recover: code %d: %s%s", code, stdout, stderr)
		}
		if code, stdout, _ := m.dwp(nil, "recover"); code != ExitOK || stdout != plantest.Name+": nothing to recover\n" {
			t.Errorf("second recover: code %d: %s", code, stdout)
		}
		if code, stdout, _ := m.dwp(nil, "verify", "-q"); code != ExitOK {
			t.Errorf("verify afterwards: %s", stdout)
		}

		m = cutOff(t, before)
		if code, stdout, stderr := m.dwp(nil, "recover", "--withdraw", "--json"); code != ExitOK || !strings.Contains(stdout, `"withdrawn": true`) {
			t.Errorf("withdraw: code %d: %s%s", code, stdout, stderr)
		}
		if got, want := text(t, m.state()), string(plantest.Plan(readyPlan)["state.json"].Data); got != want {
			t.Errorf("after the withdrawal state.json is not the previous one")
		}
		if code, _, stderr := m.dwp(nil, "recover", "--withdraw", "--candidate", other); code != ExitUsage {
			t.Errorf("both: code %d: %s", code, stderr)
		}
	}
}

// A file that changed under a cut publication is named; nothing is guessed (VP-4).
func TestRecoverNamesTheChangedFile(t *testing.T) {
	m := cutOff(t, state.StateFile)
	writeTree(t, m.folder, map[string]string{"PROMPTS.md": "edited\n"})
	refused(t, m, ExitNo, "changed since the plan was validated: PROMPTS.md", "recover")
}

// An operation on several files is finished by recover, once (DESIGN 6, C73); a file that another hand changed stops it by name.
func TestRecoverOperation(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 3, Done: 1})
	folder, err := disk.Open(m.folder)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	prompts := text(t, filepath.Join(m.folder, "PROMPTS.md"))
	changes := []disk.Change{{Path: "PROMPTS.md", Data: []byte(prompts + "more\n")}, {Path: "notes.md", Data: []byte("new\n")}}
	if err := disk.Stage(folder, disk.Operation{Name: "amend"}, changes, nil); err != nil {
		t.Fatal(err)
	}
	refused(t, m, ExitNo, "operation/unfinished", "state", "update", m.state(), "--task", "2", "--status", "in_progress")
	writeTree(t, m.folder, map[string]string{"PROMPTS.md": "another hand\n"})
	refused(t, m, ExitNo, "changed by another hand: PROMPTS.md", "recover")
	writeTree(t, m.folder, map[string]string{"PROMPTS.md": prompts})
	if code, stdout, stderr := m.dwp(nil, "recover"); code != ExitOK || stdout != plantest.Name+": the operation amend is finished\n" {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	if text(t, filepath.Join(m.folder, "PROMPTS.md")) != prompts+"more\n" || text(t, filepath.Join(m.folder, "notes.md")) != "new\n" {
		t.Error("the operation was not applied")
	}
	if code, stdout, _ := m.dwp(nil, "recover"); code != ExitOK || !strings.Contains(stdout, "nothing to recover") {
		t.Errorf("second recover: code %d: %s", code, stdout)
	}
}

// A lock: shown with all that lets a person judge, cleared only by the name that was shown, never while its owner runs (GU-10, C61).
func TestLockCommands(t *testing.T) {
	m := layPlan(t, plantest.Spec{Tasks: 3, Done: 1})
	folder, err := disk.Open(m.folder)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if code, stdout, _ := m.dwp(nil, "lock", "show"); code != ExitOK || stdout != plantest.Name+": not locked\n" {
		t.Errorf("code %d: %s", code, stdout)
	}
	if code, stdout, _ := m.dwp(nil, "lock", "clear", "--owner", "x"); code != ExitOK || !strings.Contains(stdout, "nothing to clear") {
		t.Errorf("code %d: %s", code, stdout)
	}
	lock, err := disk.Acquire(t.Context(), folder, disk.Owner{Agent: "bo", Command: "test"}, 0, disk.System{})
	if err != nil {
		t.Fatal(err)
	}
	id := lock.Owner().ID
	code, stdout, _ := m.dwp(nil, "lock", "show")
	for _, want := range []string{"locked", id, "bo", "started at tick", "dwp lock clear " + plantest.Name + " --owner " + id} {
		if code != ExitOK || !strings.Contains(stdout, want) {
			t.Errorf("lock show, code %d, lacks %q: %s", code, want, stdout)
		}
	}
	refused(t, m, ExitLocked, "state.json.lock is held by \"bo\"", "recover", "--wait", "1ms")
	refused(t, m, ExitLocked, "the lock is not the one that was named", "lock", "clear", "--owner", "somebody")
	if lock.Owner().Namespace != "" { // where the system tells who runs
		refused(t, m, ExitLocked, "the owner of the lock is running", "lock", "clear", "--owner", id)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	// A lock without a record, as helpers that only mkdir leave it.
	if err := os.Mkdir(filepath.Join(m.folder, disk.LockDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := m.dwp(nil, "lock", "show", "--json"); code != ExitOK || !strings.Contains(stdout, `"owner": "unknown"`) {
		t.Errorf("code %d: %s", code, stdout)
	}
	if code, stdout, stderr := m.dwp(nil, "lock", "clear", "--owner", "unknown"); code != ExitOK {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
	if code, _, stderr := m.update("--task", "2", "--status", "in_progress"); code != ExitOK {
		t.Errorf("update after clearing: code %d: %s", code, stderr)
	}
}

// GU-11, GU-12, VP-3, PS-4: a change and a publication write state.json and the receipt, and nothing else: no gate runs, nothing is committed,
// no Markdown is mended, no gate is invented, and the receipt is no part of what it covers.
func TestWritersDoNothingElse(t *testing.T) {
	m := layPlan(t, readyPlan)
	trap := filepath.Join(m.top, "trap")
	before := contents(t, m.top)
	if code, _, stderr := m.update("--task", "3", "--gate", "touch "+trap+"|0|1 passed"); code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	gates := strings.Count(text(t, m.state()), `"command"`)
	code, stdout, stderr := m.dwp(nil, "finalize")
	if code != ExitOK {
		t.Fatalf("code %d: %s", code, stderr)
	}
	for _, claim := range []string{"ran", "proven", "proof"} {
		if strings.Contains(stdout, claim) {
			t.Errorf("it claims %q: %s", claim, stdout)
		}
	}
	if got := strings.Count(text(t, m.state()), `"command"`); got != gates {
		t.Errorf("%d gate records after the publication, %d before", got, gates)
	}
	if receipt := text(t, filepath.Join(m.folder, receiptName)); strings.Contains(receipt, "FINALIZATION") {
		t.Errorf("the receipt covers itself: %s", receipt)
	}
	plan := ".dwp/plans/" + plantest.Name + "/"
	for name, is := range contents(t, m.top) {
		if was := before[name]; was != is && name != plan+"state.json" && name != plan+receiptName {
			t.Errorf("%s changed:\n%s", name, is)
		}
	}
}

// The guards are explained like the rules of verify, those of a publication too, and listed after them.
func TestExplainGuards(t *testing.T) {
	for _, g := range slices.Concat(update.Guards(), publish.Guards(), work.Guards(), author.Guards(), turn.Guards()) {
		code, stdout, _ := run(t.TempDir(), "explain", g.ID)
		if code != ExitOK || !strings.Contains(stdout, g.ID) || !strings.Contains(stdout, g.Requirement) {
			t.Errorf("%s: code %d: %s", g.ID, code, stdout)
		}
	}
	_, all, _ := run(t.TempDir(), "explain", "--all")
	if last, guards := strings.LastIndex(all, "\nrepo/"), strings.Index(all, "\nguard/"); guards < last || last < 0 {
		t.Error("the guards don't stand after the catalogue")
	}
}

// GU-10, C61: recover removes a lock only when its owner is provably dead, and says so: here the process of the record ended, or its
// number belongs to a later one.
func TestRecoverReclaims(t *testing.T) {
	for name, other := range map[string]string{"ended": `"pid": 4194999`, "number used again": `"process_start": "1"`} {
		m := layPlan(t, startedPlan)
		folder, err := disk.Open(m.folder)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		lock, err := disk.Acquire(t.Context(), folder, disk.Owner{Agent: "bo"}, 0, disk.System{})
		if err != nil {
			t.Fatal(err)
		}
		if lock.Owner().Namespace == "" {
			t.Skip("this system does not tell who runs")
		}
		record := filepath.Join(m.folder, disk.LockDir, "owner-"+lock.Owner().ID+".json")
		key, _, _ := strings.Cut(other, ":")
		changed := regexp.MustCompile(key+`: ("[^"]*"|\d+)`).ReplaceAllString(text(t, record), other)
		if err := os.WriteFile(record, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, m, ExitNo, "is held by", "state", "update", m.state(), "--task", "2", "--status", "in_progress", "--wait", "0s")
		refused(t, m, ExitLocked, "its owner is gone: dwp recover "+plantest.Name, "approve", "--by", "Ada", "--wait", "0s") // C63: advice that ends it
		code, stdout, stderr := m.dwp(nil, "recover")
		if code != ExitOK || !strings.Contains(stderr, `dwp: warning: removed the lock of "bo"`) || stdout != plantest.Name+": nothing to recover\n" {
			t.Errorf("%s: code %d: %s%s", name, code, stdout, stderr)
		}
		if _, err := os.Stat(filepath.Join(m.folder, disk.LockDir)); err == nil {
			t.Errorf("%s: the lock is still there", name)
		}
	}
}

// The findings of a refusal stand in the JSON answer, too.
func TestRefusedFindingsInJSON(t *testing.T) {
	m := layPlan(t, readyPlan, drop("analysis_results/SECURITY_REVIEW.md"))
	for _, args := range [][]string{{"finalize", "--json"}, {"state", "update", m.state(), "--task", "3", "--status", "completed", "--json"}} {
		code, stdout, _ := m.dwp(nil, args...)
		if code != ExitNo || !strings.Contains(stdout, `"rule": "review/security-file"`) || !strings.Contains(stdout, `"code": "guard/not-conformant"`) {
			t.Errorf("dwp %v: code %d: %s", args, code, stdout)
		}
	}
}

// VP-6: a plan that can't be evaluated is never completed: here a document is too large to be read. Exit code 3, in the compatible
// command 1.
func TestUnverifiedIsNotPublished(t *testing.T) {
	m := layPlan(t, readyPlan)
	before := text(t, m.state())
	if err := os.Truncate(filepath.Join(m.folder, "PROMPTS.md"), 65<<20); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"finalize"}, ExitCannot},
		{[]string{"state", "update", m.state(), "--task", "3", "--status", "completed"}, ExitNo},
	} {
		code, stdout, stderr := m.dwp(nil, tt.args...)
		if code != tt.code || stdout != "" || !strings.Contains(stderr, "could not be evaluated") || !strings.Contains(stderr, "nothing was written") || text(t, m.state()) != before {
			t.Errorf("dwp %v: code %d, want %d: %s%s", tt.args, code, tt.code, stdout, stderr)
		}
	}
	if left := leftovers(t, m); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
