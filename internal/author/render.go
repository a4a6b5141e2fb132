package author

import (
	"maps"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/verify"
)

// Paths of the files that only a new plan has, or that its creation begins.
const (
	readmeFile    = "README.md"
	progressFile  = "PROGRESS.md"
	promptsFile   = "PROMPTS.md"
	analysisDir   = "analysis_results"
	analysisFile  = analysisDir + "/PLAN_ANALYSIS.md"
	candidateFile = analysisDir + "/SKILLS_CANDIDATES.md"
	// OutlineFile keeps outline and options, so that creation can be taken up again with nothing else at hand.
	OutlineFile = analysisDir + "/OUTLINE.json"
)

// Prepare works a plan out of an outline: it completes it, chooses the format, renders every text, and verifies the whole.
// The error is an *Incomplete or an *Unsound. Nothing is written.
//
// The texts come in the order of LF-4: manifest.json; the outline, from which all else can be made again; the README with
// the whole task index, still materializing; PLAN_ANALYSIS.md; the task records (in a Lite plan they stand in the README);
// PROMPTS.md, PROGRESS.md, a hub's ORCHESTRATOR_MANIFEST.md, SKILLS_CANDIDATES.md, state.json; last the README with its count and state.json, ready.
func Prepare(o Outline, opt Options) (*Plan, error) { return prepare(o, nil, opt) }

// PrepareFrom reads an outline, and prepares it: what can't be read and what is missing are told together. A title that is given
// stands instead of the outline's.
func PrepareFrom(src []byte, title string, opt Options) (*Plan, error) {
	o, gaps := ReadOutline(src)
	if title != "" {
		o.Title = title
	}
	return prepare(o, gaps, opt)
}

// prepare does so with what could not be read of the outline: it is told together with what is missing.
func prepare(o Outline, gaps []Gap, opt Options) (*Plan, error) {
	p := &Plan{Options: opt, Outline: o}
	// The words of the request stand for what the outline leaves out.
	p.Objective = strings.ToValidUTF8(opt.Objective, "\ufffd")
	p.Outline.Title = oneLine(or(o.Title, p.Objective))
	p.Outline.Goal = or(o.Goal, p.Objective)
	// A folder may have any name; one that can't be written into a text is not.
	if !writable(p.Repository) || strings.ContainsAny(p.Repository, ":'\\") {
		p.Repository = ""
	}
	gaps = append(gaps, p.Outline.Gaps()...)
	if gaps = append(gaps, p.misplaced()...); len(gaps) > 0 {
		return nil, &Incomplete{gaps}
	}
	if p.Name == "" {
		p.Name = NameFor(p.Outline.Title)
	}
	d := newDraft(p)
	p.Choice, p.tasks = d.choice, len(d.tasks)
	p.Files = d.files()
	return p, p.check(d.tasks)
}

// draft is a plan while its texts are rendered: the outline with the Final Review, and what was chosen.
type draft struct {
	*Plan
	tasks  []Task
	groups []Group
	choice Choice
}

// newDraft adds the Final Review that every plan ends with (PD-7), unless the outline has it, and chooses the format.
func newDraft(p *Plan) *draft {
	d := &draft{Plan: p, tasks: p.Outline.Tasks, groups: p.Outline.Groups}
	added := !endsWithReview(d.tasks[len(d.tasks)-1].Title)
	if added {
		d.tasks = append(d.tasks[:len(d.tasks):len(d.tasks)], review(d.tasks))
	}
	d.choice = choose(&p.Outline, &p.Options, observe(d.tasks, d.groups, added))
	return d
}

