package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/deepworkplan/dwp/internal/plan"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
)

// amendment is one amendment with where it was found. A copy stands in PROGRESS.md.
type amendment struct {
	planmd.Amendment
	task int
	copy bool
	file string
	doc  *planmd.Doc
}

// gatherAmendments collects the amendments of all logs and of PROGRESS.md.
func gatherAmendments(s *plan.Snapshot) []amendment {
	var all []amendment
	add := func(rec *planmd.Record, task int, file string, doc *planmd.Doc) {
		for _, a := range rec.Log.Amendments {
			all = append(all, amendment{Amendment: a, task: task, file: file, doc: doc})
		}
	}
	if s.README != nil {
		for i := range s.README.Records {
			rec := &s.README.Records[i]
			add(rec, rec.ID, "README.md", &s.README.Doc)
		}
	}
	for _, t := range s.TaskFiles {
		if t.Doc != nil {
			add(&t.Doc.Record, t.Number, t.Path, &t.Doc.Doc)
		}
	}
	if s.Progress != nil {
		for _, a := range s.Progress.Amendments {
			all = append(all, amendment{Amendment: a, task: a.Task, copy: true, file: "PROGRESS.md", doc: &s.Progress.Doc})
		}
	}
	return all
}

// contradicts: a field that both copies have differs in its words. A copy may leave fields out.
func (a *amendment) contradicts(b *amendment) bool {
	for _, f := range a.Fields {
		if other := b.Field(f.Kind); f.Kind != planmd.FieldOther && other != "" && letters(other) != letters(f.Value) {
			return true
		}
	}
	return false
}

func (a *amendment) place() rule.Place { return docPlace(a.file, a.doc, a.Span, a.task) }

// amendedBy reports whether an amendment of the task names that authority.
func (c *checker) amendedBy(task int, authority string) bool {
	for i := range c.amended {
		if a := &c.amended[i]; a.task == task && planmd.Authority(a.Field(planmd.FieldAuthority)) == authority {
			return true
		}
	}
	return false
}

// archived reports whether the record of a copy's task was archived in PROGRESS.md below it: its log went with it (PS-10).
func (c *checker) archived(a *amendment) bool {
	return slices.ContainsFunc(c.s.Progress.Archived, func(x planmd.Archive) bool { return x.Task == a.task && a.Span.Start < x.Span.Start })
}

// required are the fields an amendment never lacks; a revised criterion stands only when there is one (AM-1).
var required = []struct {
	kind planmd.FieldKind
	name string
}{
	{planmd.FieldOriginal, "original criterion"}, {planmd.FieldObserved, "observed"}, {planmd.FieldDisposition, "disposition"},
	{planmd.FieldReason, "reason"}, {planmd.FieldAuthority, "authority"}, {planmd.FieldAffected, "affected tasks"},
	{planmd.FieldInvalidated, "evidence invalidated"}, {planmd.FieldPreserved, "evidence preserved"},
}

// checkAmendments: fields, authority, dates (AM-1, AM-2).
func checkAmendments(c *checker) {
	for i := range c.amended {
		a := &c.amended[i]
		for _, f := range AmendmentFaults(&a.Amendment, c.opt.Now) {
			// Of a copy only the day counts: the log's text is the record, PROGRESS.md may be shorter.
			if !a.copy || f.Rule == "amendment/date" {
				c.add(f.Rule, a.place(), f.Message, f.Hint)
			}
		}
	}
}

// AmendmentFault is what is wrong with an amendment by itself.
type AmendmentFault struct{ Rule, Message, Hint string }

// AmendmentFaults judges an amendment by itself: its day, its fields, its authority (AM-1, AM-2). A zero now leaves out whether
// the day is one to come. Whoever lets something rest on an amendment asks the same (GU-6).
func AmendmentFaults(a *planmd.Amendment, now time.Time) (faults []AmendmentFault) {
	fault := func(id, hint, format string, args ...any) {
		faults = append(faults, AmendmentFault{id, fmt.Sprintf("Amendment %d "+format, append([]any{a.Number}, args...)...), hint})
	}
	// A day, and not one to come anywhere on earth.
	switch day, err := time.Parse(time.DateOnly, a.Date); {
	case err != nil:
		fault("amendment/date", "write: Amendment N — YYYY-MM-DD", "is dated %s, which is no day", quote(a.Date))
	case !now.IsZero() && day.After(now.UTC().Add(14*time.Hour)):
		fault("amendment/date", "an amendment carries the day it was written", "is dated in the future: %s", a.Date)
	}
	var missing []string
	for _, f := range required {
		if a.Field(f.kind) == "" {
			missing = append(missing, f.name)
		}
	}
	if len(missing) > 0 {
		fault("amendment/fields", "one labelled line per field; amendments are appended to, never edited away", "lacks %s", strings.Join(missing, ", "))
	}
	authority := a.Field(planmd.FieldAuthority)
	kind := planmd.Authority(authority)
	disposition := strings.ToLower(a.Field(planmd.FieldDisposition))
	switch {
	case authority == "":
	case kind == "":
		fault("amendment/authority", "user, developer or evidence", "names the unknown authority %s", quote(authority))
	case planmd.Deferral(disposition) && kind == planmd.AuthorityEvidence:
		fault("amendment/deferral", "a deferral needs the authority of user or developer", "defers a requirement on authority %s", quote(authority))
	case strings.HasPrefix(disposition, "exception") && kind != planmd.AuthorityUser:
		fault("amendment/deferral", "an exception needs the authority of user", "accepts an exception on authority %s", quote(authority))
	}
	return faults
}

// checkAmendmentSeries: numbers without gaps, and the same amendments in both places (AM-1).
func checkAmendmentSeries(c *checker) {
	type id struct{ task, number int }
	logs, copies := map[id]*amendment{}, map[id]*amendment{}
	numbers := map[int][]int{}
	for i := range c.amended {
		a := &c.amended[i]
		if a.copy {
			copies[id{a.task, a.Number}] = a
			continue
		}
		logs[id{a.task, a.Number}] = a
		numbers[a.task] = append(numbers[a.task], a.Number)
	}
	for _, task := range slices.Sorted(maps.Keys(numbers)) {
		for i, n := range numbers[task] {
			if n != i+1 {
				c.add("amendment/numbers", logs[id{task, n}].place(), fmt.Sprintf("Amendment %d stands where %d is expected", n, i+1), "amendments are numbered from 1 without gaps; look for a removed one")
				break
			}
		}
	}
	for i := range c.amended {
		a := &c.amended[i]
		switch key := (id{a.task, a.Number}); {
		case c.s.Progress == nil:
		case !a.copy && copies[key] == nil && copies[id{0, a.Number}] == nil:
			c.add("amendment/copies", a.place(), fmt.Sprintf("Amendment %d stands in the log, but not in PROGRESS.md", a.Number), "append it to PROGRESS.md too")
		case !a.copy && copies[key] != nil && copies[key].Date != a.Date:
			c.add("amendment/copies", a.place(), fmt.Sprintf("Amendment %d is dated %s in the log and %s in PROGRESS.md", a.Number, a.Date, copies[key].Date), "find out which was changed")
		case !a.copy && copies[key] != nil && a.contradicts(copies[key]):
			c.add("amendment/copies", a.place(), fmt.Sprintf("Amendment %d says something else in the log than in PROGRESS.md", a.Number), "find out which was changed")
		case a.copy && a.task != 0 && logs[key] == nil && !c.archived(a):
			c.add("amendment/copies", a.place(), fmt.Sprintf("Amendment %d stands in PROGRESS.md, but not in the task's log", a.Number), "look for a removed amendment")
		}
	}
}
