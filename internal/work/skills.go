package work

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/publish"
	"github.com/deepworkplan/dwp/internal/revise"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/update"
)

// ledgerGuards is the table of the rules by which decide and skills refuse.
var ledgerGuards = []update.Guard{
	{ID: "guard/no-candidate", Requirement: "PD-8", Title: "a candidate that is decided stands in SKILLS_CANDIDATES.md",
		Hint: "dwp skills list names them; dwp skills add makes one"},
	{ID: "guard/disposition", Requirement: "PD-8", Title: "a candidate's disposition is none, update x, create x, or defer with reason and owner",
		Hint: "such as: none; update release-notes; create label-check; defer \u2014 no time this week, Ada"},
}

// candidatesHead begins a SKILLS_CANDIDATES.md that is not there yet.
const candidatesHead = "# Skills candidates\n"

// AddSkill adds a skills candidate (PD-8): what a task teaches that is worth a skill.
type AddSkill struct {
	revise.Who
	Task       int // 0 for the one in progress
	Title, Why string
	ID         string // that Decide gave, or found
	Configured []update.EnvValue
}

// Decide appends the candidate with the next ID of its task. IDs never change: not when tasks are renumbered, and one that was in use is not
// given again as long as any document names it. A candidate of that title is not added twice.
func (c *AddSkill) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := all(given{"title", c.Title, 200, false}, given{"reason", c.Why, 500, false}); err != nil {
		return nil, err
	}
	if err := signed(c.Who); err != nil {
		return nil, err
	}
	task, err := c.task(s)
	if err != nil {
		return nil, err
	}
	list := candidates(s)
	for _, x := range list.List {
		if x.Task == task && loosely(x.Title) == loosely(c.Title) {
			r := &publish.Revision{}
			if c.ID = x.ID; c.Why != "" && loosely(x.Why) != loosely(c.Why) {
				r.Warnings = []string{x.ID + " has that title already; its words were left as they are"}
			}
			return r, nil
		}
	}
	seq := lastSeq(s, task) + 1
	if seq > maxSeq {
		return nil, refuse("guard/faithful", "the task has a candidate with the number %d already", seq-1)
	}
	c.ID = fmt.Sprintf("T%d-%d", task, seq)
	d := revise.New(s, c.Who)
	c.write(d)
	r, err := d.Revision("skills add", c.ID)
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, configured(c.Configured, c.Title, c.Why)...)
	return r, c.faithful(list, r)
}

// task is the task that the candidate comes from.
func (c *AddSkill) task(s *plan.Snapshot) (int, error) {
	id, err := Current(s, c.Task)
	if err != nil {
		return 0, err
	}
	o := s.Overview()
	_, err = taskOf(&o, id)
	return id, err
}

// write puts the candidate at the end of the file, in place of the sentence that there is none. In a published plan that sentence stays: the
// receipt covers it (VP-5).
func (c *AddSkill) write(desk *revise.Desk) {
	lines := []string{"- " + c.ID + ": " + revise.OneLine(c.Title)}
	if c.Why != "" {
		lines = append(lines, "  - Why: "+revise.OneLine(c.Why))
	}
	text := strings.Join(append(lines, "  - Disposition: pending"), "\n")
	list := desk.S.Candidates
	if list == nil {
		desk.Create(plan.CandidatesFile, []byte(candidatesHead+"\n"+text+"\n"))
		return
	}
	e := desk.Edit(plan.CandidatesFile, &list.Doc)
	none := list.None
	switch last := len(bytes.TrimSpace(list.Src[none.End:])) == 0; {
	case none.End == 0 || published(desk.S):
		e.Append(text)
	case last:
		e.Replace(none, text)
	default:
		e.DeleteLines(none)
		e.Append(text)
	}
}

// faithful reads the file as it will stand.
func (c *AddSkill) faithful(before *planmd.Candidates, r *publish.Revision) error {
	for _, change := range r.Changes {
		if change.Path != plan.CandidatesFile {
			continue
		}
		after := planmd.ReadCandidates(change.Data)
		n := len(after.List)
		if n != len(before.List)+1 || len(after.Malformed) != len(before.Malformed) || len(after.Problems) != len(before.Problems) ||
			after.List[n-1].ID != c.ID || loosely(after.List[n-1].Title) != loosely(c.Title) || loosely(after.List[n-1].Why) != loosely(c.Why) {
			return refuse("guard/faithful", "the candidate would not read back from %s as it was given", plan.CandidatesFile)
		}
	}
	return nil
}

