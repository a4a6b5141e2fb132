package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

// sketch makes a snapshot from a line of boxes and a line of entries: "x_~" is a ticked box, an open one,
// one with another mark, "-" a plain bullet; "cpibs" are statuses by their first letter.
func sketch(boxes, entries string) *Snapshot {
	s := &Snapshot{Name: "PLAN_a_b", Nodes: map[string]Node{}, Files: map[string]*File{}, README: &planmd.README{Title: "T"}}
	for i, mark := range boxes {
		line := planmd.IndexLine{ID: i + 1, Title: fmt.Sprintf("line %d", i+1), Span: planmd.Span{Start: 10 * i, End: 10*i + 9}}
		if mark == '-' {
			s.README.Bullets = append(s.README.Bullets, line)
			continue
		}
		line.Box = &planmd.Box{Mark: strings.Replace(string(mark), "_", " ", 1)}
		s.README.Index = append(s.README.Index, line)
	}
	if entries == "" {
		return s
	}
	s.State = &state.State{Era: state.V5, Format: "lite", Materialization: "ready", Approval: "approved"}
	s.Manifest = &state.Manifest{Era: state.V5, SpecVersion: "5.0.0", PlanFormat: "lite"}
	statuses := map[rune]state.Status{'c': state.Completed, 'p': state.Pending, 'i': state.InProgress, 'b': state.Blocked, 's': state.Skipped}
	for i, letter := range entries {
		s.State.Tasks = append(s.State.Tasks, state.Task{ID: i + 1, Title: fmt.Sprintf("entry %d", i+1), Status: statuses[letter]})
	}
	return s
}

// depends gives a task a record with a "Depends on" line.
func depends(s *Snapshot, id int, on ...int) {
	s.README.Records = append(s.README.Records, planmd.Record{ID: id, HasDepends: true, DependsOn: on})
}

func statuses(o Overview) string {
	var b strings.Builder
	for _, t := range o.Tasks {
		b.WriteByte(t.Status[0])
	}
	return b.String()
}

// What boxes and entries amount to, markdown first.
func TestOverviewCounts(t *testing.T) {
	tests := []struct {
		name           string
		boxes, entries string
		completed      int
		tasks          string // statuses
		status         state.Status
		next           int
		hold           Hold
	}{
		{"fresh", "___", "ppp", 0, "ppp", state.Pending, 1, HoldNone},
		{"under way", "x__", "cip", 1, "cip", state.InProgress, 2, HoldNone},
		{"done", "xXx", "ccc", 3, "ccc", state.Completed, 0, HoldCompleted},
		{"without JSON", "x__", "", 1, "cpp", state.InProgress, 2, HoldNone},
		{"C27: the lowest open task", "xx_x_", "ccpcp", 3, "ccpcp", state.InProgress, 3, HoldNone},
		{"C27: and then the next", "xxxx_", "ccccp", 4, "ccccp", state.InProgress, 5, HoldNone},
		{"C07: unknown marks are open tasks", "x~/", "cpp", 1, "cpp", state.InProgress, 2, HoldNone},
		{"PS-18: state ahead", "x__", "ccp", 1, "cpp", state.InProgress, 2, HoldDesync},
		{"PS-18: state behind", "xx_", "cpp", 2, "ccp", state.InProgress, 3, HoldDesync},
		{"C75: all completed by hand", "___", "ccc", 0, "ppp", state.Pending, 1, HoldDesync},
		{"an entry without a line", "xx", "ccp", 2, "ccp", state.InProgress, 0, HoldDesync},
		{"a line without an entry", "xx_", "cc", 2, "ccp", state.InProgress, 3, HoldDesync},
		{"C105: skipped is not completed and not next", "x__", "csp", 1, "csp", state.InProgress, 3, HoldNone},
		{"C105: skipping alone completes nothing", "xx_", "ccs", 2, "ccs", state.InProgress, 0, HoldSkipped},
		{"blocked holds all without dependencies", "x__", "cbp", 1, "cbp", state.Blocked, 0, HoldBlocked},
		{"C17: plain bullets are tasks, and none is done", "---", "ccc", 0, "ppp", state.Pending, 0, HoldNoTasks},
		{"a bullet among boxes", "x-_", "cpp", 1, "cpp", state.InProgress, 0, HoldDependences},
		{"C39: nothing at all is not complete", "", "", 0, "", state.Pending, 0, HoldNoTasks},
		{"PS-1: where markdown is silent the entry speaks, and completes no plan", "", "cc", 0, "cc", state.InProgress, 0, HoldNoTasks},
	}
	for _, tt := range tests {
		o := sketch(tt.boxes, tt.entries).Overview()
		if o.Completed != tt.completed || o.Total != len(tt.tasks) || statuses(o) != tt.tasks ||
			o.Status != tt.status || o.Next != tt.next || o.Hold != tt.hold {
			t.Errorf("%s: got %d/%d %s %s next %d hold %q\nwant %d/%d %s %s next %d hold %q", tt.name,
				o.Completed, o.Total, statuses(o), o.Status, o.Next, o.Hold,
				tt.completed, len(tt.tasks), tt.tasks, tt.status, tt.next, tt.hold)
		}
	}
}