// files renders every text, in the order of LF-4.
func (d *draft) files() []File {
	skeleton, whole := d.readme(true), d.readme(false)
	files := []File{
		{state.ManifestFile, d.manifest()},
		{OutlineFile, d.record()},
		{readmeFile, skeleton},
		{analysisFile, d.analysis()},
	}
	if d.choice.Format == full {
		for i := range d.tasks {
			files = append(files, File{taskFile(i+1, d.tasks[i].Title), record(&d.tasks[i], i+1, d.groupOf(i+1), full)})
		}
	}
	files = append(files,
		File{promptsFile, d.prompts()},
		File{progressFile, d.progress()},
	)
	if d.hub() {
		files = append(files, File{plan.HubFile, d.orchestrator()})
	}
	return append(files,
		File{candidateFile, d.candidates()},
		File{state.StateFile, d.state("materializing")},
		File{readmeFile, whole},
		File{state.StateFile, d.state("ready")},
	)
}

// Final returns the texts as they stand when the plan is ready, by path.
func (p *Plan) Final() map[string]string {
	texts := map[string]string{}
	for _, f := range p.Files {
		texts[f.Path] = f.Text
	}
	return texts
}

// check verifies the plan as it will stand: what an outline holds may break it in ways that no look at its fields finds, as a
// stray code fence does. A secret is refused, however advisory the rule (PS-7).
func (p *Plan) check(tasks []Task) error {
	s, err := plan.Read(folderOf(p.Final()), p.Name)
	if err != nil {
		return err
	}
	report := verify.Plan(s, verify.Options{Now: p.CreatedAt, Strict: true, InGit: true})
	refused := false
	for _, f := range report.Findings {
		refused = refused || f.Level == rule.Must || strings.HasPrefix(f.Rule, "secret/")
		if f.Level == rule.Should {
			p.Advice = append(p.Advice, f)
		}
	}
	if refused || report.Verdict != verify.Conformant {
		return &Unsound{report.Findings}
	}
	if odd := p.faithful(s, tasks); len(odd) > 0 {
		return &Incomplete{odd}
	}
	if stuck := ring(s); len(stuck) > 0 {
		return &Incomplete{[]Gap{{"outline", "no task could ever start of " + tasksNamed(stuck) + ": they wait for each other"}}}
	}
	return nil
}

// ring lists tasks that can never start, because they wait for each other by what they declare and by the order of groups (GU-7).
func ring(s *plan.Snapshot) []int {
	tasks := s.Overview().Tasks
	forward := len(s.README.Groups) > 0
	for _, t := range tasks {
		forward = forward || t.Record != nil && slices.ContainsFunc(t.Record.DependsOn, func(id int) bool { return id > t.ID })
	}
	if !forward { // each waits for earlier ones only
		return nil
	}
	g := s.Graph()
	waits, followers := map[int]int{}, map[int][]int{}
	var free []int
	for _, t := range tasks {
		before := g.DependsOn(t.ID)
		if waits[t.ID] = len(before); len(before) == 0 {
			free = append(free, t.ID)
		}
		for _, id := range before {
			followers[id] = append(followers[id], t.ID)
		}
	}
	for len(free) > 0 {
		id := free[0]
		free = free[1:]
		delete(waits, id)
		for _, next := range followers[id] {
			if waits[next]--; waits[next] == 0 {
				free = append(free, next)
			}
		}
	}
	return slices.Sorted(maps.Keys(waits))
}

// endsWithReview reports whether a title is that of a Final Review, in verify's words: the last task of a plan is asked about.
func endsWithReview(title string) bool {
	text := "# Plan\n\n**Standard:** DWP spec " + Standard + "\n\n## Task List\n\n- [ ] Task 1: " + escape(oneLine(title)) + "\n"
	s, err := plan.Read(folderOf(map[string]string{readmeFile: text}), "PLAN_any_plan")
	if err != nil {
		return false
	}
	for _, f := range verify.Plan(s, verify.Options{}).Findings {
		if f.Rule == "review/last" {
			return false
		}
	}
	return true
}

// TaskCount is the number of tasks, the Final Review included.
func (p *Plan) TaskCount() int { return p.tasks }