// UpdateSkill decides a candidate (PD-8).
type UpdateSkill struct {
	revise.Who
	ID, Disposition string
}

// Decide writes the disposition where the candidate has a place for it, else in a line of its own at the end, which is the way in a published
// plan (VP-5). The same again changes nothing.
func (c *UpdateSkill) Decide(s *plan.Snapshot) (*publish.Revision, error) {
	if err := all(given{"disposition", c.Disposition, 300, false}); err != nil {
		return nil, err
	}
	switch form := planmd.DispositionForm(c.Disposition); {
	case form == "" || planmd.Undecided(c.Disposition):
		return nil, refuse("guard/disposition", "%q decides nothing", c.Disposition)
	case form == planmd.DispositionDefer && !planmd.DeferComplete(c.Disposition):
		return nil, refuse("guard/disposition", "a deferred candidate has a reason and an owner")
	}
	list := candidates(s)
	at := slices.IndexFunc(list.List, func(x planmd.Candidate) bool { return strings.EqualFold(x.ID, c.ID) })
	if at < 0 {
		return nil, refuse("guard/no-candidate", "there is no candidate %q", c.ID)
	}
	x := &list.List[at]
	c.ID = x.ID
	if x.Disposition != nil && plainly(x.Disposition.Value, c.Disposition) {
		return &publish.Revision{}, nil
	}
	if x.Disposition != nil && !published(s) {
		if r, err := c.revision(s, at, func(e *planmd.Edit) { e.SetField(x.Disposition, revise.OneLine(c.Disposition)) }); err == nil {
			return r, nil
		}
	}
	return c.revision(s, at, func(e *planmd.Edit) {
		e.Append("- Disposition of " + c.ID + ": " + revise.OneLine(c.Disposition))
	})
}

// revision is the file with one change, which must read back.
func (c *UpdateSkill) revision(s *plan.Snapshot, at int, change func(*planmd.Edit)) (*publish.Revision, error) {
	d := revise.New(s, c.Who)
	change(d.Edit(plan.CandidatesFile, &s.Candidates.Doc))
	r, err := d.Revision("skills update", c.ID)
	if err != nil {
		return nil, err
	}
	for _, ch := range r.Changes {
		after := planmd.ReadCandidates(ch.Data)
		if len(after.List) != len(s.Candidates.List) || after.List[at].Disposition == nil || !plainly(after.List[at].Disposition.Value, c.Disposition) {
			return nil, refuse("guard/faithful", "the disposition would not read back from %s as it was given", plan.CandidatesFile)
		}
	}
	return r, nil
}

// candidates are those of a plan; none when it has no file for them.
func candidates(s *plan.Snapshot) *planmd.Candidates {
	if s.Candidates == nil {
		return &planmd.Candidates{}
	}
	return s.Candidates
}

// published reports whether a receipt covers the plan, or will when its completion is sealed.
func published(s *plan.Snapshot) bool {
	return s.State != nil && s.State.Status == state.Completed || s.Receipt != nil
}

// maxSeq bounds the numbers that are given; a larger one is somebody's slip, not a number to go on from.
const maxSeq = 99999

// lastSeq is the highest number that a candidate of a task has or had: one that was deleted may still be named in a log or in PROGRESS.md.
func lastSeq(s *plan.Snapshot, task int) int {
	last := 0
	for _, x := range candidates(s).List {
		if x.Task == task {
			last = max(last, x.Seq)
		}
	}
	mark := fmt.Sprintf("T%d-", task)
	for _, f := range s.Files {
		if !strings.HasSuffix(f.Path, ".md") {
			continue
		}
		for text := string(f.Data); ; {
			i := strings.Index(text, mark)
			if i < 0 {
				break
			}
			own := i == 0 || !alphanumeric(text[i-1])
			text = text[i+len(mark):]
			end := 0
			for end < len(text) && '0' <= text[end] && text[end] <= '9' {
				end++
			}
			if seq, err := strconv.Atoi(text[:end]); own && err == nil && seq <= maxSeq {
				last = max(last, seq)
			}
		}
	}
	return last
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '-'
}

// loosely is a text without what Markdown shows as something else than the letters: emphasis, code marks, escapes.
func loosely(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`*_\\", r) {
			return -1
		}
		return r
	}, text)
	return strings.Trim(revise.OneLine(text), " .:;,-\u2013\u2014)]")
}
