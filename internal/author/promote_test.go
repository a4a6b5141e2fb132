package author

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepworkplan/dwp/internal/disk"
	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/plantest"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
	"github.com/deepworkplan/dwp/internal/verify"
)

// The plans of plantest were worked on 2026-09-01.
var promoteNow = time.Date(2026, 9, 3, 23, 30, 0, 0, time.FixedZone("west", -2*3600)) // in UTC it is the next day

var promoter = revise.Who{Agent: "Mill", Now: promoteNow}

// planOf puts the files of a plan into a folder of the twin.
func lodged(t testing.TB, files map[string]string) publish.Plan {
	t.Helper()
	tw := disk.NewTwin()
	for name, text := range files {
		if err := errors.Join(disk.MkdirAll(tw, analysisDir), tw.Put(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return planAt(tw)
}

func planAt(tw *disk.Twin) publish.Plan {
	return publish.Plan{FS: tw, Name: plantest.Name, Now: func() time.Time { return promoteNow }, Owner: disk.Owner{Command: "dwp promote"}, InGit: true}
}

// loadPlan is a Lite plan of plantest as texts.
func loadPlan(spec plantest.Spec) map[string]string {
	files := map[string]string{}
	for name, f := range plantest.Plan(spec) {
		files[name] = string(f.Data)
	}
	return files
}

func lodgedTexts(p publish.Plan) map[string]string { return settled(p.FS.(*disk.Twin)) }

func snapshot(t testing.TB, p publish.Plan) *plan.Snapshot {
	t.Helper()
	s, err := plan.Read(p.FS, p.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func musts(s *plan.Snapshot) []string {
	var list []string
	for _, f := range verify.Plan(s, verify.Options{Now: promoteNow, InGit: true}).Findings {
		list = append(list, fmt.Sprintf("%s %s %s:%d %s", f.Level, f.Rule, f.File, f.Line, f.Message))
	}
	return list
}

// LF-9, C115: a Lite plan with completed and pending tasks becomes Full; verify finds nothing new; a second call changes nothing.
func TestPromote(t *testing.T) {
	p := lodged(t, loadPlan(plantest.Spec{Tasks: 3, Done: 1}))
	before := snapshot(t, p)
	told, err := Promote(t.Context(), p, promoter)
	if err != nil {
		t.Fatal(err)
	}
	if !told.Changed || told.Already || told.From != "" || !slices.Equal(told.Files, []string{"1.task_load_shard_1.md", "2.task_load_shard_2.md", "3.task_final_review.md"}) {
		t.Errorf("told %+v", told)
	}
	after := snapshot(t, p)
	if got, want := musts(after), musts(before); !slices.Equal(got, want) {
		t.Errorf("verify says %q, before %q", got, want)
	}
	once := lodgedTexts(p)
	for _, name := range []string{"README.md", "state.json", "PROGRESS.md", "1.task_load_shard_1.md"} {
		t.Logf("%s:\n%s", name, once[name])
	}
	told, err = Promote(t.Context(), p, promoter)
	if err != nil || told.Changed || !told.Already {
		t.Errorf("again: %+v, %v", told, err)
	}
	if !maps.Equal(once, lodgedTexts(p)) {
		t.Error("the second call changed something")
	}
}

// stoppedAt is a plan whose promotion was cut off after so many steps: 1 at intent, 2 at tasks_written, 3 at switched.
func stoppedAt(t testing.TB, steps int, files map[string]string, edits ...func(map[string]string)) publish.Plan {
	t.Helper()
	files, err := decidedSteps(files, steps)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		e(files)
	}
	return lodged(t, files)
}

func small() map[string]string {
	files := loadPlan(plantest.Spec{Tasks: 3, Done: 1})
	doc, _ := strictjson.Parse([]byte(files[state.StateFile]))
	files[state.StateFile] = string(strictjson.Format(doc.Root)) // as this tool writes it
	return files
}

func put(name, old, text string) func(map[string]string) {
	return func(files map[string]string) {
		if !strings.Contains(files[name], old) {
			panic(name + " does not contain " + old)
		}
		files[name] = strings.Replace(files[name], old, text, 1)
	}
}

func write(name, text string) func(map[string]string) {
	return func(files map[string]string) { files[name] = text }
}

func drop(name string) func(map[string]string) {
	return func(files map[string]string) { delete(files, name) }
}

// LF-9: a promotion is taken up at every phase, and ends as one that was not cut off. From each phase before the switch it is taken
// back: every file is as it was, state.json but for who changed it, and when; after the switch it goes forward only.
func TestPromoteResumes(t *testing.T) {
	whole := lodged(t, small())
	if _, err := Promote(t.Context(), whole, promoter); err != nil {
		t.Fatal(err)
	}
	for steps, phase := range []string{1: "intent", 2: "tasks_written", 3: "switched"} {
		if steps == 0 {
			continue
		}
		p := stoppedAt(t, steps, small())
		if r := verify.Plan(snapshot(t, p), verify.Options{Now: promoteNow, InGit: true}); !slices.ContainsFunc(r.Findings, func(f rule.Finding) bool { return f.Rule == "promotion/unfinished" }) {
			t.Errorf("%s: verify does not say that it is unfinished", phase)
		}
		told, err := Promote(t.Context(), p, promoter)
		if err != nil || told.From != phase || !maps.Equal(lodgedTexts(p), lodgedTexts(whole)) {
			t.Errorf("%s: %+v, %v", phase, told, err)
		}
		p = stoppedAt(t, steps, small())
		before := lodgedTexts(p)
		_, err = WithdrawPromotion(t.Context(), p, promoter)
		if phase == "switched" {
			if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "guard/promotion-switched" || !maps.Equal(before, lodgedTexts(p)) {
				t.Errorf("switched: taken back: %v", err)
			}
			continue
		}
		want := small()
		want[state.StateFile] = strings.Replace(want[state.StateFile], "2026-09-01T10:00:00Z\",\n  \"status\"", "2026-09-04T01:30:00Z\",\n  \"status\"", 1)
		want[state.StateFile] = strings.Replace(want[state.StateFile], "\"blocked\": null\n", "\"blocked\": null,\n  \"updated_by\": {\n    \"agent\": \"Mill\"\n  }\n", 1)
		if got := lodgedTexts(p); err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: taken back: %v\n%s", phase, err, got[state.StateFile])
		}
		if told, err := WithdrawPromotion(t.Context(), p, promoter); err != nil || !told.Nothing || told.Changed {
			t.Errorf("%s: taken back twice: %+v, %v", phase, told, err)
		}
	}
}

// A state.json without a promotion member has none again when the promotion was taken back.
func TestWithdrawLeavesNoMember(t *testing.T) {
	files := small()
	put(state.StateFile, "  \"promotion\": null,\n", "")(files)
	p := stoppedAt(t, 2, files)
	_, err := WithdrawPromotion(t.Context(), p, promoter)
	if got := lodgedTexts(p)[state.StateFile]; err != nil || withoutUpdate(got) != withoutUpdate(files[state.StateFile]) {
		t.Errorf("%v\n%s", err, got)
	}
}

// LF-9: what was written is read again and compared with its record: criterion, mark, command, log, level, order. On a difference the
// promotion is taken back whole, the place is named, and what another hand wrote is kept.
func TestPromoteCompares(t *testing.T) {
	const first = "1.task_load_shard_1.md"
	for name, tt := range map[string]struct {
		edit func(map[string]string)
		want string // in the message
		kept bool
	}{
		"a mark":         {put(first, "- [x] counts agree", "- [ ] counts agree"), first + ":27: the text below is not that of the record", true},
		"a criterion":    {put(first, "- [x] counts agree\n", ""), first + ":27: the text below", true},
		"a command":      {put(first, "make test-shard", "make test"), first + ":37: the text below", true},
		"a log line":     {put(first, "Summary: loaded.\n", ""), first + ":47: the text below", true},
		"a section":      {put(first, "## Outputs\n\n- a loaded shard\n\n", ""), first + " has 10 headings, its record 11", true},
		"a level":        {put(first, "## Outputs", "### Outputs"), first + ":31: the heading \"Outputs\" has level 3", true},
		"a title":        {put(first, "# Task 1: Load shard 1", "# Task 1: Load"), first + ":1: the heading is", true},
		"a missing file": {drop(first), first + " is missing", false},
		"the README":     {put("README.md", "### Outputs\n\n- a loaded shard", "### Outputs\n\n- two loaded shards"), first + ":32: the text below", true},
		"empty":          {write(first, ""), first + " has 1 heading, its record 11", true},
	} {
		p := stoppedAt(t, 2, small(), tt.edit)
		before := lodgedTexts(p)
		_, err := Promote(t.Context(), p, promoter)
		refused, ok := errors.AsType[*publish.Refused](err)
		if !ok || refused.Rule != "guard/promotion-differs" || !strings.Contains(refused.Message, tt.want) || !strings.Contains(refused.Message, "taken back") {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
			continue
		}
		got := lodgedTexts(p)
		if kept := got[keptDir+"/"+first]; tt.kept && name != "the README" && kept != before[first] {
			t.Errorf("%s: what another hand wrote is lost: %q", name, kept)
		}
		for file := range got {
			if _, task := plan.TaskNumber(file); task && !strings.HasPrefix(file, keptDir) {
				t.Errorf("%s: %s is left", name, file)
			}
		}
		if got["README.md"] != before["README.md"] || withoutUpdate(got[state.StateFile]) != withoutUpdate(small()[state.StateFile]) {
			t.Errorf("%s: the plan is not as before", name)
		}
		if name == "the README" {
			continue
		}
		if _, err := Promote(t.Context(), p, promoter); err != nil {
			t.Errorf("%s: promoted again: %v", name, err)
		}
	}
}

// LF-9: a marker of another tool is taken up when the facts on disk agree, and refused by name when they don't; a phase or form
// that the standard doesn't know is refused. Nothing is written.
func TestPromoteForeignMarkers(t *testing.T) {
	numbers := func(files map[string]string) {
		doc, _ := strictjson.Parse([]byte(files[state.StateFile]))
		doc.Root.Member("promotion").Set("tasks", strictjson.NewArray(strictjson.NewInt(1), strictjson.NewInt(2), strictjson.NewInt(3)))
		files[state.StateFile] = string(strictjson.Format(doc.Root))
	}
	rename := func(files map[string]string) {
		files["1.task_other_name.md"] = "\n" + files["1.task_load_shard_1.md"] + "\n\n"
		delete(files, "1.task_load_shard_1.md")
	}
	both := func(edits ...func(map[string]string)) func(map[string]string) {
		return func(files map[string]string) {
			for _, e := range edits {
				e(files)
			}
		}
	}
	for name, tt := range map[string]struct {
		steps int
		edit  func(map[string]string)
		rule  string // "" when it is taken up
		want  string
	}{
		"numbers at intent":      {1, numbers, "", ""},
		"numbers and other file": {2, both(numbers, rename), "", ""},
		"other file, our names":  {2, rename, "guard/promotion-facts", "1.task_other_name.md is none of the files"},
		"null":                   {2, put(state.StateFile, "\"tasks\": [\n      \"1.task_load_shard_1.md\",\n      \"2.task_load_shard_2.md\",\n      \"3.task_final_review.md\"\n    ]", "\"tasks\": null"), "", ""},
		"file there at intent":   {1, write("2.task_load_shard_2.md", "# Task 2: other\n"), "guard/promotion-facts", "2.task_load_shard_2.md stands already, and says something else"},
		"stray file at intent":   {1, write("9.task_x.md", "# Task 9: x\n"), "guard/promotion-facts", "9.task_x.md is none"},
		"unknown phase":          {1, put(state.StateFile, "\"intent\"", "\"paused\""), "promotion/shape", "phase"},
		"no phase":               {1, put(state.StateFile, "\"phase\": \"intent\",", ""), "promotion/shape", "phase"},
		"backwards":              {1, put(state.StateFile, "\"from\": \"lite\"", "\"from\": \"full\""), "promotion/shape", "from"},
		"a task of none":         {1, put(state.StateFile, "\"1.task_load_shard_1.md\",", "\"9.task_x.md\","), "guard/promotion-facts", "promotion.tasks[0]"},
		"an object":              {1, put(state.StateFile, "\"1.task_load_shard_1.md\",", "{},"), "guard/promotion-facts", "promotion.tasks[0]"},
		"outside":                {1, put(state.StateFile, "\"1.task_load_shard_1.md\",", "\"../1.task_x.md\","), "guard/promotion-facts", "promotion.tasks[0]"},
		"marker alone":           {1, put(state.StateFile, "\"promoting\"", "\"ready\""), "promotion/shape", "disagree"},
		"no marker":              {0, put(state.StateFile, "\"ready\"", "\"promoting\""), "promotion/shape", "disagree"},
		"switched, but lite":     {3, put(state.StateFile, "\"format\": \"full\"", "\"format\": \"lite\""), "state/locator", "a file locator in a Lite plan"},
		"intent, but full":       {1, put(state.StateFile, "\"format\": \"lite\"", "\"format\": \"full\""), "state/locator", "an inline locator in a Full plan"},
		"switched, file gone":    {3, drop("2.task_load_shard_2.md"), "guard/promotion-facts", "2.task_load_shard_2.md is missing"},
		"still in creation":      {0, put("README.md", "Plan Status: 1/3 completed", "Plan Status: materializing"), "materialization/partial", "creation"},
	} {
		p := stoppedAt(t, tt.steps, small(), tt.edit)
		before := lodgedTexts(p)
		_, err := Promote(t.Context(), p, promoter)
		refused, ok := errors.AsType[*publish.Refused](err)
		switch {
		case tt.rule == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tt.rule == "":
			if got := musts(snapshot(t, p)); len(got) > 0 {
				t.Errorf("%s: verify says %q", name, got)
			}
		case !ok || refused.Rule != tt.rule || !strings.Contains(refused.Message, tt.want) || !strings.HasSuffix(refused.Message, "nothing was written") || refused.Requirement == "":
			t.Errorf("%s: %+v, want %s %q", name, err, tt.rule, tt.want)
		case !maps.Equal(before, lodgedTexts(p)):
			t.Errorf("%s: something was written", name)
		}
	}
}

// LF-9: what can't be carried faithfully is refused with file and line, and nothing is written.
func TestPromoteRefuses(t *testing.T) {
	readme := func(old, text string) func(map[string]string) { return put("README.md", old, text) }
	for name, tt := range map[string]struct {
		edit func(map[string]string)
		want string
	}{
		"unclosed fence":   {readme("- a loaded shard\n", "- a loaded shard\n\n```\n"), "README.md:74: the text is damaged (fence-"},
		"two records":      {func(f map[string]string) { f["README.md"] += "## Task 1: again {#task-1}\n\n### Goal\n\nx\n" }, "README.md:187: \"again\" is a second record"},
		"a record of none": {func(f map[string]string) { f["README.md"] += "## Task 9: more {#task-9}\n\n### Goal\n\nx\n" }, "README.md:187: \"more\" is a second record of its task, or the record of none"},
		"no record":        {readme("## Task 2: Load shard 2 {#task-2}", "### Load shard 2"), "README.md has no record of task 2"},
		"attributes":       {readme("{#task-2}", "{#task-2 .urgent}"), "README.md:91: the heading has \"#task-2 .urgent\" beside its anchor"},
		"a reference":      {readme("Every shard is loaded.", "Every [shard][s] is loaded."), ""},
		"a definition elsewhere": {func(f map[string]string) {
			readme("Every shard is loaded.", "Every [shard] is loaded.")(f)
			f["README.md"] += "[shard]: a.md\n"
		}, "README.md:10: the link [shard] is defined elsewhere, on line 187"},
		"count in a record": {func(f map[string]string) {
			readme("Plan Status: 1/3 completed\n", "")(f)
			f["README.md"] += "**Plan Status:** 1/3 completed\n"
		}, "the count of completed tasks would not read the same"},
		"a task file": {write("1.task_old.md", "# Task 1: old\n"), "1.task_old.md stands in the plan already"},
	} {
		files := small()
		tt.edit(files)
		p := lodged(t, files)
		before := lodgedTexts(p)
		_, err := Promote(t.Context(), p, promoter)
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		refused, ok := errors.AsType[*publish.Refused](err)
		if !ok || !strings.Contains(refused.Message, tt.want) || !strings.HasSuffix(refused.Message, "nothing was written") {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if !maps.Equal(before, lodgedTexts(p)) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// LF-9, TRAPS "Concurrency and durability": a link, a read-only file or a folder in the way of the last phase stops the first one: nothing
// is written, and the plan is not left in a promotion that can't go on. The preview says the same.
func TestPromoteTargets(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*disk.Twin) error
		want  error
	}{
		"read-only README":   {func(tw *disk.Twin) error { return tw.Put("README.md", []byte(small()["README.md"]), 0o444) }, disk.ErrReadOnly},
		"read-only PROGRESS": {func(tw *disk.Twin) error { return tw.Put("PROGRESS.md", []byte("# Progress\n"), 0o444) }, disk.ErrReadOnly},
		"linked PROGRESS": {func(tw *disk.Twin) error {
			return errors.Join(tw.Put("elsewhere.md", []byte("# Progress\n"), 0o644), tw.Remove("PROGRESS.md"), tw.PutLink("PROGRESS.md", "elsewhere.md"))
		}, disk.ErrSymlink},
		"a folder of the name": {func(tw *disk.Twin) error { return tw.PutDir("2.task_load_shard_2.md") }, disk.ErrNotRegular},
	} {
		p := lodged(t, small())
		tw := p.FS.(*disk.Twin)
		must(t, test.spoil(tw))
		before := tw.Tree()
		if _, _, err := PreviewPromotion(p, promoter); !errors.Is(err, test.want) {
			t.Errorf("%s: the preview says %v, want %v", name, err, test.want)
		}
		if _, err := Promote(t.Context(), p, promoter); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		if !maps.Equal(before, tw.Tree()) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// What stands in other forms is carried: underlined headings (C13), records and sections of one level, deeper records, an anchor in
// front, a record that the plan's own sections follow.
func TestPromoteForms(t *testing.T) {
	for name, tt := range map[string]struct{ old, text, want string }{
		"underlined record":    {"## Task 2: Load shard 2 {#task-2}\n", "Task 2: Load shard 2 {#task-2}\n------------------------------\n", "Task 2: Load shard 2\n==============================\n"},
		"underlined section":   {"## Task 2: Load shard 2 {#task-2}\n\n### Context\n", "## Task 2: Load shard 2 {#task-2}\n\nTouched Surface\n---------------\n\nPlanned: x\n\n### Context\n", "Touched Surface\n===============\n"},
		"anchor in front":      {"## Task 2: Load shard 2 {#task-2}", "## {#task-2} Task 2: Load shard 2", "# Task 2: Load shard 2\n"},
		"closing marks":        {"## Task 2: Load shard 2 {#task-2}", "## Task 2: Load shard 2 {#task-2} ##", "# Task 2: Load shard 2 ##\n"},
		"level six":            {"### Outputs\n", "###### Detail\n\nx\n\n### Outputs\n", "##### Detail\n"},
		"a label":              {"### Goal\n\nShard loaded", "**Goal:** Shard loaded", "**Goal:** Shard loaded"},
		"a README section":     {"- a loaded shard", "- [rules](#execution-rules), [goal](#goal), [other](#nothing)", "- [rules](README.md#execution-rules), [goal](#goal), [other](#nothing)"},
		"a rule at the end":    {"## Task 3:", "---\n\n## Task 3:", ""},
		"a section behind":     {"## Task 3:", "## Risks\n\nNone.\n\n## Task 3:", ""},
		"an underlined follow": {"## Task 3:", "Risks\n-----\n\nNone.\n\n## Task 3:", ""},
	} {
		files := small()
		put("README.md", tt.old, tt.text)(files)
		p := lodged(t, files)
		if _, err := Promote(t.Context(), p, promoter); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := lodgedTexts(p)
		if !strings.Contains(got["2.task_load_shard_2.md"]+got["1.task_load_shard_1.md"], tt.want) {
			t.Errorf("%s: got\n%s", name, got["2.task_load_shard_2.md"])
		}
		if strings.Contains(tt.text, "Risks") && !strings.Contains(got["README.md"], "None yet.\n\n"+tt.text[:strings.Index(tt.text, "\n")]) {
			t.Errorf("%s: README\n%s", name, got["README.md"])
		}
	}
}

// PS-3, VP-5: a published plan is promoted and published anew; its old receipt is kept under another name, its manifest as it is. One
// that was changed behind its receipt's back is refused.
func TestPromotePublished(t *testing.T) {
	p := publishedPlan(t)
	before := lodgedTexts(p)
	told, err := Promote(t.Context(), p, promoter)
	got := lodgedTexts(p)
	if err != nil || !told.Published || got["analysis_results/FINALIZATION-1.json"] != before[state.ReceiptFile] || got[state.ReceiptFile] == before[state.ReceiptFile] {
		t.Fatalf("%+v, %v", told, err)
	}
	if got[state.ManifestFile] != before[state.ManifestFile] {
		t.Error("manifest.json changed")
	}
	if list := musts(snapshot(t, p)); len(list) > 0 {
		t.Errorf("verify says %q", list)
	}
	p = publishedPlan(t)
	must(t, p.FS.(*disk.Twin).Put("README.md", []byte(before["README.md"]+"\nmore\n"), 0o644))
	_, err = Promote(t.Context(), p, promoter)
	if refused, ok := errors.AsType[*publish.Refused](err); !ok || refused.Rule != "guard/changed-after" {
		t.Errorf("changed behind the receipt: %v", err)
	}
}

// Full plans are left alone; a plan that is not approved may be promoted (LF-1), and one without the format axis is refused.
func TestPromoteOthers(t *testing.T) {
	for _, without := range [][]string{nil, {state.StateFile, state.ManifestFile}} { // as older plans are
		files := loadPlan(plantest.Spec{Tasks: 2, Full: true})
		for _, name := range without {
			delete(files, name)
		}
		p := lodged(t, files)
		before := lodgedTexts(p)
		if told, err := Promote(t.Context(), p, promoter); err != nil || !told.Already || told.Changed || !maps.Equal(before, lodgedTexts(p)) {
			t.Errorf("Full without %q: %+v, %v", without, told, err)
		}
	}
	files := loadPlan(plantest.Spec{Tasks: 2})
	put("README.md", "**Approval:** approved", "**Approval:** pending")(files)
	put(state.StateFile, `"approval": "approved"`, `"approval": "pending"`)(files)
	p := lodged(t, files)
	if _, err := Promote(t.Context(), p, promoter); err != nil || snapshot(t, p).State.Approval != "pending" {
		t.Errorf("pending: %v", err)
	}
	for _, without := range [][]string{{state.StateFile}, {state.StateFile, state.ManifestFile}, {"README.md"}} {
		files := loadPlan(plantest.Spec{Tasks: 2})
		for _, name := range without {
			delete(files, name)
		}
		if _, err := Promote(t.Context(), lodged(t, files), promoter); err == nil {
			t.Errorf("without %q: promoted", without)
		}
	}
}

// A dry run writes nothing, and shows the end of the whole series.
func TestPreviewPromotion(t *testing.T) {
	p := lodged(t, small())
	before := lodgedTexts(p)
	d, told, err := PreviewPromotion(p, promoter)
	if err != nil || len(told.Files) != 3 || d.Before.State.Format != "lite" || d.After.State.Format != "full" || d.After.State.Promotion != nil || len(d.After.TaskFiles) != 3 {
		t.Errorf("%+v, %v", told, err)
	}
	if !maps.Equal(before, lodgedTexts(p)) {
		t.Error("something was written")
	}
}