// The holds, in their order: of all that stand, the first is named (GU-8, PS-22).
func TestHoldOrder(t *testing.T) {
	s := sketch("xx_", "cpp")
	var want []Hold
	add := func(hold Hold, change func()) {
		change()
		want = append(want, hold)
		if got := s.Overview().Hold; got != hold {
			t.Errorf("got %q, want %q, after %q", got, hold, want)
		}
	}
	node := func(name string) func() { return func() { s.Nodes[name] = Node{Path: name} } }
	add(HoldDesync, func() {})
	add(HoldAmbiguous, func() { s.README.Index[2].ID = 2 })
	add(HoldNoTasks, func() { s.README.Index, s.README.Bullets = nil, s.README.Index })
	add(HoldBlocked, func() { s.State.Blocked = &state.Blocker{Task: 3} })
	add(HoldUnapproved, func() { s.State.Approval = "pending" })
	add(HoldPartial, func() { s.README.Materializing = true })
	add(HoldPromoting, func() { s.State.Promotion = &state.Promotion{} })
	add(HoldOperation, node(".dwp-op"))
	add(HoldPublishing, node(".finalizing.json"))
	add(HoldMalformed, func() { s.ManifestSyntax = &strictjson.SyntaxError{} })
	add(HoldNewer, node("contracts"))
}

// PS-22, C41, C43: what this code doesn't know holds; what it knows doesn't.
func TestHoldNewer(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Snapshot)
		want   Hold
	}{
		{"as it is", func(s *Snapshot) {}, HoldNone},
		{"newer standard in the manifest", func(s *Snapshot) { s.Manifest.SpecVersion = "99.0.0" }, HoldNewer},
		{"no 3.x", func(s *Snapshot) { s.README.StandardVersion = "3.0.0" }, HoldNewer},
		{"4.1", func(s *Snapshot) { s.README.StandardVersion = "4.1.0" }, HoldNone},
		{"1.2", func(s *Snapshot) { s.README.StandardVersion = "v1.2" }, HoldNone},
		{"near miss", func(s *Snapshot) { s.README.StandardVersion = "50.0.0" }, HoldNewer},
		{"the README prevails", func(s *Snapshot) { s.README.StandardVersion = "5.0.0"; s.Manifest.SpecVersion = "6.0.0" }, HoldNone},
		{"unknown schema of state", func(s *Snapshot) { s.State.Era = state.Unknown }, HoldNewer},
		{"unknown schema of manifest", func(s *Snapshot) { s.Manifest.Era = state.Unknown }, HoldNewer},
		{"contract.json", func(s *Snapshot) { s.Nodes["contract.json"] = Node{} }, HoldNewer},
		{"journal.ndjson", func(s *Snapshot) { s.Nodes["journal.ndjson"] = Node{} }, HoldNewer},
	}
	for _, tt := range tests {
		s := sketch("x__", "cpp")
		tt.change(s)
		if got := s.Overview().Hold; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// C41: read-only commands still use the markdown of a plan whose JSON they don't know.
func TestOverviewOfUnknownEra(t *testing.T) {
	s := sketch("x__", "")
	s.State = &state.State{Era: state.Unknown}
	o := s.Overview()
	if o.Completed != 1 || o.Total != 3 || o.Status != state.InProgress || o.Hold != HoldNewer || o.Era != state.Unknown {
		t.Errorf("got %+v", o)
	}
}

func TestHoldMalformed(t *testing.T) {
	tests := []struct {
		name   string
		boxes  string
		change func(*Snapshot)
		want   Hold
	}{
		{"C141: no README", "x__", func(s *Snapshot) { s.README = nil }, HoldMalformed},
		{"C49: state cut off", "x__", func(s *Snapshot) { s.State, s.StateSyntax = nil, &strictjson.SyntaxError{} }, HoldMalformed},
		{"state.json is a folder", "x__", func(s *Snapshot) { s.State = nil; s.Nodes["state.json"] = Node{Kind: Folder} }, HoldMalformed},
		{"C47: conflict markers", "x__", func(s *Snapshot) { s.README.Problems = problems(planmd.ConflictMarker) }, HoldMalformed},
		{"C05: a fence may hide tasks", "xxx", func(s *Snapshot) { s.README.Problems = problems(planmd.FenceUnclosed) }, HoldMalformed},
		{"C05: with an open task in sight", "xx_", func(s *Snapshot) { s.README.Problems = problems(planmd.FenceUnclosed) }, HoldNone},
		{"a byte-order mark is no fault", "xxx", func(s *Snapshot) { s.README.Problems = problems(planmd.ByteOrderMark) }, HoldCompleted},
		{"state.json is gone", "xx_", func(s *Snapshot) { s.State = nil; s.README.ApprovalValue = "approved" }, HoldDesync},
	}
	for _, tt := range tests {
		s := sketch(tt.boxes, strings.NewReplacer("x", "c", "_", "p").Replace(tt.boxes))
		tt.change(s)
		o := s.Overview()
		if o.Hold != tt.want || tt.want != HoldCompleted && o.Status == state.Completed {
			t.Errorf("%s: got %q, status %q; want %q", tt.name, o.Hold, o.Status, tt.want)
		}
	}
}

func problems(kind planmd.ProblemKind) []planmd.Problem { return []planmd.Problem{{Kind: kind}} }

// PS-8: approval, where the era has one.
func TestApproval(t *testing.T) {
	tests := []struct {
		name          string
		era           state.Era
		state, readme string
		want          string
		hold          Hold
	}{
		{"state", state.V5, "approved", "pending", "approved", HoldNone},
		{"pre-approved", state.V2, "pre_approved", "", "pre_approved", HoldNone},
		{"C103: pending", state.V5, "pending", "approved", "pending", HoldUnapproved},
		{"README", state.V5, "", "approved", "approved", HoldNone},
		{"neither", state.V5, "", "", "pending", HoldUnapproved},
		{"C51: an unknown word approves nothing", state.V5, "maybe", "", "maybe", HoldUnapproved},
		{"README with another word", state.V5, "", planmd.ApprovalOther, planmd.ApprovalOther, HoldUnapproved},
		{"v1 has none", state.V1, "", "pending", "", HoldNone},
	}
	for _, tt := range tests {
		s := sketch("x_", "cp")
		s.State.Era, s.State.Approval, s.README.ApprovalValue = tt.era, tt.state, tt.readme
		if o := s.Overview(); o.Approval != tt.want || o.Hold != tt.hold {
			t.Errorf("%s: got %q, hold %q; want %q, %q", tt.name, o.Approval, o.Hold, tt.want, tt.hold)
		}
	}
	s := sketch("x_", "")
	s.README.ApprovalValue = "pending"
	if o := s.Overview(); o.Approval != "" || o.Era != state.None || o.Hold != HoldNone {
		t.Errorf("without JSON: got %q, %q, %q", o.Approval, o.Era, o.Hold)
	}
}

func TestFormat(t *testing.T) {
	s := sketch("x_", "cp")
	s.State.Format, s.Manifest.PlanFormat = "full", "lite"
	s.README.Format = &planmd.Field{Value: "Lite - small"}
	s.README.Records = []planmd.Record{{ID: 1}}
	steps := []struct {
		want string
		drop func()
	}{
		{"full", func() { s.State.Format = "" }},
		{"lite", func() { s.Manifest.PlanFormat = "full" }},
		{"full", func() { s.Manifest = nil }},
		{"lite", func() { s.README.Format.Value = "**Full** (not lite)" }},
		{"full", func() { s.README.Format = nil }},
		{"lite", func() { s.README.Records = nil }},
		{"full", func() { s.README = nil }},
		{"full", func() {}},
	}
	for i, step := range steps {
		if got := s.Format(); got != step.want {
			t.Errorf("step %d: got %q, want %q", i, got, step.want)
		}
		step.drop()
	}
}

// GU-5: a blocker holds what depends on its task, which without declarations is every other task.
func TestHoldBlocked(t *testing.T) {
	s := sketch("_____", "bpppp")
	s.State.Blocked = &state.Blocker{Task: 1}
	if o := s.Overview(); o.Hold != HoldBlocked || o.Next != 0 || o.Status != state.Blocked {
		t.Errorf("undeclared: got %q, next %d", o.Hold, o.Next)
	}
	depends(s, 2, 1)
	depends(s, 3)
	if o := s.Overview(); o.Hold != HoldNone || o.Next != 3 || o.Status != state.Blocked {
		t.Errorf("one independent: got %q, next %d", o.Hold, o.Next)
	}
	s.README.Index[2].Box.Mark, s.State.Tasks[2].Status = "x", state.Completed
	if o := s.Overview(); o.Hold != HoldBlocked || o.Next != 0 {
		t.Errorf("C97: only blocked and dependent ones left: got %q, next %d", o.Hold, o.Next)
	}
	// PS-18: a box that was ticked since overtakes the blocker; reconcile clears it.
	s.README.Index[0].Box.Mark = "x"
	if o := s.Overview(); o.Hold != HoldDesync || o.Status != state.InProgress {
		t.Errorf("overtaken: got %q, %q", o.Hold, o.Status)
	}
	// A task reopened before an undeclared blocker is held too.
	s = sketch("_x__", "pcbp")
	if o := s.Overview(); o.Hold != HoldBlocked || o.Next != 1 {
		t.Errorf("reopened: got %q, next %d", o.Hold, o.Next)
	}
}

// Everything that names a task is in the overview, whatever it was found in.
func TestTasksFromAllSources(t *testing.T) {
	s := sketch("x_", "cpp")
	s.State.Format = "full"
	file := func(n int, p string) TaskFile { return TaskFile{Number: n, Path: p, Doc: &planmd.TaskFile{}} }
	s.TaskFiles = []TaskFile{file(1, "1.task_a.md"), file(4, "4.task_d.md"), {Number: 6, Path: "6.task_unreadable.md"}}
	s.Nested = []TaskFile{file(2, "tasks/2.task_b.md"), file(4, "tasks/4.task_d.md"), file(5, "tasks/5.task_e.md")}
	s.README.Records = []planmd.Record{{ID: 7, Title: "inline"}}
	s.README.Loose = []planmd.Record{{ID: 8}, {ID: 3, Title: "loose"}}
	var got []string
	for _, v := range s.Overview().Tasks {
		got = append(got, fmt.Sprintf("%d %q %q line %v entry %v record %v", v.ID, v.Title, v.File, v.Line != nil, v.Entry != nil, v.Record != nil))
	}
	want := []string{
		`1 "line 1" "1.task_a.md" line true entry true record true`,
		`2 "line 2" "tasks/2.task_b.md" line true entry true record true`,
		`3 "entry 3" "README.md" line false entry true record true`,
		`4 "" "4.task_d.md" line false entry false record true`,
		`5 "" "tasks/5.task_e.md" line false entry false record true`,
		`6 "" "6.task_unreadable.md" line false entry false record false`,
		`7 "inline" "README.md" line false entry false record true`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// C25: two files, two lines, two entries or two records of one number; each is seen, and nothing starts.
func TestDuplicates(t *testing.T) {
	two := []TaskFile{{Number: 2, Path: "2.task_cache.md"}, {Number: 2, Path: "2.task_queue.md"}}
	tests := []struct {
		name   string
		change func(*Snapshot)
		files  []string
	}{
		{"files and lines", func(s *Snapshot) {
			s.State.Format = "full"
			s.TaskFiles = two
			s.README.Index[2].ID, s.README.Index[1].Link, s.README.Index[2].Link = 2, "2.task_queue.md", "./2.task_cache.md"
		}, []string{"", "2.task_queue.md", "2.task_cache.md", ""}},
		{"lines without links", func(s *Snapshot) {
			s.State.Format = "full"
			s.TaskFiles = two
			s.README.Index[2].ID = 2
		}, []string{"", "2.task_cache.md", "2.task_queue.md", ""}},
		{"files", func(s *Snapshot) { s.State.Format = "full"; s.TaskFiles = two },
			[]string{"", "2.task_cache.md", "", "2.task_queue.md"}},
		{"entries", func(s *Snapshot) { s.State.Tasks[2].ID = 2 }, []string{"", "", "", ""}},
		{"records", func(s *Snapshot) { s.README.Records = []planmd.Record{{ID: 2}, {Anchor: "task-2"}} },
			[]string{"", "README.md", ""}},
	}
	for _, tt := range tests {
		s := sketch("x__", "cpp")
		tt.change(s)
		o := s.Overview()
		var files []string
		for _, v := range o.Tasks {
			files = append(files, v.File)
		}
		if o.Hold != HoldAmbiguous || !slices.Equal(files, tt.files) {
			t.Errorf("%s: got %q, %q; want %q", tt.name, o.Hold, files, tt.files)
		}
	}
	s := sketch("x__", "cpp")
	s.TaskFiles = two[:1]
	s.README.Records = []planmd.Record{{ID: 1}, {ID: 2}}
	if o := s.Overview(); o.Hold != HoldNone || o.Total != 3 || o.Tasks[1].File != "README.md" {
		t.Errorf("a task file beside the record of a Lite plan is a copy: got %q, %d tasks, %q", o.Hold, o.Total, o.Tasks[1].File)
	}
}

// In a plan without state.json the log tells what a box can't (WP-3).
func TestStatusFromLogs(t *testing.T) {
	s := sketch("x_____", "")
	for i, log := range []planmd.LogState{"pending", "in_progress", "blocked", "skipped", "completed", "other"} {
		s.README.Records = append(s.README.Records, planmd.Record{ID: i + 1, Log: planmd.Log{State: log}})
	}
	if got, want := statuses(s.Overview()), "cibspp"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// GU-7: what waits for what.
func TestDependsOn(t *testing.T) {
	grouped := func() *Snapshot {
		s := sketch("_______", "ppppppp")
		s.README.Groups = []planmd.Group{{Name: "A", Tasks: []int{2, 4, 4, 99}}, {Name: "B", Tasks: []int{5, 2, 7}}}
		return s
	}
	lines := func() *Snapshot {
		s := sketch("____", "pppp")
		depends(s, 2)
		depends(s, 3, 1, 3, 9)
		depends(s, 4, 1)
		return s
	}
	tests := []struct {
		name string
		s    *Snapshot
		id   int
		want []int
	}{
		{"first", sketch("___", "ppp"), 1, nil},
		{"every earlier one", sketch("____", "pppp"), 3, []int{1, 2}},
		{"no such task", sketch("___", "ppp"), 9, nil},
		{"a line that says none", lines(), 2, nil},
		{"a line, as written", lines(), 3, []int{1, 3, 9}},
		{"the Final Review waits for all others", lines(), 4, []int{1, 2, 3}},
		{"first group, after what comes before it", grouped(), 2, []int{1}},
		{"first group, not for its own members", grouped(), 4, []int{1, 3}},
		{"second group", grouped(), 5, []int{1, 2, 3, 4}},
		{"outside the groups", grouped(), 6, []int{1, 2, 3, 4, 5}},
		{"the Final Review is in no group", grouped(), 7, []int{1, 2, 3, 4, 5, 6}},
	}
	for _, tt := range tests {
		if got := tt.s.DependsOn(tt.id); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
	if o := lines().Overview(); o.Next != 1 {
		t.Errorf("next: got %d, want 1", o.Next)
	}
	s := sketch("___", "ppp")
	depends(s, 1, 2)
	depends(s, 2, 1)
	if o := s.Overview(); o.Next != 0 || o.Hold != HoldDependences {
		t.Errorf("cycle: got %d, %q", o.Next, o.Hold)
	}
}

// Next is the lowest offered task of which DependsOn names nothing unsatisfied, in any plan; and what Remaining says of a
// task is what DependsOn names and is not satisfied.
func TestNextAgreesWithDependsOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "n")
		number := rapid.IntRange(1, 9)
		entries := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"c", "p", "i", "b", "s"}), n, n).Draw(t, "entries"), "")
		s := sketch(strings.Map(func(r rune) rune {
			if r == 'c' {
				return 'x'
			}
			return '_'
		}, entries), entries)
		for range rapid.IntRange(0, 2).Draw(t, "rows") {
			s.README.Groups = append(s.README.Groups, planmd.Group{Tasks: rapid.SliceOfN(number, 0, 4).Draw(t, "row")})
		}
		for _, id := range rapid.SliceOfNDistinct(number, 0, 3, rapid.ID).Draw(t, "lines") {
			depends(s, id, rapid.SliceOfN(number, 0, 3).Draw(t, "on")...)
		}
		o := s.Overview()
		satisfied := map[int]bool{}
		for i := range o.Tasks {
			satisfied[o.Tasks[i].ID] = o.Tasks[i].satisfied()
		}
		want, left := 0, o.Graph().Remaining(o.Tasks)
		for i := range o.Tasks {
			v := &o.Tasks[i]
			waits := slices.DeleteFunc(s.DependsOn(v.ID), func(d int) bool { return satisfied[d] })
			slices.Sort(waits)
			waits = slices.Compact(waits)
			for most := range 3 {
				some, count := left.Before(v.ID, most)
				strange := slices.ContainsFunc(some, func(d int) bool { return !slices.Contains(waits, d) })
				if count != len(waits) || len(some) != min(most, len(waits)) || strange || !slices.IsSorted(some) {
					t.Errorf("Before(%d, %d) = %v, %d; DependsOn leaves %v", v.ID, most, some, count, waits)
				}
			}
			if want == 0 && v.Line != nil && v.offered() && len(waits) == 0 {
				want = v.ID
			}
		}
		if o.Next != want {
			t.Errorf("got %d, want %d", o.Next, want)
		}
	})
}
